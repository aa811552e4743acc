//! Windows of at most a number of characters (RepoQA-SA, section 3.1), rounded down to whole lines
//! but at least one line. Consecutive windows share whole lines, in total no longer than the
//! overlap.

use super::{ChunkingSpec, Window};
use crate::chunk::Piece;
use crate::chunk::measure::{Budget, Measure};
use crate::chunk::windows::windows;
use crate::lang::Parsed;

pub(super) static FIXED_CHARS: ChunkingSpec = ChunkingSpec {
    name: "fixed-chars",
    window: Window {
        size: 1_500,
        overlap: 200,
    },
    cut,
};

fn cut(measure: &Measure, parsed: &Parsed, window: Window) -> Vec<Piece> {
    let budget = Budget {
        lines: u32::MAX,
        chars: window.size.max(1),
    };
    windows(measure, parsed, budget, |first, last| {
        let mut next = last + 1;
        while next > first + 1 && measure.chars(next - 1, last) <= window.overlap {
            next -= 1;
        }
        next
    })
}
