//! `cargo xtask bench-browser`: what is measured in headless Chromium, written to
//! `target/bench-browser.json`.

use std::path::PathBuf;
use std::process::Command;

use crate::prepare;
use crate::shell::{Result, run};
use xtask::paths;

/// What our encoder is compared with.
const ONNXRUNTIME_WEB: &str = "onnxruntime-web@1.30.0";

/// Measures the page that `cargo xtask build` left in `dist`.
pub fn run_all() -> Result {
    prepare::for_browser()?;
    if !paths::dist().join("encoder.js").exists() {
        return Err("build the page first: cargo xtask build".to_owned());
    }
    run(Command::new("cargo")
        .current_dir(paths::root())
        .args(["run", "--quiet", "--package", "footnote-tests"])
        .args(["--bin", "bench_browser", "--"])
        .arg(onnxruntime_web()?)
        .arg(paths::target().join("bench-browser.json")))
}

/// The package's `dist` folder; installed without its scripts, which download more.
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
