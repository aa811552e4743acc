//! Hits → statements with footnotes, each checked against the stored text.

mod ask;
mod changed;
mod cited;
mod definition;
mod documented;
mod extract;
mod facts;
mod kinds;
mod limits;
mod meant;
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
    /// Words, shown as they are.
    Text(String),
    /// A name or a bit of code, shown in a fixed-width face.
    Code(String),
}

/// One sentence, with the numbers of the footnotes that carry it (at least one).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The sentence, piece by piece.
    pub spans: Vec<Span>,
    /// Numbers of [`Footnote`]s, each once.
    pub footnotes: Vec<u32>,
    /// If it states a list, all of its entries; the sentence itself names the first of them.
    pub items: Vec<Item>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The name of a definition, a path, a library.
    pub name: String,
    /// What is said of it beside its name, such as the value of a constant; may be empty.
    pub detail: String,
    /// The number of the [`Footnote`] that carries it.
    pub footnote: u32,
}

impl Statement {
    /// The sentence as plain text, code in backticks.
    pub fn plain(&self) -> String {
        plain(&self.spans)
    }
}

/// As plain text, code in backticks.
fn plain(spans: &[Span]) -> String {
    let written = spans.iter().map(|span| match span {
        Span::Text(text) => text.clone(),
        Span::Code(code) => format!("`{code}`"),
    });
    written.collect()
}

/// A source that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// From 1, in order of first use; those of lists come after those of all sentences.
    pub number: u32,
    /// The lines that it leads to.
    pub source: Verified,
    /// What the lines were checked for: `definition`, `call`, `the quoted words` …
    pub why: String,
}

/// What an answer came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The repository says something on the question.
    Found {
        /// Two to five, most useful first, where the repository holds that much; behind each that
        /// quotes a documentation one more, where the code can be seen to differ from it.
        statements: Vec<Statement>,
        /// All that the statements refer to, by number.
        footnotes: Vec<Footnote>,
    },
    /// The repository holds nothing on the question; `why` is a sentence for the user.
    Nothing {
        /// What was looked for, and what to ask instead.
        why: String,
    },
}

/// A file of the set that answers a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerFile {
    /// The file.
    pub file: FileId,
    /// How likely it belongs to the answer, 0–1; 1 where the answer is exact.
    pub confidence: f32,
}

/// How well an answer fits its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The question is of a kind, and rules answered it without search. A rule can still have
    /// misread it: `core/benches/runs/2026-11-questions` says how often.
    Exact,
    /// Found by search; what was found is about the question.
    Likely,
    /// Found by search; it may not answer the question.
    Closest,
}

/// An answer made without a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The kind of the question, if it is of one: `callers`, `subclasses`.
    pub kind: Option<&'static str>,
    /// How well it fits.
    pub fit: Fit,
    /// Statements with footnotes, or why there are none.
    pub outcome: Outcome,
    /// The set of files that answers the question, best first; empty if there is nothing.
    pub files: Vec<AnswerFile>,
    /// What the reader should know about how the question was read; a sentence.
    pub note: Option<String>,
}
