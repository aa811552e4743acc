//! Footnote's encoder compared with onnxruntime-web: the same model file and texts, in one browser,
//! alternating, one thread each. The page is `tests/bench-browser/encoder.html`.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use footnote_app::platform::simd;
use serde_json::{Value, json};
use xtask::paths;

use crate::browser::{Page, Setup};

/// What is served beside the built page's encoders and models.
const ASSETS: [&str; 4] = [
    "encoder.html",
    "encoder.mjs",
    "footnote_encoder.mjs",
    "ort_worker.mjs",
];
/// The plain CPU build of onnxruntime-web.
const ONNXRUNTIME: [&str; 3] = [
    "ort.wasm.min.mjs",
    "ort-wasm-simd-threaded.mjs",
    "ort-wasm-simd-threaded.wasm",
];
/// How long both encoders together may take for all texts.
const PATIENCE: Duration = Duration::from_secs(600);

/// The instruction set that multiplies and adds bytes in one instruction, as Linux names it, and
/// the flag with which the browser does not use it.
const VNNI: (&str, &str) = ("avx_vnni", "--js-flags=--no-enable-avx-vnni");

/// Times both; `onnxruntime` is the package's `dist` folder. Milliseconds are medians over
/// `rounds`.
///
/// The result has the `build` that the page would choose here, the processor's `instructions`,
/// `ours_ms`, `onnxruntime_web_ms` and `ratio` for one text of 128 tokens, and `details` with every
/// text, both builds of our encoder, loading times and cosines, and as `floor_ms` the time of the
/// products alone if every one of them were made from registers. On a processor with AVX-VNNI,
/// `without_avx_vnni` has the same for a browser that does not use it.
pub async fn measure(onnxruntime: &Path, rounds: u32) -> io::Result<Value> {
    let (vnni, flag) = VNNI;
    let all = instructions();
    let mut summary = measure_with(onnxruntime, rounds, &[], &all).await?;
    if all.contains(&vnni) {
        let left: Vec<_> = all.into_iter().filter(|set| *set != vnni).collect();
        summary["without_avx_vnni"] = measure_with(onnxruntime, rounds, &[flag], &left).await?;
    }
    Ok(summary)
}

/// Times both in a browser with `flags`, which uses `instructions`.
async fn measure_with(
    onnxruntime: &Path,
    rounds: u32,
    flags: &[&str],
    instructions: &[&str],
) -> io::Result<Value> {
    let folder = tempfile::tempdir()?;
    lay_out(folder.path(), onnxruntime)?;
    let setup = Setup {
        folder: Some(folder.path().to_owned()),
        flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
        ..Setup::default()
    };
    let page = Page::blank(setup).await;
    let address = format!("{}/encoder.html?rounds={rounds}", page.url());
    page.driver.goto(address).await.map_err(io::Error::other)?;
    let start = Instant::now();
    while page.script("return document.title").await != "done" {
        if start.elapsed() > PATIENCE {
            return Err(io::Error::other("the encoders did not end"));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let text = page.script("return document.getElementById('result').textContent");
    let details: Value = serde_json::from_str(text.await.as_str().unwrap_or_default())?;
    page.close().await;
    match details.get("error").and_then(Value::as_str) {
        Some(error) => Err(io::Error::other(error.to_owned())),
        None => Ok(summary(details, instructions)),
    }
}

/// The summary: the first case, with the build of our encoder that the page would choose.
fn summary(details: Value, instructions: &[&str]) -> Value {
    let times = &details["cases"][0]["ms"];
    let is_relaxed = details["share"]
        .as_f64()
        .is_some_and(|share| share <= simd::MAX_SHARE);
    let build = if is_relaxed {
        "encoder_relaxed"
    } else {
        "encoder"
    };
    let ours = times[build].as_f64();
    let theirs = times["onnxruntime_web"].as_f64();
    let ratio = ours.zip(theirs).map(|(ours, theirs)| ours / theirs);
    json!({
        "build": build,
        "instructions": instructions,
        "ours_ms": ours,
        "onnxruntime_web_ms": theirs,
        "ratio": ratio,
        "details": details,
    })
}

/// The processor's instruction sets that matter to an encoder, as Linux names them.
fn instructions() -> Vec<&'static str> {
    const SETS: [&str; 4] = ["avx2", "avx_vnni", "avx512_vnni", "asimddp"];
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let has = |set: &&str| told.split_whitespace().any(|word| word == *set);
    SETS.into_iter().filter(has).collect()
}

fn lay_out(folder: &Path, onnxruntime: &Path) -> io::Result<()> {
    let sources = paths::root().join("tests/bench-browser");
    for name in ASSETS {
        fs::copy(sources.join(name), folder.join(name))?;
    }
    // The server recognises a built page by this file.
    fs::copy(sources.join("encoder.html"), folder.join("index.html"))?;
    let vectors = paths::root().join("tests/fixtures/embeddings/vectors.json");
    fs::copy(vectors, folder.join("vectors.json"))?;
    for entry in fs::read_dir(paths::dist())? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("encoder") {
            fs::copy(entry.path(), folder.join(name))?;
        }
    }
    fs::write(folder.join("simd.wasm"), simd::LOOPS)?;
    let floor = wat::parse_file(sources.join("floor.wat")).map_err(io::Error::other)?;
    fs::write(folder.join("floor.wasm"), floor)?;
    copy_files(onnxruntime, &folder.join("ort"), &ONNXRUNTIME)?;
    let model = "models/all-MiniLM-L6-v2-int8";
    let files = ["model.json", "model.onnx", "tokenizer.json"];
    copy_files(&paths::dist().join(model), &folder.join(model), &files)
}

fn copy_files(from: &Path, to: &Path, names: &[&str]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for name in names {
        fs::copy(from.join(name), to.join(name))?;
    }
    Ok(())
}
