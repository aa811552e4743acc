//! The release page: Trunk builds page, engine and encoder; the encoder is built a second time for
//! browsers with relaxed SIMD, whose instructions other browsers refuse to load.

use std::path::Path;

use crate::prepare::{self, Toolchain};
use crate::shell::{Result, output, run};
use xtask::paths;

const RELAXED: &str =
    "-C target-feature=+simd128,+relaxed-simd --cfg getrandom_backend=\"wasm_js\"";

/// Prepares and builds everything into `dist`.
pub fn run_all() -> Result {
    let tools = prepare::for_build()?;
    page(&tools)?;
    report_sizes()
}

/// Builds the page and its workers into `dist`.
pub fn page(tools: &Toolchain) -> Result {
    run(tools
        .wasm_command("trunk")
        .args(["build", "--release", "--skip-version-check", "--offline"])
        .env_remove("NO_COLOR"))?;
    relaxed_encoder(tools)
}

fn relaxed_encoder(tools: &Toolchain) -> Result {
    let target = paths::wasm_target().join("relaxed");
    run(tools
        .wasm_command("cargo")
        .args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "footnote-app",
            "--bin",
            "encoder",
        ])
        .args(["--target", "wasm32-unknown-unknown"])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", RELAXED))?;
    let dist = paths::dist();
    run(tools
        .command("wasm-bindgen")
        .args([
            "--target",
            "no-modules",
            "--no-typescript",
            "--out-name",
            "encoder_relaxed",
            "--out-dir",
        ])
        .arg(&dist)
        .arg(target.join("wasm32-unknown-unknown/release/encoder.wasm")))?;
    optimise(tools, &dist.join("encoder_relaxed_bg.wasm"))
}

fn optimise(tools: &Toolchain, wasm: &Path) -> Result {
    run(tools
        .command("wasm-opt")
        .args([
            "-O1",
            "--enable-simd",
            "--enable-relaxed-simd",
            "--enable-bulk-memory",
            "--enable-sign-ext",
        ])
        .args([
            "--enable-nontrapping-float-to-int",
            "--enable-mutable-globals",
            "--enable-reference-types",
        ])
        .args(["--enable-multivalue", "-o"])
        .arg(wasm)
        .arg(wasm))
}

/// Prints how large each wasm file is, as served and with brotli.
pub fn report_sizes() -> Result {
    for (name, bytes, brotli) in sizes()? {
        println!(
            "{name}: {:.2} MB, {:.2} MB with brotli",
            bytes as f64 / 1e6,
            brotli as f64 / 1e6
        );
    }
    Ok(())
}

/// Name, bytes and bytes after brotli (quality 9) of each wasm file in `dist`, by name.
pub fn sizes() -> Result<Vec<(String, u64, u64)>> {
    let script = "const z=require('zlib'),fs=require('fs');\
        for(const f of fs.readdirSync('.').filter(f=>f.endsWith('.wasm')).sort()){\
        const b=fs.readFileSync(f),c=z.brotliCompressSync(b,{params:{[z.constants.BROTLI_PARAM_QUALITY]:9}});\
        console.log(f,b.length,c.length)}";
    let listed = output(
        std::process::Command::new("node")
            .args(["-e", script])
            .current_dir(paths::dist()),
    )?;
    let parsed = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((
            words.next()?.to_owned(),
            words.next()?.parse().ok()?,
            words.next()?.parse().ok()?,
        ))
    });
    Ok(parsed.collect())
}
