//! Citation-grounded answers by hybrid retrieval and import expansion (Grounded, sections 3 and
//! 5.2.2).

use super::{ALL_FILES, CHECKED, Deviation, ENCODER, ON_DEMAND, Preset, footnote};
use crate::chunk::{Cut, Header};
use crate::model::protocol::Sampling;
use crate::pipeline::{Budget, Keep, Pipeline};
use crate::search::pack::{BUDGET_CHARS, MAX_LINES, Packing};
use crate::search::{Lists, Params, Step, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "grounded",
    title: "Hybrid search, imports, coverage (Grounded)",
    about: "The best 28 chunks by words and by meaning, weighted .45 to .55; files that the best \
            four import, or that import them, score higher; chunks are packed to cover many files.",
    deviations: &[
        ENCODER,
        ON_DEMAND,
        ALL_FILES,
        Deviation {
            what: "imports come from the syntax tree, not from a pattern",
            why: "it is there already, and finds what a pattern misses",
        },
        Deviation {
            what: "of a file's neighbours, the 8 nearest to the question are taken",
            why: "the paper takes 8 and does not say which",
        },
        Deviation {
            what: "following imports has no limit of 3 seconds",
            why: "neighbours are looked up in memory, where no seed takes long",
        },
        Deviation {
            what: "the path counts as a field of its own beside the text",
            why: "the index keeps it apart; a word of it weighs as one of the text, as in a \
                FILEPATH line",
        },
        Deviation {
            what: "“-” is not a stop sequence",
            why: "it would end the answer at its first finding",
        },
        CHECKED,
    ],
    make,
};

fn make() -> Pipeline {
    let mut numbers = Params::default();
    // Its BM25 has a single text per chunk: names of definitions count once, where they occur.
    numbers.set("names_weight", 0.0);
    Pipeline {
        name: PRESET.name.to_owned(),
        cut: Cut {
            header: Header::FilePath,
            ..Cut::default()
        },
        search: Strategy {
            lists: Lists::from_name("hybrid").unwrap_or(footnote::make().search.lists),
            steps: Step::from_name("expansion").into_iter().collect(),
        },
        numbers,
        hits: usize::MAX,
        keep: Keep::Chunks {
            packing: Packing::Coverage,
            lines: Some(MAX_LINES),
            most: None,
        },
        budget: Budget::Characters(BUDGET_CHARS),
        rules: false,
        sampling: Sampling {
            top_k: Some(40),
            repetition_penalty: Some(1.1),
            stop: vec!["\n\n##".to_owned(), "END".to_owned()],
            ..Sampling::default()
        },
        ..footnote::make()
    }
}
