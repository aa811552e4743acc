//! The embedder that needs only a CPU: tract runs the model's graph, and the layers that take the
//! most time are our own operators.
//!
//! [`graph`] reads the file and runs it, [`fuse`] rewrites it, [`ops`] registers the operators with
//! tract, [`linear`] and [`attention`] compute them; [`brought`] loads a user's own encoder.
//! [`kernel`] multiplies in 16 bits, [`bytes`] in 8 if the build has an instruction for it, [`x86`]
//! in 16 bits on wide vectors; [`Kernel`] says which is used. Each row of activations is quantised
//! by itself, so a text's vector does not depend on the texts beside it. One plan serves all
//! lengths: since tract does not compute the products, it gains nothing from knowing them.

mod attention;
mod brought;
mod bytes;
mod dot;
pub(super) mod fuse;
mod graph;
mod kernel;
mod linear;
mod math;
mod ops;
mod product;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_x86.rs"]
mod x86;

pub use product::Kernel;

use graph::Graph;

use super::batch::plan;
use super::tokenizer::Tokenizer;
use super::{
    EmbedError, Embedder, Embedding, LineVectors, Manifest, ModelFiles, Pooling, TokenVectors,
};
use crate::lines::{LineIndex, Row};

/// Most tokens per run, padding included. More does not make a token cheaper.
const BATCH_TOKENS: usize = 512;

/// The vectors of some texts, and how many tokens they had.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// One for each text, in order.
    pub embeddings: Vec<Embedding>,
    /// Tokens of all texts, after cutting.
    pub tokens: usize,
}

/// Runs an ONNX encoder through tract.
pub struct CpuEmbedder {
    manifest: Manifest,
    tokenizer: Tokenizer,
    graph: Graph,
}

impl CpuEmbedder {
    /// Reads and prepares the model; takes some tenths of a second.
    pub fn new(files: ModelFiles) -> Result<Self, EmbedError> {
        Self::with_kernel(files, Kernel::fastest())
    }

    /// As [`Self::new`], with any kernel.
    pub(crate) fn with_kernel(files: ModelFiles, kernel: Kernel) -> Result<Self, EmbedError> {
        let manifest = Manifest::read(&files)?;
        // The graph first: the memory that it frees has room for the tokeniser.
        let graph = Graph::new(files.onnx, kernel)
            .map_err(|error| EmbedError::Model(format!("model.onnx: {error:#}")))?;
        if graph.dimension != manifest.dimension {
            let what = format!("model.onnx: vectors of {} values", graph.dimension);
            return Err(EmbedError::Model(what));
        }
        let tokenizer = Tokenizer::new(files.tokenizer, manifest.max_tokens)?;
        Ok(Self {
            manifest,
            tokenizer,
            graph,
        })
    }

    /// Texts are cut after this many tokens.
    pub fn max_tokens(&self) -> usize {
        self.manifest.max_tokens
    }

    /// As [`Embedder::embed`], and counts the tokens.
    pub fn encode(&mut self, texts: &[&str]) -> Result<Encoded, EmbedError> {
        let (dimension, pooling) = (self.manifest.dimension, self.manifest.pooling);
        let mut tokens = 0;
        let embeddings = self.map_states(texts, Embedding::from_raw(Vec::new()), |rows, n| {
            tokens += n;
            pooled(pooling, rows, dimension, n)
        })?;
        Ok(Encoded { embeddings, tokens })
    }

    /// Maps each text's last hidden state: its rows, padding included, and the number of its
    /// tokens.
    fn map_states<T: Clone>(
        &mut self,
        texts: &[&str],
        empty: T,
        mut map: impl FnMut(&[f32], usize) -> T,
    ) -> Result<Vec<T>, EmbedError> {
        let ids: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| self.tokenizer.encode(text))
            .collect::<Result<_, _>>()?;
        self.map_ids(&ids, empty, |_, rows, n| map(rows, n))
    }

    /// As [`Self::map_states`], for tokenised texts; `map` also gets the text's position in the
    /// list.
    fn map_ids<T: Clone>(
        &mut self,
        ids: &[Vec<u32>],
        empty: T,
        mut map: impl FnMut(usize, &[f32], usize) -> T,
    ) -> Result<Vec<T>, EmbedError> {
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let mut mapped = vec![empty; ids.len()];
        for batch in plan(&lengths, BATCH_TOKENS) {
            let states = self.graph.run(ids, &batch);
            let states = states.map_err(|error| EmbedError::Run(format!("{error:#}")))?;
            let rows = states
                .tokens
                .chunks_exact(batch.length * self.manifest.dimension);
            for (&text, rows) in batch.texts.iter().zip(rows) {
                if let (Some(slot), Some(&length)) = (mapped.get_mut(text), lengths.get(text)) {
                    *slot = map(text, rows, length);
                }
            }
        }
        Ok(mapped)
    }
}

impl Embedder for CpuEmbedder {
    fn model_id(&self) -> &str {
        &self.manifest.id
    }

    fn dimension(&self) -> usize {
        self.manifest.dimension
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        Ok(self.encode(texts)?.embeddings)
    }

    fn token_vectors(&mut self, texts: &[&str]) -> Result<Vec<TokenVectors>, EmbedError> {
        let dimension = self.manifest.dimension;
        let none = TokenVectors::from_raw(dimension, Vec::new());
        self.map_states(texts, none, |rows, n| {
            // The first and last tokens are the model's own.
            let own = rows.get(dimension..n.saturating_sub(1) * dimension);
            TokenVectors::from_raw(dimension, own.unwrap_or_default().to_vec())
        })
    }

    fn line_vectors(&mut self, texts: &[&str]) -> Result<Vec<LineVectors>, EmbedError> {
        let dimension = self.manifest.dimension;
        let encoded: Vec<(Vec<u32>, Vec<Option<usize>>)> = texts
            .iter()
            .map(|text| self.tokenizer.encode_with_starts(text))
            .collect::<Result<_, _>>()?;
        let (ids, starts): (Vec<_>, Vec<_>) = encoded.into_iter().unzip();
        self.map_ids(&ids, LineVectors::default(), |at, rows, _| {
            let text = texts.get(at).copied().unwrap_or_default();
            let lines = LineIndex::new(text);
            let mut vectors = LineVectors::new(dimension, text.lines().count());
            let starts = starts.get(at).map(Vec::as_slice).unwrap_or_default();
            for (row, start) in rows.chunks_exact(dimension).zip(starts) {
                if let Some(start) = start {
                    vectors.add(Row::from(lines.line_of(*start)).0 as usize, row);
                }
            }
            vectors
        })
    }
}

/// The vector of a text of `length` tokens, computed from the rows of its tokens.
fn pooled(pooling: Pooling, rows: &[f32], dimension: usize, length: usize) -> Embedding {
    match pooling {
        Pooling::Mean => mean(rows, dimension, length),
        Pooling::First => Embedding::from_raw(rows.iter().copied().take(dimension).collect()),
    }
}

/// The mean of the first `length` rows, as a unit vector.
fn mean(rows: &[f32], dimension: usize, length: usize) -> Embedding {
    let mut sum = vec![0.0; dimension];
    for row in rows.chunks_exact(dimension).take(length) {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += value;
        }
    }
    Embedding::from_raw(sum)
}
