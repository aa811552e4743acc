//! The encoder on a GPU.

use footnote_core::embed::{EmbedError, Embedder, Embedding, GpuEmbedder, TokenVectors};
use pollster::block_on;

use crate::gpu::Gpu;
use crate::{Result, model};

/// The encoder on the first GPU, at its best tier.
pub fn open() -> Result<Box<dyn Embedder + Send>> {
    let gpu = Gpu::find()?;
    let embedder = model::read(model::ENCODER, |files| gpu.embedder(gpu.best, files))?;
    Ok(Box::new(OnGpu(embedder)))
}

struct OnGpu(GpuEmbedder);

impl Embedder for OnGpu {
    fn model_id(&self) -> &str {
        self.0.model_id()
    }

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn embed(&mut self, texts: &[&str]) -> std::result::Result<Vec<Embedding>, EmbedError> {
        Ok(block_on(self.0.encode(texts))?.embeddings)
    }

    fn token_vectors(
        &mut self,
        _texts: &[&str],
    ) -> std::result::Result<Vec<TokenVectors>, EmbedError> {
        let what = "it only makes vectors of whole texts";
        Err(EmbedError::Device(what.to_owned()))
    }
}
