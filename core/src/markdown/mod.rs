//! The Markdown of an answer. It is read in two ways, which have to agree on what a paragraph is:
//! line by line while it grows, so that a statement is checked as soon as further text cannot
//! change it ([`growing`]), and as [`blocks`] to show, with markers in place of citations. Markdown
//! files of a repository are read like other text ([`crate::lang`]).

pub(crate) mod growing;
mod shown;

pub use shown::blocks;

use std::ops::Range;

/// A block of an answer. It contains no HTML, and nothing in it loads by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading {
        /// From 1; 4 stands for all deeper levels.
        level: u8,
        /// Its text.
        inlines: Vec<Inline>,
    },
    /// Code, as it was written.
    Code {
        /// The first word after the fence; may be empty.
        language: String,
        /// The code without the last line end.
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
    /// A horizontal rule.
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
    /// The words of a contradicted statement.
    Wrong(Vec<Inline>),
    /// A link or an image: its text, and the address as text.
    Link {
        /// The text.
        inlines: Vec<Inline>,
        /// The address it would lead to.
        address: String,
    },
    /// A hard line break.
    LineBreak,
    /// The footnote with this number.
    Note(u32),
    /// The statement before it has no source.
    Uncited,
    /// A citation that is not checked yet, because its statement is still being written.
    Pending,
}

/// A marker to replace `at`; an empty range inserts it.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// The range of bytes in the text.
    pub at: Range<usize>,
    /// The marker that replaces it.
    pub marker: Inline,
}
