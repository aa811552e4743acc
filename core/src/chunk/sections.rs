//! Text formats: one chunk per section. Long sections are cut at paragraphs, tiny siblings are
//! joined.

use super::measure::{Budget, Measure};
use super::split::{PART, split};
use super::tree::{Plan, Style, walk};
use super::{ChunkKind, Piece};
use crate::lang::Parsed;

/// A section up to this size stays whole, its subsections included.
const SECTION: Budget = Budget {
    lines: 60,
    chars: 2_500,
};

/// Neighbouring sections are joined while they stay within this size.
const JOINED: Budget = Budget {
    lines: 30,
    chars: 1_000,
};

pub(super) fn cut(measure: &Measure, parsed: &Parsed) -> Vec<Piece> {
    let pieces = walk(measure, parsed, &Sections { measure });
    let whole = PART;
    join_tiny(measure, parsed, pieces)
        .into_iter()
        .flat_map(|piece| split(measure, parsed, piece, whole, ChunkKind::Section))
        .collect()
}

struct Sections<'a> {
    measure: &'a Measure,
}

impl Style for Sections<'_> {
    fn owns_chunk(&self, _at: u32) -> bool {
        true
    }

    fn plan(&self, _at: u32, first: u32, last: u32, members: u32) -> Plan {
        if members > 0 && !self.measure.fits(first, last, SECTION) {
            Plan::Descend
        } else {
            Plan::Leaf
        }
    }

    fn kinds(&self) -> (ChunkKind, ChunkKind, ChunkKind) {
        (ChunkKind::Section, ChunkKind::Section, ChunkKind::Section)
    }
}

fn join_tiny(measure: &Measure, parsed: &Parsed, pieces: Vec<Piece>) -> Vec<Piece> {
    let mut kept: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match kept.last_mut() {
            Some(previous)
                if are_related(parsed, previous.symbol, piece.symbol)
                    && measure.fits(previous.first, piece.last, JOINED) =>
            {
                previous.last = piece.last;
                previous.symbol = previous.symbol.or(piece.symbol);
            }
            _ => kept.push(piece),
        }
    }
    kept
}

/// Whether two pieces are siblings, a section and its subsection, or both outside all sections.
fn are_related(parsed: &Parsed, before: Option<u32>, after: Option<u32>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return true;
    };
    let parent = |at: u32| parsed.symbols.get(at as usize).and_then(|s| s.parent);
    parent(before) == parent(after) || parent(after) == Some(before)
}
