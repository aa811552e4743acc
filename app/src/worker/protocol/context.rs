//! A question's context on the wire: which lines would be shown to a model, and why.

use serde::{Deserialize, Serialize};

use super::{CodeModelView, PlaceView, StrategyView};

/// Lines of a file that are sent, except for some runs of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedView {
    pub place: PlaceView,
    /// First and last line of each run that is not sent, in order.
    pub left_out: Vec<(u32, u32)>,
}

/// A request about a context. Each ends with the named [`ContextEvent`], or as stated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContextRequest {
    /// Chooses the lines that say most about a question within `tokens`, in each of these ways.
    /// Event: `Made`.
    Make {
        question: String,
        strategies: Vec<String>,
        tokens: u32,
        /// How much of each snippet may be kept: a name of
        /// `footnote_core::compress::policy::Local`; with any other text, all blocks compete.
        policy: String,
    },
    /// Asks the connected language model to read all snippets of the first side and to say how much
    /// of each is kept. All of them are sent to it. Event: `Made`.
    Judge,
    /// Limits a snippet of the last context to `percent` of its tokens. Event: `Recut`.
    Recut { at: SnippetAt, percent: u32 },
    /// Exports the last context in the named format. Ends with `Exported`.
    Export { format: String },
}

/// An event about a context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContextEvent {
    Made(ContextView),
    /// A snippet with a new choice of lines.
    Recut(SnippetAt, SnippetView),
}

/// Identifies a snippet: the strategy's place in the request, and the snippet's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SnippetAt {
    pub side: u32,
    pub snippet: u32,
}

/// The lines that say most about a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextView {
    pub question: String,
    /// All strategies that can be chosen.
    pub options: Vec<StrategyView>,
    /// All rules on how much of each snippet may be kept.
    pub policies: Vec<StrategyView>,
    /// One per requested strategy.
    pub sides: Vec<SideView>,
    pub code_model: CodeModelView,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideView {
    pub title: String,
    pub about: String,
    /// What is missing for the strategy, and what was used instead.
    pub instead: Option<String>,
    /// The language model that scored the lines.
    pub read_by: Option<String>,
    /// Where it was computed, as a sentence.
    pub ran: Option<String>,
    /// The language model that decided how much of each snippet is kept.
    pub judged_by: Option<String>,
    pub snippets: Vec<SnippetView>,
}

/// Retrieved lines of a file, some of which are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnippetView {
    pub offered: OfferedView,
    pub tokens_before: u32,
    /// 0 if none of its lines are sent.
    pub tokens_after: u32,
    /// Its lines as HTML in which all text is escaped.
    pub html: String,
}

impl SnippetView {
    /// Share of its tokens that is kept, in percent.
    pub fn percent(&self) -> u32 {
        let before = self.tokens_before.max(1);
        ((u64::from(self.tokens_after) * 100 + u64::from(before) / 2) / u64::from(before)) as u32
    }
}
