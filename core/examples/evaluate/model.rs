//! The committed encoder.

use std::path::Path;

use footnote_core::embed::cpu::CpuEmbedder;
use footnote_core::embed::{Embedder, ModelFiles};

use super::Result;

const FOLDER: &str = "../public/models/all-MiniLM-L6-v2-int8";

pub fn open() -> Result<Box<dyn Embedder + Send>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let read = |name| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|error| format!("{error}: {}", path.display()))
    };
    let (manifest, onnx, tokenizer) = (
        read("model.json")?,
        read("model.onnx")?,
        read("tokenizer.json")?,
    );
    let files = ModelFiles {
        manifest: &manifest,
        onnx: onnx.into(),
        tokenizer: &tokenizer,
    };
    Ok(Box::new(CpuEmbedder::new(files)?))
}
