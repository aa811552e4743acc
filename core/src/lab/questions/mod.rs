//! Questions made from a repository without a language model. Their gold lines come from the index,
//! so they are right by construction: documentation, syntax trees, graph, manifests and history
//! state them.
//!
//! A kind of question is one file in `kinds` and one line in [`KINDS`]. [`MakeQuestions`] drafts
//! all kinds, folds duplicates, and draws a balanced set ([`select`]); [`split()`] divides it into
//! two parts that share no file.
//!
//! [`Writing`] has a connected language model write questions instead (`written`): code checks
//! their paths, lines, quotations and citations, but not whether the files answer them.

mod asserted;
mod draft;
mod facts;
mod fold;
mod kinds;
mod libraries;
mod mentions;
mod plain;
mod select;
mod sentence;
mod split;
#[cfg(test)]
mod tests;
mod world;
mod written;

pub use kinds::{KINDS, Kind};
pub use split::{Split, split};
pub use written::{
    Ask, Budget, Estimate, Reply, STRATEGIES, Spent, Strategy, Writing, WrittenCount, WrittenMade,
    WrittenOrder, key,
};

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::chunk::Chunking;
use crate::eval::Item;
use crate::index::Index;
use crate::job::{Job, Progress, Step};
use draft::Drafts;
use facts::Facts;
use world::World;

/// The settings for a set.
#[derive(Clone, Debug)]
pub struct Order {
    /// Number of questions wanted.
    pub count: usize,
    /// Another seed gives other questions and wordings.
    pub seed: u64,
    /// Names of [`KINDS`]; all if empty.
    pub kinds: Vec<String>,
    /// The name of the repository in the items.
    pub archive: String,
    /// From this cosine of the static encoder on, two questions with the same gold lines count as
    /// one.
    pub near: f32,
}

impl Order {
    /// The chunking of the index that questions are made from: gold lines are those of definitions.
    pub const CHUNKING: Chunking = Chunking::FUNCTION;

    /// Two hundred questions of all kinds.
    pub fn new(archive: &str) -> Self {
        Self {
            count: 200,
            seed: 1,
            kinds: Vec::new(),
            archive: archive.to_owned(),
            near: 0.9,
        }
    }

    /// Names that are not those of a kind.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let names = self.kinds.iter().map(String::as_str);
        names.filter(|name| KINDS.iter().all(|kind| kind.name != *name))
    }
}

/// The counts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// Number of questions that the repository gave.
    pub made: usize,
    /// How many of them are in the set.
    pub kept: usize,
    /// Number of dropped questions, by reason.
    pub dropped: BTreeMap<&'static str, usize>,
}

/// A set of questions, and how it was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Sorted by kind, then by file. `category` is the kind, `reference_answer` the answer.
    pub items: Vec<Item>,
    /// One for each kind.
    pub counts: Vec<Count>,
    /// Why there are fewer questions than wanted.
    pub short: Option<String>,
}

/// The job that makes a set; progress counts kinds.
pub struct MakeQuestions {
    index: Arc<Index>,
    order: Order,
    kinds: Vec<&'static Kind>,
    drafts: Vec<Drafts>,
    facts: Option<Facts>,
}

impl MakeQuestions {
    /// Makes questions from all files of `index`.
    pub fn new(index: Arc<Index>, order: Order) -> Self {
        let wanted =
            |kind: &&Kind| order.kinds.is_empty() || order.kinds.iter().any(|it| it == kind.name);
        Self {
            index,
            kinds: KINDS.iter().copied().filter(wanted).collect(),
            drafts: Vec::new(),
            facts: None,
            order,
        }
    }
}

impl Job for MakeQuestions {
    type Output = Made;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Made>, Infallible> {
        if let Some(kind) = self.kinds.get(self.drafts.len()) {
            let facts = self.facts.get_or_insert_with(|| Facts::new(&self.index));
            let world = World::new(&self.index, facts, self.order.seed);
            let mut drafts = Drafts::new(kind.name);
            (kind.draft)(&world, &mut drafts);
            self.drafts.push(drafts);
            return Ok(Step::Working(Progress {
                done: self.drafts.len() as u64,
                total: self.kinds.len() as u64 + 1,
            }));
        }
        let drafts = std::mem::take(&mut self.drafts);
        Ok(Step::Done(select::select(&self.index, &self.order, drafts)))
    }
}
