//! What a repository was taught: a small head that maps a question's vector to files, learnt from
//! questions whose files are known (PathFinder's idea, section 3, on frozen vectors instead of a
//! fine-tuned model).
//!
//! [`Head`] stores the files as numbers, [`Memory`] the questions themselves, and [`Gate`] weighs
//! both against what the search found. [`crate::teach`] trains them, the search step `taught` uses
//! them, [`record`] serialises them.

mod gate;
mod head;
mod memory;
mod record;

pub use gate::Gate;
pub use head::{Head, Meanings};
pub(crate) use head::{add, dot, product, softmax};
pub use memory::{Memory, Remembered};
pub use record::TaughtError;

use std::collections::BTreeSet;

use super::{Index, half};
use crate::embed::Embedding;
use crate::source::{FileId, Repo};

/// A file that taught questions lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaughtFile {
    /// Its path when it was taught.
    pub path: String,
    /// The first 16 bytes of the BLAKE3 digest of its text then.
    pub content: [u8; 16],
}

impl TaughtFile {
    /// Describes the file `id` as it is now.
    pub(crate) fn of(repo: &Repo, id: FileId) -> Option<Self> {
        let file = repo.file(id)?;
        Some(Self {
            path: file.path.clone(),
            content: content(&file.text),
        })
    }
}

fn content(text: &str) -> [u8; 16] {
    half(&blake3::hash(text.as_bytes()))
}

/// Its quality on questions that it had not learnt from; each mark is between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Marks {
    /// Share of questions whose set of files was exactly right (PathFinder's EM).
    pub exact: f32,
    /// Mean share of the right files that were returned (PathFinder's micro-recall).
    pub recall: f32,
    /// Share of questions whose best file was right.
    pub first: f32,
}

/// How teaching went, measured on questions that were left out in turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Number of questions learnt from.
    pub questions: u32,
    /// Number of these questions that the marks were measured on.
    pub measured: u32,
    /// What the search finds without teaching, on the same questions.
    pub untaught: Marks,
    /// The marks once it is known how many files such questions have, and nothing else was learnt.
    pub calibrated: Marks,
    /// What the search finds after teaching.
    pub taught: Marks,
    /// What it finds if the files of the questions are shuffled before learning: a gain that
    /// remains here does not come from knowledge of the repository.
    pub shuffled: Marks,
    /// The random seed, which makes all draws reproducible.
    pub seed: u64,
}

impl Report {
    /// Whether teaching gained, and with shuffled files gained less than half as much.
    pub fn is_worth_it(&self) -> bool {
        let gain = self.taught.exact - self.untaught.exact;
        gain > 0.0 && self.shuffled.exact - self.untaught.exact < gain / 2.0
    }
}

/// What a repository was taught, as it is stored: it names files by path and content, so that it
/// survives new versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Teaching {
    /// The encoder whose vectors it accepts.
    pub encoder: String,
    /// The files that questions led to; [`Head`] has a row for each.
    pub files: Vec<TaughtFile>,
    /// Maps a question's vector to files.
    pub head: Head,
    /// The questions, with indexes into `files`.
    pub memory: Memory,
    /// Decides what is trusted.
    pub gate: Gate,
    /// How teaching went.
    pub report: Report,
}

/// The parts of a teaching that no longer fit an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Paths whose text changed since they were taught: still used in answers, but possibly wrong.
    pub changed: Vec<String>,
    /// Paths that no longer exist: never used in answers.
    pub gone: Vec<String>,
}

/// A teaching bound to an index: its list of files is mapped to files of the repository.
#[derive(Clone, Debug)]
pub struct Taught {
    teaching: Teaching,
    rows: Rows,
    meanings: Meanings,
    stale: Stale,
}

/// What a teaching says about a file for one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    /// The file.
    pub file: FileId,
    /// The head's probability, 0–1, over all files.
    pub probability: f32,
    /// Share of the nearest taught questions that this file answers, 0–1.
    pub share: f32,
    /// Cosine of the nearest taught question that it answers; 0 if it answers none.
    pub nearest: f32,
    /// Number of taught questions that it answers.
    pub questions: u32,
}

/// What a teaching says about all files for one question.
#[derive(Clone, Debug, Default)]
pub struct Opinions {
    /// One per file of the repository, in its order.
    pub files: Vec<Opinion>,
    /// The taught question nearest to this one, as an index into the memory, with its cosine.
    pub nearest: Option<(usize, f32)>,
}

