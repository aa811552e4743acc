//! What a sentence states as facts, read by a grammar, and whether the code supports them.
//!
//! A sentence is *read* if every word of it has a meaning here: `a` calls `b`; the enum `E`
//! contains the variants `A` and `B`; `f` takes `x`, which defaults to `3`, and returns a `T`. Each
//! relation is one file in [`relations`], with the words that state it and the code that checks it.
//! A single unknown word ("always", "safely", "quickly") leaves the sentence unread: then nothing
//! of it is proven, however right the rest may be.
//!
//! A fact is checked against the graph, against syntax trees (see `crate::parse::shape`) and
//! against manifests, never against text: a name in a comment or in an example of the documentation
//! is not a fact. Each proof is a line, and the sentence is proven only if its citations show all
//! of them.

mod grammar;
mod manifests;
pub(super) mod names;
mod quotation;
mod relations;
mod scene;
#[cfg(test)]
mod tests;
mod token;
mod words;

use std::ops::Range;

use super::scan::Atom;
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

pub(super) use token::number_word;

/// Whether a space-separated table contains a word.
pub(super) fn is_among(table: &str, word: &str) -> bool {
    table.split_whitespace().any(|known| known == word)
}

/// Lines that show a fact, and what they show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    pub file: FileId,
    /// The citations must show all of them.
    pub lines: LineRange,
    /// `call`, `quotation`, `base class` …
    pub what: &'static str,
}

impl Proof {
    fn line(file: FileId, line: Line, what: &'static str) -> Self {
        Self {
            file,
            lines: LineRange::new(line, line),
            what,
        }
    }
}

/// Whether code supports a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It does, and these lines show it.
    Yes(Vec<Proof>),
    /// It contradicts it; a sentence says what is there instead.
    No(String),
    /// It says neither, or the sentence was not read.
    Unknown,
}

/// The result of reading a sentence.
pub(super) struct Reading {
    pub truth: Truth,
    /// Whether all of it was read as facts.
    pub is_read: bool,
}

impl Truth {
    /// Combines two truths that must both hold.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes(mut proofs), Self::Yes(more)) => {
                proofs.extend(more);
                Self::Yes(proofs)
            }
            (Self::No(instead), _) | (_, Self::No(instead)) => Self::No(instead),
            _ => Self::Unknown,
        }
    }

    /// Combines truths that must all hold; unknown if there are none.
    fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        truths
            .into_iter()
            .reduce(Self::and)
            .unwrap_or(Self::Unknown)
    }

    /// Returns the first that is yes; no if all are no.
    fn any(truths: impl IntoIterator<Item = Self>) -> Self {
        let mut denied: Option<Self> = None;
        let mut is_open = false;
        for truth in truths {
            match truth {
                Self::Yes(_) => return truth,
                Self::No(_) => denied = denied.or(Some(truth)),
                Self::Unknown => is_open = true,
            }
        }
        match denied {
            Some(denied) if !is_open => denied,
            _ => Self::Unknown,
        }
    }
}

/// What a statement is checked against.
pub(super) struct Case<'a> {
    pub index: &'a Index,
    /// The lines that the statement cites, if they exist.
    pub cited: &'a [(FileId, LineRange)],
}

/// Reads the sentence at `at` of `text` and checks it against the code; `atoms` are its own.
pub(super) fn read(case: Case<'_>, text: &str, at: Range<usize>, atoms: &[Atom]) -> Reading {
    let tokens = token::tokens(text, at, atoms);
    let mut scene = scene::Scene::new(case.index, case.cited);
    let of = |truth| Reading {
        truth,
        is_read: false,
    };
    if let Some(truth) = manifests::truth(&scene, &tokens) {
        return of(truth);
    }
    let symbols = words::symbols(&tokens);
    if let Some(facts) = grammar::facts(&symbols) {
        let truths = facts.iter().map(|fact| relations::truth(&mut scene, fact));
        let truths: Vec<Truth> = truths.collect();
        return Reading {
            truth: Truth::all(truths),
            is_read: true,
        };
    }
    of(quotation::truth(&scene, &tokens).unwrap_or(Truth::Unknown))
}
