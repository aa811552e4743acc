//! GraphRAG, then the blocks that a code model finds relevant, with a budget for each definition
//! (RepoDistill, sections 2.1 to 2.3).

use super::{CHECKED, Deviation, ENCODER, ON_DEMAND, Preset, footnote};
use crate::compress::policy::Local;
use crate::compress::{Boundaries, Compressor, LAMBDA};
use crate::pipeline::{Keep, Pipeline};
use crate::search::{Lists, Step, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "repodistill",
    title: "Graph search, compressed blocks (RepoDistill)",
    about: "Definitions near the question, what they call, what calls them and what lies between; of \
        each, by its rank, 0 to 100 % of its blocks, chosen by a code model and without \
        repetition.",
    deviations: &[
        ENCODER,
        ON_DEMAND,
        Deviation {
            what: "how much of a definition is kept follows from its score",
            why: "the paper's policy is a trained model; a connected one can be asked in the \
                context inspector",
        },
        Deviation {
            what: "a code model of a few million parameters is surprised or not, instead of one of 500 \
                million",
            why: "it is what a browser runs in seconds",
        },
        Deviation {
            what: "the code model does not read what would come after the budget is spent",
            why: "none of it would be kept",
        },
        Deviation {
            what: "a definition's nearness to others is that of its best neighbour in the graph",
            why: "read to the letter, the paper's second term is the same for all",
        },
        Deviation {
            what: "a context has 4,500 tokens at first, candidates are not cut at 200,000",
            why: "a model on your own machine reads no more; the budget can be changed",
        },
        CHECKED,
    ],
    make,
};

pub(super) fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        search: Strategy {
            lists: Lists::from_name("dense").unwrap_or(footnote::make().search.lists),
            steps: Step::from_name("graph-rag").into_iter().collect(),
        },
        hits: usize::MAX,
        keep: Keep::Lines {
            compressor: Compressor::from_name("ami-mmr").unwrap_or_default(),
            boundaries: Boundaries::Perplexity,
            policy: Some(Local::GRADED),
            read: None,
            lambda: LAMBDA,
        },
        rules: false,
        ..footnote::make()
    }
}
