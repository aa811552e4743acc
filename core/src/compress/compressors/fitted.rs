//! A fitted combination of all scores of a block: see [`fitted`].

use super::{CompressorSpec, Missing, best_first, blocks};
use crate::compress::score::fitted;

pub(super) static FITTED: CompressorSpec = CompressorSpec {
    name: "fitted",
    title: "Fitted mix",
    about: "Words, meaning, place and names of each block, weighted by what was measured on other \
            repositories.",
    needs: Some(Missing::Encoder),
    values: |scored| fitted::values(scored, &fitted::WEIGHTS),
    units: blocks,
    keep: best_first,
};
