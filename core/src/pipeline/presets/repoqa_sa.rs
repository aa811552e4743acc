//! One chunk of 1,500 characters, found by meaning (RepoQA-SA, sections 3.1 and 4.3).

use super::{ALL_FILES, CHECKED, Deviation, ENCODER, ON_DEMAND, Preset, footnote};
use crate::chunk::{Chunking, Cut, Header};
use crate::model::protocol::Sampling;
use crate::pipeline::{Keep, Pipeline};
use crate::search::pack::Packing;
use crate::search::{Lists, Strategy};

pub(super) static PRESET: Preset = Preset {
    name: "repoqa-sa",
    title: "The nearest 1,500 characters (RepoQA-SA)",
    about: "Files cut every 1,500 characters with 200 shared, each piece headed by its module, \
            what it contains and what its file imports; only the nearest piece by meaning is read.",
    deviations: &[
        ENCODER,
        ON_DEMAND,
        ALL_FILES,
        Deviation {
            what: "pieces end with a line",
            why: "a citation leads to whole lines",
        },
        Deviation {
            what: "the model is the one that you connect, not one that was tuned on the repository",
            why: "a browser cannot tune a model of that size",
        },
        CHECKED,
    ],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        cut: Cut {
            chunking: Chunking::from_name("fixed-chars").unwrap_or(Chunking::FUNCTION),
            header: Header::Metadata,
        },
        search: Strategy::plain(Lists::from_name("dense").unwrap_or(footnote::make().search.lists)),
        keep: Keep::Chunks {
            packing: Packing::TopK,
            lines: None,
            most: Some(1),
        },
        rules: false,
        sampling: Sampling {
            temperature: 0.7,
            ..Sampling::default()
        },
        ..footnote::make()
    }
}
