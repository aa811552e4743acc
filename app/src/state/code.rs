//! The text of a file, split into lines once, with highlighting per line.

use std::collections::HashSet;

use footnote_core::lang::highlight::HighlightClass;

use super::NameAt;
use crate::worker::protocol::FileView;

/// The most characters shown of one line. Longer lines are cut so that none can fill the page.
pub const SHOWN_CHARS: usize = 2_000;

/// The columns a tab takes.
const TAB: usize = 4;

/// A file ready to be shown line by line.
#[derive(Debug)]
pub struct CodeText {
    file: FileView,
    /// The byte offsets at which lines start.
    starts: Vec<u32>,
    /// The names that lead somewhere.
    names: HashSet<String>,
    /// The columns of the longest line, counting only what is shown of it.
    pub columns: usize,
}

/// A run of one colour within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub class: Option<HighlightClass>,
    pub text: String,
    /// For a name that leads somewhere: how many characters of the line come before it.
    pub name: Option<u32>,
}

impl CodeText {
    pub fn new(mut file: FileView) -> Self {
        let mut starts = vec![0];
        let mut most = 0;
        // As in core: a final line end does not start another line.
        for line in file.text.split_inclusive('\n') {
            let start = starts.last().copied().unwrap_or(0);
            starts.push(start + line.len() as u32);
            most = most.max(columns(line));
        }
        if starts.len() > 1 {
            starts.pop();
        }
        Self {
            names: std::mem::take(&mut file.names).into_iter().collect(),
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

    /// The number of lines, at least 1.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The byte range of line `line` (1-based), without its line end.
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

    /// The first name after `start` (line and column), or at or after line `from` if there is no
    /// start.
    pub fn name_after(&self, start: Option<(u32, u32)>, from: u32) -> Option<NameAt> {
        let first = start.map_or(from.max(1), |(line, _)| line);
        let is_behind = |at: &NameAt| start.is_none_or(|start| (at.line, at.column) > start);
        (first..=self.line_count() as u32)
            .find_map(|line| self.names_of(line).into_iter().find(is_behind))
    }

    /// The last name before `start` (line and column).
    pub fn name_before(&self, start: (u32, u32)) -> Option<NameAt> {
        let is_before = |at: &NameAt| (at.line, at.column) < start;
        (1..=start.0)
            .rev()
            .find_map(|line| self.names_of(line).into_iter().rev().find(is_before))
    }

    /// The columns that the first `characters` characters of a line take.
    pub fn columns_before(&self, line: usize, characters: usize) -> usize {
        let text = self
            .bytes(line)
            .and_then(|(start, end)| self.file.text.get(start..end));
        let text = text.unwrap_or_default();
        let end = text
            .char_indices()
            .nth(characters)
            .map_or(text.len(), |(at, _)| at);
        columns(text.get(..end).unwrap_or_default())
    }

    /// The names in a line that lead somewhere.
    fn names_of(&self, line: u32) -> Vec<NameAt> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let (pieces, _) = self.line(line as usize);
        let named = pieces.into_iter().filter_map(|piece| {
            Some(NameAt {
                column: piece.name?,
                name: piece.text,
                line,
            })
        });
        named.collect()
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
        // Offsets inside a character would mean a bug in the engine. The text matters more than its
        // colour, but half a character cannot be shown.
        let Some(text) = self.file.text.get(from..to).filter(|text| !text.is_empty()) else {
            return;
        };
        use HighlightClass::{Comment, Heading, Number, String as Text};
        let is_code = !matches!(class, Some(Comment | Heading | Number | Text));
        if !is_code || self.names.is_empty() {
            return pieces.push(plain(class, text));
        }
        let mut column: usize = pieces.iter().map(|piece| piece.text.chars().count()).sum();
        // Splits the text at the names; everything between two names is one piece.
        let mut rest = 0;
        for (at, word) in words(text) {
            if self.names.contains(word) {
                let before = text.get(rest..at).unwrap_or_default();
                column += before.chars().count();
                if !before.is_empty() {
                    pieces.push(plain(class, before));
                }
                pieces.push(Piece {
                    name: Some(column as u32),
                    ..plain(class, word)
                });
                column += word.chars().count();
                rest = at + word.len();
            }
        }
        match text.get(rest..) {
            Some(behind) if !behind.is_empty() => pieces.push(plain(class, behind)),
            _ => {}
        }
    }
}

fn plain(class: Option<HighlightClass>, text: &str) -> Piece {
    Piece {
        class,
        text: text.to_owned(),
        name: None,
    }
}

/// The words of a text that can be names, with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find(is_of_name)?;
        let behind = text.get(start..)?;
        let length = behind.find(|c| !is_of_name(c)).unwrap_or(behind.len());
        from = start + length;
        Some((start, text.get(start..from)?))
    })
}

/// The columns a line takes in a fixed-width font, with tabs expanded. It counts bytes and skips
/// continuation bytes, because it runs for every line of a file.
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
            described: Vec::new(),
            names: vec!["send".into(), "größe".into()],
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

    #[test]
    fn names_that_lead_somewhere_are_separate_pieces_except_in_strings() {
        let text = "ü.send(größe, \"send\", sender)\n";
        let from = text.find('"').unwrap();
        let code = code(text, &[(from, from + 6, HighlightClass::String)]);
        let (pieces, _) = code.line(1);
        let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(whole, text.trim_end());
        let names = pieces.iter().filter(|piece| piece.name.is_some());
        let names: Vec<_> = names
            .map(|piece| (piece.name.unwrap(), &piece.text))
            .collect();
        assert_eq!(names, [(2, &"send".to_owned()), (7, &"größe".to_owned())]);
    }
}
