//! Text → unit vectors. [`Embedder`] is the interface of every backend, [`conformance`] the test
//! that each has to pass. `cpu` (feature `model`) is the backend that needs only a CPU, `gpu`
//! (feature `gpu`) the one for devices that WebGPU reaches, and [`table`] the static encoder, which
//! takes microseconds per text and ignores the order of words.

#[cfg(feature = "model")]
pub(crate) mod batch;
pub mod conformance;
#[cfg(feature = "model")]
pub mod cpu;
#[cfg(feature = "gpu")]
pub mod gpu;
mod line_vectors;
mod manifest;
mod quantised;
pub mod table;
#[cfg(all(test, feature = "model"))]
mod tests;
mod token_vectors;
#[cfg(feature = "model")]
mod tokenizer;

#[cfg(feature = "model")]
pub use cpu::CpuEmbedder;
#[cfg(feature = "gpu")]
pub use gpu::GpuEmbedder;
pub use line_vectors::LineVectors;
pub use manifest::{FileEntry, Manifest, ModelFiles, Pooling, TableManifest};
pub use quantised::Quantised;
pub use table::TableEncoder;
pub use token_vectors::TokenVectors;

/// A unit-length vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    /// Scales `values` to length 1; a zero vector stays zero.
    pub fn from_raw(mut values: Vec<f32>) -> Self {
        let norm = values.iter().map(|v| v * v).sum::<f32>().sqrt();
        if norm > 0.0 {
            for value in &mut values {
                *value /= norm;
            }
        }
        Self(values)
    }

    /// The components; their squares sum to 1, or to 0 for a zero vector.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// The cosine of the two, which have length 1.
    pub fn cosine(&self, other: &Embedding) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }
}

/// The dot product of two int8 rows. Written so that it compiles to multiply-and-add of 16-bit
/// lanes, natively and in wasm.
#[inline]
pub(crate) fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b)))
        .sum()
}

/// Why a text could not be embedded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// Nothing can be embedded with these files. Holds what does not fit.
    #[error("the model's files do not fit together or are damaged: {0}")]
    Model(String),
    /// Only this text, or its batch, has no vector. Holds the runtime's message.
    #[error("the model failed on a text: {0}")]
    Run(String),
    /// The device failed; the CPU can be used instead. Holds the device's message.
    #[error("the GPU cannot be used: {0}")]
    Device(String),
}

/// A model that turns texts into vectors. A text has the same vector alone or in a batch.
pub trait Embedder {
    /// The id of the model and its precision, such as `all-MiniLM-L6-v2-int8`; part of a vector's
    /// key.
    fn model_id(&self) -> &str;

    /// Length of the vectors.
    fn dimension(&self) -> usize;

    /// One vector for each text, in order. Texts longer than the model's window are cut.
    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError>;

    /// The vectors of each text's tokens, in order; texts are cut as by [`Embedder::embed`].
    fn token_vectors(&mut self, texts: &[&str]) -> Result<Vec<TokenVectors>, EmbedError>;

    /// The vectors of each text's lines (as [`str::lines`] splits them), in one pass over the text
    /// if the backend knows which token is on which line. The default does not: it reads each line
    /// alone.
    fn line_vectors(&mut self, texts: &[&str]) -> Result<Vec<LineVectors>, EmbedError> {
        let mut all = Vec::new();
        for text in texts {
            let lines: Vec<&str> = text.lines().collect();
            let mut vectors = LineVectors::new(self.dimension(), lines.len());
            for (at, embedding) in self.embed(&lines)?.iter().enumerate() {
                if lines.get(at).is_some_and(|line| !line.trim().is_empty()) {
                    vectors.add(at, embedding.values());
                }
            }
            all.push(vectors);
        }
        Ok(all)
    }
}
