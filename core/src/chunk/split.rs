//! Splits what is too long for one chunk.

use super::measure::{Budget, Measure, breaks_in};
use super::{ChunkKind, Piece};
use crate::lang::Parsed;

/// The largest function or section that stays whole: Grounded puts at most 100 lines of a chunk
/// into a context (section 1 of methods), and an encoder sees about 1,000 characters.
pub(super) const WHOLE: Budget = Budget {
    lines: 100,
    chars: 4_000,
};

/// The size of one part of a longer piece.
pub(super) const PART: Budget = Budget {
    lines: 60,
    chars: 2_500,
};

/// Splits `piece` into parts of kind `kind` if it exceeds `whole`. It cuts at the shallowest break
/// in the second half of what fits, close to equal parts; without breaks, at a line that follows
/// blank lines; without those, where the budget ends. A single line is never cut.
pub(super) fn split(
    measure: &Measure,
    parsed: &Parsed,
    piece: Piece,
    whole: Budget,
    kind: ChunkKind,
) -> Vec<Piece> {
    if measure.fits(piece.first, piece.last, whole) {
        return vec![piece];
    }
    let mut parts = Vec::new();
    let mut first = piece.first;
    while !measure.fits(first, piece.last, PART) && first < piece.last {
        let cut = best_cut(measure, parsed, first, piece.last);
        parts.push(Piece {
            first,
            last: cut - 1,
            kind,
            ..piece
        });
        first = cut;
    }
    let last_kind = if parts.is_empty() { piece.kind } else { kind };
    parts.push(Piece {
        first,
        kind: last_kind,
        ..piece
    });
    parts
}

/// The row on which the next part starts, in `first + 1..=last`.
fn best_cut(measure: &Measure, parsed: &Parsed, first: u32, last: u32) -> u32 {
    let furthest = measure.furthest(first, last, PART);
    let latest = (furthest + 1).min(last);
    let target = even_target(measure, first, last).clamp(first + 1, latest);
    let earliest = (first + 1 + (target - first) / 2).min(latest);
    let distance = |row: u32| row.abs_diff(target);
    let at_break = breaks_in(parsed, earliest.saturating_sub(1), latest)
        .min_by_key(|&(row, depth)| (depth, distance(row), row))
        .map(|(row, _)| row);
    let after_blank = || {
        (earliest..=latest)
            .filter(|&row| !measure.is_blank(row) && measure.is_blank(row - 1))
            .min_by_key(|&row| (distance(row), row))
    };
    at_break.or_else(after_blank).unwrap_or(latest)
}

/// Where the first part would end if all parts were equally long.
fn even_target(measure: &Measure, first: u32, last: u32) -> u32 {
    let lines = last + 1 - first;
    let chars = measure.chars(first, last);
    let parts = lines
        .div_ceil(PART.lines)
        .max(chars.div_ceil(PART.chars))
        .max(1);
    let budget = Budget {
        lines: lines.div_ceil(parts),
        chars: chars.div_ceil(parts),
    };
    measure.furthest(first, last, budget) + 1
}
