//! Score flows along calls: what a good hit calls, and what calls it, gains a share of its score.

use std::collections::BTreeMap;

use super::kinds::prior;
use super::links::{Links, used, users};
use super::with_new;
use crate::chunk::ChunkId;
use crate::search::asks::Asks;
use crate::search::{Context, Hit};

/// Best hits whose calls are followed.
const SEEDS: usize = 12;

/// What the best hits call.
pub fn callees(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let params = &context.params;
    let weight = by_kind(context, params.callees, params.callees_change);
    flow(context, "callees", weight, hits, used)
}

/// What calls the best hits.
pub fn callers(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let params = &context.params;
    let weight = by_kind(context, params.callers, params.callers_change);
    flow(context, "callers", weight, hits, users)
}

/// The weight of a step for descriptions of changes and for all else.
pub(super) fn by_kind(context: &Context<'_>, weight: f32, of_change: f32) -> f32 {
    match context.analysis.asks {
        Asks::Change => of_change,
        Asks::Question | Asks::Topic => weight,
    }
}

fn flow(
    context: &Context<'_>,
    name: &'static str,
    weight: f32,
    hits: Vec<Hit>,
    links: impl Fn(&crate::index::Index, ChunkId) -> Links,
) -> Vec<Hit> {
    let best = super::range(&hits);
    if weight <= 0.0 || best <= 0.0 {
        return hits;
    }
    // What is left over after each link: two that each bring half bring three quarters.
    let mut left: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for seed in hits.iter().take(SEEDS) {
        let share = (seed.score / best).powf(context.params.flow_power);
        for (chunk, link) in links(context.index, seed.chunk) {
            *left.entry(chunk).or_insert(1.0) *= 1.0 - (share * link).min(1.0);
        }
    }
    let gains = left
        .into_iter()
        .map(|(chunk, left)| (chunk, weight * prior(context, chunk) * (1.0 - left)));
    let gains: BTreeMap<ChunkId, f32> = gains.collect();
    with_new(name, hits, &gains)
}
