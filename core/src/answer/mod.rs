//! Hits → statements with footnotes, each checked against the stored text.

mod ask;
mod definition;
mod dependency;
mod documented;
mod extract;
mod facts;
mod notes;
mod prose;
mod relation;
pub mod relevance;
pub mod review;
mod section;
mod suggest;
mod syntax;
#[cfg(test)]
mod tests;

pub use ask::{Asked, CANDIDATES, HITS, ask, candidates, compare};
pub use extract::answer;
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
}

impl Statement {
    /// The sentence as plain text, code in backticks.
    pub fn plain(&self) -> String {
        self.spans
            .iter()
            .map(|span| match span {
                Span::Text(text) => text.clone(),
                Span::Code(code) => format!("`{code}`"),
            })
            .collect()
    }
}

/// A source that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footnote {
    /// From 1, in order of first use.
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
        /// Two to five, most useful first, where the repository holds that much; behind each that quotes
        /// a documentation one more, where the code can be seen to differ from it.
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

/// An answer made without a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Statements with footnotes, or why there are none.
    pub outcome: Outcome,
    /// The set of files that answers the question, best first; empty if there is nothing.
    pub files: Vec<AnswerFile>,
    /// What the reader should know about how the question was read; a sentence.
    pub note: Option<String>,
}
