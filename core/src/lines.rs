//! Line numbers. People count lines from 1, tree-sitter counts rows from 0. Only this file converts
//! between the two, and between lines and byte offsets.

use std::fmt;
use std::ops::Range;

/// A line as people see it: the first line of a file is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(pub u32);

/// A row as tree-sitter counts it: the first line of a file is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Line(row.0.saturating_add(1))
    }
}

impl From<Line> for Row {
    fn from(line: Line) -> Self {
        Row(line.0.saturating_sub(1))
    }
}

/// An inclusive range of lines; `start <= end`, both at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    start: Line,
    end: Line,
}

impl LineRange {
    /// The range from `start` to `end`; they are swapped if they are in the wrong order.
    pub fn new(start: Line, end: Line) -> Self {
        let (start, end) = (start.min(end), start.max(end));
        Self {
            start: start.max(Line(1)),
            end: end.max(Line(1)),
        }
    }

    /// The inclusive range that covers the rows `first..=last`.
    pub(crate) fn from_rows(first: Row, last: Row) -> Self {
        Self::new(first.into(), last.into())
    }

    /// The first line.
    pub fn start(self) -> Line {
        self.start
    }

    /// The last line, inclusive.
    pub fn end(self) -> Line {
        self.end
    }

    /// Number of lines, at least 1.
    pub fn count(self) -> u32 {
        self.end.0 - self.start.0 + 1
    }

    /// Whether `line` is in the range.
    pub fn contains(self, line: Line) -> bool {
        self.start <= line && line <= self.end
    }

    /// Whether all lines of `other` are in the range.
    pub(crate) fn encloses(self, other: LineRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two ranges have a line in common.
    pub(crate) fn overlaps(self, other: LineRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == self.end {
            write!(f, "{}", self.start.0)
        } else {
            write!(f, "{}-{}", self.start.0, self.end.0)
        }
    }
}

/// Where each line of a text starts. Lines end at `\n`; a final `\n` does not open another line,
/// and an empty text has one empty line, so `line_count` is never 0.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    /// Finds the line ends of `text`, in one pass over its bytes.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' && at + 1 < text.len() {
                starts.push(at as u32 + 1);
            }
        }
        Self {
            starts,
            len: text.len() as u32,
        }
    }

    /// Number of lines, at least 1.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The whole text as a range of lines.
    pub fn all(&self) -> LineRange {
        LineRange::new(Line(1), Line(self.line_count()))
    }

    /// The line of the byte at `offset`; offsets past the end are on the last line.
    pub(crate) fn line_of(&self, offset: usize) -> Line {
        let after = self
            .starts
            .partition_point(|&start| start as usize <= offset);
        Line(after.max(1) as u32)
    }

    /// The bytes of `lines`, line ends included; `None` if the range exceeds the text.
    pub fn bytes(&self, lines: LineRange) -> Option<Range<usize>> {
        let start = *self.starts.get(lines.start.0 as usize - 1)?;
        if lines.end.0 > self.line_count() {
            return None;
        }
        let end = self
            .starts
            .get(lines.end.0 as usize)
            .copied()
            .unwrap_or(self.len);
        Some(start as usize..end as usize)
    }

    /// The text of `lines`, line ends included; `None` if the range exceeds the text.
    pub fn slice<'t>(&self, text: &'t str, lines: LineRange) -> Option<&'t str> {
        text.get(self.bytes(lines)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_newline_does_not_open_another_line() {
        for (text, lines) in [
            ("", 1),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("a\n\n", 2),
            ("\n", 1),
        ] {
            assert_eq!(LineIndex::new(text).line_count(), lines, "{text:?}");
        }
    }

    #[test]
    fn offsets_map_to_one_based_lines() {
        let index = LineIndex::new("ab\ncd\ne");
        for (offset, line) in [(0, 1), (2, 1), (3, 2), (5, 2), (6, 3), (99, 3)] {
            assert_eq!(index.line_of(offset), Line(line), "offset {offset}");
        }
    }

    #[test]
    fn slices_include_line_ends_and_refuse_to_leave_the_text() {
        let text = "ab\ncd\ne";
        let index = LineIndex::new(text);
        assert_eq!(
            index.slice(text, LineRange::new(Line(1), Line(2))),
            Some("ab\ncd\n")
        );
        assert_eq!(
            index.slice(text, LineRange::new(Line(3), Line(3))),
            Some("e")
        );
        assert_eq!(index.slice(text, LineRange::new(Line(3), Line(4))), None);
    }

    #[test]
    fn rows_and_lines_differ_by_one() {
        assert_eq!(Line::from(Row(0)), Line(1));
        assert_eq!(Row::from(Line(1)), Row(0));
        assert_eq!(LineRange::from_rows(Row(4), Row(6)).to_string(), "5-7");
    }
}
