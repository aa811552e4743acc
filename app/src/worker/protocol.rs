//! The wire between page and engine. Requests are arranged in groups, each with a module that
//! defines its requests, its events and the event that ends a job; [`Request`] and [`Event`] list
//! the groups. A request begins a job; every message from the engine names its job and says whether
//! it is the job's last ([`Told`]). The receiver drops late events of a forgotten job. Encoded with
//! postcard, one message per `Uint8Array`.

mod ask;
mod changes;
mod code_model;
mod compare;
mod context;
mod conversations;
mod footnote;
mod format;
mod graph;
mod highlights;
mod lab;
mod lesson;
mod open;
mod permalinks;
mod report;
mod saved;
mod scope;
mod service;
mod source;
mod trace;
mod vectors;
mod verdict;
mod weight;
mod written;

pub use ask::{
    AnswerFileView, AnswerView, AskRequest, AsksFirstView, Below, ByPipeline, EvidenceView,
    FitView, ItemView, PartView, QueryLeave, SentFirst, SpanView, StatementView, Texts,
};
pub use changes::{
    ChangeView, ChangedAnswerView, ChangedFileView, ChangedItemView, ChangedStatementView,
    ChangesEvent, ChangesRequest, ChangesView, VersionedPlaceView,
};
pub use code_model::{CodeModelRequest, CodeModelView};
pub use compare::{ColumnView, CompareEvent, CompareRequest, SliderView, WayView};
pub use context::{
    ContextEvent, ContextRequest, ContextView, OfferedView, SideView, SnippetAt, SnippetView,
};
pub use conversations::{
    ConversationEntry, ConversationEvent, ConversationId, ConversationRequest, ConversationView,
    FoundTurn, FoundView, Rating, TurnView,
};
pub use footnote::{CheckView, FootnoteView, ShownIn, ToldNote, place};
pub use format::FormatSpec;
pub use graph::{
    EdgeKind, EdgeView, GraphEvent, GraphRequest, GraphView, NodeKind, NodeView, PlacedView,
    SeedView, SymbolUsesView, UseList, UseView, UsesView,
};
pub use highlights::Highlights;
pub use lab::{
    LabAgreementView, LabBegunView, LabBudgetView, LabCellView, LabChoice, LabCoefficientView,
    LabColumnView, LabComparisonView, LabCountView, LabCurriculumView, LabCurveView,
    LabDescribeOrderView, LabDescribeRequest, LabDescribeScope, LabDescribedView,
    LabDifferenceView, LabEstimateView, LabEvent, LabFigureView, LabGoldView, LabGrantView,
    LabGroupView, LabGroupingView, LabHeldView, LabItemView, LabJudgedView, LabLearningView,
    LabLinesView, LabMarksView, LabOfferView, LabOrderView, LabPairView, LabPairingView,
    LabPairsView, LabPairwiseView, LabPlaceView, LabPointView, LabProgressView, LabRanksView,
    LabRatedView, LabRequest, LabRevealedView, LabReviewEvent, LabReviewRequest, LabReviewView,
    LabSaidView, LabScaleView, LabSetView, LabSpendingView, LabTask, LabTaughtView, LabTeachEvent,
    LabTeachRequest, LabTextView, LabUnfinishedView, LabVerdictView,
};
pub use lesson::{LessonRequest, LessonView};
pub use open::{
    AcrossQuestion, AcrossView, OpenEvent, OpenRequest, ProgressView, ReadingView, RepoView, Stage,
};
pub use permalinks::PermalinksView;
pub use report::{Cell, Column, LeftOut, ReportRequest, ReportRow, ReportScope, ReportView};
pub use saved::{HostedView, SavedRepoView, SavedRequest, SavedState, SavedView, ServerView};
pub use scope::{FolderView, MemoryView, ScopeView};
pub use service::{
    ConnectEvent, ConnectRequest, ConnectionView, EgressView, ExchangeView, KeyView, ModelView,
    OutgoingPartView, OutgoingView, Permission, Tally, WriteEvent, WriteView,
};
pub use source::{
    DefinitionView, DescribedView, FileView, MeantPlaceView, MeantView, PathsView, PeekView,
    SkippedView, SourceEvent, SourceRequest, SymbolView,
};
pub use trace::{RunView, StrategyView, TraceRequest, TraceView};
pub use vectors::{EncoderView, MAX_UNASKED, VectorsRequest, VectorsView};
pub use verdict::{CLOSEST, CountsView, IMPORTED, VERDICTS, VerdictSpec, VerdictView, WordSpec};
pub use weight::WeightsView;
pub use written::{
    BlockView, InlineView, PlaceView, StepView, WritingPatch, WritingState, WrittenView,
};

