//! A text as numbered rows.

use crate::lines::{LineIndex, LineRange, Row};

/// The rows of a text, without line ends.
pub(crate) struct Rows<'t> {
    pub text: &'t str,
    pub index: LineIndex,
    rows: Vec<&'t str>,
    /// For each row, the last non-blank one up to it.
    used: Vec<u32>,
}

impl<'t> Rows<'t> {
    pub fn new(text: &'t str) -> Self {
        let rows: Vec<&str> = text.lines().collect();
        let mut last = 0;
        let used = (0u32..)
            .zip(&rows)
            .map(|(row, line)| {
                if !line.trim().is_empty() {
                    last = row;
                }
                last
            })
            .collect();
        Self {
            text,
            index: LineIndex::new(text),
            rows,
            used,
        }
    }

    pub fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Returns row `row`, or an empty string if there is none.
    pub fn at(&self, row: u32) -> &'t str {
        self.rows.get(row as usize).copied().unwrap_or("")
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &'t str)> + '_ {
        (0u32..).zip(self.rows.iter().copied())
    }

    pub fn is_blank(&self, row: u32) -> bool {
        self.at(row).trim().is_empty()
    }

    /// Returns the rows `first..before`, without blank ones at their end, as lines.
    pub fn lines(&self, first: u32, before: u32) -> LineRange {
        let last = before.saturating_sub(1).max(first);
        let used = self.used.get(last as usize).copied().unwrap_or(last);
        LineRange::from_rows(Row(first), Row(used.max(first)))
    }

    /// Returns the row that contains byte `at`.
    pub fn row_of(&self, at: usize) -> u32 {
        Row::from(self.index.line_of(at)).0
    }

    /// Returns the first byte of `row`; the end of the text if there is no such row.
    pub fn start_of(&self, row: u32) -> usize {
        let line = Row(row).into();
        let bytes = self.index.bytes(LineRange::new(line, line));
        bytes.map_or(self.text.len(), |bytes| bytes.start)
    }

    /// Returns the first of the comment rows directly above `row`, which belong to it; `row` if
    /// there are none. `from` is the first row that may be included.
    pub fn with_comments(&self, row: u32, from: u32, signs: &[char]) -> u32 {
        let mut first = row;
        while first > from && self.at(first - 1).trim_start().starts_with(signs) {
            first -= 1;
        }
        first
    }
}
