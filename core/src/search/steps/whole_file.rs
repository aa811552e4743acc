//! Scores the whole file as one document, besides its chunks: the answer to a long question is a
//! file whose parts together say what it asks.

use std::collections::BTreeMap;

use super::with_gains;
use super::{Group, StepSpec};
use crate::search::params::Param;
use crate::search::retrieve::weighted_terms;
use crate::search::{Context, Hit};

/// Gain by the score of the file as one document.
static GAIN: Param = Param::new("whole_file", 0.3);

pub(super) static WHOLE_FILE: StepSpec = StepSpec {
    name: "whole-file",
    about: "The whole file, as one document, contains the words of the question.",
    why: |_, _| "the whole file contains many words of the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&GAIN],
    apply: whole_file,
};

fn whole_file(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&GAIN);
    if weight <= 0.0 {
        return hits;
    }
    let index = context.index;
    let scores: BTreeMap<u32, f32> = index
        .bm25
        .score_groups(&weighted_terms(context), index.first_chunks())
        .into_iter()
        .collect();
    let best = scores.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    with_gains("whole-file", hits, |hit| {
        let score = scores.get(&index.chunk(hit.chunk)?.file.0)?;
        Some(weight * score / best)
    })
}
