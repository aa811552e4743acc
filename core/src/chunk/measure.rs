//! The size of a run of lines, in lines and characters, and where it may be cut.

use crate::lang::{Parsed, Symbol};
use crate::lines::{LineIndex, LineRange, Row};

/// An upper bound in both units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub lines: u32,
    pub chars: u32,
}

/// A text with running counts of its characters. Rows count from 0.
pub(super) struct Measure {
    /// Characters before each row; one more entry than rows.
    chars_before: Vec<u32>,
    /// Characters that are not white space before each row.
    solid_before: Vec<u32>,
}

impl Measure {
    pub(crate) fn new(text: &str) -> Self {
        let index = LineIndex::new(text);
        let rows = index.line_count();
        let mut chars_before = Vec::with_capacity(rows as usize + 1);
        let mut solid_before = Vec::with_capacity(rows as usize + 1);
        let (mut chars, mut solid) = (0u32, 0u32);
        chars_before.push(0);
        solid_before.push(0);
        for row in 0..rows {
            let line = LineRange::from_rows(Row(row), Row(row));
            for c in index.slice(text, line).unwrap_or_default().chars() {
                chars = chars.saturating_add(1);
                solid = solid.saturating_add(u32::from(!c.is_whitespace()));
            }
            chars_before.push(chars);
            solid_before.push(solid);
        }
        Self {
            chars_before,
            solid_before,
        }
    }

    /// Number of rows, at least 1.
    pub(crate) fn rows(&self) -> u32 {
        self.chars_before.len() as u32 - 1
    }

    /// Characters of the rows `first..=last`.
    pub(crate) fn chars(&self, first: u32, last: u32) -> u32 {
        between(&self.chars_before, first, last)
    }

    /// Characters of the rows `first..=last` that are not white space.
    pub(crate) fn solid(&self, first: u32, last: u32) -> u32 {
        between(&self.solid_before, first, last)
    }

    pub(crate) fn is_blank(&self, row: u32) -> bool {
        self.solid(row, row) == 0
    }

    pub(crate) fn fits(&self, first: u32, last: u32, budget: Budget) -> bool {
        last + 1 - first <= budget.lines && self.chars(first, last) <= budget.chars
    }

    /// The last row of the longest run from `first` that fits the budget: at least `first`, at most
    /// `last`.
    pub(crate) fn furthest(&self, first: u32, last: u32, budget: Budget) -> u32 {
        let start = self.chars_before.get(first as usize).copied().unwrap_or(0);
        let limit = start.saturating_add(budget.chars);
        let by_chars = self.chars_before.partition_point(|&before| before <= limit) as u32;
        let by_lines = first.saturating_add(budget.lines.max(1) - 1);
        by_chars.saturating_sub(2).min(by_lines).clamp(first, last)
    }

    /// The rows of a symbol, clipped to the text; `None` if it lies outside.
    pub(crate) fn rows_of(&self, symbol: &Symbol) -> Option<(u32, u32)> {
        let first = Row::from(symbol.lines.start()).0;
        let last = Row::from(symbol.lines.end()).0.min(self.rows() - 1);
        (first <= last).then_some((first, last))
    }
}

fn between(before: &[u32], first: u32, last: u32) -> u32 {
    let at = |row: u32| before.get(row as usize).copied().unwrap_or(0);
    at(last + 1).saturating_sub(at(first))
}

/// The breaks inside the rows `first + 1..=last`, as (row, depth).
pub(super) fn breaks_in(
    parsed: &Parsed,
    first: u32,
    last: u32,
) -> impl Iterator<Item = (u32, u16)> {
    let from = parsed
        .breaks
        .partition_point(|at| Row::from(at.line).0 <= first);
    parsed
        .breaks
        .iter()
        .skip(from)
        .map(|at| (Row::from(at.line).0, at.depth))
        .take_while(move |&(row, _)| row <= last)
}
