//! Questions that a connected language model writes from a repository.
//!
//! A [`Strategy`] is one file in `strategies` and one line in [`STRATEGIES`]: PathFinder's six
//! (S1–S6: a question and the files that answer it) and RepoQA-SA's self-alignment (a question with
//! its answer and its lines). [`Writing`] is a run without the transport to the model: send what
//! [`Writing::request`] returns, pass the outcome to [`Writing::answer`] or [`Writing::fail`], and
//! repeat until there is no request. What a model writes is checked as far as code can: paths must
//! exist and be among those it was shown, quoted code must occur in the named lines, and citations
//! go through the same check as those of answers. Whether the files answer the question is not
//! checked. Dropped questions are counted by reason.
//!
//! A run is the same for the same index, order and replies, so it needs no saved state: after a
//! reload, a new run that is given the replies stored under [`Ask::key`] reaches the point of the
//! old one, at no cost.

mod alignment;
mod desk;
mod end;
mod estimate;
mod excerpt;
mod kept;
mod listing;
mod pathfinder;
mod paths;
mod strategies;
mod talk;
#[cfg(test)]
mod tests;
mod turns;
mod writing;

pub use strategies::{STRATEGIES, Strategy};
pub use writing::{Writing, key};

use std::collections::BTreeMap;

use crate::eval::Item;
use crate::model::protocol::Chat;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct WrittenOrder {
    /// Number of questions wanted.
    pub count: usize,
    /// Another seed shows the model other files first.
    pub seed: u64,
    /// Names of [`STRATEGIES`]; all if empty.
    pub strategies: Vec<String>,
    /// The name of the repository in the items.
    pub archive: String,
    /// From this cosine of the static encoder on, two questions with common gold count as one.
    pub near: f32,
    /// What the run may use.
    pub budget: Budget,
    /// Most tokens of one prompt.
    pub window: usize,
}

impl WrittenOrder {
    /// A hundred questions of all strategies, within 250 requests and a million tokens.
    pub fn new(archive: &str) -> Self {
        Self {
            count: 100,
            seed: 1,
            strategies: Vec::new(),
            archive: archive.to_owned(),
            near: 0.9,
            budget: Budget {
                requests: 250,
                tokens: 1_000_000,
            },
            window: 8_000,
        }
    }

    /// Names that are not those of a strategy.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let names = self.strategies.iter().map(String::as_str);
        names.filter(|name| STRATEGIES.iter().all(|it| it.name != *name))
    }
}

/// What a run may use, replies from a cache included: a repeated run ends at the same point. A
/// request that could exceed the budget is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Requests.
    pub requests: u32,
    /// Tokens of prompts and answers.
    pub tokens: u64,
}

/// An estimate of what a run will take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Requests.
    pub requests: u32,
    /// Tokens of all prompts.
    pub prompt_tokens: u64,
    /// Tokens of all answers.
    pub answer_tokens: u64,
}

impl Estimate {
    /// Twice the estimate: for requests that are asked twice and questions that are dropped.
    pub fn with_room(&self) -> Budget {
        let tokens = self.prompt_tokens.saturating_add(self.answer_tokens);
        Budget {
            requests: self.requests.saturating_add(1).saturating_mul(2),
            tokens: tokens.saturating_add(1).saturating_mul(2),
        }
    }
}

/// What was actually sent and received, without replies from a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Number of requests, failed ones included.
    pub requests: u32,
    /// Tokens of the prompts; an estimate that is rather too high.
    pub prompt_tokens: u64,
    /// Tokens of the answers, as counted by the service or estimated.
    pub answer_tokens: u64,
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The key of a cache of replies, 32 hexadecimal digits: the same for the same model and
    /// messages.
    pub key: String,
    /// What to send.
    pub chat: Chat,
    /// One of [`STRATEGIES`].
    pub strategy: &'static str,
}

/// The model's reply.
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// The whole text.
    pub text: &'a str,
    /// As counted by the service; if missing, estimated from the text. A cache stores it with the
    /// text.
    pub answer_tokens: Option<u32>,
    /// Whether it comes from a cache, so that nothing was sent.
    pub from_cache: bool,
}

/// The counts of one strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenCount {
    /// One of [`STRATEGIES`].
    pub strategy: &'static str,
    /// Number of requests that were answered or failed.
    pub asked: usize,
    /// Number of questions that the model wrote, kept or dropped.
    pub made: usize,
    /// Number of questions kept so far.
    pub kept: usize,
    /// Number of dropped questions, by reason.
    pub dropped: BTreeMap<&'static str, usize>,
    /// Number of requests that gave no question, by reason.
    pub failed: BTreeMap<&'static str, usize>,
    /// Number of paths that were removed from answers, by reason.
    pub paths: BTreeMap<&'static str, usize>,
    /// Why the strategy stopped asking.
    pub rests: Option<&'static str>,
}

impl WrittenCount {
    fn new(strategy: &'static str) -> Self {
        Self {
            strategy,
            asked: 0,
            made: 0,
            kept: 0,
            dropped: BTreeMap::new(),
            failed: BTreeMap::new(),
            paths: BTreeMap::new(),
            rests: None,
        }
    }
}

/// A set of questions, and how it was made.
#[derive(Clone, Debug)]
pub struct WrittenMade {
    /// Sorted by strategy, then by first file. `category` is the strategy.
    pub items: Vec<Item>,
    /// One for each strategy.
    pub counts: Vec<WrittenCount>,
    /// A sentence that says why there are fewer questions than wanted.
    pub short: Option<String>,
}
