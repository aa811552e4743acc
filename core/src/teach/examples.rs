//! Question sets → the examples to learn from.

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
    /// The question, as it is asked.
    pub question: String,
    /// The files that answer it, in ascending order; never empty.
    pub files: Vec<FileId>,
}

/// The examples, and how many questions were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// In the order of the set.
    pub all: Vec<Example>,
    /// Number of questions whose files are all missing from the repository.
    pub without_files: usize,
    /// Number of questions with the same words as an earlier one, with the same or other files.
    pub repeated: usize,
}

impl Examples {
    /// The examples of question sets. A question that contradicts an earlier one with the same
    /// words adds its files to it, because it is unknown which of the two is right.
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
            let words = words(&item.query);
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

/// The words of a question, however they are spaced and capitalised.
pub(super) fn words(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// What is known about a question before anything is learnt.
pub(super) struct Known {
    pub example: Example,
    pub vector: Embedding,
    /// The result of the search, without earlier teaching; `None` beyond the first [`SEARCHED`].
    pub found: Option<Found>,
}

/// Most questions that are searched: a search in a large repository takes tens of milliseconds, and
/// a gate needs no more.
const SEARCHED: usize = 800;

/// The examples read so far.
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

    /// The questions read so far that have a word that the encoder knows.
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
