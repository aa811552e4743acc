//! Descriptions of chunks, written by a connected language model (Code2Text, section 3).
//!
//! [`Describing`] is a run without the transport to the model, like [`super::questions::Writing`]:
//! send what [`Describing::request`] returns, then pass the outcome to [`Describing::answer`] or
//! [`Describing::fail`]. Chunks that already have a description are not asked about again, so a
//! stopped run can be resumed. [`crate::describe::doubts`] checks what a model wrote.

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

/// Approximate number of tokens in a description of 500 characters.
const ANSWER_TOKENS: u64 = 140;

/// Number of failed requests in a row that ends a run.
const MAX_FAILURES: u32 = 3;

/// Characters of a reply that are kept, more than was asked for, so that no sentence is lost.
const MAX_CHARACTERS: usize = 4 * CHARACTERS;

/// Number of prompts that are built to estimate their length.
const SAMPLES: usize = 20;

/// Which chunks are described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All code of the project, source files first.
    All,
    /// The code in a folder, or in one file.
    Folder(String),
    /// These chunks, in this order: the best hits of a question.
    Chunks(Vec<ChunkId>),
}

impl Scope {
    /// The chunks, in the order they are described.
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

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct DescribeOrder {
    /// Which chunks to describe.
    pub scope: Scope,
    /// One of [`PROMPTS`].
    pub prompt: &'static Prompt,
    /// Most tokens per prompt.
    pub window: usize,
}

/// Why a run ended before everything was described.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Spent,
    Failed(String),
}

/// A run: returns requests one by one and takes their outcomes.
pub struct Describing {
    index: Arc<Index>,
    order: DescribeOrder,
    /// The remaining chunks, the next one first.
    left: VecDeque<ChunkId>,
    /// Tokens of the last request.
    asked: u64,
    wanted: usize,
    written: Written,
    budget: Option<Budget>,
    used: Budget,
    /// Number of chunks that got no description.
    lost: usize,
    /// Number of chunks with a doubtful description.
    doubtful: usize,
    failures: u32,
    model: String,
    end: Option<End>,
}

impl Describing {
    /// Plans the chunks to show to the model, without those already described. Sends nothing.
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

    /// An estimate of requests and tokens, to show before anything is sent.
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

    /// Limits the requests and tokens of the run.
    pub fn allow(&mut self, budget: Budget) {
        self.budget = Some(budget);
    }

    /// The next request; the same one until its outcome is passed in. `None` at the end.
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

    /// Takes the model's reply to the last request.
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

    /// Takes the failure of the last request. Several in a row end the run; a later run asks about
    /// their chunks again.
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

    /// Number of described chunks, and of all chunks of the order.
    pub fn progress(&self) -> (usize, usize) {
        let open = self.left.len() + self.lost;
        (self.wanted.saturating_sub(open), self.wanted)
    }

    /// Number of chunks with a doubtful description, and of those without any, in this run.
    pub fn troubles(&self) -> (usize, usize) {
        (self.doubtful, self.lost)
    }

    /// Whether the budget ended the run.
    pub fn is_spent(&self) -> bool {
        self.end == Some(End::Spent)
    }

    /// Why the run ended early, if requests failed.
    pub fn failure(&self) -> Option<&str> {
        match &self.end {
            Some(End::Failed(why)) => Some(why),
            _ => None,
        }
    }

    /// All descriptions by models, those from before the run included.
    pub fn written(&self) -> &Written {
        &self.written
    }
}

/// A model's reply, on one line, without a fence around it.
fn said(reply: &str) -> String {
    let words: Vec<&str> = reply.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.trim_matches(['`', '"', '“', '”', ' ']);
    text.chars().take(MAX_CHARACTERS).collect()
}
