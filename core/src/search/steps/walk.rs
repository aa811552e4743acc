//! A random walk over the files of the candidates, along calls and imports: it ends more often in
//! files that many good ones lead to. Personalised PageRank (Page, Brin, Motwani & Winograd 1999),
//! which restarts in each file in proportion to its score. Only the best chunk of a file gains, so
//! that its poor ones stay where they are.

use std::collections::BTreeMap;

use super::links::used;
use super::{Group, StepSpec};
use crate::index::graph::Target;
use crate::search::asks::Asks;
use crate::search::params::Param;
use crate::search::{Context, Hit, files, fusion};
use crate::source::FileId;

/// Number of files that the walk covers.
const FILES: usize = 20;
/// Number of hits whose calls are followed.
const SEEDS: usize = 60;
/// Number of first files that keep their places if the question asks something: they match the
/// question, and what they rely on belongs after them.
const KEPT: usize = 3;
/// Probability that the walk continues instead of restarting.
const GO_ON: f32 = 0.5;
const ROUNDS: usize = 12;

type Weights = BTreeMap<(FileId, FileId), f32>;

/// Gain of files that the best ones lead to: after the first three, if the question asks something.
static GAIN: Param = Param::new("walk", 0.25);
/// The same for all files, if the question describes a change.
static GAIN_OF_CHANGE: Param = Param::new("walk_change", 0.25);
/// Share of the walk that goes from what is used to what uses it.
static BACK: Param = Param::new("walk_back", 0.5);
/// Weight of an import relative to a call.
static IMPORTS: Param = Param::new("walk_imports", 0.2);
/// How strongly the walk prefers to start in the best files.
static POWER: Param = Param::new("walk_power", 2.0);

pub(super) static WALK: StepSpec = StepSpec {
    name: "walk",
    about: "Calls and imports of the best files lead to the chunk's file.",
    why: |_, _| "many of the best files lead to its file".to_owned(),
    group: Group::Graph,
    compares: None,
    params: &[&GAIN, &GAIN_OF_CHANGE, &BACK, &IMPORTS, &POWER],
    apply: walk,
};

fn walk(context: &Context<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    let params = &context.params;
    let (weight, kept) = match context.analysis.asks {
        Asks::Change => (params.get(&GAIN_OF_CHANGE), 0),
        Asks::Question | Asks::Topic => (params.get(&GAIN), KEPT),
    };
    let ranked = files::pool(context.index, &hits, params);
    let best = ranked.first().map_or(0.0, |file| file.score);
    if weight <= 0.0 || best <= 0.0 {
        return hits;
    }
    let start = |score: f32| (score / best).max(0.0).powf(params.get(&POWER));
    let starts: BTreeMap<FileId, f32> = ranked
        .iter()
        .take(FILES)
        .map(|file| (file.file, start(file.score)))
        .collect();
    let ends = settle(&starts, &weights(context, &hits, &starts));
    let unit =
        weight * super::range(&hits) / ends.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut seen: Vec<FileId> = Vec::new();
    let mut limit = f32::INFINITY;
    for hit in &mut hits {
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        let Some(file) = file.filter(|file| !seen.contains(file)) else {
            continue;
        };
        seen.push(file);
        let end = ends.get(&file).copied().unwrap_or(0.0);
        let gain = (end * unit).min((limit - hit.score).max(0.0));
        if seen.len() <= kept {
            limit = hit.score;
        } else if gain > 0.0 {
            hit.add("walk", end, gain);
        }
    }
    fusion::sorted(hits)
}

/// Returns how strongly each file leads to each other one: to what it calls and imports, and with a
/// share of that in the reverse direction.
fn weights(context: &Context<'_>, hits: &[Hit], starts: &BTreeMap<FileId, f32>) -> Weights {
    let (index, params) = (context.index, &context.params);
    let mut weights = Weights::new();
    let mut add = |from: FileId, to: FileId, weight: f32| {
        if from != to && starts.contains_key(&from) && starts.contains_key(&to) {
            *weights.entry((from, to)).or_insert(0.0) += weight * (1.0 - params.get(&BACK));
            *weights.entry((to, from)).or_insert(0.0) += weight * params.get(&BACK);
        }
    };
    for hit in hits.iter().take(SEEDS) {
        let Some(from) = index.chunk(hit.chunk).map(|chunk| chunk.file) else {
            continue;
        };
        for (to, weight) in used(index, hit.chunk) {
            if let Some(to) = index.chunk(to) {
                add(from, to.file, weight * hit.score);
            }
        }
    }
    for &from in starts.keys() {
        for link in index.graph.imports(from) {
            if let Target::File(to) = link.target {
                add(from, to, params.get(&IMPORTS));
            }
        }
    }
    weights
}

fn settle(starts: &BTreeMap<FileId, f32>, weights: &Weights) -> BTreeMap<FileId, f32> {
    let sum: f32 = starts.values().sum();
    let mut out: BTreeMap<FileId, f32> = BTreeMap::new();
    for (&(from, _), weight) in weights {
        *out.entry(from).or_insert(0.0) += weight;
    }
    let restart = |file: &FileId| starts.get(file).map_or(0.0, |start| start / sum);
    let mut now: BTreeMap<FileId, f32> = starts.keys().map(|file| (*file, restart(file))).collect();
    for _ in 0..ROUNDS {
        let mut next: BTreeMap<FileId, f32> = BTreeMap::new();
        for (file, &here) in &now {
            let stays = if out.contains_key(file) {
                1.0 - GO_ON
            } else {
                1.0
            };
            for to in starts.keys() {
                *next.entry(*to).or_insert(0.0) += stays * here * restart(to);
            }
        }
        for (&(from, to), weight) in weights {
            let here = now.get(&from).copied().unwrap_or(0.0);
            let total = out.get(&from).copied().unwrap_or(1.0);
            *next.entry(to).or_insert(0.0) += GO_ON * here * weight / total;
        }
        now = next;
    }
    now
}
