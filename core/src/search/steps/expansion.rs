//! Import expansion (Grounded, section 3.1.3 and 4.2): files that import the best ones, or are imported
//! by them, gain a bonus.

use std::collections::{BTreeMap, BTreeSet};

use super::similarity::Similarity;
use super::{Group, StepSpec};
use super::{role_of, with_new};
use crate::chunk::ChunkId;
use crate::lang::Role;
use crate::search::params::Param;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Files that are expanded.
static SEEDS: Param = Param::new("seeds", 4.0).shown(
    "seeds",
    (0.0, 20.0),
    1.0,
    "How many of the best files have their imports followed.",
);
/// Neighbours of a seed.
static NEIGHBOURS: Param = Param::new("neighbours", 8.0).shown(
    "neighbours",
    (0.0, 50.0),
    1.0,
    "How many files are taken around each of them, nearest to the question first.",
);
/// How far imports are followed.
static HOPS: Param = Param::new("hops", 1.0).shown(
    "hops",
    (1.0, 4.0),
    1.0,
    "How many imports are followed one after the other.",
);
/// γ: what a neighbour gains, as a share of the best score, which is near 1 in min–max fusion.
static BONUS: Param = Param::new("gamma", 0.25).shown(
    "γ",
    (0.0, 1.0),
    0.05,
    "What a neighbour gains, as a share of the best score.",
);
/// δ: the factor of every further hop.
static DECAY: Param = Param::new("delta", 0.6).shown(
    "δ",
    (0.0, 1.0),
    0.05,
    "What is left of that gain at each further import.",
);
/// Chunks of a neighbour that become candidates if none of it is; packing takes two of a file.
const NEW_CHUNKS: usize = 2;

pub(super) static EXPANSION: StepSpec = StepSpec {
    name: "expansion",
    about: "The file imports one of the best files, or is imported by one.",
    why: |_, _| "its file imports one of the best files, or is imported by one".to_owned(),
    group: Group::Other,
    compares_tokens: false,
    params: &[&SEEDS, &NEIGHBOURS, &HOPS, &BONUS, &DECAY],
    apply: expansion,
};

fn expansion(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let similarity = Similarity::new(context);
    let bonuses = bonuses(context, &similarity, &seeds(context, &hits));
    let mut gains: BTreeMap<ChunkId, f32> = BTreeMap::new();
    let mut known: BTreeSet<FileId> = BTreeSet::new();
    for hit in &hits {
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        if let Some((file, &bonus)) = file.and_then(|file| Some((file, bonuses.get(&file)?))) {
            known.insert(file);
            gains.insert(hit.chunk, bonus);
        }
    }
    for (&file, &bonus) in bonuses.iter().filter(|(file, _)| !known.contains(file)) {
        let mut chunks: Vec<ChunkId> = context.index.chunks_of(file).map(|(id, _)| id).collect();
        chunks.sort_by(|&a, &b| similarity.of(b).total_cmp(&similarity.of(a)));
        gains.extend(chunks.into_iter().take(NEW_CHUNKS).map(|id| (id, bonus)));
    }
    with_new("expansion", hits, &gains)
}

/// The files of the best hits, best first.
fn seeds(context: &Context<'_>, hits: &[Hit]) -> Vec<FileId> {
    let most = context.params.get(&SEEDS).max(0.0) as usize;
    let mut seeds = Vec::new();
    for hit in hits {
        if seeds.len() >= most {
            break;
        }
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        seeds.extend(file.filter(|file| !seeds.contains(file)));
    }
    seeds
}

/// The neighbours of the seeds with what they gain, the nearest to the question of each seed; tests and documents
/// are none.
fn bonuses(
    context: &Context<'_>,
    similarity: &Similarity<'_>,
    seeds: &[FileId],
) -> BTreeMap<FileId, f32> {
    let get = |param| context.params.get(param).max(0.0);
    let (most, hops) = (get(&NEIGHBOURS) as usize, get(&HOPS) as u32);
    let mut bonuses: BTreeMap<FileId, f32> = BTreeMap::new();
    for &seed in seeds {
        let around = context.index.graph.neighbours(seed, hops).into_iter();
        let wanted = around.filter(|&(file, _)| is_wanted(context, file));
        let mut ranked: Vec<(FileId, u32, f32)> = wanted
            .map(|(file, hops)| (file, hops, nearness(context, similarity, file)))
            .collect();
        ranked.sort_by(|a, b| a.1.cmp(&b.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
        for (file, hops, _) in ranked.into_iter().take(most) {
            let bonus = get(&BONUS) * get(&DECAY).powi(hops as i32 - 1);
            let best = bonuses.entry(file).or_insert(0.0);
            *best = best.max(bonus);
        }
    }
    bonuses
}

/// That of the file's nearest chunk.
fn nearness(context: &Context<'_>, similarity: &Similarity<'_>, file: FileId) -> f32 {
    let chunks = context.index.chunks_of(file);
    chunks.map(|(id, _)| similarity.of(id)).fold(0.0, f32::max)
}

fn is_wanted(context: &Context<'_>, file: FileId) -> bool {
    let first = context.index.chunks_of(file).next();
    let role = first.and_then(|(chunk, _)| role_of(context.index, chunk));
    !matches!(role, None | Some(Role::Test | Role::Docs))
}
