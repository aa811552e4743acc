//! What a language model wrote, as saved and exported.

use serde::{Deserialize, Serialize};

use super::all;
use super::answer::FootnoteRecord;
use super::blocks::BlockRecord;
use super::verdict::CountsRecord;
use crate::worker::protocol::{Notice, NoticeKind, PlaceView, StepView, WritingState, WrittenView};

/// An answer that a language model wrote, with every citation checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrittenRecord {
    pub state: StateRecord,
    /// The raw text; an import derives everything else from it again.
    pub text: String,
    pub blocks: Vec<BlockRecord>,
    pub footnotes: Vec<FootnoteRecord>,
    pub counts: CountsRecord,
    /// Missing in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<Vec<u32>>,
    /// It was imported. Missing in records from before this was noted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_imported: bool,
    pub model: String,
    pub origin: String,
    pub standalone: Option<String>,
    pub steps: Vec<StepRecord>,
    pub sent: Vec<PlaceRecord>,
    /// Missing in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_requests: Option<u32>,
    pub sent_tokens: u32,
    pub sent_bytes: u32,
    /// Missing in older records, and if the service did not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_tokens: Option<u32>,
    pub milliseconds: f64,
}

/// The state of the writing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StateRecord {
    Rewriting,
    Sent,
    Waiting { seconds: u32, why: String },
    Writing,
    Finished,
    CutOff,
    Stopped,
    Failed(NoticeRecord),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeRecord {
    pub what: String,
    pub next: String,
    pub kind: NoticeKindRecord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKindRecord {
    BadInput,
    BadQuestion,
    StorageFull,
    StorageUnavailable,
    OtherVersion,
    WorkerDied,
    Service,
    Internal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRecord {
    pub path: String,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    pub summary: String,
    pub places: Vec<PlaceRecord>,
}

impl From<WrittenView> for WrittenRecord {
    fn from(from: WrittenView) -> Self {
        let WrittenView {
            state,
            text,
            blocks,
            footnotes,
            counts,
            cited,
            is_imported,
            model,
            origin,
            standalone,
            steps,
            sent,
            sent_requests,
            sent_tokens,
            sent_bytes,
            written_tokens,
            milliseconds,
        } = from;
        Self {
            state: state.into(),
            text,
            blocks: all(blocks),
            footnotes: all(footnotes),
            counts: counts.into(),
            cited,
            is_imported,
            model,
            origin,
            standalone,
            steps: all(steps),
            sent: all(sent),
            sent_requests: (sent_requests > 0).then_some(sent_requests),
            sent_tokens,
            sent_bytes,
            written_tokens,
            milliseconds,
        }
    }
}

impl From<WrittenRecord> for WrittenView {
    fn from(from: WrittenRecord) -> Self {
        let WrittenRecord {
            state,
            text,
            blocks,
            footnotes,
            counts,
            cited,
            is_imported,
            model,
            origin,
            standalone,
            steps,
            sent,
            sent_requests,
            sent_tokens,
            sent_bytes,
            written_tokens,
            milliseconds,
        } = from;
        Self {
            state: state.into(),
            text,
            blocks: all(blocks),
            footnotes: all(footnotes),
            counts: counts.into(),
            cited,
            is_imported,
            model,
            origin,
            standalone,
            steps: all(steps),
            sent: all(sent),
            sent_requests: sent_requests.unwrap_or_default(),
            sent_tokens,
            sent_bytes,
            written_tokens,
            milliseconds,
        }
    }
}

impl From<WritingState> for StateRecord {
    fn from(from: WritingState) -> Self {
        match from {
            WritingState::Rewriting => Self::Rewriting,
            WritingState::Sent => Self::Sent,
            WritingState::Waiting { seconds, why } => Self::Waiting { seconds, why },
            WritingState::Writing => Self::Writing,
            WritingState::Finished => Self::Finished,
            WritingState::CutOff => Self::CutOff,
            WritingState::Stopped => Self::Stopped,
            WritingState::Failed(notice) => Self::Failed(notice.into()),
        }
    }
}

impl From<StateRecord> for WritingState {
    fn from(from: StateRecord) -> Self {
        match from {
            StateRecord::Rewriting => Self::Rewriting,
            StateRecord::Sent => Self::Sent,
            StateRecord::Waiting { seconds, why } => Self::Waiting { seconds, why },
            StateRecord::Writing => Self::Writing,
            StateRecord::Finished => Self::Finished,
            StateRecord::CutOff => Self::CutOff,
            StateRecord::Stopped => Self::Stopped,
            StateRecord::Failed(notice) => Self::Failed(notice.into()),
        }
    }
}

impl From<Notice> for NoticeRecord {
    fn from(from: Notice) -> Self {
        let Notice { what, next, kind } = from;
        Self {
            what,
            next,
            kind: kind.into(),
        }
    }
}

impl From<NoticeRecord> for Notice {
    fn from(from: NoticeRecord) -> Self {
        let NoticeRecord { what, next, kind } = from;
        Self {
            what,
            next,
            kind: kind.into(),
        }
    }
}

impl From<NoticeKind> for NoticeKindRecord {
    fn from(from: NoticeKind) -> Self {
        match from {
            NoticeKind::BadInput => Self::BadInput,
            NoticeKind::BadQuestion => Self::BadQuestion,
            NoticeKind::StorageFull => Self::StorageFull,
            NoticeKind::StorageUnavailable => Self::StorageUnavailable,
            NoticeKind::OtherVersion => Self::OtherVersion,
            NoticeKind::WorkerDied => Self::WorkerDied,
            NoticeKind::Service => Self::Service,
            // These notices never belong to an answer.
            NoticeKind::Damaged
            | NoticeKind::Silent
            | NoticeKind::NewVersion
            | NoticeKind::Internal => Self::Internal,
        }
    }
}

impl From<NoticeKindRecord> for NoticeKind {
    fn from(from: NoticeKindRecord) -> Self {
        match from {
            NoticeKindRecord::BadInput => Self::BadInput,
            NoticeKindRecord::BadQuestion => Self::BadQuestion,
            NoticeKindRecord::StorageFull => Self::StorageFull,
            NoticeKindRecord::StorageUnavailable => Self::StorageUnavailable,
            NoticeKindRecord::OtherVersion => Self::OtherVersion,
            NoticeKindRecord::WorkerDied => Self::WorkerDied,
            NoticeKindRecord::Service => Self::Service,
            NoticeKindRecord::Internal => Self::Internal,
        }
    }
}

impl From<PlaceView> for PlaceRecord {
    fn from(from: PlaceView) -> Self {
        let PlaceView { path, start, end } = from;
        Self { path, start, end }
    }
}

impl From<PlaceRecord> for PlaceView {
    fn from(from: PlaceRecord) -> Self {
        let PlaceRecord { path, start, end } = from;
        Self { path, start, end }
    }
}

impl From<StepView> for StepRecord {
    fn from(from: StepView) -> Self {
        let StepView { summary, places } = from;
        Self {
            summary,
            places: all(places),
        }
    }
}

impl From<StepRecord> for StepView {
    fn from(from: StepRecord) -> Self {
        let StepRecord { summary, places } = from;
        Self {
            summary,
            places: all(places),
        }
    }
}
