//! The committed models.

#[path = "../common/model_files.rs"]
mod model_files;

use footnote_core::embed::Embedder;
use footnote_core::embed::cpu::CpuEmbedder;

use super::Result;
pub use model_files::{ENCODER, read};

/// The encoder on the processor.
pub fn open() -> Result<Box<dyn Embedder + Send>> {
    read(ENCODER, |files| {
        Ok(Box::new(CpuEmbedder::new(files)?) as Box<dyn Embedder + Send>)
    })
}
