//! The embedder that needs nothing but a CPU: tract runs the model's graph, in which the layers that
//! take the time are operators of our own.
//!
//! [`fuse`] rewrites the graph, [`ops`] tells tract about the operators, [`linear`] and [`attention`]
//! compute them. [`kernel`] multiplies in 16 bits, [`bytes`] in 8 where the build has an instruction for it, [`x86`]
//! in 16 bits on wide vectors: [`Kernel`] says which. Each row of activations is quantised by itself, so a
//! text's vector does not depend on the texts beside it. One plan serves all lengths: with the
//! products out of its hands, tract has nothing to gain from knowing them.

mod attention;
mod bytes;
mod dot;
pub(super) mod fuse;
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

use std::borrow::Cow;

use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::{TractErrorContext, ensure};

pub use product::Kernel;

use super::batch::{Batch, plan};
use super::tokenizer::Tokenizer;
use super::{EmbedError, Embedder, Embedding, LineVectors, Manifest, ModelFiles, TokenVectors};
use crate::lines::{LineIndex, Row};

/// Tokens that are computed at once, padding included. More does not make a token cheaper.
const BATCH_TOKENS: usize = 512;

/// Vectors of some texts, and how much work they were.
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
    plan: Arc<TypedRunnableModel>,
}

impl CpuEmbedder {
    /// Reads and prepares the model; takes some tenths of a second.
    pub fn new(files: ModelFiles) -> Result<Self, EmbedError> {
        Self::with_kernel(files, Kernel::fastest())
    }

    /// As [`Self::new`], with a kernel that need not be the fastest.
    pub(crate) fn with_kernel(files: ModelFiles, kernel: Kernel) -> Result<Self, EmbedError> {
        let manifest = Manifest::read(&files)?;
        // The plan first: what is freed on the way to it has room for the tokeniser.
        let plan = prepare(files.onnx, kernel)
            .map_err(|error| EmbedError::Model(format!("model.onnx: {error:#}")))?;
        let tokenizer = Tokenizer::new(files.tokenizer, manifest.max_tokens)?;
        Ok(Self {
            manifest,
            tokenizer,
            plan,
        })
    }

    /// Texts are cut after so many tokens.
    pub fn max_tokens(&self) -> usize {
        self.manifest.max_tokens
    }

    /// As [`Embedder::embed`], with a count of the tokens.
    pub fn encode(&mut self, texts: &[&str]) -> Result<Encoded, EmbedError> {
        let dimension = self.manifest.dimension;
        let mut tokens = 0;
        let embeddings = self.map_states(texts, Embedding::from_raw(Vec::new()), |rows, n| {
            tokens += n;
            mean(rows, dimension, n)
        })?;
        Ok(Encoded { embeddings, tokens })
    }

    /// What `map` makes of each text's last hidden state: its rows, padding included, and the number
    /// of its tokens.
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

    /// As [`Self::map_states`] of texts in tokens; `map` also gets the text's place in the list.
    fn map_ids<T: Clone>(
        &mut self,
        ids: &[Vec<u32>],
        empty: T,
        mut map: impl FnMut(usize, &[f32], usize) -> T,
    ) -> Result<Vec<T>, EmbedError> {
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let mut mapped = vec![empty; ids.len()];
        for batch in plan(&lengths, BATCH_TOKENS) {
            let hidden = self
                .run(ids, &batch)
                .map_err(|error| EmbedError::Run(format!("{error:#}")))?;
            let rows = hidden.chunks_exact(batch.length * self.manifest.dimension);
            for (&text, rows) in batch.texts.iter().zip(rows) {
                if let (Some(slot), Some(&length)) = (mapped.get_mut(text), lengths.get(text)) {
                    *slot = map(text, rows, length);
                }
            }
        }
        Ok(mapped)
    }

    /// The last hidden state of a batch: `[texts, length, dimension]`.
    fn run(&self, ids: &[Vec<u32>], batch: &Batch) -> TractResult<Vec<f32>> {
        let shape = (batch.texts.len(), batch.length);
        let mut tokens = tract_ndarray::Array2::<i64>::zeros(shape);
        let mut mask = tract_ndarray::Array2::<i64>::zeros(shape);
        let rows = tokens.rows_mut().into_iter().zip(mask.rows_mut());
        for ((mut tokens, mut mask), &text) in rows.zip(&batch.texts) {
            let ids = ids.get(text).map(Vec::as_slice).unwrap_or_default();
            for ((token, mask), &id) in tokens.iter_mut().zip(&mut mask).zip(ids) {
                *token = id.into();
                *mask = 1;
            }
        }
        let inputs = tvec!(tokens.into_tensor().into(), mask.into_tensor().into());
        let outputs = self.plan.run(inputs)?;
        let hidden = outputs.first().context("the model has no output")?;
        ensure!(
            hidden.shape() == [batch.texts.len(), batch.length, self.manifest.dimension],
            "the model's output has the shape {:?}",
            hidden.shape()
        );
        Ok(hidden.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
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
            // The first and the last token are the model's own.
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

/// Reads the graph, fuses its layers and lets tract plan the rest.
///
/// Each form of the model is dropped before the next but one is made: in a browser, the most that was ever
/// needed is never given back.
fn prepare(bytes: Cow<[u8]>, kernel: Kernel) -> TractResult<Arc<TypedRunnableModel>> {
    let onnx = ops::onnx(kernel);
    let mut proto = crate::onnx::read(bytes)?;
    if let Some(graph) = &mut proto.graph {
        fuse::fuse(graph);
    }
    let model = onnx.model_for_proto_model(&proto)?;
    drop(proto);
    model.into_optimized()?.into_runnable()
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
