//! Question → ranked [`Hit`]s, each with every part of its score.

use crate::chunk::ChunkId;

/// One named contribution to a hit's score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePart {
    /// `bm25`, `dense`, …
    pub name: &'static str,
    /// As measured: a BM25 score, a cosine.
    pub raw: f32,
    /// What it adds to the hit's score.
    pub weighted: f32,
}

/// A chunk that may answer the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub chunk: ChunkId,
    pub score: f32,
    pub parts: Vec<ScorePart>,
}
