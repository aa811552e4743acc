//! What a language model for code says of a text ([`TokenProbability`]), and the runtime of such
//! models (feature `model`): Footnote's own, or any decoder exported to ONNX that returns logits.
//!
//! `graph` reads the ONNX file and finds out which of the two it is, `rows` turns texts into rows
//! of tokens, `gpu` (feature `gpu`) runs networks that its kernels support on a GPU, and
//! `conformance` is the test that every runtime has to pass.

#[cfg(feature = "model")]
pub mod conformance;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "model")]
mod graph;
#[cfg(feature = "model")]
mod manifest;
mod reading;
#[cfg(feature = "model")]
mod rows;
#[cfg(feature = "model")]
mod run;
#[cfg(all(test, feature = "model"))]
mod tests;

pub use reading::{LanguageModel, ModelError, ModelInput, TokenProbability};
#[cfg(feature = "model")]
pub use run::CodeModel;
