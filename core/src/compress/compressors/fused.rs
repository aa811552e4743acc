//! Blocks scored by words and meaning, relative to the root of their length.

use super::{CompressorSpec, Missing, best_first, blocks};
use crate::compress::score::{Block, Shares, of_blocks};

pub(super) static FUSED: CompressorSpec = CompressorSpec {
    name: "fused",
    title: "Words and meaning",
    about: "Words and meaning of each block, in equal parts; long blocks count less.",
    needs: Some(Missing::Encoder),
    values: |scored| {
        let shares = Shares::new(scored);
        of_blocks(scored, |_, block| value(&shares, block))
    },
    units: blocks,
    keep: best_first,
};

pub(super) fn value(shares: &Shares, block: &Block) -> f32 {
    (shares.words(block) + shares.meaning(block)) / block.root_length()
}
