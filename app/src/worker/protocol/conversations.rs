//! The wire's part on conversations: which there are, what is in them, what is done with them.

use serde::{Deserialize, Serialize};

use super::AnswerView;

/// Names a conversation of a repository: the time at which it was begun, in milliseconds since
/// 1970.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ConversationId(pub u64);

impl ConversationId {
    /// The answers of versions of Footnote that knew only one conversation a repository.
    pub const EARLIER: Self = Self(0);
}

/// What the reader thinks of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rating {
    Good,
    Bad,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnView {
    pub answer: AnswerView,
    pub rating: Option<Rating>,
}

/// A conversation with all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConversationView {
    pub id: ConversationId,
    /// What the user called it; empty if it is called after its first question.
    pub title: String,
    /// What the reader should know of it as a whole, such as where it was imported from; a
    /// sentence.
    pub about: Option<String>,
    /// Oldest first.
    pub turns: Vec<TurnView>,
}

/// A conversation in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationEntry {
    pub id: ConversationId,
    /// What the user called it, else its first question.
    pub title: String,
    pub questions: u32,
    /// When the last question was asked, in milliseconds since 1970.
    pub asked_at: f64,
}

/// A turn that holds the words of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundTurn {
    pub conversation: ConversationId,
    /// Of the conversation.
    pub title: String,
    /// Names the turn in its conversation.
    pub asked_at: f64,
    pub question: String,
    /// The line that holds most of the words, cut around the first of them: what is before it, the
    /// word as it stands there, and what is after it.
    pub line: (String, String, String),
}

/// What a search over all conversations of the repository found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundView {
    pub query: String,
    /// The newest first.
    pub turns: Vec<FoundTurn>,
    /// Found but not listed.
    pub more: u32,
}

/// What is asked about the conversations of the open repository. Each ends with the
/// [`ConversationEvent`] that it names, or as it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConversationRequest {
    /// Open one; one that does not exist is empty. Event: `Opened`.
    Open { id: ConversationId },
    /// Event: `Listed`.
    List,
    /// Call it something else; an empty title calls it after its first question. Event: `Listed`.
    Rename { id: ConversationId, title: String },
    /// Event: `Listed` with what is left.
    Delete { id: ConversationId },
    /// Event: `Found`.
    Search { query: String },
    /// In a format by its name. Ends with `Exported`.
    Export { id: ConversationId, format: String },
    /// Read an exported conversation; the file travels beside the request (`Parcel::import`).
    /// Event: `Opened` with the conversation as it was found to be.
    Import,
    /// Keep what the reader thinks of an answer. Ends with `Done`.
    Rate {
        id: ConversationId,
        asked_at: f64,
        rating: Option<Rating>,
    },
    /// Forget all conversations. Ends with `Done`.
    Clear,
    /// The answers rated so, of all conversations, as an evaluation set. Ends with `Exported`.
    ExportRated { rating: Rating },
}

/// What is told about conversations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConversationEvent {
    Opened(ConversationView),
    /// The last asked first.
    Listed(Vec<ConversationEntry>),
    Found(FoundView),
}
