//! Cited lines with their numbers and colours, taken from the open repository's own text.

use std::collections::BTreeMap;

use footnote_core::index::Index;
use footnote_core::lang::highlight::{Highlight, HighlightClass, highlight};
use footnote_core::lines::{Line, LineRange};
use footnote_core::source::FileId;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedLine {
    pub number: u32,
    pub pieces: Vec<(Option<HighlightClass>, String)>,
}

/// Reads lines; each file is highlighted only once.
pub struct Source<'a> {
    index: &'a Index,
    colours: BTreeMap<FileId, Vec<Highlight>>,
}

impl<'a> Source<'a> {
    pub fn new(index: &'a Index) -> Self {
        Self {
            index,
            colours: BTreeMap::new(),
        }
    }

    /// Returns the lines of a place; `None` if the repository has no such file or lines.
    pub fn lines(&mut self, path: &str, start: u32, end: u32) -> Option<Vec<CitedLine>> {
        if start == 0 || end < start {
            return None;
        }
        let file = self.index.repo.find(path)?;
        let (source, parsed) = self.index.file(file)?;
        let starts = self.index.lines(file)?;
        if end > starts.line_count() {
            return None;
        }
        let colours = self
            .colours
            .entry(file)
            .or_insert_with(|| highlight(parsed.language, &source.text));
        let lines = (start..=end).map(|number| {
            let line = LineRange::new(Line(number), Line(number));
            let bytes = starts.bytes(line).unwrap_or_default();
            CitedLine {
                number,
                pieces: pieces(&source.text, colours, bytes.start, bytes.end),
            }
        });
        Some(lines.collect())
    }
}

/// Splits the text from `start` to `end`, without its line end, into pieces of one colour.
fn pieces(
    text: &str,
    colours: &[Highlight],
    start: usize,
    end: usize,
) -> Vec<(Option<HighlightClass>, String)> {
    let line = text.get(start..end).unwrap_or_default();
    let end = start + line.trim_end_matches(['\n', '\r']).len();
    let mut pieces = Vec::new();
    let mut push = |class, from: usize, to: usize| {
        if let Some(piece) = text.get(from..to).filter(|piece| !piece.is_empty()) {
            pieces.push((class, piece.to_owned()));
        }
    };
    let first = colours.partition_point(|colour| colour.bytes.end <= start);
    let mut at = start;
    let all = colours.get(first..).unwrap_or_default();
    for colour in all.iter().take_while(|colour| colour.bytes.start < end) {
        let (from, to) = (colour.bytes.start.max(at), colour.bytes.end.min(end));
        push(None, at, from);
        push(Some(colour.class), from, to);
        at = at.max(to);
    }
    push(None, at, end);
    pieces
}
