//! The file as one document beside its chunks: a long question is answered by a file whose parts
//! together say what it asks.

use std::collections::BTreeMap;

use super::with_gains;
use crate::search::retrieve::weighted_terms;
use crate::search::{Context, Hit};

pub fn whole_file(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.whole_file;
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
