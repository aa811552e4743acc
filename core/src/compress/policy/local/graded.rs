//! 0, 25, 50, 75 or 100 % by relevance (RepoDistill's levels without its model).

use super::LocalSpec;
use crate::compress::policy::level;

/// Share of the best relevance at which nothing is kept, and at which everything is.
const BETWEEN: (f32, f32) = (0.2, 1.0);

pub(super) static GRADED: LocalSpec = LocalSpec {
    name: "graded",
    title: "0, 25, 50, 75 or 100 %, by its score",
    about: "0, 25, 50, 75 or 100 % of each piece, by how close its score is to the best one.",
    rate: |share| level((share - BETWEEN.0) / (BETWEEN.1 - BETWEEN.0)),
};
