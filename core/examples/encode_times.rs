//! Embeds a text of TOKENS tokens RUNS times: `encode_times TOKENS RUNS`.
//! `core/benches/runs/2026-11-native-encoder/compare.py` measures the cost from outside.

use std::error::Error;
use std::{env, fs, path::Path};

use footnote_core::embed::{CpuEmbedder, ModelFiles};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse());
    let (Some(tokens), Some(runs)) = (arguments.next(), arguments.next()) else {
        return Err("give the number of tokens and of runs".into());
    };
    let (tokens, runs): (usize, usize) = (tokens?, runs?);
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/models/all-MiniLM-L6-v2-int8");
    let read = |name| fs::read(folder.join(name));
    let mut embedder = CpuEmbedder::new(ModelFiles {
        manifest: &read("model.json")?,
        onnx: read("model.onnx")?.into(),
        tokenizer: &read("tokenizer.json")?,
    })?;
    // The model adds two tokens of its own.
    let text = vec!["the"; tokens.saturating_sub(2)].join(" ");
    for _ in 0..runs {
        embedder.encode(&[&text])?;
    }
    Ok(())
}
