//! Highlighting for the code view: which bytes of a text are keywords, strings, comments and so on.

mod code;
pub(super) mod data;
pub(super) mod markup;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::Language;
use super::spec::Reader;

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HighlightClass {
    /// Also keys of data formats and directives of reStructuredText.
    Keyword,
    /// Also code in prose.
    String,
    /// Also documentation comments.
    Comment,
    /// In any notation; `true` and `null` are keywords.
    Number,
    /// The name of a function that is defined or called.
    Function,
    /// The name of a type.
    Type,
    /// A heading, or the header of a table in a data format.
    Heading,
}

/// A stretch of text of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Never empty; both ends are at character boundaries.
    pub bytes: Range<usize>,
    /// What it is.
    pub class: HighlightClass,
}

/// Returns the highlights of `text`, sorted and not overlapping; anything between them is plain.
/// Never fails: text that cannot be parsed is plain.
pub fn highlight(language: Language, text: &str) -> Vec<Highlight> {
    let spans = match &language.spec().reader {
        Reader::Code(_) => code::spans(language, text),
        Reader::Text { highlight, .. } => highlight(text),
        Reader::Plain => Vec::new(),
    };
    flatten(spans, text)
}

/// A range that may contain others, which then take precedence; `None` makes it plain.
pub(crate) struct Span {
    bytes: Range<usize>,
    class: Option<HighlightClass>,
}

impl Span {
    fn new(bytes: Range<usize>, class: HighlightClass) -> Self {
        Self {
            bytes,
            class: Some(class),
        }
    }
}

/// Turns spans, which may nest, into adjacent ranges.
fn flatten(mut spans: Vec<Span>, text: &str) -> Vec<Highlight> {
    // A stable sort keeps the outer one of spans with the same first byte first.
    spans.sort_by_key(|span| span.bytes.start);
    let mut painter = Painter {
        text,
        at: 0,
        out: Vec::new(),
    };
    let mut open: Vec<Span> = Vec::new();
    for mut span in spans {
        while let Some(done) = open.pop_if(|outer| outer.bytes.end <= span.bytes.start) {
            painter.paint_to(done.bytes.end, done.class);
        }
        if let Some(outer) = open.last() {
            painter.paint_to(span.bytes.start, outer.class);
            span.bytes.end = span.bytes.end.min(outer.bytes.end);
        }
        painter.at = painter.at.max(span.bytes.start);
        open.push(span);
    }
    while let Some(done) = open.pop() {
        painter.paint_to(done.bytes.end, done.class);
    }
    painter.out
}

struct Painter<'t> {
    text: &'t str,
    /// The byte up to which everything is painted.
    at: usize,
    out: Vec<Highlight>,
}

impl Painter<'_> {
    /// Assigns `class` to everything between the last painted byte and `end`.
    fn paint_to(&mut self, end: usize, class: Option<HighlightClass>) {
        let start = self.text.ceil_char_boundary(self.at);
        let end = self.text.floor_char_boundary(end);
        if start >= end {
            return;
        }
        self.at = end;
        let Some(class) = class else {
            return;
        };
        match self.out.last_mut() {
            Some(last) if last.bytes.end == start && last.class == class => last.bytes.end = end,
            _ => self.out.push(Highlight {
                bytes: start..end,
                class,
            }),
        }
    }
}
