//! Question sets → what is learnt from.

use std::collections::{BTreeMap, BTreeSet};

use crate::embed::Embedding;
use crate::eval::Item;
use crate::index::{Index, Vectors};
use crate::search::taught::{self, Found};
use crate::search::{Context, Params, Question, Strategy, table};
use crate::source::FileId;

/// A question whose files are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// As it is asked.
    pub question: String,
    /// The files that answer it, ascending; never empty.
    pub files: Vec<FileId>,
}

/// Questions to learn from, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// In the order of the set.
    pub all: Vec<Example>,
    /// Questions of which no file is in the repository.
    pub without_files: usize,
    /// Questions that were asked before in the same words, with the same or other files.
    pub repeated: usize,
}

impl Examples {
    /// Of question sets. A question that contradicts an earlier one in the same words adds its
    /// files to it: which of the two is right cannot be told.
    pub fn of<'i>(index: &Index, items: impl IntoIterator<Item = &'i Item>) -> Self {
        let files = (0..).map(FileId).zip(&index.repo.files);
        let by_path: BTreeMap<&str, FileId> =
            files.map(|(id, file)| (file.path.as_str(), id)).collect();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut examples = Self::default();
        for item in items {
            let files = item.gold_files.iter();
            let files = files.filter_map(|path| by_path.get(path.as_str()).copied());
            let files: BTreeSet<FileId> = files.collect();
            if files.is_empty() || Question::new(&item.query).is_err() {
                examples.without_files += 1;
                continue;
            }
            let words = item.query.split_whitespace().collect::<Vec<_>>().join(" ");
            let words = words.to_lowercase();
            match known.get(&words).and_then(|at| examples.all.get_mut(*at)) {
                Some(example) => {
                    let all = files.into_iter().chain(example.files.iter().copied());
                    example.files = all.collect::<BTreeSet<_>>().into_iter().collect();
                    examples.repeated += 1;
                }
                None => {
                    known.insert(words, examples.all.len());
                    examples.all.push(Example {
                        question: item.query.clone(),
                        files: files.into_iter().collect(),
                    });
                }
            }
        }
        examples
    }
}

/// What is known of a question before anything is learnt.
pub(super) struct Known {
    pub example: Example,
    pub vector: Embedding,
    /// By the search, without what the repository was taught before; `None` beyond the first
    /// [`SEARCHED`].
    pub found: Option<Found>,
}

/// Questions that are searched: a search of a large repository takes tens of milliseconds, and a
/// gate needs no more.
const SEARCHED: usize = 800;

/// The examples as far as they were read.
pub(super) struct Reading {
    left: std::vec::IntoIter<Example>,
    known: Vec<Known>,
    strategy: Strategy,
    params: Params,
}

impl Reading {
    pub(super) fn new(examples: Vec<Example>) -> Self {
        Self {
            left: examples.into_iter(),
            known: Vec::new(),
            strategy: Strategy::default(),
            params: Params::default(),
        }
    }

    /// The questions that were read and hold a word that the encoder knows.
    pub(super) fn known(&self) -> &[Known] {
        &self.known
    }

    /// Reads the next question; false if there is none.
    pub(super) fn next(&mut self, index: &Index) -> bool {
        let Some(example) = self.left.next() else {
            return false;
        };
        let question = Question::new(&example.question).ok();
        let vector = question.as_ref().zip(index.table());
        let vector =
            vector.and_then(|(question, by_table)| table::embed(by_table, question.text()));
        if let (Some(question), Some(vector)) = (question, vector) {
            let is_searched = self.known.len() < SEARCHED;
            self.known.push(Known {
                found: is_searched.then(|| self.search(index, &question)),
                example,
                vector,
            });
        }
        true
    }

    fn search(&self, index: &Index, question: &Question) -> Found {
        let vectors = Vectors::new(1, 0);
        let context = Context::new(index, &vectors, question, None);
        let hits = context.run(&self.strategy, taught::HITS);
        Found::new(index, question, &hits, &self.params)
    }
}
