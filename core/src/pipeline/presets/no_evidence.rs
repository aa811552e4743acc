//! The model alone: the first baseline of every paper.

use super::{Preset, footnote};
use crate::pipeline::{Keep, Pipeline};
use crate::search::{Lists, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "no-evidence",
    title: "The model alone",
    about: "A model sees nothing of the repository and answers from what it knows. Footnote still \
            checks its citations.",
    deviations: &[],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        search: Strategy::plain(Lists::from_name("bm25").unwrap_or(footnote::make().search.lists)),
        hits: 0,
        compare: 0,
        keep: Keep::Nothing,
        rules: false,
        ..footnote::make()
    }
}
