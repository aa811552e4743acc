//! Colours for the code view: which bytes of a text are keywords, strings, comments and so on.

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
    /// Also the keys of data formats and the directives of reStructuredText.
    Keyword,
    /// Also code inside prose.
    String,
    /// Also documentation comments.
    Comment,
    /// In any notation; `true` and `null` are keywords.
    Number,
    /// The name of a function where it is defined or called.
    Function,
    /// The name of a type.
    Type,
    /// A heading, or the header of a table in a data format.
    Heading,
}

/// A stretch of text of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Never empty; both ends are character boundaries.
    pub bytes: Range<usize>,
    /// What it is.
    pub class: HighlightClass,
}

/// The highlights of `text`, sorted and not overlapping; what lies between them is plain. Never
/// fails: text that cannot be parsed is plain.
pub fn highlight(language: Language, text: &str) -> Vec<Highlight> {
    let spans = match &language.spec().reader {
        Reader::Code(_) => code::spans(language, text),
        Reader::Text { highlight, .. } => highlight(text),
        Reader::Plain => Vec::new(),
    };
    flatten(spans, text)
}

/// A stretch that may hold others inside it, which then count instead; `None` makes it plain.
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

/// Spans in order of their first byte, outer before inner, → stretches side by side.
fn flatten(mut spans: Vec<Span>, text: &str) -> Vec<Highlight> {
    // Stable, so that of spans with the same first byte the outer one stays first.
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
    /// Everything before is painted.
    at: usize,
    out: Vec<Highlight>,
}

impl Painter<'_> {
    /// Gives `class` to what lies between the last painted byte and `end`.
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
