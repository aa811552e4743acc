//! Questions that a connected language model writes from a repository.
//!
//! A [`Strategy`] is one file in `strategies` and one line in [`STRATEGIES`]: PathFinder's six
//! (S1–S6: a question and the files that answer it) and RepoQA-SA's self-alignment (a question with
//! its answer and its lines). [`Writing`] is a run without the way to the model: ask
//! [`Writing::request`] for what to send, tell [`Writing::answer`] or [`Writing::fail`] what came
//! of it, until there is no request any more. What a model writes is checked as far as code can:
//! paths must exist and be among those it was shown, quoted code must stand in the named lines,
//! citations go through the same check as those of answers. Whether the files answer the question
//! is not checked. What is dropped is counted, with the reason.
//!
//! A run is the same for the same index, order and replies. So it needs no saved state: after a
//! reload a new one that is fed with the replies kept under [`Ask::key`] comes to where the old one
//! stood, at no cost.

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

/// What is wanted.
#[derive(Clone, Debug)]
pub struct WrittenOrder {
    /// Questions wanted.
    pub count: usize,
    /// Another seed shows the model other files first.
    pub seed: u64,
    /// Names of [`STRATEGIES`]; all if empty.
    pub strategies: Vec<String>,
    /// What the items call the repository.
    pub archive: String,
    /// Cosine of the static encoder from which on two questions with gold in common are one.
    pub near: f32,
    /// What the run may use up.
    pub budget: Budget,
    /// Tokens of one prompt at most.
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

    /// The names that are no strategy.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let names = self.strategies.iter().map(String::as_str);
        names.filter(|name| STRATEGIES.iter().all(|it| it.name != *name))
    }
}

/// What a run may use up, replies from a cache included: a run that is repeated ends where it
/// ended. A request that could exceed it is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Requests.
    pub requests: u32,
    /// Tokens of prompts and answers.
    pub tokens: u64,
}

/// What a run will take, about.
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
    /// Twice as much: for requests that are asked twice and questions that are dropped.
    pub fn with_room(&self) -> Budget {
        let tokens = self.prompt_tokens.saturating_add(self.answer_tokens);
        Budget {
            requests: self.requests.saturating_add(1).saturating_mul(2),
            tokens: tokens.saturating_add(1).saturating_mul(2),
        }
    }
}

/// What was really sent and received; replies from a cache are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests, those included that failed.
    pub requests: u32,
    /// Tokens of their prompts, as estimated: rather too many.
    pub prompt_tokens: u64,
    /// Tokens of the answers: the service's count, or estimated.
    pub answer_tokens: u64,
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The same for the same model and messages, in 32 hexadecimal digits: the key of a cache of
    /// replies.
    pub key: String,
    /// What to send.
    pub chat: Chat,
    /// Of [`STRATEGIES`].
    pub strategy: &'static str,
}

/// What a model said.
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// All of it.
    pub text: &'a str,
    /// As the service counts them; estimated from the text without. A cache keeps them with the
    /// text.
    pub answer_tokens: Option<u32>,
    /// Whether nothing was sent for it.
    pub from_cache: bool,
}

/// What came of one strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenCount {
    /// Of [`STRATEGIES`].
    pub strategy: &'static str,
    /// Requests that were answered or failed.
    pub asked: usize,
    /// Questions that the model wrote: those that were kept, and those that were dropped.
    pub made: usize,
    /// Questions in the set so far.
    pub kept: usize,
    /// Why other questions were dropped, with how many.
    pub dropped: BTreeMap<&'static str, usize>,
    /// Why requests gave no question at all, with how many.
    pub failed: BTreeMap<&'static str, usize>,
    /// Why paths were taken out of answers, with how many.
    pub paths: BTreeMap<&'static str, usize>,
    /// Why nothing more is asked.
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

/// A set of questions, and how it came about.
#[derive(Clone, Debug)]
pub struct WrittenMade {
    /// By strategy, then by their first file. `category` is the strategy.
    pub items: Vec<Item>,
    /// One a strategy.
    pub counts: Vec<WrittenCount>,
    /// A sentence that says why there are fewer than wanted.
    pub short: Option<String>,
}
