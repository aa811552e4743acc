//! The blocks of a written answer, as saved and exported.

use serde::{Deserialize, Serialize};

use super::all;
use crate::worker::protocol::{BlockView, InlineView};

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
    Wrong(Vec<InlineRecord>),
    Link {
        inlines: Vec<InlineRecord>,
        address: String,
    },
    LineBreak,
    Note(u32),
    Uncited,
    Pending,
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
            InlineView::Wrong(inner) => Self::Wrong(all(inner)),
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
            InlineRecord::Wrong(inner) => Self::Wrong(all(inner)),
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
