//! Functions found by meaning: the simplest baseline of RepoDistill (section 3.1, Function Chunking
//! RAG).

use super::{ENCODER, ON_DEMAND, Preset, footnote};
use crate::pipeline::{Keep, Pipeline};
use crate::search::pack::Packing;
use crate::search::{Lists, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "function-chunks",
    title: "Functions by meaning",
    about: "The functions nearest to the question, whole, as many as fit. The baseline that \
        RepoDistill starts from.",
    deviations: &[ENCODER, ON_DEMAND],
    make,
};

pub(super) fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        search: Strategy::plain(Lists::from_name("dense").unwrap_or(footnote::make().search.lists)),
        keep: Keep::Chunks {
            packing: Packing::TopK,
            lines: None,
            most: None,
        },
        rules: false,
        ..footnote::make()
    }
}
