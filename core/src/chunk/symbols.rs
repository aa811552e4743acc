//! The default strategy for code: one chunk per function; a class becomes its head and its methods.

use super::measure::{Budget, Measure};
use super::split::{PART, WHOLE, split};
use super::tree::{Plan, Style, walk};
use super::{ChunkKind, Piece};
use crate::lang::{Parsed, SymbolKind};

/// A class up to this size stays whole: its members say more together than alone.
const SMALL_CLASS: Budget = Budget {
    lines: 30,
    chars: 1_200,
};

/// A constant, variable or key with at least this many lines is a chunk of its own.
const LARGE_VALUE: u32 = 8;

/// A gap with fewer characters than this says nothing on its own: `}`, `end`, `#endif`, blank
/// lines.
const TRIVIAL_CHARS: u32 = 16;

/// Longer gaps stay chunks even if they are blank, so that chunks stay bounded.
const TRIVIAL_LINES: u32 = 10;

pub(super) fn cut(measure: &Measure, parsed: &Parsed) -> Vec<Piece> {
    let pieces = walk(measure, parsed, &Code { measure, parsed });
    let pieces = merge_between(measure, attach_trivial(measure, pieces));
    let parts = pieces.into_iter().flat_map(|piece| {
        let kind = match piece.kind {
            ChunkKind::Between => ChunkKind::Between,
            _ => ChunkKind::Part,
        };
        split(measure, parsed, piece, WHOLE, kind)
    });
    parts.collect()
}

struct Code<'a> {
    measure: &'a Measure,
    parsed: &'a Parsed,
}

impl Code<'_> {
    fn kind(&self, at: u32) -> Option<SymbolKind> {
        Some(self.parsed.symbols.get(at as usize)?.kind)
    }
}

impl Style for Code<'_> {
    fn owns_chunk(&self, at: u32) -> bool {
        let Some(symbol) = self.parsed.symbols.get(at as usize) else {
            return false;
        };
        use SymbolKind::*;
        match symbol.kind {
            Function | Method | Macro | Class | Interface | Trait | Struct | Enum | Union => true,
            // `mod name;` and `type A = B;` belong to the lines around them.
            Module | Type => symbol.lines.count() > 2,
            Constant | Variable | Key | Section => symbol.lines.count() >= LARGE_VALUE,
        }
    }

    fn plan(&self, at: u32, first: u32, last: u32, members: u32) -> Plan {
        use SymbolKind::*;
        let whole = match self.kind(at) {
            Some(Class | Interface | Trait | Struct | Enum | Union | Module) if members > 0 => {
                SMALL_CLASS
            }
            _ => WHOLE,
        };
        let rows = last + 1 - first;
        let is_function = matches!(self.kind(at), Some(Function | Method | Macro));
        // A long function is cut at its inner functions only if it mainly consists of them.
        let mostly_members = members * 2 >= rows || (members > 0 && !is_function);
        if !self.measure.fits(first, last, whole) && mostly_members {
            Plan::Descend
        } else {
            Plan::Leaf
        }
    }

    fn kinds(&self) -> (ChunkKind, ChunkKind, ChunkKind) {
        (ChunkKind::Symbol, ChunkKind::Head, ChunkKind::Between)
    }
}

/// Appends blank gaps and closing brackets to the piece before them, or to the one after them at
/// the start.
fn attach_trivial(measure: &Measure, pieces: Vec<Piece>) -> Vec<Piece> {
    let is_trivial = |piece: &Piece| {
        piece.kind == ChunkKind::Between
            && measure.solid(piece.first, piece.last) < TRIVIAL_CHARS
            && piece.last - piece.first < TRIVIAL_LINES
    };
    let mut kept: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut waiting = None;
    for mut piece in pieces {
        match kept.last_mut() {
            Some(previous) if is_trivial(&piece) => previous.last = piece.last,
            None if waiting.is_none() && is_trivial(&piece) => waiting = Some(piece),
            _ => {
                if let Some(leading) = waiting.take() {
                    piece.first = leading.first;
                }
                kept.push(piece);
            }
        }
    }
    kept.extend(waiting);
    kept
}

/// Joins neighbouring gaps, such as the end of one namespace and the start of the next.
fn merge_between(measure: &Measure, pieces: Vec<Piece>) -> Vec<Piece> {
    let mut kept: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match kept.last_mut() {
            Some(previous)
                if previous.kind == ChunkKind::Between
                    && piece.kind == ChunkKind::Between
                    && measure.fits(previous.first, piece.last, PART) =>
            {
                previous.last = piece.last;
                if previous.symbol != piece.symbol {
                    previous.symbol = None;
                }
            }
            _ => kept.push(piece),
        }
    }
    kept
}
