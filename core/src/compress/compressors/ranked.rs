//! As `fused`, reduced by the piece's rank in the retrieval. It measured best and has nothing to
//! fit.

use super::{CompressorSpec, Missing, best_first, blocks, fused};
use crate::compress::score::{Shares, of_blocks};

/// The value of a block is divided by this power of its piece's rank.
const RANK_POWER: f32 = 0.25;

pub(super) static RANKED: CompressorSpec = CompressorSpec {
    name: "ranked",
    title: "Words, meaning and rank",
    about: "Words and meaning of each block; long blocks, and those of pieces far down the list, count less.",
    needs: Some(Missing::Encoder),
    values: |scored| {
        let shares = Shares::new(scored);
        of_blocks(scored, |rank, block| {
            (1.0 + rank as f32).powf(-RANK_POWER) * fused::value(&shares, block)
        })
    },
    units: blocks,
    keep: best_first,
};
