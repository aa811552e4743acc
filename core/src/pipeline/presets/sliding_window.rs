//! Windows of lines found by meaning: a baseline of RepoDistill (section 3.1, Sliding Window RAG).

use super::{Deviation, ENCODER, ON_DEMAND, Preset, function_chunks};
use crate::chunk::Chunking;
use crate::pipeline::Pipeline;

pub(super) static PRESET: Preset = Preset {
    name: "sliding-window",
    title: "Windows of 40 lines by meaning",
    about: "Windows of 40 lines that share 10, the nearest to the question, as many as fit. A \
        baseline of RepoDistill.",
    deviations: &[
        ENCODER,
        ON_DEMAND,
        Deviation {
            what: "a window has 40 lines and shares 10 with the next",
            why: "the paper does not give its sizes",
        },
    ],
    make,
};

fn make() -> Pipeline {
    Pipeline {
        name: PRESET.name.to_owned(),
        cut: Chunking::from_name("sliding-window")
            .unwrap_or(Chunking::FUNCTION)
            .into(),
        ..function_chunks::make()
    }
}
