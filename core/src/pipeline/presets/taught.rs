//! The page's own pipeline, with what the repository was taught (after PathFinder).

use super::{Deviation, Preset, footnote};
use crate::pipeline::Pipeline;
use crate::search::{Step, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "taught",
    title: "Taught",
    about: "Footnote's own search, weighed against the files that taught questions lead to (after \
            PathFinder). Without teaching, it is Footnote's own search.",
    deviations: &[
        Deviation {
            what: "a small head on the vectors of the static encoder learns which files answer",
            why: "a browser cannot fine-tune a model of eight billion parameters",
        },
        Deviation {
            what: "what was found by words, meaning and graph counts beside what was learnt",
            why: "files that no question led to would never be found otherwise",
        },
    ],
    make,
};

pub(super) fn make() -> Pipeline {
    let mut search = Strategy::default();
    search.steps.extend(Step::from_name(crate::search::TAUGHT));
    Pipeline {
        name: PRESET.name.to_owned(),
        search,
        ..footnote::make()
    }
}
