//! Strategies that know no syntax: windows of lines and of characters.

use super::measure::{Budget, Measure};
use super::{ChunkKind, Piece};
use crate::lang::Parsed;

/// Windows of `lines` lines, each starting `lines - overlap` after the last.
pub(super) fn by_lines(measure: &Measure, parsed: &Parsed, lines: u32, overlap: u32) -> Vec<Piece> {
    let lines = lines.max(1);
    let budget = Budget {
        lines,
        chars: u32::MAX,
    };
    windows(measure, parsed, budget, |first, last| {
        if last + 1 - first < lines {
            last + 1
        } else {
            first + lines.saturating_sub(overlap)
        }
    })
}

/// Windows of at most `chars` characters, rounded down to whole lines but at least one line; the next
/// window repeats whole lines of at most `overlap` characters.
pub(super) fn by_chars(measure: &Measure, parsed: &Parsed, chars: u32, overlap: u32) -> Vec<Piece> {
    let budget = Budget {
        lines: u32::MAX,
        chars: chars.max(1),
    };
    windows(measure, parsed, budget, |first, last| {
        let mut next = last + 1;
        while next > first + 1 && measure.chars(next - 1, last) <= overlap {
            next -= 1;
        }
        next
    })
}

fn windows(
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
