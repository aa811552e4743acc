//! Conversations on the wire: listing, opening, changing and exporting them.

use serde::{Deserialize, Serialize};

use super::AnswerView;

/// Identifies a conversation of a repository: the time it was started, in milliseconds since 1970.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ConversationId(pub u64);

impl ConversationId {
    /// The answers of versions of Footnote that had only one conversation per repository.
    pub const EARLIER: Self = Self(0);
}

/// The reader's opinion of an answer.
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

/// A conversation with its contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConversationView {
    pub id: ConversationId,
    /// The user's title; empty if its first question serves as the title.
    pub title: String,
    /// A sentence about the conversation as a whole, such as where it was imported from.
    pub about: Option<String>,
    /// Oldest first.
    pub turns: Vec<TurnView>,
}

/// A conversation in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationEntry {
    pub id: ConversationId,
    /// The user's title, or otherwise its first question.
    pub title: String,
    pub questions: u32,
    /// When the last question was asked, in milliseconds since 1970.
    pub asked_at: f64,
}

/// A turn that contains the words of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundTurn {
    pub conversation: ConversationId,
    /// Title of the conversation.
    pub title: String,
    /// Identifies the turn in its conversation.
    pub asked_at: f64,
    pub question: String,
    /// The line with most of the words, cut around the first of them: the text before it, the word
    /// as written there, and the text after it.
    pub line: (String, String, String),
}

/// The results of a search over all conversations of the repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundView {
    pub query: String,
    /// The newest first.
    pub turns: Vec<FoundTurn>,
    /// Number of results not listed.
    pub more: u32,
}

/// A request about the conversations of the open repository. Each ends with the named
/// [`ConversationEvent`], or as stated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConversationRequest {
    /// Open a conversation; one that does not exist is empty. Event: `Opened`.
    Open { id: ConversationId },
    /// Event: `Listed`.
    List,
    /// Rename a conversation; an empty title restores its first question as the title. Event:
    /// `Listed`.
    Rename { id: ConversationId, title: String },
    /// Event: `Listed` with the remaining conversations.
    Delete { id: ConversationId },
    /// Event: `Found`.
    Search { query: String },
    /// Export in the named format. Ends with `Exported`.
    Export { id: ConversationId, format: String },
    /// Read an exported conversation; the file is attached to the request (`Parcel::import`).
    /// Event: `Opened` with the conversation and the results of checking it.
    Import,
    /// Store the reader's rating of an answer. Ends with `Done`.
    Rate {
        id: ConversationId,
        asked_at: f64,
        rating: Option<Rating>,
    },
    /// Delete all conversations. Ends with `Done`.
    Clear,
    /// Export the answers with this rating, from all conversations, as a question set. Ends with
    /// `Exported`.
    ExportRated { rating: Rating },
}

/// An event about conversations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConversationEvent {
    Opened(ConversationView),
    /// Most recently asked first.
    Listed(Vec<ConversationEntry>),
    Found(FoundView),
}
