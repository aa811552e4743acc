//! The text of an answer with a numbered marker in place of each insert, and the mapping back to
//! the answer's bytes.

use crate::markdown::Insert;

/// Encloses the number of what was cut out of the text while Markdown is parsed: two characters of
/// a private use area. Otherwise a citation such as `[a/__init__.py:1]` would be parsed as a link
/// or as bold.
pub(super) const OPEN: char = '\u{E000}';
pub(super) const CLOSE: char = '\u{E001}';

/// A text with markers.
pub(super) struct Marked {
    pub text: String,
    /// The end of each marker, in this text and in the answer.
    ends: Vec<(usize, usize)>,
}

impl Marked {
    /// `inserts` are in order and do not overlap.
    pub fn new(text: &str, inserts: &[Insert]) -> Self {
        // Has as many bytes as the character it replaces.
        let clean = |part: &str| part.replace([OPEN, CLOSE], "\u{FFFD}");
        let mut out = String::with_capacity(text.len());
        let mut ends = Vec::with_capacity(inserts.len());
        let mut end = 0;
        for (number, insert) in inserts.iter().enumerate() {
            let start = insert.at.start.max(end);
            let before = text.get(end..start).unwrap_or_default();
            out.push_str(&clean(before));
            out.push_str(&format!("{OPEN}{number}{CLOSE}"));
            end = insert.at.end.max(start);
            ends.push((out.len(), end));
        }
        out.push_str(&clean(text.get(end..).unwrap_or_default()));
        Self { text: out, ends }
    }

    /// Maps a byte of the marked text to the byte of the answer.
    pub fn original(&self, at: usize) -> usize {
        let passed = self.ends.partition_point(|(marked, _)| *marked <= at);
        match passed.checked_sub(1).and_then(|last| self.ends.get(last)) {
            Some((marked, original)) => original + (at - marked),
            None => at,
        }
    }
}

pub(super) enum Piece<'t> {
    /// Text, and its offset from the first byte.
    Text(&'t str, usize),
    Marker(usize),
}

/// The text and the markers, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let Some((number, after)) = after.split_once(CLOSE) else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before, text.len() - rest.len()));
        }
        if let Ok(number) = number.parse() {
            pieces.push(Piece::Marker(number));
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest, text.len() - rest.len()));
    }
    pieces
}
