//! Questions and answers on the wire.

use serde::{Deserialize, Serialize};

use super::{ConversationId, CountsView, FootnoteView, OfferedView, VerdictView, WrittenView};

/// A question to the open repository, in one of its conversations. Sends an [`AnswerView`] as soon
/// as the search by words is done, and ends with another, `refined`, once the best candidates have
/// been compared by meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskRequest {
    pub question: String,
    pub conversation: ConversationId,
    /// The earlier questions of its conversation, oldest first.
    pub earlier: Vec<String>,
    /// Name of the pipeline that answers; none for the page's default way, which answers by words
    /// first.
    pub pipeline: Option<String>,
    /// Whether the connected model may write the search query, if the pipeline asks for that.
    pub leave: QueryLeave,
}

/// Whether something may be sent to the connected model before the answer is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryLeave {
    /// The user has not been asked yet.
    #[default]
    Unasked,
    /// The user has seen what is sent, and agrees.
    To {
        model: String,
        address: String,
        sent: SentFirst,
        texts: Texts,
    },
    /// Search without the model.
    Never,
}

/// The texts that a user agreed to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Texts {
    /// The one that was shown, and no other.
    Exactly(String),
    /// Those of later questions: they differ, but have at most this many bytes.
    UpTo(usize),
}

impl Texts {
    /// Those of later questions, once a user has seen `said`: up to one and a half times its size,
    /// as for the evidence of an answer.
    pub fn like(said: &str) -> Self {
        Self::UpTo(said.len() * 3 / 2)
    }

    pub fn include(&self, said: &str) -> bool {
        match self {
            Self::Exactly(shown) => shown == said,
            Self::UpTo(bytes) => said.len() <= *bytes,
        }
    }
}

/// What is sent to the connected model before the answer is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SentFirst {
    /// The question and the repository's name.
    Question,
    /// Also the paths of files and names of what they define.
    FileNames,
}

/// What would be sent to the connected model before the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsksFirstView {
    pub model: String,
    pub address: String,
    pub sent: SentFirst,
    /// Everything that is sent, word for word.
    pub said: String,
}

/// The pipeline that made an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByPipeline {
    pub name: String,
    pub title: String,
    /// The lines that the pipeline would show a model.
    pub offered: Vec<OfferedView>,
    /// What a model wrote as the search query instead of the question, word for word.
    pub searched_for: Option<String>,
}

/// An answer: the part made without a language model, and the part that one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    pub question: String,
    /// When it was asked, in milliseconds since 1970; identifies it in its conversation.
    pub asked_at: f64,
    pub refined: bool,
    /// The question as it is searched, if it differs from what was typed: a follow-up made
    /// complete, misspelt words replaced by their likely meaning.
    pub asked_as: Option<String>,
    /// The kind of the question, if code answers it exactly.
    pub kind: Option<String>,
    pub fit: FitView,
    /// Set instead of statements if the repository holds nothing on the question.
    pub nothing: Option<String>,
    /// A sentence on how the question was understood, if the reader should know.
    pub note: Option<String>,
    pub statements: Vec<StatementView>,
    /// In order of their numbers, which start at 1.
    pub footnotes: Vec<FootnoteView>,
    /// Ranked line ranges, best first, with score parts.
    pub evidence: Vec<EvidenceView>,
    /// The set of files that answers the question, best first.
    pub files: Vec<AnswerFileView>,
    pub milliseconds: f64,
    /// What was searched: the number of chunks, and how many of them were compared by meaning.
    pub chunks: u32,
    pub compared_by_meaning: u32,
    /// What a language model wrote in answer, if one is connected.
    pub written: Option<WrittenView>,
    /// It was imported from a file, and not all of its statements could be reproduced here.
    pub is_imported: bool,
    /// The pipeline that made it, if one other than the page's default was chosen.
    pub by: Option<ByPipeline>,
    /// Nothing has been searched: the user is first asked whether this may be sent to the model.
    pub asks_first: Option<AsksFirstView>,
}

impl AnswerView {
    /// Returns the footnote with that number.
    pub fn footnote(&self, number: u32) -> Option<&FootnoteView> {
        let is_it = |note: &&FootnoteView| note.number == number;
        // Its position if no number is missing: a list can have thousands.
        let at = (number as usize).checked_sub(1)?;
        let likely = self.footnotes.get(at).filter(is_it);
        likely.or_else(|| self.footnotes.iter().find(is_it))
    }

