//! Ranks [`Hit`]s for a question, each with every part of its score.
//!
//! [`question`] reads the question, [`analysis`] looks up in the repository what it mentions,
//! [`retrieve`] makes the first candidates of a [`Strategy`], [`fusion`] joins its lists, each of
//! its [`steps`] changes the candidates, [`late`] compares the best token by token, [`mod@trace`]
//! records what each step moved, [`files`] pools chunks into files, [`pack`] fills a budget.
//! [`across`] ranks the chunks of many repositories at once, from what is kept of each.
//! [`unfinished`] finds what a piece of unfinished code needs, by other means.

pub mod across;
pub(crate) mod analysis;
pub(crate) mod asks;
mod chosen;
pub mod features;
pub mod files;
pub(crate) mod fusion;
pub mod late;
mod lists;
mod meaning;
pub(crate) mod mentions;
mod near;
pub mod pack;
pub(crate) mod params;
pub(crate) mod pasted;
pub mod presets;
pub(crate) mod question;
pub mod retrieve;
pub(crate) mod stem;
pub(crate) mod steps;
pub(crate) mod strategy;
pub(crate) mod table;
pub(crate) mod taught;
pub mod trace;
pub mod unfinished;
mod within;

#[cfg(test)]
mod tests;

pub use analysis::Analysis;
pub(crate) use chosen::bring_forward;
pub(crate) use files::files_of;
pub use files::{FileHit, answer_files, rank_files};
pub use late::{BertScore, LateScores, Side, bert_score};
pub use lists::Lists;
pub use meaning::compared_by_meaning;
pub use params::{Params, Slider};
pub use question::{Question, QuestionError};
pub use retrieve::{candidates_to_compare, search};
pub use steps::taught::NAME as TAUGHT;
pub use steps::{Group, Step};
pub use strategy::Strategy;
pub use within::Within;

use std::cell::OnceCell;

use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::bm25::Bm25Params;
use crate::index::{Index, Vectors};
use near::Near;
use table::ByTable;

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
    /// The chunk.
    pub chunk: ChunkId,
    /// The score that hits are ranked by; comparable within one search only.
    pub score: f32,
    /// The parts of the score, in the order in which they were added.
    pub parts: Vec<ScorePart>,
}

impl Hit {
    /// Returns the raw value of a part, if the hit has it.
    pub fn raw(&self, name: &str) -> Option<f32> {
        self.parts
            .iter()
            .find(|part| part.name == name)
            .map(|part| part.raw)
    }

    /// Adds `weighted` to the score and records the reason.
    pub(crate) fn add(&mut self, name: &'static str, raw: f32, weighted: f32) {
        self.score += weighted;
        self.parts.push(ScorePart {
            name,
            raw,
            weighted,
        });
    }
}

/// What every step can use: the repository, the question and what was read from it.
pub struct Context<'a> {
    /// The repository.
    pub index: &'a Index,
    /// The vectors of its chunks, as far as they have arrived.
    pub vectors: &'a Vectors,
    /// The question.
    pub question: &'a Question,
    /// The vector of the question; `None` while no encoder is ready.
    pub embedding: Option<&'a Embedding>,
    /// The question and all chunks by the static encoder, once its vectors have arrived.
    table: Option<ByTable<'a>>,
    /// The words near to the question's, computed on first use.
    near: OnceCell<Vec<Near>>,
    /// What was read from the question.
    pub analysis: Analysis,
    /// The parameters of the rules.
    pub params: Params,
    /// Token-by-token scores of the best hits, if the caller provides them.
    pub late: LateScores,
}

impl<'a> Context<'a> {
    /// Reads the question against the index; the rules use the best measured parameters.
    pub fn new(
        index: &'a Index,
        vectors: &'a Vectors,
        question: &'a Question,
        embedding: Option<&'a Embedding>,
    ) -> Self {
        Self {
            index,
            vectors,
            question,
            embedding,
            table: ByTable::new(index, question),
            near: OnceCell::new(),
            analysis: Analysis::new(index, question),
            params: Params::default(),
            late: LateScores::new(),
        }
    }

    /// Returns the parameters of the formula that scores words.
    pub(crate) fn bm25_params(&self) -> Bm25Params {
        lists::bm25_params(&self.params)
    }

    /// Returns the hits after a step, without those it adds outside the question's scope.
    fn apply(&self, step: Step, hits: Vec<Hit>) -> Vec<Hit> {
        let mut hits = step.apply(self, hits);
        hits.retain(|hit| self.covers(hit.chunk));
        hits
    }

    /// Whether a chunk lies in the scope of the question.
    fn covers(&self, chunk: ChunkId) -> bool {
        covers(self.index, self.question, chunk)
    }

    /// Returns at most `limit` hits, best first.
    pub fn run(&self, strategy: &Strategy, limit: usize) -> Vec<Hit> {
        let first = strategy.lists.candidates(self);
        let steps = strategy.steps.iter();
        let mut hits = steps.fold(first, |hits, step| self.apply(*step, hits));
        hits.truncate(limit);
        hits
    }
}

/// Whether a chunk lies in the scope of a question.
fn covers(index: &Index, question: &Question, chunk: ChunkId) -> bool {
    let limits = question.limits();
    limits.is_none_or(|within| index.chunk(chunk).is_some_and(|it| within.holds(it.file)))
}

/// Returns the best `n` of a list that lie in the scope of a question; `list` returns as many as it
/// is asked for.
fn in_scope(
    index: &Index,
    question: &Question,
    n: usize,
    list: impl Fn(usize) -> fusion::Ranked,
) -> fusion::Ranked {
    if question.limits().is_none() {
        return list(n);
    }
    let mut all = list(usize::MAX);
    all.retain(|(chunk, _)| covers(index, question, *chunk));
    all.truncate(n);
    all
}
