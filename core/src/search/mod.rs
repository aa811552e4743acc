//! Question → ranked [`Hit`]s, each with every part of its score.
//!
//! [`question`] reads the question, [`retrieve`] makes the lists of a [`Strategy`], [`fusion`] joins
//! them, [`prior`] weighs what a file is for, [`files`] pools chunks into files.

pub mod files;
pub mod fusion;
pub mod prior;
pub mod question;
pub mod retrieve;
pub mod stem;

pub use files::{FileHit, answer_files, rank_files};
pub use question::{Question, QuestionError};
pub use retrieve::{candidates_to_compare, search};

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

impl Hit {
    /// The raw value of a part, if the hit has it.
    pub fn raw(&self, name: &str) -> Option<f32> {
        self.parts
            .iter()
            .find(|part| part.name == name)
            .map(|part| part.raw)
    }
}

/// How the chunks of a question are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Words only.
    Bm25,
    /// Meaning only: cosine of question and chunk.
    Dense,
    /// Min–max fusion of the best 28 of both lists (Grounded, section 3.3).
    Hybrid,
    /// Reciprocal rank fusion of both lists.
    Rrf,
    /// What the app uses: words and meaning of one common list of candidates, and a prior by what a file is for.
    Default,
}

impl Strategy {
    pub const ALL: [Strategy; 5] = [
        Strategy::Bm25,
        Strategy::Dense,
        Strategy::Hybrid,
        Strategy::Rrf,
        Strategy::Default,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Bm25 => "bm25",
            Strategy::Dense => "dense",
            Strategy::Hybrid => "hybrid",
            Strategy::Rrf => "rrf",
            Strategy::Default => "default",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name)
    }

    /// Whether it compares vectors at all.
    pub fn uses_vectors(self) -> bool {
        self != Strategy::Bm25
    }
}
