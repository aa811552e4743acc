//! The wire between page and engine: requests, events and the small view structs they carry. Each
//! request has a [`JobId`]; every event names the job that it belongs to, and late events of a
//! forgotten job are dropped by the receiver. Encoded with postcard, one message a `Uint8Array`.

mod context;
mod conversations;
mod graph;
mod highlights;
mod scope;
mod service;
mod written;

pub use context::{
    CodeModelRequest, CodeModelView, ContextRequest, ContextView, OfferedView, SideView, SnippetAt,
    SnippetView,
};
pub use conversations::{
    ConversationEntry, ConversationEvent, ConversationFormat, ConversationId, ConversationRequest,
    ConversationView, FoundTurn, FoundView, PeekView, Rating, TurnView,
};
pub use graph::{
    EdgeKind, EdgeView, GraphView, NodeKind, NodeView, PlacedView, SeedView, SymbolUsesView,
    UseList, UseView, UsesView,
};
pub use highlights::Highlights;
pub use scope::{FolderView, MemoryView, ScopeView};
pub use service::{
    ConnectionView, EgressView, ExchangeView, KeyView, ModelView, OutgoingPartView, OutgoingView,
    WriteView,
};
pub use written::{
    BlockView, CheckView, CountsView, InlineView, PlaceView, StepView, WritingPatch, WritingState,
    WrittenView,
};

use serde::{Deserialize, Serialize};

/// Names one request and all events that answer it. Never reused within a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u32);

/// What the page asks of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Go on where the page was: an interrupted reading is started again (events as for
    /// `OpenArchive`), else the repository that was open last is opened (events as for `OpenSaved`).
    /// Event `Done` if there is neither. Sent once, when the page starts.
    Resume,
    /// Read an archive; the file itself travels beside the request (`Client::open` sends both).
    /// Events: `Progress`…, `Scope` if it is large or `choose` is set, `Opened`, `Saved` once it is stored,
    /// `Vectors`… until all are there.
    OpenArchive { file_name: String, choose: bool },
    /// Read a dropped folder; its files travel beside the request, in the order of `paths`
    /// (`Client::open` sends both). Events as for `OpenArchive`.
    OpenFolder {
        name: String,
        paths: Vec<String>,
        choose: bool,
    },
    /// Have the job that told a `Scope` leave out the folders at these places of its list. Waits it for that, it goes
    /// on; else it begins anew.
    Read { of: JobId, left_out: Vec<u32> },
    /// Read an archive that comes with the page, in its `samples` folder. Events as for `OpenArchive`.
    OpenSample { file_name: String },
    /// Forget the open repository, so that the next start shows none. Event: `Done`.
    Close,
    /// Open a saved repository. Events: `Opened`, then `Vectors`… if some are missing.
    OpenSaved { repo: String },
    /// Event: `Saved`.
    ListSaved,
    /// Event: `Saved` with what is left.
    DeleteSaved { repo: String },
    /// Ask the open repository, in one of its conversations. Events: `Answer` with `refined: false` as
    /// soon as words allow, then `Answer` with `refined: true` once the best candidates were compared by
    /// meaning.
    Ask {
        question: String,
        conversation: ConversationId,
    },
    /// Forget all conversations of the open repository. Event: `Done`.
    ClearAnswers,
    /// List, open, change, search, export and import conversations of the open repository. Events:
    /// `Conversation`, `Exported` or `Done`, as [`ConversationRequest`] says.
    Conversation(ConversationRequest),
    /// The first lines of a place. Event: `Peek`.
    Peek(PlaceView),
    /// Text and highlighting of a file. Event: `File`.
    File { path: String },
    /// The files left out. Event: `Skipped`.
    Skipped,
    /// Symbols whose name matches. Event: `Symbols`.
    FindSymbols { query: String, limit: u32 },
    /// How the question is searched under each of the strategies, by their names. Event: `Trace`.
    Trace {
        question: String,
        strategies: Vec<String>,
    },
    /// Which lines of what was found a model is shown. Events as [`ContextRequest`] says.
    Context(ContextRequest),
    /// Which language model reads code. Events as [`CodeModelRequest`] says.
    CodeModel(CodeModelRequest),
    /// The trace made last, as a file. Event: `Exported`.
    ExportTrace { format: ExportFormat },
    /// What is around some lines, with more around the nodes in `expanded`; nodes in `placed` stay where
    /// they are. Event: `Graph`.
    Graph {
        seeds: Vec<SeedView>,
        expanded: Vec<u32>,
        placed: Vec<PlacedView>,
    },
    /// Who uses a file and its definitions, and what they use. Event: `Uses`.
    Uses { path: String },
    /// From now on questions may be written about by this service, or by none. Event: `Done`.
    Connect(Option<ConnectionView>),
    /// Which models the service offers. Event: `Models`.
    ListModels(ConnectionView),
    /// Have the model answer with a word, to see that it does. Event: `Tried`.
    TryModel(ConnectionView),
    /// Have the connected model write an answer. Event: `Outgoing` if it is not allowed yet, else
    /// `Written`… until its state is over.
    Write(WriteView),
    /// What left the page since it was loaded. Event: `Egress`.
    Egress,
    /// The same as a file. Event: `Exported`.
    ExportEgress,
    /// Pause or resume the computing of vectors. Event: `Vectors`.
    PauseVectors { paused: bool },
    /// Stop the job with this id. Event for that job: `Cancelled`. A job that already opened its
    /// repository only stops computing vectors.
    Cancel { job: JobId },
}