impl Taught {
    /// Binds a teaching to an index. Returns `None` until the static encoder's vectors have
    /// arrived, or if the teaching needs another encoder.
    pub fn new(teaching: Teaching, index: &Index) -> Option<Self> {
        let meanings = Meanings::of(index)?;
        if teaching.head.dimension() != meanings.dimension()
            || index.table()?.id() != teaching.encoder
        {
            return None;
        }
        let (ids, stale) = bind(&teaching.files, &index.repo);
        Some(Self {
            teaching,
            rows: Rows::new(&ids, meanings.files()),
            meanings,
            stale,
        })
    }

    /// Returns the teaching itself.
    pub fn teaching(&self) -> &Teaching {
        &self.teaching
    }

    /// Returns what no longer fits the repository.
    pub fn stale(&self) -> &Stale {
        &self.stale
    }

    /// Returns the file of this repository for each of the teaching's; `None` for one that is gone.
    pub fn files(&self) -> Vec<Option<FileId>> {
        let mut files = vec![None; self.teaching.files.len()];
        for (id, row) in (0..).map(FileId).zip(&self.rows.0) {
            if let Some(file) = row.and_then(|row| files.get_mut(row as usize)) {
                *file = Some(id);
            }
        }
        files
    }

    /// Whether none of its files exists here.
    pub fn is_of_another_repository(&self) -> bool {
        self.rows.0.iter().all(Option::is_none)
    }

    /// Returns the taught question nearest to this one, with its cosine.
    pub fn nearest(&self, question: &Embedding) -> Option<(&str, f32)> {
        let (at, cosine) = self.teaching.memory.recall(question).nearest?;
        let nearest = self.teaching.memory.questions.get(at)?;
        Some((&nearest.question, cosine))
    }

    /// Returns what it says about the files of its index.
    pub fn opinions(&self, question: &Embedding) -> Opinions {
        let Teaching { head, memory, .. } = &self.teaching;
        opinions(head, memory, &self.meanings, &self.rows, question)
    }
}

/// The teaching's row for each file of a repository; `None` for one that no question led to.
#[derive(Clone, Debug)]
pub(crate) struct Rows(Vec<Option<u32>>);

impl Rows {
    /// `ids` are the files of the rows.
    pub(crate) fn new(ids: &[Option<FileId>], files: usize) -> Self {
        let mut rows = vec![None; files];
        for (row, id) in (0..).zip(ids) {
            if let Some(place) = id.and_then(|id| rows.get_mut(id.0 as usize)) {
                *place = Some(row);
            }
        }
        Self(rows)
    }
}

/// Returns what head and memory say about all files.
pub(crate) fn opinions(
    head: &Head,
    memory: &Memory,
    meanings: &Meanings,
    rows: &Rows,
    question: &Embedding,
) -> Opinions {
    let probabilities = head.probabilities(meanings, rows, question);
    let recalled = memory.recall(question);
    let files = (0..).map(FileId).zip(probabilities).zip(&rows.0);
    let files = files.map(|((file, probability), row)| {
        let of_row = row.and_then(|row| recalled.files.get(row as usize));
        let (share, nearest, questions) = of_row.copied().unwrap_or_default();
        Opinion {
            file,
            probability,
            share,
            nearest,
            questions,
        }
    });
    Opinions {
        files: files.collect(),
        nearest: recalled.nearest,
    }
}

/// Maps the taught files to the files of `repo`: by path, else by content.
fn bind(files: &[TaughtFile], repo: &Repo) -> (Vec<Option<FileId>>, Stale) {
    let mut stale = Stale::default();
    let ids = files.iter().map(|file| repo.find(&file.path));
    let mut ids: Vec<Option<FileId>> = ids.collect();
    let mut taken: BTreeSet<FileId> = ids.iter().flatten().copied().collect();
    let contents: Vec<[u8; 16]> = match ids.iter().any(Option::is_none) {
        true => repo.files.iter().map(|file| content(&file.text)).collect(),
        false => Vec::new(),
    };
    for (id, file) in ids.iter_mut().zip(files) {
        match *id {
            Some(known) => {
                let is_same = repo
                    .file(known)
                    .is_some_and(|it| content(&it.text) == file.content);
                if !is_same {
                    stale.changed.push(file.path.clone());
                }
            }
            None => {
                let moved = (0..).map(FileId).zip(&contents);
                let moved = moved.filter(|(_, content)| **content == file.content);
                *id = moved.map(|(id, _)| id).find(|id| taken.insert(*id));
                if id.is_none() {
                    stale.gone.push(file.path.clone());
                }
            }
        }
    }
    (ids, stale)
}
