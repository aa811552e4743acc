//! What requests are for.

use super::TurnId;
use crate::worker::protocol::SnippetAt;

/// What a request was for; decides what its events change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The question whether something was open before.
    Resume,
    Open,
    Ask(TurnId),
    /// The connected model's part of a turn.
    Write(TurnId),
    /// Which models a service offers.
    Models,
    /// Whether a model answers.
    Model,
    Egress,
    /// A conversation that is opened or imported.
    Conversation,
    Import,
    /// The list of conversations.
    Conversations,
    /// A search over all conversations.
    Search,
    /// Lines that are looked at in passing.
    Peek,
    File,
    Skipped,
    Symbols,
    /// Paths that are offered while one is written.
    Paths,
    /// What a name of the open file means.
    Meant,
    Graph,
    Uses,
    /// What changed since another version.
    Changes,
    /// A question about that.
    AskChanges,
    /// Lines of that version.
    ChangedLines,
    Saved,
    Vectors,
    Trace,
    /// A question answered in several ways.
    Compare,
    /// A lesson on a question, or a saved one.
    Lesson,
    /// What the answers of each model came to.
    Report,
    /// Questions made from the repository, and their evaluation.
    Lab,
    /// What the repository was taught.
    Teaching,
    /// What its parts do, in words.
    Describing,
    /// Names and files of those who review the questions.
    Review,
    /// How far they agree, and whose the answers are that they rated.
    Agreement,
    /// What this page's annotator says of some.
    Rate,
    /// The lines that answer one.
    GoldLines,
    /// Which lines a model is shown.
    Context,
    /// A snippet of them that is chosen anew.
    Recut(SnippetAt),
    /// Which language model reads code.
    CodeModel,
    /// Which encoder makes vectors.
    Encoder,
    Export,
    /// Nothing on the page waits for it, or not any more.
    Other,
    /// No request: the engine itself tells.
    Engine,
}

impl Purpose {
    /// Whether it is to open a repository.
    pub fn is_opening(self) -> bool {
        matches!(self, Purpose::Open | Purpose::Resume)
    }

    /// Whether a request takes the place of an earlier one for the same.
    pub fn is_single(self) -> bool {
        !matches!(self, Purpose::Ask(_) | Purpose::Other)
    }

    /// Whether it has to do with the open repository, so that it goes with it.
    pub fn is_of_repository(self) -> bool {
        !matches!(
            self,
            Purpose::Saved
                | Purpose::Lesson
                | Purpose::Report
                | Purpose::Egress
                | Purpose::Models
                | Purpose::Model
                | Purpose::Encoder
                | Purpose::Engine
        )
    }
}
