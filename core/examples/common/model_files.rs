//! The models that come with the page.

use std::path::Path;

use footnote_core::embed::ModelFiles;

use super::Result;

const FOLDER: &str = "../public/models";

/// The folder of the encoder.
pub const ENCODER: &str = "all-MiniLM-L6-v2-int8";

/// A model that comes with the page, by the name of its folder.
pub fn read<M>(name: &str, load: impl FnOnce(ModelFiles) -> Result<M>) -> Result<M> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(FOLDER)
        .join(name);
    let read = |name| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|error| format!("{error}: {}", path.display()))
    };
    let (manifest, onnx, tokenizer) = (
        read("model.json")?,
        read("model.onnx")?,
        read("tokenizer.json")?,
    );
    load(ModelFiles {
        manifest: &manifest,
        onnx: onnx.into(),
        tokenizer: &tokenizer,
    })
}