    /// The question as it is searched.
    pub fn searched(&self) -> &str {
        self.asked_as.as_deref().unwrap_or(&self.question)
    }

    /// Whether its statements may not answer the question.
    pub fn is_closest(&self) -> bool {
        self.fit == FitView::Closest && !self.statements.is_empty()
    }

    /// Whether it reads the same as another answer; how it was found and how long that took may
    /// differ.
    pub fn reads_as(&self, other: &Self) -> bool {
        self.nothing == other.nothing
            && self.note == other.note
            && self.fit == other.fit
            && self.is_imported == other.is_imported
            && self.statements == other.statements
            && self.footnotes == other.footnotes
    }

    /// Counts the verdicts of the statements made without a language model.
    pub fn counts(&self) -> CountsView {
        let statements = self.statements.iter();
        statements
            .map(|statement| self.verdict(statement))
            .collect()
    }

    /// The verdict of one of its statements.
    pub fn verdict(&self, statement: &StatementView) -> VerdictView {
        let numbers = statement.footnotes.iter();
        // A number without a footnote proves nothing.
        VerdictView::of_statement(numbers.map(|number| {
            let note = self.footnote(*number);
            note.map_or(VerdictView::Rejected, |note| note.check.verdict())
        }))
    }
}

/// How well an answer fits its question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FitView {
    /// All of it answers the question.
    Exact,
    /// It is about the question.
    #[default]
    Likely,
    /// It may not answer the question.
    Closest,
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
    /// Numbers of its footnotes; at least one.
    pub footnotes: Vec<u32>,
    /// If it states a list, all of its entries; the sentence names the first few.
    pub items: Vec<ItemView>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemView {
    pub name: String,
    /// What is said about it besides its name; may be empty.
    pub detail: String,
    pub footnote: u32,
}

/// What can be expanded below a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// The sentence says everything.
    Nothing,
    /// The sentence names all items, and there is more to say about them.
    Details,
    /// There are more items than the sentence names.
    More,
}

impl StatementView {
    /// Whether the sentence only introduces its list, which is then open from the start: it ends
    /// with a colon.
    pub fn introduces(&self) -> bool {
        matches!(self.spans.last(), Some(SpanView::Text(text)) if text.ends_with(':'))
    }

    pub fn below(&self) -> Below {
        let is_code = |name: &str| {
            let mut spans = self.spans.iter();
            spans.any(|span| matches!(span, SpanView::Code(code) if code == name))
        };
        let is_said =
            |item: &ItemView| self.footnotes.contains(&item.footnote) && is_code(&item.name);
        if !self.items.iter().all(is_said) {
            return Below::More;
        }
        match self.items.iter().all(|item| item.detail.is_empty()) {
            true => Below::Nothing,
            false => Below::Details,
        }
    }
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
    /// Up to 12 lines of its text.
    pub excerpt: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartView {
    pub name: String,
    pub raw: f32,
    pub weighted: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(named: &[&str], items: &[(&str, &str)]) -> StatementView {
        let code = named.iter().map(|name| SpanView::Code((*name).into()));
        let items = (1..).zip(items).map(|(footnote, (name, detail))| ItemView {
            name: (*name).into(),
            detail: (*detail).into(),
            footnote,
        });
        StatementView {
            spans: code.collect(),
            footnotes: (1..=named.len() as u32).collect(),
            items: items.collect(),
        }
    }

    #[test]
    fn a_list_is_offered_where_it_says_more_than_its_sentence() {
        for (named, items, expected) in [
            (&["a"][..], &[][..], Below::Nothing),
            (&["a", "b"], &[("a", ""), ("b", "")], Below::Nothing),
            (&["a", "b"], &[("a", ""), ("b", "in c.py")], Below::Details),
            (&["a"], &[("a", ""), ("b", "")], Below::More),
            // The same name twice, the second time without its footnote.
            (&["a"], &[("a", ""), ("a", "")], Below::More),
            (&[], &[("a", "")], Below::More),
        ] {
            assert_eq!(statement(named, items).below(), expected, "{items:?}");
        }
    }
}
