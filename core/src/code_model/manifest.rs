//! `model.json`: the data of a code language model beside its weights. Written by `cargo xtask
//! models code-lm`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rows::{Rows, Signs};
use crate::code_model::ModelError;
use crate::embed::{FileEntry, ModelFiles};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Manifest {
    pub id: String,
    /// Tokens per row.
    pub context: usize,
    pub tokens: SignIds,
    files: BTreeMap<String, FileEntry>,
}

/// The special tokens between texts.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SignIds {
    pub end: u32,
    pub separator: u32,
}

impl Manifest {
    /// Reads the manifest and checks that the other files have the sizes it names.
    pub(crate) fn read(files: &ModelFiles) -> Result<Self, ModelError> {
        let manifest: Self = serde_json::from_slice(files.manifest)
            .map_err(|error| ModelError::Files(format!("model.json: {error}")))?;
        let given = [
            ("model.onnx", files.onnx.len()),
            ("tokenizer.json", files.tokenizer.len()),
        ];
        for (name, found) in given {
            let expected = manifest.files.get(name).map_or(0, |entry| entry.bytes);
            if found != expected {
                let what = format!("{name} has {found} bytes instead of {expected}");
                return Err(ModelError::Files(what));
            }
        }
        Ok(manifest)
    }

    /// Builds rows with the model's tokeniser and special tokens.
    pub(crate) fn rows(&self, tokenizer: &[u8]) -> Result<Rows, ModelError> {
        let signs = Signs {
            start: vec![self.tokens.end],
            separator: vec![self.tokens.separator],
        };
        Rows::new(tokenizer, Some(signs), self.context)
    }
}
