//! What a language model for code says of a text: how probable each token is.

use std::ops::Range;

/// A token of a text, and its probability given everything before it.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenProbability {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// The natural logarithm of the probability, at most 0.
    pub ln: f32,
}

/// An input of a language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelInput<'t> {
    /// A text, of which all tokens but the first are scored.
    Text(&'t str),
    /// `question` after `block`, which may be empty.
    About {
        /// Code that is read first, and not scored.
        block: &'t str,
        /// The text that is scored.
        question: &'t str,
    },
}

/// Why a language model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Its files are damaged or cannot be run; nothing else is affected.
    #[error("the code model cannot be used: {0}")]
    Files(String),
    /// This text could not be scored; another may be. Holds the runtime's message.
    #[error("the code model failed on a text: {0}")]
    Run(String),
    /// The device failed; the CPU can be used instead. Holds the device's message.
    #[error("the GPU cannot be used: {0}")]
    Device(String),
}

/// A language model for code.
pub trait LanguageModel {
    /// The model's id, part of the key under which its results are stored.
    fn model_id(&self) -> &str;

    /// The tokens of each text or question, in order. Of an input longer than the model's window,
    /// only the beginning is read.
    fn read(&mut self, inputs: &[ModelInput<'_>])
    -> Result<Vec<Vec<TokenProbability>>, ModelError>;
}
