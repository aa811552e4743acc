//! The wire's part on answers.

use serde::{Deserialize, Serialize};

use super::{ConversationId, CountsView, FootnoteView, VerdictView, WrittenView};

/// A question to the open repository, in one of its conversations. Tells an [`AnswerView`] as soon as words allow, and
/// ends with another, `refined`, once the best candidates were compared by meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskRequest {
    pub question: String,
    pub conversation: ConversationId,
}

/// An answer: what was made without a language model, and what one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    pub question: String,
    /// When it was asked, in milliseconds since 1970; names it in its conversation.
    pub asked_at: f64,
    pub refined: bool,
    /// Set instead of statements when the repository holds nothing on the question.
    pub nothing: Option<String>,
    /// What the reader should know about how the question was read; a sentence.
    pub note: Option<String>,
    pub statements: Vec<StatementView>,
    /// In order of their numbers, which start at 1.
    pub footnotes: Vec<FootnoteView>,
    /// Ranked line ranges, best first, with score parts.
    pub evidence: Vec<EvidenceView>,
    /// The set of files that answers the question, best first.
    pub files: Vec<AnswerFileView>,
    pub milliseconds: f64,
    /// What was searched: chunks in all, and how many of them were compared by meaning.
    pub chunks: u32,
    pub compared_by_meaning: u32,
    /// What a language model wrote on the question, if one is connected.
    pub written: Option<WrittenView>,
    /// It came in a file, and not all of its statements could be made anew here.
    pub is_imported: bool,
}

impl AnswerView {
    /// The footnote of that number.
    pub fn footnote(&self, number: u32) -> Option<&FootnoteView> {
        self.footnotes.iter().find(|note| note.number == number)
    }

    /// What the statements made without a language model came to.
    pub fn counts(&self) -> CountsView {
        let statements = self.statements.iter();
        statements
            .map(|statement| self.verdict(statement))
            .collect()
    }

    /// What one of its statements came to.
    pub fn verdict(&self, statement: &StatementView) -> VerdictView {
        let numbers = statement.footnotes.iter();
        // A number without a footnote vouches for nothing.
        VerdictView::of_statement(numbers.map(|number| {
            let note = self.footnote(*number);
            note.map_or(VerdictView::Rejected, |note| note.check.verdict())
        }))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerFileView {
    pub path: String,
    /// How likely it belongs to the answer, 0–1.
    pub confidence: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementView {
    pub spans: Vec<SpanView>,
    /// Numbers of its footnotes, at least one.
    pub footnotes: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SpanView {
    Text(String),
    Code(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceView {
    pub path: String,
    pub start: u32,
    pub end: u32,
    /// Qualified name or heading; may be empty.
    pub title: String,
    pub score: f32,
    pub parts: Vec<PartView>,
    /// At most 12 lines of its text.
    pub excerpt: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartView {
    pub name: String,
    pub raw: f32,
    pub weighted: f32,
}
