//! The Markdown of an answer, which is read in two ways that have to agree on what a paragraph is:
//! line by line while it grows, so that a statement is checked as soon as no further text can
//! change it ([`growing`]), and as [`blocks`] that are shown, with markers where citations stood.
//! Markdown in files of a repository is text like other text ([`crate::lang`]).

pub(crate) mod growing;
mod shown;

pub use shown::blocks;

use std::ops::Range;

/// A block of a written answer. Nothing in it is HTML, and nothing in it loads by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading {
        /// From 1; 4 for all that are deeper.
        level: u8,
        /// Its text.
        inlines: Vec<Inline>,
    },
    /// Code, as it was written.
    Code {
        /// The first word behind the fence; may be empty.
        language: String,
        /// Without a last line end.
        text: String,
    },
    /// A list, or a part of a long one.
    List {
        /// The first number of a numbered list.
        start: Option<u32>,
        /// The blocks of each item.
        items: Vec<Vec<Block>>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A table: rows of cells.
    Table {
        /// The cells of the header.
        head: Vec<Vec<Inline>>,
        /// The cells of each row below it.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A line across.
    Rule,
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Words.
    Text(String),
    /// Inline code.
    Code(String),
    /// Bold.
    Strong(Vec<Inline>),
    /// Italic.
    Emphasis(Vec<Inline>),
    /// Struck out.
    Struck(Vec<Inline>),
    /// Words of a statement that is contradicted.
    Wrong(Vec<Inline>),
    /// A link or a picture: its text, and the address as text.
    Link {
        /// The text.
        inlines: Vec<Inline>,
        /// Where it would lead.
        address: String,
    },
    /// A line end that was asked for.
    LineBreak,
    /// The footnote of this number.
    Note(u32),
    /// The statement before it has no source at all.
    Uncited,
    /// A citation that is not checked yet, because its statement is still being written.
    Pending,
}

/// A marker that takes the place of `at`; an empty range inserts it.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// What stands there instead.
    pub marker: Inline,
}