/// What the engine tells the page.
// An event is encoded where it is made and used up where it is decoded: none is kept or moved around.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The engine listens. Sent once, with the job id 0.
    Ready,
    Progress(ProgressView),
    /// What could be read; the job may wait for `Read`.
    Scope(ScopeView),
    /// Paths of files of the repository that is about to be `Opened`, folders before files; of many in parts, so that
    /// none of the page's tasks takes long.
    Files(Vec<String>),
    Opened(RepoView),
    Vectors(VectorsView),
    Answer(AnswerView),
    Conversation(ConversationEvent),
    Peek(PeekView),
    File(FileView),
    Skipped(Vec<SkippedView>),
    Symbols(Vec<SymbolView>),
    Trace(TraceView),
    Context(ContextView),
    /// The language model that reads code from now on.
    CodeModel(CodeModelView),
    /// A snippet of the context was chosen anew.
    Recut(SnippetAt, SnippetView),
    Exported(ExportView),
    Graph(GraphView),
    Uses(UsesView),
    Models(Vec<ModelView>),
    /// The model answers; what it takes in, where the service tells.
    Tried(ModelView),
    Outgoing(OutgoingView),
    Written(WritingPatch),
    /// Newest first.
    Egress(Vec<EgressView>),
    Saved(SavedView),
    /// Something went wrong that the job survives, such as a full disk while saving.
    Warning(Notice),
    Done,
    Cancelled,
    Failed(Notice),
}

/// What happened, why, and what to do next; shown as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub what: String,
    pub next: String,
    pub kind: NoticeKind,
}

/// Which help the page offers beside a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// The archive or folder cannot be used.
    BadInput,
    /// The question cannot be answered as asked.
    BadQuestion,
    /// No space left: offer the list of saved repositories.
    StorageFull,
    /// Nothing can be saved here (private mode): all else works.
    StorageUnavailable,
    /// A saved index of another version: offer to delete or re-read it.
    OtherVersion,
    /// A worker died and was started again.
    WorkerDied,
    /// The connected language model did not answer: offer the connection's settings.
    Service,
    /// A defect of Footnote.
    Internal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    Unpack,
    Parse,
    Words,
    Save,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgressView {
    pub stage: Stage,
    pub done: u64,
    /// 0 while unknown.
    pub total: u64,
    /// What the counts are: `files`, `chunks`.
    pub unit: String,
    /// Such as `412 skipped` or `41,208 symbols`; may be empty.
    pub note: String,
}

