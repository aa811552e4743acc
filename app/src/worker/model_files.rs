//! The files of a model that comes with the page, or that the user added.

use footnote_core::embed::ModelFiles;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use crate::platform::{fetch, workers};

/// The files fetched from a model's folder.
pub struct Fetched {
    manifest: Vec<u8>,
    tokenizer: Vec<u8>,
    onnx: Vec<u8>,
}

impl Fetched {
    /// Fetches a folder, an absolute URL that must be below the page's own.
    pub async fn new(folder: &str) -> Result<Self, String> {
        let base = workers::base_url().map_err(|error| error.to_string())?;
        let path = folder
            .strip_prefix(&base)
            .ok_or_else(|| format!("the model is not part of the page: {folder}"))?;
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

    /// Builds a model from the files; the files of weights are freed on the way.
    pub fn load<M, E: ToString>(
        mut self,
        load: impl FnOnce(ModelFiles) -> Result<M, E>,
    ) -> Result<M, String> {
        load(self.files()).map_err(|error| error.to_string())
    }

    /// Returns the files, once: the weights are moved out, so that they are freed as soon as they
    /// are parsed.
    pub fn files(&mut self) -> ModelFiles<'_> {
        ModelFiles {
            manifest: &self.manifest,
            onnx: std::mem::take(&mut self.onnx).into(),
            tokenizer: &self.tokenizer,
        }
    }
}

/// A model that the user added: one ONNX file and its tokeniser's file.
#[derive(Clone, Debug, PartialEq)]
#[cfg(feature = "engine")]
pub struct Brought {
    pub name: String,
    pub onnx: Blob,
    pub tokenizer: Blob,
}

#[cfg(feature = "engine")]
impl Brought {
    /// Takes the files attached to a request, the ONNX file first.
    pub fn new(name: String, body: &JsValue) -> Option<Self> {
        let files: &Array = body.dyn_ref()?;
        Some(Self {
            name,
            onnx: files.get(0).dyn_into().ok()?,
            tokenizer: files.get(1).dyn_into().ok()?,
        })
    }

    /// The files as they are sent to a worker.
    pub fn body(&self) -> Array {
        Array::of2(&self.onnx, &self.tokenizer)
    }
}

/// Reads the ONNX file and the tokeniser's file of a model that the user added. `body` holds both,
/// in this order; `check` tests the size of the first before it is read.
#[cfg(feature = "encoder")]
pub async fn brought<E: ToString>(
    body: &JsValue,
    check: impl FnOnce(f64) -> Result<(), E>,
) -> Result<(Vec<u8>, Vec<u8>), String> {
    let files: &Array = body.dyn_ref().ok_or("no files came with the model")?;
    let [onnx, tokenizer] = [0, 1].map(|at| files.get(at).dyn_into::<Blob>());
    let (Ok(onnx), Ok(tokenizer)) = (onnx, tokenizer) else {
        return Err("something other than files came with the model".to_owned());
    };
    check(onnx.size()).map_err(|error| error.to_string())?;
    let tokenizer = fetch::read(&tokenizer).await?;
    Ok((fetch::read(&onnx).await?, tokenizer))
}
