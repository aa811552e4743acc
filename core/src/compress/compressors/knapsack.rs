//! 0/1 knapsack on AMI (LongCodeZip).

use super::{CompressorSpec, Missing, blocks};
use crate::compress::score::by_model;

pub(super) static KNAPSACK: CompressorSpec = CompressorSpec {
    name: "knapsack",
    title: "Code model, knapsack",
    about: "The set of blocks that makes the question least surprising to a code model (LongCodeZip).",
    needs: Some(Missing::Model),
    values: by_model,
    units: blocks,
    keep: |_, selection, units| {
        selection.knapsack(units);
        selection.fill(units);
    },
};
