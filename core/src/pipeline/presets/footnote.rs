//! The page's own pipeline.

use super::Preset;
use crate::answer::{CANDIDATES, HITS};
use crate::chunk::Cut;
use crate::compress::{Boundaries, Compressor, LAMBDA};
use crate::model::prompt::EVIDENCE_TOKENS;
use crate::model::protocol::Sampling;
use crate::pipeline::{Budget, Keep, Pipeline, Query};
use crate::search::{Params, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "footnote",
    title: "Footnote",
    about: "Words, meaning, ranking rules and the graph; keeps the lines found that say most.",
    deviations: &[],
    make,
};

pub(super) fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        cut: Cut::default(),
        query: Query::default(),
        search: Strategy::default(),
        numbers: Params::default(),
        hits: HITS,
        compare: CANDIDATES,
        choose: None,
        keep: Keep::Lines {
            compressor: Compressor::default(),
            boundaries: Boundaries::default(),
            policy: None,
            read: None,
            lambda: LAMBDA,
        },
        budget: Budget::Tokens(EVIDENCE_TOKENS),
        rules: true,
        sampling: Sampling::default(),
    }
}
