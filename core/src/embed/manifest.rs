//! `model.json`: the manifest of a model folder. Written by `cargo xtask models`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::EmbedError;

/// The files of a model, as they are in its folder.
#[derive(Clone, Debug)]
pub struct ModelFiles<'a> {
    /// `model.json`
    pub manifest: &'a [u8],
    /// `model.onnx`. Owned bytes are freed as soon as they are parsed.
    pub onnx: Cow<'a, [u8]>,
    /// `tokenizer.json`
    pub tokenizer: &'a [u8],
}

/// The data of a model beside its weights.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// The id of the model and its precision.
    pub id: String,
    /// Length of its vectors.
    pub dimension: usize,
    /// Texts are cut after this many tokens, the two special ones included.
    pub max_tokens: usize,
    /// How a text's vector is computed from those of its tokens.
    pub pooling: Pooling,
    /// By name: `model.onnx`, `tokenizer.json`.
    pub files: BTreeMap<String, FileEntry>,
}

/// How the vectors of a text's tokens are combined into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// The mean over all tokens, scaled to length 1.
    Mean,
    /// The vector of the first token, scaled to length 1.
    First,
}

/// Size and digest of a file, to check it before it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FileEntry {
    /// Its exact size.
    pub bytes: usize,
    /// Lower-case hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// Reads the manifest and checks that the other files have the sizes it names: this
    /// distinguishes an incomplete download from a wrong model.
    pub fn read(files: &ModelFiles) -> Result<Self, EmbedError> {
        let manifest: Self = serde_json::from_slice(files.manifest)
            .map_err(|error| EmbedError::Model(format!("model.json: {error}")))?;
        if manifest.dimension == 0 || manifest.max_tokens < 3 {
            let what = "model.json: the dimension is 0, or there is no room for a text".to_owned();
            return Err(EmbedError::Model(what));
        }
        check(&manifest.files, files)?;
        Ok(manifest)
    }
}

/// The data of a static encoder beside its table. Written by `cargo xtask models code-table`.
#[derive(Clone, Debug, Deserialize)]
pub struct TableManifest {
    /// The id of the model.
    pub id: String,
    /// Length of its vectors.
    pub dimension: usize,
    /// Most characters of a text that are read.
    pub max_characters: usize,
    /// The most characters of a word; longer ones are left out.
    pub max_word: usize,
    /// By name: `model.onnx`, `tokenizer.json`.
    pub files: BTreeMap<String, FileEntry>,
}

impl TableManifest {
    /// Reads the manifest and checks the sizes of the other files.
    pub fn read(files: &ModelFiles) -> Result<Self, EmbedError> {
        let manifest: Self = serde_json::from_slice(files.manifest)
            .map_err(|error| EmbedError::Model(format!("model.json: {error}")))?;
        check(&manifest.files, files)?;
        Ok(manifest)
    }
}

/// Checks that files have the sizes that their manifest names.
fn check(entries: &BTreeMap<String, FileEntry>, files: &ModelFiles) -> Result<(), EmbedError> {
    let found = [
        ("model.onnx", files.onnx.len()),
        ("tokenizer.json", files.tokenizer.len()),
    ];
    for (name, found) in found {
        let entry = entries.get(name);
        let expected = entry
            .ok_or_else(|| EmbedError::Model(format!("model.json does not name {name}")))?
            .bytes;
        if expected != found {
            return Err(EmbedError::Model(format!(
                "{name} has {found} bytes instead of {expected}"
            )));
        }
    }
    Ok(())
}
