//! The files of a model that comes with the page.

use footnote_core::embed::ModelFiles;

use crate::platform::{fetch, workers};

/// A model's folder as it was fetched.
pub struct Fetched {
    manifest: Vec<u8>,
    tokenizer: Vec<u8>,
    onnx: Vec<u8>,
}

impl Fetched {
    /// Fetches a folder, an absolute URL, which must lie below the page's.
    pub async fn new(folder: &str) -> Result<Self, String> {
        let base = workers::base_url().map_err(|error| error.to_string())?;
        let path = folder
            .strip_prefix(&base)
            .ok_or_else(|| format!("the model does not come with the page: {folder}"))?;
        let file = async |name: &str| {
            let bytes = fetch::bytes(&format!("{path}{name}")).await;
            bytes.map_err(|error| error.to_string())
        };
        Ok(Self {
            manifest: file("model.json").await?,
            tokenizer: file("tokenizer.json").await?,
            onnx: file("model.onnx").await?,
        })
    }

    /// Has the files made into a model; those of the weights are freed on the way.
    pub fn load<M, E: ToString>(
        mut self,
        load: impl FnOnce(ModelFiles) -> Result<M, E>,
    ) -> Result<M, String> {
        load(self.files()).map_err(|error| error.to_string())
    }

    /// The files, once: the weights are handed over, so that they are freed as soon as they are parsed.
    pub fn files(&mut self) -> ModelFiles<'_> {
        ModelFiles {
            manifest: &self.manifest,
            onnx: std::mem::take(&mut self.onnx).into(),
            tokenizer: &self.tokenizer,
        }
    }
}
