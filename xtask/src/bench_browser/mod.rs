//! `cargo xtask bench-browser`: measures in headless Chromium. The results are written to
//! `target/bench-browser.json`, printed as a [`table`] beside the last recorded ones, and
//! [`plot`]ted against the size of the repositories.

mod plot;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::{Result, run};
use crate::{build, fixtures, prepare, relaxed};
use xtask::paths;

/// What our encoder is compared with.
const ONNXRUNTIME_WEB: &str = "onnxruntime-web@1.30.0";

/// The last recorded results.
const RECORD: &str = "core/benches/runs/2026-11-browser/bench-browser.json";

/// The archives that are measured.
const ARCHIVES: [&str; 4] = [
    "requests-2.32.5.tar.gz",
    "flask-3.1.1.tar.gz",
    "sphinx-8.2.3.tar.gz",
    "django-5.2.4.tar.gz",
];

/// Measures the page in `dist`, which is built first if it is missing. `parts` are `model`,
/// `encoder`, names of archives, and `ladder` for those of `tests/fixtures/ladder.json`; if empty,
/// all but the ladder.
pub fn run_all(parts: &[String]) -> Result {
    prepare::for_browser()?;
    prepare::for_python()?;
    fixtures::fetch(&ARCHIVES)?;
    fixtures::fetch_ladder(parts)?;
    if !paths::dist().join(format!("{}.js", relaxed::NAME)).exists() {
        build::run_all()?;
    }
    let report = paths::target().join("bench-browser.json");
    // Makes the index files that are timed too.
    run(Command::new("cargo").current_dir(paths::root()).args([
        "build",
        "--quiet",
        "--package",
        "footnote-cli",
    ]))?;
    run(Command::new("cargo")
        .current_dir(paths::root())
        .args(["run", "--quiet", "--package", "footnote-tests"])
        .args(["--bin", "bench_browser", "--"])
        .arg(onnxruntime_web()?)
        .arg(&report)
        .args(parts))?;
    let value = add_sizes(&report)?;
    let recorded = read_json(&paths::root().join(RECORD)).unwrap_or_default();
    println!("{}", table::of(&value, &recorded));
    let picture = paths::target().join("bench-browser-growth.svg");
    write(&picture, &plot::growth(&value))?;
    println!("{}\n{}", report.display(), picture.display());
    Ok(())
}

/// Adds the sizes of the wasm files to the report.
fn add_sizes(report: &Path) -> Result<Value> {
    let mut value = read_json(report)?;
    for (file, bytes, brotli) in build::sizes()? {
        let name = file.trim_end_matches("_bg.wasm");
        value["wasm"][format!("{name}_bytes")] = bytes.into();
        value["wasm"][format!("{name}_brotli_bytes")] = brotli.into();
    }
    write(report, &format!("{value:#}\n"))?;
    Ok(value)
}

fn read_json(path: &Path) -> Result<Value> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read(path).map_err(|error| told(&error))?;
    serde_json::from_slice(&text).map_err(|error| told(&error))
}

fn write(path: &Path, text: &str) -> Result {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The package's `dist` folder. It is installed without its scripts, which download more.
fn onnxruntime_web() -> Result<PathBuf> {
    let folder = paths::tools().join("onnxruntime-web");
    let dist = folder.join("node_modules/onnxruntime-web/dist");
    if !dist.join("ort.wasm.min.mjs").exists() {
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{error}: {}", folder.display()))?;
        run(Command::new("npm")
            .args(["install", "--silent", "--no-fund", "--no-audit"])
            .args(["--ignore-scripts", "--prefix"])
            .arg(&folder)
            .arg(ONNXRUNTIME_WEB))?;
    }
    Ok(dist)
}
