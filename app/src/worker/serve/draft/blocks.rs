//! Blocks of Markdown, converted for the wire.

use footnote_core::markdown::{Block, Inline};

use crate::worker::protocol::{BlockView, InlineView};

pub fn all<A, B: From<A>>(from: Vec<A>) -> Vec<B> {
    from.into_iter().map(B::from).collect()
}

fn cells(row: Vec<Vec<Inline>>) -> Vec<Vec<InlineView>> {
    row.into_iter().map(all).collect()
}

impl From<Block> for BlockView {
    fn from(from: Block) -> Self {
        match from {
            Block::Paragraph(inlines) => Self::Paragraph(all(inlines)),
            Block::Heading { level, inlines } => Self::Heading {
                level,
                inlines: all(inlines),
            },
            Block::Code { language, text } => Self::Code { language, text },
            Block::List { start, items } => Self::List {
                start,
                items: items.into_iter().map(all).collect(),
            },
            Block::Quote(blocks) => Self::Quote(all(blocks)),
            Block::Table { head, rows } => Self::Table {
                head: cells(head),
                rows: rows.into_iter().map(cells).collect(),
            },
            Block::Rule => Self::Rule,
        }
    }
}

impl From<Inline> for InlineView {
    fn from(from: Inline) -> Self {
        match from {
            Inline::Text(text) => Self::Text(text),
            Inline::Code(code) => Self::Code(code),
            Inline::Strong(inner) => Self::Strong(all(inner)),
            Inline::Emphasis(inner) => Self::Emphasis(all(inner)),
            Inline::Struck(inner) => Self::Struck(all(inner)),
            Inline::Wrong(inner) => Self::Wrong(all(inner)),
            Inline::Link { inlines, address } => Self::Link {
                inlines: all(inlines),
                address,
            },
            Inline::LineBreak => Self::LineBreak,
            Inline::Note(number) => Self::Note(number),
            Inline::Uncited => Self::Uncited,
            Inline::Pending => Self::Pending,
        }
    }
}
