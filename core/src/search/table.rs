//! Compares a question and the chunks by the vectors of the static encoder.

use super::Question;
use super::fusion::Ranked;
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::{Index, TableVectors, Vectors};

/// The question's vector and those of all chunks.
pub(super) struct ByTable<'a> {
    vectors: &'a Vectors,
    embedding: Embedding,
}

impl<'a> ByTable<'a> {
    /// Returns `None` until the vectors have arrived, and for a question without a known word.
    pub(super) fn new(index: &'a Index, question: &Question) -> Option<Self> {
        let table = index.table()?;
        Some(Self {
            vectors: table.vectors(),
            embedding: embed(table, question.text())?,
        })
    }

    /// Returns the vector of the question.
    pub(super) fn embedding(&self) -> &Embedding {
        &self.embedding
    }

    pub(super) fn cosine(&self, chunk: ChunkId) -> Option<f32> {
        self.vectors.cosine(&self.embedding, chunk)
    }

    /// Returns the cosine of a file with these chunks, as one text.
    pub(super) fn cosine_of_all(&self, chunks: impl Iterator<Item = ChunkId>) -> Option<f32> {
        self.vectors.cosine_of_all(&self.embedding, chunks)
    }

    /// Returns the best `n`, nearest first.
    pub(super) fn nearest(&self, n: usize) -> Ranked {
        self.vectors.nearest(&self.embedding, n)
    }
}

/// Computes the vector of a question. The first line of a long one says what it is about, so it
/// counts as much as the whole.
pub(crate) fn embed(table: &TableVectors, text: &str) -> Option<Embedding> {
    let whole = table.embed(text)?;
    let title = text
        .split_once('\n')
        .and_then(|(title, _)| table.embed(title));
    Some(match title {
        None => whole,
        Some(title) => {
            let sum = whole.values().iter().zip(title.values());
            Embedding::from_raw(sum.map(|(a, b)| a + b).collect())
        }
    })
}
