//! The text of a file, cut into lines once, with its highlighting by line.

use footnote_core::lang::highlight::HighlightClass;

use crate::worker::protocol::FileView;

/// Characters of one line that are shown; what is longer is cut so that one line cannot fill the page.
pub const SHOWN_CHARS: usize = 2_000;

/// Columns that a tab takes.
const TAB: usize = 4;

/// A file ready to be shown line by line.
#[derive(Debug)]
pub struct CodeText {
    file: FileView,
    /// Byte offsets at which lines start.
    starts: Vec<u32>,
    /// Columns of the longest line, as far as lines are shown.
    pub columns: usize,
}

/// A piece of a line in one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub class: Option<HighlightClass>,
    pub text: String,
}

impl CodeText {
    pub fn new(file: FileView) -> Self {
        let mut starts = vec![0];
        let mut most = 0;
        // As in core: a final line end does not open another line.
        for line in file.text.split_inclusive('\n') {
            let start = starts.last().copied().unwrap_or(0);
            starts.push(start + line.len() as u32);
            most = most.max(columns(line));
        }
        if starts.len() > 1 {
            starts.pop();
        }
        Self {
            file,
            starts,
            columns: most.min(SHOWN_CHARS + 40),
        }
    }

    pub fn path(&self) -> &str {
        &self.file.path
    }

    pub fn file(&self) -> &FileView {
        &self.file
    }

    /// At least 1.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of line `line` (1-based), without its line end.
    fn bytes(&self, line: usize) -> Option<(usize, usize)> {
        let start = *self.starts.get(line.checked_sub(1)?)? as usize;
        let end = match self.starts.get(line) {
            Some(next) => *next as usize,
            None => self.file.text.len(),
        };
        let text = self.file.text.get(start..end)?;
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        Some((start, start + text.len()))
    }

    /// The pieces of line `line` (1-based), and how many characters were cut off at its end.
    pub fn line(&self, line: usize) -> (Vec<Piece>, usize) {
        let Some((start, end)) = self.bytes(line) else {
            return (Vec::new(), 0);
        };
        let whole = self.file.text.get(start..end).unwrap_or_default();
        let shown_end = match whole.char_indices().nth(SHOWN_CHARS) {
            Some((offset, _)) => start + offset,
            None => end,
        };
        let hidden = self
            .file
            .text
            .get(shown_end..end)
            .map_or(0, |rest| rest.chars().count());
        (self.pieces(start, shown_end), hidden)
    }

    fn pieces(&self, start: usize, end: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut at = start;
        for mark in self.file.highlights.beyond(start) {
            let from = mark.bytes.start.max(at);
            let to = mark.bytes.end.min(end);
            if mark.bytes.start >= end {
                break;
            }
            self.push(&mut pieces, None, at, from);
            self.push(&mut pieces, Some(mark.class), from, to);
            at = at.max(to);
        }
        self.push(&mut pieces, None, at, end);
        pieces
    }

    fn push(&self, pieces: &mut Vec<Piece>, class: Option<HighlightClass>, from: usize, to: usize) {
        // Offsets inside a character would come from a defect of the engine; the text matters more
        // than its colour, but half a character cannot be shown.
        if let Some(text) = self.file.text.get(from..to).filter(|text| !text.is_empty()) {
            pieces.push(Piece {
                class,
                text: text.to_owned(),
            });
        }
    }
}

/// Columns of a line in a fixed-width face, tabs counted in full. By bytes, since it is asked for each line of a file:
/// those that continue a character count nothing.
fn columns(line: &str) -> usize {
    let width = |byte: &u8| match byte {
        b'\t' => TAB,
        b'\n' | b'\r' | 0x80..=0xbf => 0,
        _ => 1,
    };
    line.as_bytes().iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::lang::highlight::Highlight;

    fn code(text: &str, highlights: &[(usize, usize, HighlightClass)]) -> CodeText {
        CodeText::new(FileView {
            path: "a.py".into(),
            text: text.into(),
            highlights: highlights
                .iter()
                .map(|(start, end, class)| Highlight {
                    bytes: *start..*end,
                    class: *class,
                })
                .collect(),
            definitions: Vec::new(),
        })
    }

    fn shown(code: &CodeText, line: usize) -> Vec<(Option<HighlightClass>, String)> {
        let (pieces, _) = code.line(line);
        pieces
            .into_iter()
            .map(|piece| (piece.class, piece.text))
            .collect()
    }

    #[test]
    fn lines_are_counted_as_core_counts_them() {
        for (text, count) in [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2)] {
            assert_eq!(code(text, &[]).line_count(), count, "{text:?}");
        }
    }

    #[test]
    fn a_highlight_over_several_lines_colours_its_part_of_each() {
        use HighlightClass::{Keyword, String as Text};
        let code = code("if x\r\n'a\nb' y\n", &[(0, 2, Keyword), (6, 11, Text)]);
        assert_eq!(
            shown(&code, 1),
            [(Some(Keyword), "if".into()), (None, " x".into())]
        );
        assert_eq!(shown(&code, 2), [(Some(Text), "'a".into())]);
        assert_eq!(
            shown(&code, 3),
            [(Some(Text), "b'".into()), (None, " y".into())]
        );
    }

    #[test]
    fn offsets_are_bytes_also_after_wide_characters() {
        let code = code("ü = 1", &[(5, 6, HighlightClass::Number)]);
        assert_eq!(
            shown(&code, 1),
            [
                (None, "ü = ".into()),
                (Some(HighlightClass::Number), "1".into())
            ]
        );
    }

    #[test]
    fn a_very_long_line_is_cut_and_says_how_much_is_hidden() {
        let code = code(&"ä".repeat(SHOWN_CHARS + 7), &[]);
        let (pieces, hidden) = code.line(1);
        assert_eq!(pieces[0].text.chars().count(), SHOWN_CHARS);
        assert_eq!(hidden, 7);
    }

    #[test]
    fn lines_outside_of_the_file_are_empty() {
        let code = code("a\n", &[]);
        assert_eq!(code.line(0), (vec![], 0));
        assert_eq!(code.line(2), (vec![], 0));
    }
}
