//! How an answer is made, as a value: how the repository is cut, how the question is searched, what
//! is kept of what was found, how a model is asked.
//!
//! A [`Pipeline`] can be named, changed ([`Pipeline::set`]) and kept as JSON; [`run()`] is the one
//! way to run it, for the page, for `footnote ask --pipeline` and for `footnote evaluate
//! --pipeline`. [`PRESETS`] are those of the papers, each with what differs from its paper.

mod keep;
mod presets;
mod query;
mod record;
mod run;
mod set;

#[cfg(test)]
pub(crate) mod tests;

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
    /// That of its preset, or one of its own.
    pub name: String,
    /// The chunks that it searches. Whoever runs it brings an index that is cut so.
    pub cut: Cut,
    /// What is searched for.
    pub query: Query,
    /// How they are ranked.
    pub search: Strategy,
    /// The numbers of the ranking that differ from their defaults.
    pub numbers: Params,
    /// Hits that come out of the search at most.
    pub hits: usize,
    /// Chunks, the best by words, that are compared by meaning if not all chunks have vectors.
    pub compare: usize,
    /// What is kept of the hits.
    pub keep: Keep,
    /// How much of it.
    pub budget: Budget,
    /// Whether what rules read off the syntax trees and manifests comes before what was found.
    /// Without them an answer is made of the chunks of which lines are kept.
    pub rules: bool,
    /// What a model is told of how to write.
    pub sampling: Sampling,
}

/// What the page uses.
impl Default for Pipeline {
    fn default() -> Self {
        presets::footnote()
    }
}

/// How much a context may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Tokens by [`crate::model::prompt::estimate_tokens`], as the lines are sent.
    Tokens(usize),
    /// Characters of the lines themselves.
    Characters(usize),
}
