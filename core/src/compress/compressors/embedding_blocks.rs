//! Blocks scored by meaning ("late chunking"), relative to the root of their length.

use super::{CompressorSpec, Missing, best_first, blocks};
use crate::compress::score::{Shares, of_blocks};

pub(super) static EMBEDDING_BLOCKS: CompressorSpec = CompressorSpec {
    name: "embedding-blocks",
    title: "Blocks by meaning",
    about: "The blocks whose meaning is nearest to the question's; long blocks count less.",
    needs: Some(Missing::Encoder),
    values: |scored| {
        let shares = Shares::new(scored);
        of_blocks(scored, |_, block| {
            shares.meaning(block) / block.root_length()
        })
    },
    units: blocks,
    keep: best_first,
};
