//! Blocks scored by the question's words, relative to the root of their length.

use super::{CompressorSpec, best_first, blocks};
use crate::compress::score::{Shares, of_blocks};

pub(super) static BM25_BLOCKS: CompressorSpec = CompressorSpec {
    name: "bm25-blocks",
    title: "Blocks by words",
    about: "The blocks that contain the words of the question; long blocks count less.",
    needs: None,
    values: |scored| {
        let shares = Shares::new(scored);
        of_blocks(scored, |_, block| shares.words(block) / block.root_length())
    },
    units: blocks,
    keep: best_first,
};
