//! The files of a model: of one that comes with the page, and of one that the user brought.

use footnote_core::embed::ModelFiles;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

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

    /// Has the files made into a model; those of the weights are freed on the way.
    pub fn load<M, E: ToString>(
        mut self,
        load: impl FnOnce(ModelFiles) -> Result<M, E>,
    ) -> Result<M, String> {
        load(self.files()).map_err(|error| error.to_string())
    }

    /// The files, once: the weights are handed over, so that they are freed as soon as they are
    /// parsed.
    pub fn files(&mut self) -> ModelFiles<'_> {
        ModelFiles {
            manifest: &self.manifest,
            onnx: std::mem::take(&mut self.onnx).into(),
            tokenizer: &self.tokenizer,
        }
    }
}

/// A model that the user brought: one ONNX file and its tokeniser's.
#[derive(Clone, Debug, PartialEq)]
pub struct Brought {
    pub name: String,
    pub onnx: Blob,
    pub tokenizer: Blob,
}

impl Brought {
    /// The files that came with a request, the ONNX file first.
    pub fn new(name: String, body: &JsValue) -> Option<Self> {
        let files: &Array = body.dyn_ref()?;
        Some(Self {
            name,
            onnx: files.get(0).dyn_into().ok()?,
            tokenizer: files.get(1).dyn_into().ok()?,
        })
    }

    /// As they travel to a worker.
    pub fn body(&self) -> Array {
        Array::of2(&self.onnx, &self.tokenizer)
    }
}

/// The ONNX file and the tokeniser of a model that the user brought. `body` holds both, in this
/// order; `check` looks at the size of the first before it is read.
#[cfg(feature = "encoder")]
pub async fn brought<E: ToString>(
    body: &JsValue,
    check: impl FnOnce(f64) -> Result<(), E>,
) -> Result<(Vec<u8>, Vec<u8>), String> {
    let files: &Array = body.dyn_ref().ok_or("no files came with the model")?;
    let [onnx, tokenizer] = [0, 1].map(|at| files.get(at).dyn_into::<Blob>());
    let (Ok(onnx), Ok(tokenizer)) = (onnx, tokenizer) else {
        return Err("what came with the model are not files".to_owned());
    };
    check(onnx.size()).map_err(|error| error.to_string())?;
    let tokenizer = fetch::read(&tokenizer).await?;
    Ok((fetch::read(&onnx).await?, tokenizer))
}
