//! The wire between the engine and the worker of the code language model: texts and blocks in, the
//! probabilities of their tokens out. Encoded with postcard. A request travels as `[bytes, body]`,
//! an event as bytes. The worker does one thing at a time and answers in order.

use footnote_core::code_model::{ModelInput, TokenProbability};
use serde::{Deserialize, Serialize};

use super::encoder_protocol::{Backend, GpuUse};

/// Identifies one piece of work. Never reused for the same worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WorkId(pub u32);

/// A request from the engine to the worker. Anything sent before `ModelEvent::Listening` is lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelRequest {
    /// Load the model in this folder, an absolute URL that ends in `/`. Events: `Ready` or
    /// `Failed`.
    LoadOwn { folder: String, gpu: GpuUse },
    /// Load a model that the user added; the body is a list of two blobs, the ONNX file and the
    /// tokeniser's file. Events as for `LoadOwn`.
    LoadBrought { name: String, gpu: GpuUse },
    /// Read texts. Events: `Read`, or `Failed` with this work.
    Read {
        work: WorkId,
        inputs: Vec<ModelInputView>,
    },
}

/// `footnote_core::code_model::ModelInput`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModelInputView {
    Text(String),
    About { block: String, question: String },
}

impl From<&ModelInput<'_>> for ModelInputView {
    fn from(input: &ModelInput<'_>) -> Self {
        match *input {
            ModelInput::Text(text) => Self::Text(text.to_owned()),
            ModelInput::About { block, question } => Self::About {
                block: block.to_owned(),
                question: question.to_owned(),
            },
        }
    }
}

impl ModelInputView {
    pub fn input(&self) -> ModelInput<'_> {
        match self {
            Self::Text(text) => ModelInput::Text(text),
            Self::About { block, question } => ModelInput::About { block, question },
        }
    }
}

/// A token: its first byte in the text, the byte after its last, and the logarithm of its
/// probability.
pub type TokenView = (u32, u32, f32);

/// Converts tokens for sending.
pub fn token_views(tokens: &[TokenProbability]) -> Vec<TokenView> {
    let view = |token: &TokenProbability| {
        let bytes = &token.bytes;
        (bytes.start as u32, bytes.end as u32, token.ln)
    };
    tokens.iter().map(view).collect()
}

/// Converts received tokens back.
pub fn tokens(views: &[TokenView]) -> Vec<TokenProbability> {
    let token = |&(start, end, ln): &TokenView| TokenProbability {
        bytes: start as usize..end as usize,
        ln,
    };
    views.iter().map(token).collect()
}

/// An event from the worker to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelEvent {
    /// The worker accepts requests from now on.
    Listening,
    /// The model is loaded; its id is part of the key of everything it computes. The key does not
    /// say where it was computed: scores agree within the tolerance of
    /// `footnote_core::code_model::conformance`.
    Ready { model: String, backend: Backend },
    /// The GPU failed; from now on the processor computes, including the work during which the GPU
    /// failed. That work's own event follows.
    GpuLost { why: String },
    Read {
        work: WorkId,
        /// The tokens of each input, in order.
        tokens: Vec<Vec<TokenView>>,
    },
    /// The model cannot be loaded (`work` is empty), or a piece of work failed.
    Failed { work: Option<WorkId>, what: String },
}
