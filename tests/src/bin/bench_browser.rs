//! `bench_browser ONNXRUNTIME_DIST OUT.json [PART…]`: measurements in a real browser; `cargo xtask
//! bench-browser` prepares what it needs. A part is `model`, `encoder`, an archive's name, or
//! `ladder` for larger and larger ones; without any, all but the ladder are measured. The measured
//! parts of the report are replaced, the others stay.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use footnote_tests::{archive_bench, encoder_bench, model_bench};
use serde_json::{Value, json};
use xtask::paths;

/// Times are medians over this many rounds.
const ROUNDS: u32 = 15;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [onnxruntime, out, parts @ ..] = arguments.as_slice() else {
        eprintln!("usage: bench_browser ONNXRUNTIME_DIST OUT.json [PART…]");
        return ExitCode::FAILURE;
    };
    match run(Path::new(onnxruntime), Path::new(out), parts).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_browser: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(onnxruntime: &Path, out: &Path, parts: &[String]) -> std::io::Result<()> {
    let mut report: Value = fs::read(out)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_else(|| json!({}));
    let is_wanted = |part: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == part);
    let is_named = |part: &str| parts.iter().any(|wanted| wanted == part);
    let usual = archive_bench::CASES
        .iter()
        .filter(|case| is_wanted(case.name));
    let ladder = archive_bench::LADDER
        .iter()
        .filter(|case| is_named(case.name) || is_named("ladder"));
    for case in usual.chain(ladder) {
        archive_bench::check(case, &paths::archives())?;
        let measured = archive_bench::measure(case).await?;
        println!("{}: {measured:#}", case.name);
        report["archives"][case.name] = measured;
        fs::write(out, serde_json::to_vec_pretty(&report)?)?;
    }
    if is_wanted("model") {
        let model = model_bench::measure().await?;
        println!("an answer by a language model: {model:#}");
        report["model"] = model;
        fs::write(out, serde_json::to_vec_pretty(&report)?)?;
    }
    if is_wanted("encoder") {
        let encoder = encoder_bench::measure(onnxruntime, ROUNDS).await?;
        for measured in [&encoder, &encoder["without_avx_vnni"]] {
            if measured.is_null() {
                continue;
            }
            println!(
                "{}, 128 tokens, {}: {} ms, onnxruntime-web {} ms, ratio {}",
                measured["build"],
                measured["instructions"],
                measured["ours_ms"],
                measured["onnxruntime_web_ms"],
                measured["ratio"]
            );
        }
        report["encoder"] = encoder;
        fs::write(out, serde_json::to_vec_pretty(&report)?)?;
    }
    Ok(())
}
