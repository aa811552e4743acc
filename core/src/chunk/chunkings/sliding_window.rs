//! Windows of a number of lines; each overlaps the one before.

use super::{ChunkingSpec, Window};
use crate::chunk::Piece;
use crate::chunk::measure::{Budget, Measure};
use crate::chunk::windows::windows;
use crate::lang::Parsed;

pub(super) static SLIDING_WINDOW: ChunkingSpec = ChunkingSpec {
    name: "sliding-window",
    window: Window {
        size: 40,
        overlap: 10,
    },
    cut,
};

fn cut(measure: &Measure, parsed: &Parsed, window: Window) -> Vec<Piece> {
    let lines = window.size.max(1);
    let budget = Budget {
        lines,
        chars: u32::MAX,
    };
    windows(measure, parsed, budget, |first, last| {
        if last + 1 - first < lines {
            last + 1
        } else {
            first + lines.saturating_sub(window.overlap)
        }
    })
}
