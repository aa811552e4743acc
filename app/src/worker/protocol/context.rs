//! The wire's part on a question's context: which lines a model would be shown, and why.

use serde::{Deserialize, Serialize};

use super::{CodeModelView, PlaceView, StrategyView};

/// Lines of a file that are sent but for some runs of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedView {
    pub place: PlaceView,
    /// First and last line of each run that is not sent, in order.
    pub left_out: Vec<(u32, u32)>,
}

/// What is asked about a context. Each ends with the [`ContextEvent`] that it names, or as it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContextRequest {
    /// The lines that tell most about a question within `tokens`, chosen in each of these ways.
    /// Event: `Made`.
    Make {
        question: String,
        strategies: Vec<String>,
        tokens: u32,
        /// How much of each snippet may be kept: a name of
        /// `footnote_core::compress::policy::Local`; any other text lets all blocks compete.
        policy: String,
    },
    /// The connected language model is to read all snippets of the first side and say how much of
    /// each is kept. All of them are sent to it. Event: `Made`.
    Judge,
    /// A snippet of the context made last is to have at most `percent` of its tokens. Event:
    /// `Recut`.
    Recut { at: SnippetAt, percent: u32 },
    /// The context made last, in a format by its name. Ends with `Exported`.
    Export { format: String },
}

/// What is told about a context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContextEvent {
    Made(ContextView),
    /// A snippet was chosen anew.
    Recut(SnippetAt, SnippetView),
}

/// A snippet: the strategy's place in the request, and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SnippetAt {
    pub side: u32,
    pub snippet: u32,
}

/// The lines that tell most about a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextView {
    pub question: String,
    /// All strategies that can be chosen.
    pub options: Vec<StrategyView>,
    /// All rules on how much of each snippet may be kept.
    pub policies: Vec<StrategyView>,
    /// One for each strategy that was asked for.
    pub sides: Vec<SideView>,
    pub code_model: CodeModelView,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideView {
    pub title: String,
    pub about: String,
    /// What is missing for the strategy, and what was used instead.
    pub instead: Option<String>,
    /// The language model that read the lines.
    pub read_by: Option<String>,
    /// Where that was computed, as a sentence.
    pub ran: Option<String>,
    /// The language model that said how much of each snippet is kept.
    pub judged_by: Option<String>,
    pub snippets: Vec<SnippetView>,
}

/// Retrieved lines of a file, of which some are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnippetView {
    pub offered: OfferedView,
    pub tokens_before: u32,
    /// 0 if nothing of it is sent.
    pub tokens_after: u32,
    /// Its lines as HTML in which all text is escaped.
    pub html: String,
}

impl SnippetView {
    /// How much of it is kept, in percent of its tokens.
    pub fn percent(&self) -> u32 {
        let before = self.tokens_before.max(1);
        ((u64::from(self.tokens_after) * 100 + u64::from(before) / 2) / u64::from(before)) as u32
    }
}
