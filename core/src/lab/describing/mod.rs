//! Texts of what chunks do, written by a connected language model (Code2Text, section 3).
//!
//! [`Describing`] is a run without the way to the model, as [`super::questions::Writing`] is: ask
//! [`Describing::request`] for what to send, say with [`Describing::answer`] or
//! [`Describing::fail`] what came of it. What was described before is not asked again, so a run
//! that was stopped goes on where it stood. [`crate::describe::doubts`] checks what a model wrote.

mod prompts;
#[cfg(test)]
mod tests;

pub use prompts::{PROMPTS, Prompt};

use std::collections::VecDeque;
use std::sync::Arc;

use super::questions::{Ask, Budget, Estimate, Reply, key};
use crate::chunk::ChunkId;
use crate::describe::{CHARACTERS, Written, WrittenText, doubts};
use crate::index::Index;
use crate::lang::Role;
use crate::model::prompt::{chat_tokens, estimate_tokens};
use crate::model::protocol::Chat;
use crate::search::steps::role_of;

/// Tokens that a description has, about: 500 characters.
const ANSWER_TOKENS: u64 = 140;

/// Requests in a row that may fail.
const MAX_FAILURES: u32 = 3;

/// Characters of a reply that are kept: twice what was asked for, so that no sentence is lost.
const MAX_CHARACTERS: usize = 4 * CHARACTERS;

/// Prompts that are made to see how long they are.
const SAMPLES: usize = 20;

/// Which chunks are described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of the project's code, sources first.
    All,
    /// The code below a folder, or of one file.
    Folder(String),
    /// These, in this order: the best hits of a question.
    Chunks(Vec<ChunkId>),
}

impl Scope {
    /// The chunks, in the order in which they are described.
    pub fn chunks(&self, index: &Index) -> Vec<ChunkId> {
        if let Self::Chunks(chunks) = self {
            let known = chunks.iter().filter(|id| index.chunk(**id).is_some());
            return known.copied().collect();
        }
        let mut chunks: Vec<ChunkId> = index
            .chunk_ids()
            .map(|(id, _)| id)
            .filter(|id| self.holds(index, *id))
            .collect();
        chunks.sort_by_key(|id| role(index, *id) != Some(Role::Source));
        chunks
    }

    fn holds(&self, index: &Index, chunk: ChunkId) -> bool {
        let path = index.path_of(chunk).unwrap_or_default();
        let file = index.chunk(chunk).and_then(|it| index.file(it.file));
        let is_code = file.is_some_and(|(_, parsed)| parsed.language.is_code());
        let is_inside = match self {
            Self::Folder(folder) => {
                let folder = folder.trim().trim_matches('/');
                let rest = path.strip_prefix(folder);
                folder.is_empty() || rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
            }
            _ => true,
        };
        is_code && is_inside
    }
}

fn role(index: &Index, chunk: ChunkId) -> Option<Role> {
    role_of(index, chunk)
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct DescribeOrder {
    /// Which chunks.
    pub scope: Scope,
    /// Of [`PROMPTS`].
    pub prompt: &'static Prompt,
    /// Tokens of one prompt at most.
    pub window: usize,
}

/// Why a run is over before everything is described.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Spent,
    Failed(String),
}

/// A run: gives requests one after the other, takes what came of each.
pub struct Describing {
    index: Arc<Index>,
    order: DescribeOrder,
    /// What is left, the next first.
    left: VecDeque<ChunkId>,
    /// Tokens of the last request.
    asked: u64,
    wanted: usize,
    written: Written,
    budget: Option<Budget>,
    used: Budget,
    /// Chunks of which nothing came.
    lost: usize,
    /// Chunks whose text is doubtful.
    doubtful: usize,
    failures: u32,
    model: String,
    end: Option<End>,
}

impl Describing {
    /// Plans what is shown to the model, but not what was described before; nothing is sent.
    pub fn new(index: Arc<Index>, order: DescribeOrder, before: Written) -> Self {
        let chunks = order.scope.chunks(&index);
        let left = chunks.iter().copied();
        let left: VecDeque<ChunkId> = left.filter(|it| before.of(&index, *it).is_none()).collect();
        Self {
            wanted: chunks.len(),
            left,
            asked: 0,
            index,
            order,
            written: before,
            budget: None,
            used: Budget {
                requests: 0,
                tokens: 0,
            },
            lost: 0,
            doubtful: 0,
            failures: 0,
            model: String::new(),
            end: None,
        }
    }

