//! Chunkings that ignore syntax: windows of lines or of characters.

use super::measure::{Budget, Measure};
use super::{ChunkKind, Piece};
use crate::lang::Parsed;

/// Cuts windows within `budget`; `next` returns where the window after one starts.
pub(super) fn windows(
    measure: &Measure,
    parsed: &Parsed,
    budget: Budget,
    next: impl Fn(u32, u32) -> u32,
) -> Vec<Piece> {
    let end = measure.rows() - 1;
    let owners = Owners::new(measure, parsed);
    let mut pieces = Vec::new();
    let mut first = 0;
    loop {
        let last = measure.furthest(first, end, budget);
        pieces.push(Piece {
            first,
            last,
            kind: ChunkKind::Window,
            symbol: owners.around(first, last),
        });
        if last == end {
            return pieces;
        }
        first = next(first, last).clamp(first + 1, last + 1);
    }
}

/// Finds the innermost symbol around a window.
struct Owners {
    /// (first row, last row, symbol), sorted by first row, owners before members.
    spans: Vec<(u32, u32, u32)>,
}

impl Owners {
    fn new(measure: &Measure, parsed: &Parsed) -> Self {
        let symbols = parsed.symbols.iter().enumerate();
        let spans = symbols
            .filter_map(|(at, symbol)| {
                let (first, last) = measure.rows_of(symbol)?;
                Some((first, last, at as u32))
            })
            .collect();
        Self { spans }
    }

    fn around(&self, first: u32, last: u32) -> Option<u32> {
        let encloses = |&&(start, end, _): &&(u32, u32, u32)| start <= first && last <= end;
        self.spans
            .iter()
            .filter(encloses)
            .min_by_key(|&&(start, end, at)| (end - start, u32::MAX - at))
            .map(|&(_, _, at)| at)
    }
}
