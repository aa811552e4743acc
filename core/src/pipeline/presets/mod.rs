//! The pipelines that come with Footnote: its own, those of the papers, and the papers' baselines.
//!
//! To add one, write a file with a [`Preset`] and add a row to [`PRESETS`].

mod chosen_files;
mod code_as_text;
mod footnote;
mod function_chunks;
mod grounded;
mod longcodezip;
mod no_evidence;
mod repodistill;
mod repoqa_sa;
mod sliding_window;
mod taught;
mod whole_files;

use super::Pipeline;

/// A pipeline in the list.
pub struct Preset {
    /// Its name on command lines, in links and in records.
    pub name: &'static str,
    /// A short title for a list of choices.
    pub title: &'static str,
    /// What it does, in one or two sentences.
    pub about: &'static str,
    /// Differences from its paper, each with the reason; empty if there are none.
    pub deviations: &'static [Deviation],
    /// The pipeline.
    pub make: fn() -> Pipeline,
}

/// A difference from the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// What is done instead; continues “Differs from the paper:”.
    pub what: &'static str,
    /// Why; continues “because”.
    pub why: &'static str,
}

/// In the order they are offered.
pub static PRESETS: &[&Preset] = &[
    &footnote::PRESET,
    &taught::PRESET,
    &chosen_files::PRESET,
    &grounded::PRESET,
    &repodistill::PRESET,
    &longcodezip::PRESET,
    &repoqa_sa::PRESET,
    &code_as_text::TEXT,
    &code_as_text::AUTO,
    &code_as_text::PRED,
    &code_as_text::PRED_EXPLAIN,
    &function_chunks::PRESET,
    &sliding_window::PRESET,
    &whole_files::PRESET,
    &no_evidence::PRESET,
];

/// The page's own pipeline.
pub(super) fn footnote() -> Pipeline {
    footnote::make()
}

/// The preset with this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().copied().find(|preset| preset.name == name)
}

/// The page runs this encoder in place of a larger one.
const ENCODER: Deviation = Deviation {
    what: "MiniLM (22 million parameters, 384 numbers a chunk) makes the vectors",
    why: "a browser runs it fast enough",
};

/// Chunks are compared one after the other, the best by words first.
const ON_DEMAND: Deviation = Deviation {
    what: "only chunks that have a vector are compared by meaning",
    why: "a browser makes their vectors while people already ask; the best by words come first",
};

/// Documents and manifests are searched besides code.
const ALL_FILES: Deviation = Deviation {
    what: "files of every language, documents and manifests are searched",
    why: "the question may be about them",
};

/// What a model writes is checked sentence by sentence.
const CHECKED: Deviation = Deviation {
    what: "each sentence of an answer is checked against the lines that it cites",
    why: "that a citation exists proves nothing about the sentence before it",
};