use serde::{Deserialize, Serialize};

/// Identifies one request and all events that answer it. Never reused within a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u32);

impl JobId {
    /// The engine itself, whose events answer no request.
    pub const ENGINE: Self = Self(0);
}

/// Whether an event is the last of its job; the sender decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// More may follow.
    More,
    /// Nothing follows: the job is over.
    Last,
}

/// An event of the engine, with its job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    pub job: JobId,
    pub part: Part,
    pub event: Event,
}

/// A group of requests, with its type of event.
pub trait Group: Into<Request> {
    type Event: Into<Event>;
}

/// Defines the groups: name, type of request, type of event.
macro_rules! groups {
    ($($name:ident: $request:ty => $event:ty,)*) => {
        /// A request from the page to the engine.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Request {
            $($name($request),)*
            /// Stop the job with this id. That job ends with `Cancelled`; this request itself has
            /// no events. If the job has already opened its repository, it only stops computing
            /// vectors.
            Cancel { job: JobId },
        }

        /// An event from the engine to the page.
        // An event is encoded where it is created and consumed where it is decoded; none is stored
        // or moved around.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum Event {
            /// The engine listens. Sent once, by the engine itself.
            Ready,
            $($name($event),)*
            /// A file that was requested.
            Exported(ExportView),
            /// A problem that does not end the job, such as a full disk while saving.
            Warning(Notice),
            Done,
            Cancelled,
            Failed(Notice),
        }

        $(
            impl From<$request> for Request {
                fn from(request: $request) -> Self {
                    Self::$name(request)
                }
            }

            impl From<$event> for Event {
                fn from(event: $event) -> Self {
                    Self::$name(event)
                }
            }

            impl Group for $request {
                type Event = $event;
            }
        )*
    };
}

groups! {
    Open: OpenRequest => OpenEvent,
    Saved: SavedRequest => SavedView,
    Vectors: VectorsRequest => VectorsView,
    Ask: AskRequest => AnswerView,
    Conversation: ConversationRequest => ConversationEvent,
    Source: SourceRequest => SourceEvent,
    Graph: GraphRequest => GraphEvent,
    Changes: ChangesRequest => ChangesEvent,
    Trace: TraceRequest => TraceView,
    Compare: CompareRequest => CompareEvent,
    Lesson: LessonRequest => LessonView,
    Report: ReportRequest => ReportView,
    Lab: LabRequest => LabEvent,
    Context: ContextRequest => ContextEvent,
    CodeModel: CodeModelRequest => CodeModelView,
    Connect: ConnectRequest => ConnectEvent,
    Write: WriteView => WriteEvent,
}

impl Request {
    /// Whether this request has events of its own; otherwise it concerns another job, which sends
    /// them.
    pub fn is_answered(&self) -> bool {
        !matches!(
            self,
            Request::Cancel { .. }
                | Request::Open(OpenRequest::Read { .. } | OpenRequest::Without { .. })
        )
    }
}

/// What happened, why, and what to do next; shown verbatim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub what: String,
    pub next: String,
    pub kind: NoticeKind,
}

/// Which help the page offers with a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// The archive or folder cannot be used.
    BadInput,
    /// The question cannot be answered as asked.
    BadQuestion,
    /// No space left: offer the list of saved repositories.
    StorageFull,
    /// Nothing can be saved here (private mode); everything else works.
    StorageUnavailable,
    /// A saved index of another version: offer to delete or re-read it.
    OtherVersion,
    /// A saved repository is damaged: offer to rebuild it if its files are intact.
    Damaged,
    /// The engine does not answer: offer to restart it.
    Silent,
    /// A worker died and was restarted.
    WorkerDied,
    /// The connected language model did not answer: offer the connection's settings.
    Service,
    /// A newer version of the page is here: offer to reload.
    NewVersion,
    /// A bug in Footnote.
    Internal,
}

/// A file for the user to save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportView {
    pub file_name: String,
    pub media_type: String,
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

impl ExportView {
    /// The contents as text, if the file is text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}