/// The open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepoView {
    /// Key of the saved repository.
    pub repo: String,
    pub name: String,
    pub files: u32,
    pub skipped: u32,
    pub symbols: u32,
    pub chunks: u32,
    /// False where nothing can be saved (private mode).
    pub saved: bool,
    /// Milliseconds from request to this event.
    pub ready_ms: f64,
    /// The conversation that was open last, else a new one.
    pub conversation: ConversationView,
    /// Three questions that this repository can answer, made from its symbols.
    pub suggestions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VectorsView {
    pub done: u32,
    pub total: u32,
    /// Of `done`, those found saved from this or another version of the repository.
    pub reused: u32,
    /// Of `done`, those computed since this repository was opened.
    pub computed: u32,
    pub per_second: f64,
    pub seconds_left: Option<f64>,
    pub paused: bool,
    /// Set when the model cannot be used here; words still work.
    pub failed: Option<String>,
    /// The GPU that vectors are computed on, and what of it is used.
    pub gpu: Option<String>,
    /// Why none is, once that is known.
    pub no_gpu: Option<String>,
}

/// An answer: what was made without a language model, and what one wrote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    pub question: String,
    /// When it was asked, in milliseconds since 1970; names it in its conversation.
    #[serde(default)]
    pub asked_at: f64,
    pub refined: bool,
    /// Set instead of statements when the repository holds nothing on the question.
    pub nothing: Option<String>,
    /// What the reader should know about how the question was read; a sentence.
    pub note: Option<String>,
    pub statements: Vec<StatementView>,
    /// In order of their numbers, which start at 1. Every one was verified against the stored text.
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
    #[serde(default)]
    pub written: Option<WrittenView>,
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
pub struct FootnoteView {
    pub number: u32,
    pub path: String,
    pub start: u32,
    pub end: u32,
    /// `definition`, `documentation`, `called by 1` …
    pub why: String,
    #[serde(default)]
    pub check: CheckView,
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

/// How a question was searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceView {
    pub question: String,
    /// Names of the strategies that were run, in order.
    pub chosen: Vec<String>,
    /// All that can be chosen.
    pub options: Vec<StrategyView>,
    /// What was read of the question, as HTML in which all text is escaped.
    pub reading: String,
    /// One for each of the strategies.
    pub runs: Vec<RunView>,
}

/// What a strategy did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub title: String,
    pub milliseconds: f64,
    /// Steps, candidates and scores as HTML in which all text is escaped, to be shown below each other. A button with
    /// `data-path`, `data-start` and `data-end` opens those lines.
    pub parts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyView {
    pub name: String,
    pub title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportFormat {
    Html,
    Json,
}

/// A file to be saved by the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportView {
    pub file_name: String,
    pub media_type: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileView {
    pub path: String,
    pub text: String,
    pub highlights: Highlights,
    pub definitions: Vec<DefinitionView>,
}

/// A definition of the file that is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionView {
    /// Such as `method Session.get`.
    pub title: String,
    /// First and last line.
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolView {
    /// `function`, `class`, …
    pub kind: String,
    pub qualified: String,
    pub path: String,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedView {
    pub path: String,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedView {
    pub repos: Vec<SavedRepoView>,
    /// Bytes used and allowed, where the browser tells.
    pub used_bytes: Option<f64>,
    pub quota_bytes: Option<f64>,
    /// False where nothing can be saved (private mode).
    pub available: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRepoView {
    pub repo: String,
    pub name: String,
    pub files: u32,
    pub chunks: u32,
    pub vectors: u32,
    pub bytes: f64,
    /// Milliseconds since 1970.
    pub opened_at: f64,
    /// Set if another version of Footnote saved it and it cannot be opened.
    pub other_version: bool,
}
