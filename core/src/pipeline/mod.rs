//! How an answer is made, as a value: how the repository is cut, how the question is searched, what
//! is kept of the hits, and how a model is asked.
//!
//! A [`Pipeline`] can be named, changed ([`Pipeline::set`]) and stored as JSON. [`run()`] is the
//! only way to run it, for the page, for `footnote ask --pipeline` and for `footnote evaluate
//! --pipeline`. [`PRESETS`] are those of the papers, each with its differences from the paper.

mod choose;
mod keep;
mod presets;
mod query;
mod record;
mod run;
mod set;

#[cfg(test)]
pub(crate) mod tests;

pub use choose::Chosen;
pub use keep::{Keep, Kept, Reading};
pub use presets::{Deviation, PRESETS, Preset, preset};
pub use query::{Query, Rewritten};
pub use run::{Made, Reader, Stage, run};
pub use set::{LAMBDA_NAME, SetError, settings};

use crate::chunk::Cut;
use crate::model::protocol::Sampling;
use crate::search::{Params, Strategy};

/// One way from a question to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The name of its preset, or one of its own.
    pub name: String,
    /// How the chunks that it searches are cut. The caller provides an index that is cut like this.
    pub cut: Cut,
    /// What is searched for.
    pub query: Query,
    /// How chunks are ranked.
    pub search: Strategy,
    /// The numbers of the ranking that differ from their defaults.
    pub numbers: Params,
    /// Most hits of the search.
    pub hits: usize,
    /// If not all chunks have vectors: number of chunks, the best by words, that are compared by
    /// meaning.
    pub compare: usize,
    /// Number of files, the best of the search, from which a language model chooses those that
    /// answer; `None` if no model is asked.
    pub choose: Option<usize>,
    /// What is kept of the hits.
    pub keep: Keep,
    /// The size of the context.
    pub budget: Budget,
    /// Whether answers by rules, from syntax trees and manifests, come before what was found.
    /// Without them, an answer is made only from the chunks that have lines kept.
    pub rules: bool,
    /// How a model samples its words.
    pub sampling: Sampling,
}

/// The page's own pipeline.
impl Default for Pipeline {
    fn default() -> Self {
        presets::footnote()
    }
}

impl Pipeline {
    /// Whether a language model is asked before the answer is made.
    pub fn asks_model(&self) -> bool {
        self.query.asks_model() || self.choose.is_some()
    }
}

/// The size limit of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Tokens by [`crate::model::prompt::estimate_tokens`], of the lines as they are sent.
    Tokens(usize),
    /// Characters of the lines alone.
    Characters(usize),
}
