//! RepoDistill's candidates with the selection it is compared with: LongCodeZip's knapsack.

use super::{Deviation, Preset, repodistill};
use crate::compress::{Boundaries, Compressor, LAMBDA};
use crate::pipeline::{Keep, Pipeline};

pub(super) static PRESET: Preset = Preset {
    name: "longcodezip",
    title: "Graph search, knapsack of blocks (LongCodeZip)",
    about: "The definitions that RepoDistill finds; of all their blocks, the set that a code model \
            values most within the budget.",
    deviations: &[
        Deviation {
            what: "definitions come from graph search, not from ranking all functions by a model",
            why: "a browser cannot read all functions of a repository with a model for each \
                question",
        },
        Deviation {
            what: "a code model of a few million parameters takes the place of one of 500 million",
            why: "it is what a browser runs in seconds",
        },
    ],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        keep: Keep::Lines {
            compressor: Compressor::from_name("knapsack").unwrap_or_default(),
            boundaries: Boundaries::Perplexity,
            policy: None,
            read: None,
            lambda: LAMBDA,
        },
        ..repodistill::make()
    }
}