    /// About what it takes, to be shown before anything is sent.
    pub fn estimate(&self) -> Estimate {
        let n = self.left.len();
        let step = n.div_ceil(SAMPLES).max(1);
        let samples = self.left.iter().step_by(step);
        let tokens = samples.filter_map(|it| Some(chat_tokens(&self.chat("", *it)?) as u64));
        let tokens: Vec<u64> = tokens.collect();
        let each = tokens.iter().sum::<u64>() / tokens.len().max(1) as u64;
        Estimate {
            requests: n as u32,
            prompt_tokens: n as u64 * each,
            answer_tokens: n as u64 * ANSWER_TOKENS,
        }
    }

    /// Lets the run use up so much and no more.
    pub fn allow(&mut self, budget: Budget) {
        self.budget = Some(budget);
    }

    /// The next request; the same again until something came of it. `None` at the end.
    pub fn request(&mut self, model: &str) -> Option<Ask> {
        self.model = model.to_owned();
        while self.end.is_none() {
            let chunk = *self.left.front()?;
            let Some(chat) = self.chat(model, chunk) else {
                self.left.pop_front();
                self.lost += 1;
                continue;
            };
            self.asked = chat_tokens(&chat) as u64;
            let needed = self.asked + u64::from(chat.max_tokens);
            let is_beyond = self.budget.is_some_and(|most| {
                let tokens = self.used.tokens.saturating_add(needed);
                self.used.requests >= most.requests || tokens > most.tokens
            });
            if is_beyond {
                self.end = Some(End::Spent);
                return None;
            }
            return Some(Ask {
                key: key(&chat),
                chat,
                strategy: "describe",
            });
        }
        None
    }

    /// What the model said to the last request.
    pub fn answer(&mut self, reply: Reply<'_>) {
        let Some(chunk) = self.left.pop_front() else {
            return;
        };
        self.failures = 0;
        let tokens = reply
            .answer_tokens
            .map_or_else(|| estimate_tokens(reply.text) as u64, u64::from);
        self.count(tokens);
        let text = said(reply.text);
        if text.is_empty() {
            self.lost += 1;
            return;
        }
        if !doubts(&self.index, chunk, &text).is_empty() {
            self.doubtful += 1;
        }
        let model = self.model.clone();
        let key = crate::describe::key(&self.index, chunk);
        self.written.0.insert(key, WrittenText { text, model });
    }

    /// The last request came to nothing. Several in a row end the run; what they asked about is
    /// asked again when it goes on.
    pub fn fail(&mut self, why: &str) {
        if self.left.pop_front().is_none() {
            return;
        }
        self.count(0);
        self.lost += 1;
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            self.end = Some(End::Failed(why.to_owned()));
        }
    }

    fn count(&mut self, answer: u64) {
        self.used.requests += 1;
        self.used.tokens += self.asked + answer;
    }

    fn chat(&self, model: &str, chunk: ChunkId) -> Option<Chat> {
        let prompt = self.order.prompt;
        prompt.chat(&self.index, chunk, model, self.order.window)
    }

    /// Chunks of the order, and those of them that are described by now.
    pub fn progress(&self) -> (usize, usize) {
        let open = self.left.len() + self.lost;
        (self.wanted.saturating_sub(open), self.wanted)
    }

    /// Chunks whose text is doubtful, and those of which nothing came, of this run.
    pub fn troubles(&self) -> (usize, usize) {
        (self.doubtful, self.lost)
    }

    /// Whether the budget ended it.
    pub fn is_spent(&self) -> bool {
        self.end == Some(End::Spent)
    }

    /// Why it ended early, if requests failed.
    pub fn failure(&self) -> Option<&str> {
        match &self.end {
            Some(End::Failed(why)) => Some(why),
            _ => None,
        }
    }

    /// All that models wrote, what was there before included.
    pub fn written(&self) -> &Written {
        &self.written
    }
}

/// What a model said, on one line, without a fence around it.
fn said(reply: &str) -> String {
    let words: Vec<&str> = reply.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.trim_matches(['`', '"', '“', '”', ' ']);
    text.chars().take(MAX_CHARACTERS).collect()
}
