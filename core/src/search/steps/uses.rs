//! Scores flow along calls: what a good hit calls, and what calls it, gains a share of its score.
//! Which of the two helps depends on the question: someone who asks how something works wants what
//! it relies on; a change is described by what it is about, and made where that is used.

use std::collections::BTreeMap;

use super::kinds::prior;
use super::links::{Links, used, users};
use super::with_new;
use super::{Group, StepSpec};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::search::asks::Asks;
use crate::search::params::Param;
use crate::search::{Context, Hit};

/// Number of best hits whose calls are followed.
const SEEDS: usize = 12;

/// Gain of what the best hits call, if the question asks something.
static CALLED: Param = Param::new("callees", 0.25);

pub(super) static CALLEES: StepSpec = StepSpec {
    name: "callees",
    about: "One of the best hits calls what the chunk defines.",
    why: |_, _| "one of the best hits calls what it defines".to_owned(),
    group: Group::Graph,
    compares: None,
    params: &[&CALLED],
    apply: callees,
};

/// What the best hits call.
fn callees(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    match context.analysis.asks {
        Asks::Change => hits,
        Asks::Question | Asks::Topic => {
            flow(context, "callees", context.params.get(&CALLED), hits, used)
        }
    }
}

/// Gain of what calls the best hits, if the question describes a change.
static CALLING: Param = Param::new("callers", 0.05);

pub(super) static CALLERS: StepSpec = StepSpec {
    name: "callers",
    about: "The chunk calls what one of the best hits defines.",
    why: |_, _| "it calls what one of the best hits defines".to_owned(),
    group: Group::Graph,
    compares: None,
    params: &[&CALLING],
    apply: callers,
};

/// What calls the best hits.
fn callers(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    match context.analysis.asks {
        Asks::Change => flow(
            context,
            "callers",
            context.params.get(&CALLING),
            hits,
            users,
        ),
        Asks::Question | Asks::Topic => hits,
    }
}

fn flow(
    context: &Context<'_>,
    name: &'static str,
    weight: f32,
    hits: Vec<Hit>,
    links: impl Fn(&Index, ChunkId) -> Links,
) -> Vec<Hit> {
    let best = super::range(&hits);
    if weight <= 0.0 || best <= 0.0 {
        return hits;
    }
    // What remains after each link: two that each contribute half make three quarters.
    let mut left: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for seed in hits.iter().take(SEEDS) {
        let share = seed.score / best;
        for (chunk, link) in links(context.index, seed.chunk) {
            *left.entry(chunk).or_insert(1.0) *= 1.0 - (share * link).clamp(0.0, 1.0);
        }
    }
    let gains: BTreeMap<ChunkId, f32> = left
        .into_iter()
        .map(|(chunk, left)| (chunk, weight * prior(context, chunk) * (1.0 - left)))
        .collect();
    with_new(name, hits, &gains)
}
