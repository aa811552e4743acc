//! `bench_browser ONNXRUNTIME_DIST OUT.json`: measurements in a real browser; `cargo xtask bench-browser`
//! prepares what it needs. Each part of the report is replaced, the others stay.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use footnote_tests::encoder_bench;
use serde_json::Value;

/// Times are medians over so many rounds.
const ROUNDS: u32 = 15;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [onnxruntime, out] = arguments.as_slice() else {
        eprintln!("usage: bench_browser ONNXRUNTIME_DIST OUT.json");
        return ExitCode::FAILURE;
    };
    match run(Path::new(onnxruntime), Path::new(out)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_browser: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(onnxruntime: &Path, out: &Path) -> std::io::Result<()> {
    let mut report: Value = fs::read(out)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let encoder = encoder_bench::measure(onnxruntime, ROUNDS).await?;
    println!(
        "encoder, 128 tokens: {} ms, onnxruntime-web {} ms, ratio {}",
        encoder["ours_ms"], encoder["onnxruntime_web_ms"], encoder["ratio"]
    );
    report["encoder"] = encoder;
    fs::write(out, serde_json::to_vec_pretty(&report)?)
}
