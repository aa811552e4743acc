//! The wire's part on answers.

use serde::{Deserialize, Serialize};

use super::{ConversationId, CountsView, FootnoteView, OfferedView, VerdictView, WrittenView};

/// A question to the open repository, in one of its conversations. Tells an [`AnswerView`] as soon
/// as words allow, and ends with another, `refined`, once the best candidates were compared by
/// meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskRequest {
    pub question: String,
    pub conversation: ConversationId,
    /// The questions before it in its conversation, oldest first.
    pub earlier: Vec<String>,
    /// The pipeline that answers, by its name; none for the page's own way, which answers by words
    /// first.
    pub pipeline: Option<String>,
    /// Whether the connected model may say what is searched for, where the pipeline wants that.
    pub leave: QueryLeave,
}

/// Whether the connected model may be sent a question before the search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryLeave {
    /// The user was not asked yet.
    #[default]
    Unasked,
    /// The user saw what is sent, to this model at this address.
    To { model: String, address: String },
    /// The question itself is searched for.
    Never,
}

/// What the connected model would be sent before the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsksFirstView {
    pub model: String,
    pub address: String,
    /// All that is sent, word for word.
    pub said: String,
}

/// The pipeline that made an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByPipeline {
    pub name: String,
    pub title: String,
    /// The lines that it would show a model.
    pub offered: Vec<OfferedView>,
    /// What a model wrote and was searched for in place of the question, word for word.
    pub searched_for: Option<String>,
}

/// An answer: what was made without a language model, and what one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    pub question: String,
    /// When it was asked, in milliseconds since 1970; names it in its conversation.
    pub asked_at: f64,
    pub refined: bool,
    /// The question as it is searched, where that is not as it was typed: a follow-up made whole,
    /// misspelt words as what they probably mean.
    pub asked_as: Option<String>,
    /// The kind of the question, if code answers it exactly.
    pub kind: Option<String>,
    pub fit: FitView,
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
    /// The pipeline that made it, if another than the page's own was chosen.
    pub by: Option<ByPipeline>,
    /// Nothing was searched: the user is asked first whether the model may be sent this.
    pub asks_first: Option<AsksFirstView>,
}

impl AnswerView {
    /// The footnote of that number.
    pub fn footnote(&self, number: u32) -> Option<&FootnoteView> {
        let is_it = |note: &&FootnoteView| note.number == number;
        // Where it stands if no number is left out: a list can have thousands.
        let at = (number as usize).checked_sub(1)?;
        let likely = self.footnotes.get(at).filter(is_it);
        likely.or_else(|| self.footnotes.iter().find(is_it))
    }

    /// The question as it is searched.
    pub fn searched(&self) -> &str {
        self.asked_as.as_deref().unwrap_or(&self.question)
    }

    /// Whether what it says may not answer the question.
    pub fn is_closest(&self) -> bool {
        self.fit == FitView::Closest && !self.statements.is_empty()
    }

    /// Whether the same is read of it as of another; how it was found and how long that took may
    /// differ.
    pub fn reads_as(&self, other: &Self) -> bool {
        self.nothing == other.nothing
            && self.note == other.note
            && self.fit == other.fit
            && self.is_imported == other.is_imported
            && self.statements == other.statements
            && self.footnotes == other.footnotes
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
    /// Numbers of its footnotes, at least one.
    pub footnotes: Vec<u32>,
    /// If it states a list, all of its entries; the sentence names the first of them.
    pub items: Vec<ItemView>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemView {
    pub name: String,
    /// What is said of it beside its name; may be empty.
    pub detail: String,
    pub footnote: u32,
}

/// What there is to open below a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// The sentence says it all.
    Nothing,
    /// The sentence names all of its items, and there is more to say of them.
    Details,
    /// There are more items than the sentence names.
    More,
}

impl StatementView {
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
    /// At most 12 lines of its text.
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
            // Twice the same name, the second time without its footnote.
            (&["a"], &[("a", ""), ("a", "")], Below::More),
            (&[], &[("a", "")], Below::More),
        ] {
            assert_eq!(statement(named, items).below(), expected, "{items:?}");
        }
    }
}
