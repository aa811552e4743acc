//! The cost of lines, in tenths of a token, as the prompt counts them.

use super::piece::Source;
use crate::lines::LineRange;
use crate::model::prompt::{estimate_tenths, fence};

/// Which text is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// Everything that is sent: lines with their numbers, markers, fences, paths.
    #[default]
    Sent,
    /// Only the text of the kept lines; no line is kept because another needs it. Published figures
    /// of compression are measured like this.
    Lines,
}

/// The parts of a piece's cost. Each part begins on a new line, so they can be added up.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    /// Path and both fences; due as soon as one line is kept.
    pub frame: usize,
    /// For each row, with its number.
    pub rows: Vec<usize>,
    /// For a dropped run; the largest marker the piece can have.
    pub marker: usize,
}

impl Cost {
    pub(crate) fn new(source: &Source, counting: Counting) -> Self {
        if counting == Counting::Lines {
            let rows = source.rows.iter();
            return Self {
                frame: 0,
                rows: rows.map(|row| estimate_tenths(row)).collect(),
                marker: 0,
            };
        }
        let lines = source.piece.lines;
        let (before, after) = fence::frame(&source.path, lines, &source.text);
        let rows = source.rows.iter().enumerate();
        let row =
            |(row, text): (usize, &String)| estimate_tenths(&fence::line(source.line(row), text));
        let last = LineRange::new(lines.end(), lines.end());
        Self {
            frame: estimate_tenths(&before) + estimate_tenths(&after),
            rows: rows.map(row).collect(),
            marker: estimate_tenths(&fence::marker(last)),
        }
    }

    /// The cost of the whole piece, in tokens.
    pub(crate) fn whole(&self) -> usize {
        (self.frame + self.rows.iter().sum::<usize>()).div_ceil(10)
    }

    /// The cost of keeping `row` as well, in tenths, without the frame. It can be negative: if a
    /// dropped run disappears, so does its marker.
    pub(crate) fn added(&self, kept: &[bool], row: usize) -> isize {
        let is_dropped =
            |row: Option<usize>| row.and_then(|row| kept.get(row)).is_some_and(|kept| !kept);
        let (before, after) = (
            is_dropped(row.checked_sub(1)),
            is_dropped(row.checked_add(1)),
        );
        let line = self.rows.get(row).copied().unwrap_or(0) as isize;
        let marker = self.marker as isize;
        match (before, after) {
            (true, true) => line + marker,
            (false, false) => line - marker,
            _ => line,
        }
    }
}
