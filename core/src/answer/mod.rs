//! Turns hits into statements with footnotes, each checked against the stored text.

mod ask;
mod changed;
mod cited;
mod definition;
mod documented;
mod everyday;
mod extract;
mod facts;
mod kinds;
mod limits;
mod meant;
mod negated;
mod notes;
mod numbers;
mod path_search;
mod prose;
mod relation;
pub mod relevance;
mod resolve;
pub mod review;
mod section;
mod suggest;
mod syntax;
#[cfg(test)]
mod tests;
pub mod weight;

pub use ask::{Asked, CANDIDATES, HITS, ask, ask_after, ask_again, candidates, compare, joined};
pub use changed::{ChangedAnswer, Compared, VersionedNote, changed};
pub use extract::{answer, answer_found};
pub use meant::{Meant, meant, names_in, question_of_uses};
pub use path_search::paths_like;
pub use resolve::{Resolved, resolve, scoped};
pub use suggest::suggestions;

use crate::cite::Verified;
use crate::source::FileId;

/// A piece of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Words, shown unchanged.
    Text(String),
    /// A name or a piece of code, shown in a fixed-width font.
    Code(String),
}

/// One sentence, with the numbers of the footnotes that support it (at least one).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The sentence, piece by piece.
    pub spans: Vec<Span>,
    /// Numbers of [`Footnote`]s, each once.
    pub footnotes: Vec<u32>,
    /// If it states a list, all of its entries. The sentence itself names the first ones, or ends
    /// with a colon: then the entries, in their order, are what it says.
    pub items: Vec<Item>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The name of a definition, a path, a library.
    pub name: String,
    /// What is said of it after its name, such as the value of a constant; may be empty.
    pub detail: String,
    /// The number of the [`Footnote`] that supports it.
    pub footnote: u32,
}

impl Statement {
    /// Returns the sentence as plain text, with code in backticks.
    pub fn plain(&self) -> String {
        plain(&self.spans)
    }
}

/// Returns plain text, with code in backticks.
fn plain(spans: &[Span]) -> String {
    let written = spans.iter().map(|span| match span {
        Span::Text(text) => text.clone(),
        Span::Code(code) => format!("`{code}`"),
    });
    written.collect()
}

/// A checked source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// Counts from 1 in order of first use; those of lists come after those of all sentences.
    pub number: u32,
    /// The lines that it leads to.
    pub source: Verified,
    /// What the lines were checked for: `definition`, `call`, `the quoted words` …
    pub why: String,
}

/// The result of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The repository says something about the question.
    Found {
        /// Two to five, most useful first, if the repository holds that much; behind those that
        /// quote documentation, one more for each that the code visibly differs from.
        statements: Vec<Statement>,
        /// Every footnote that the statements refer to, by number.
        footnotes: Vec<Footnote>,
    },
    /// The repository holds nothing about the question; `why` is a sentence for the user.
    Nothing {
        /// What was searched for, and what to ask instead.
        why: String,
    },
}

/// One of the files that answer a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerFile {
    /// The file.
    pub file: FileId,
    /// How likely it belongs to the answer, 0–1; 1 if the answer is exact.
    pub confidence: f32,
}

/// How well an answer fits its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The question is of a kind, and rules answered it without search. A rule can still misread a
    /// question: `core/benches/runs/2026-11-questions` says how often.
    Exact,
    /// Found by search, and about the question.
    Likely,
    /// Found by search, but it may not answer the question.
    Closest,
}

/// An answer made without a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The kind of the question, if it has one: `callers`, `subclasses`.
    pub kind: Option<&'static str>,
    /// How well it fits.
    pub fit: Fit,
    /// Statements with footnotes, or why there are none.
    pub outcome: Outcome,
    /// The files that answer the question, best first; empty if there is nothing.
    pub files: Vec<AnswerFile>,
    /// What the reader should know about how the question was read, as a sentence.
    pub note: Option<String>,
}
