//! What a language model wrote, as it is saved and exported.

use serde::{Deserialize, Serialize};

use super::all;
use super::answer::FootnoteRecord;
use crate::worker::protocol::{
    BlockView, CheckView, CountsView, InlineView, Notice, NoticeKind, PlaceView, StepView,
    WritingState, WrittenView,
};

/// An answer that a language model wrote, with every citation checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrittenRecord {
    pub state: StateRecord,
    /// As it came; an import makes all that follows from it anew.
    pub text: String,
    pub blocks: Vec<BlockRecord>,
    pub footnotes: Vec<FootnoteRecord>,
    pub counts: CountsRecord,
    pub model: String,
    pub origin: String,
    pub standalone: Option<String>,
    pub steps: Vec<StepRecord>,
    pub sent: Vec<PlaceRecord>,
    pub sent_tokens: u32,
    pub sent_bytes: u32,
    pub milliseconds: f64,
}

/// How far the writing was.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsRecord {
    pub statements: u32,
    pub verified: u32,
    pub repaired: u32,
    pub outside: u32,
    pub rejected: u32,
    pub auto_cited: u32,
    pub uncited: u32,
}

/// What came of the check of a footnote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckRecord {
    #[default]
    Verified,
    Repaired {
        original: String,
        why: String,
    },
    OutsideEvidence {
        original: String,
    },
    Rejected {
        original: String,
        why: String,
    },
    AutoCited,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BlockRecord {
    Paragraph(Vec<InlineRecord>),
    Heading {
        level: u8,
        inlines: Vec<InlineRecord>,
    },
    Code {
        language: String,
        text: String,
    },
    List {
        start: Option<u32>,
        items: Vec<Vec<BlockRecord>>,
    },
    Quote(Vec<BlockRecord>),
    Table {
        head: Vec<Vec<InlineRecord>>,
        rows: Vec<Vec<Vec<InlineRecord>>>,
    },
    Rule,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum InlineRecord {
    Text(String),
    Code(String),
    Strong(Vec<InlineRecord>),
    Emphasis(Vec<InlineRecord>),
    Struck(Vec<InlineRecord>),
    Link {
        inlines: Vec<InlineRecord>,
        address: String,
    },
    LineBreak,
    Note(u32),
    Uncited,
    Pending,
}

impl From<WrittenView> for WrittenRecord {
    fn from(from: WrittenView) -> Self {
        let WrittenView {
            state,
            text,
            blocks,
            footnotes,
            counts,
            model,
            origin,
            standalone,
            steps,
            sent,
            sent_tokens,
            sent_bytes,
            milliseconds,
        } = from;
        Self {
            state: state.into(),
            text,
            blocks: all(blocks),
            footnotes: all(footnotes),
            counts: counts.into(),
            model,
            origin,
            standalone,
            steps: all(steps),
            sent: all(sent),
            sent_tokens,
            sent_bytes,
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
            model,
            origin,
            standalone,
            steps,
            sent,
            sent_tokens,
            sent_bytes,
            milliseconds,
        } = from;
        Self {
            state: state.into(),
            text,
            blocks: all(blocks),
            footnotes: all(footnotes),
            counts: counts.into(),
            model,
            origin,
            standalone,
            steps: all(steps),
            sent: all(sent),
            sent_tokens,
            sent_bytes,
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
            // They are told of no answer.
            NoticeKind::Damaged | NoticeKind::Silent | NoticeKind::Internal => Self::Internal,
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

impl From<CountsView> for CountsRecord {
    fn from(from: CountsView) -> Self {
        let CountsView {
            statements,
            verified,
            repaired,
            outside,
            rejected,
            auto_cited,
            uncited,
        } = from;
        Self {
            statements,
            verified,
            repaired,
            outside,
            rejected,
            auto_cited,
            uncited,
        }
    }
}

impl From<CountsRecord> for CountsView {
    fn from(from: CountsRecord) -> Self {
        let CountsRecord {
            statements,
            verified,
            repaired,
            outside,
            rejected,
            auto_cited,
            uncited,
        } = from;
        Self {
            statements,
            verified,
            repaired,
            outside,
            rejected,
            auto_cited,
            uncited,
        }
    }
}

impl From<CheckView> for CheckRecord {
    fn from(from: CheckView) -> Self {
        match from {
            CheckView::Verified => Self::Verified,
            CheckView::Repaired { original, why } => Self::Repaired { original, why },
            CheckView::OutsideEvidence { original } => Self::OutsideEvidence { original },
            CheckView::Rejected { original, why } => Self::Rejected { original, why },
            CheckView::AutoCited => Self::AutoCited,
        }
    }
}

impl From<CheckRecord> for CheckView {
    fn from(from: CheckRecord) -> Self {
        match from {
            CheckRecord::Verified => Self::Verified,
            CheckRecord::Repaired { original, why } => Self::Repaired { original, why },
            CheckRecord::OutsideEvidence { original } => Self::OutsideEvidence { original },
            CheckRecord::Rejected { original, why } => Self::Rejected { original, why },
            CheckRecord::AutoCited => Self::AutoCited,
        }
    }
}

impl From<BlockView> for BlockRecord {
    fn from(from: BlockView) -> Self {
        match from {
            BlockView::Paragraph(inlines) => Self::Paragraph(all(inlines)),
            BlockView::Heading { level, inlines } => Self::Heading {
                level,
                inlines: all(inlines),
            },
            BlockView::Code { language, text } => Self::Code { language, text },
            BlockView::List { start, items } => Self::List {
                start,
                items: items.into_iter().map(all).collect(),
            },
            BlockView::Quote(blocks) => Self::Quote(all(blocks)),
            BlockView::Table { head, rows } => Self::Table {
                head: cells(head),
                rows: rows.into_iter().map(cells).collect(),
            },
            BlockView::Rule => Self::Rule,
        }
    }
}

impl From<BlockRecord> for BlockView {
    fn from(from: BlockRecord) -> Self {
        match from {
            BlockRecord::Paragraph(inlines) => Self::Paragraph(all(inlines)),
            BlockRecord::Heading { level, inlines } => Self::Heading {
                level,
                inlines: all(inlines),
            },
            BlockRecord::Code { language, text } => Self::Code { language, text },
            BlockRecord::List { start, items } => Self::List {
                start,
                items: items.into_iter().map(all).collect(),
            },
            BlockRecord::Quote(blocks) => Self::Quote(all(blocks)),
            BlockRecord::Table { head, rows } => Self::Table {
                head: cells(head),
                rows: rows.into_iter().map(cells).collect(),
            },
            BlockRecord::Rule => Self::Rule,
        }
    }
}

impl From<InlineView> for InlineRecord {
    fn from(from: InlineView) -> Self {
        match from {
            InlineView::Text(text) => Self::Text(text),
            InlineView::Code(code) => Self::Code(code),
            InlineView::Strong(inner) => Self::Strong(all(inner)),
            InlineView::Emphasis(inner) => Self::Emphasis(all(inner)),
            InlineView::Struck(inner) => Self::Struck(all(inner)),
            InlineView::Link { inlines, address } => Self::Link {
                inlines: all(inlines),
                address,
            },
            InlineView::LineBreak => Self::LineBreak,
            InlineView::Note(number) => Self::Note(number),
            InlineView::Uncited => Self::Uncited,
            InlineView::Pending => Self::Pending,
        }
    }
}

impl From<InlineRecord> for InlineView {
    fn from(from: InlineRecord) -> Self {
        match from {
            InlineRecord::Text(text) => Self::Text(text),
            InlineRecord::Code(code) => Self::Code(code),
            InlineRecord::Strong(inner) => Self::Strong(all(inner)),
            InlineRecord::Emphasis(inner) => Self::Emphasis(all(inner)),
            InlineRecord::Struck(inner) => Self::Struck(all(inner)),
            InlineRecord::Link { inlines, address } => Self::Link {
                inlines: all(inlines),
                address,
            },
            InlineRecord::LineBreak => Self::LineBreak,
            InlineRecord::Note(number) => Self::Note(number),
            InlineRecord::Uncited => Self::Uncited,
            InlineRecord::Pending => Self::Pending,
        }
    }
}

fn cells<A, B: From<A>>(row: Vec<Vec<A>>) -> Vec<Vec<B>> {
    row.into_iter().map(all).collect()
}
