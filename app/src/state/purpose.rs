//! What requests are for.

use super::TurnId;
use crate::worker::protocol::SnippetAt;

/// What a request is for; decides what its events change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whether something was open last time.
    Resume,
    Open,
    Ask(TurnId),
    /// The repositories of the server that a turn needs.
    Gather(TurnId),
    /// The connected model's answer to a turn.
    Write(TurnId),
    /// Which models a service offers.
    Models,
    /// Whether a model answers.
    Model,
    Egress,
    /// A conversation to show.
    Conversation,
    Import,
    /// The list of conversations.
    Conversations,
    /// A search over all conversations.
    Search,
    /// The preview of a footnote's lines.
    Peek,
    File,
    Skipped,
    Symbols,
    /// Path suggestions while one is typed.
    Paths,
    /// What a name in the open file means.
    Meant,
    Graph,
    Uses,
    /// What changed since another version.
    Changes,
    /// A question about the changes.
    AskChanges,
    /// Lines of the other version.
    ChangedLines,
    Saved,
    Vectors,
    Trace,
    /// A question answered by several pipelines.
    Compare,
    /// A lesson on a question, or a saved one.
    Lesson,
    /// The report card of the models.
    Report,
    /// Question sets and their evaluation.
    Lab,
    /// What the laboratory offers, and what was kept of its last use. A purpose of its own, so that
    /// a request made before it is answered does not replace it.
    LabOffer,
    /// What the repository was taught.
    Teaching,
    /// Descriptions of chunks.
    Describing,
    /// The names and review files of annotators.
    Review,
    /// How far annotators agree, and who made the answers they rated.
    Agreement,
    /// This page's reviews of some questions.
    Rate,
    /// The gold lines of a question.
    GoldLines,
    /// Which lines a model is shown.
    Context,
    /// One snippet of the context, cut again.
    Recut(SnippetAt),
    /// Which language model reads code.
    CodeModel,
    /// Which encoder makes vectors.
    Encoder,
    Export,
    /// Nothing on the page waits for it, or no longer does.
    Other,
    /// Not a request: the engine itself reports.
    Engine,
}

impl Purpose {
    /// Whether it opens a repository.
    pub fn is_opening(self) -> bool {
        matches!(self, Purpose::Open | Purpose::Resume)
    }

    /// Whether a new request replaces an earlier one with this purpose.
    pub fn is_single(self) -> bool {
        !matches!(self, Purpose::Ask(_) | Purpose::Gather(_) | Purpose::Other)
    }

    /// Whether it concerns the open repository, and ends with it.
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
