//! A language model chooses the files among the best that were found (after PathFinder).

use super::{Deviation, Preset, taught};
use crate::pipeline::Pipeline;

/// Files that the model chooses from: few enough for a small model to read their names.
const SHORTLIST: usize = 40;

pub(super) static PRESET: Preset = Preset {
    name: "chosen-files",
    title: "Files chosen by a model",
    about: "The connected language model sees the names of the forty best files, with what they \
            define, and chooses those that answer (after PathFinder). Paths that do not exist \
            are dropped.",
    deviations: &[
        Deviation {
            what: "search and what the repository was taught first reduce the files to a shortlist",
            why: "no model was tuned on this repository, so none knows its files by heart",
        },
        Deviation {
            what: "files that were not chosen are still searched, after those that were",
            why: "a wrong choice then costs ranks and not the answer",
        },
    ],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        choose: Some(SHORTLIST),
        hits: 100,
        ..taught::make()
    }
}
