//! Import expansion (Grounded, section 3.1.3 and 4.2): files that import the best ones, or are imported
//! by them, gain a bonus.

use std::collections::{BTreeMap, BTreeSet};

use super::similarity::Similarity;
use super::{Group, StepSpec};
use super::{role_of, with_new};
use crate::chunk::ChunkId;
use crate::lang::Role;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Files that are expanded.
const SEEDS: usize = 4;
/// Neighbours of a seed.
const MAX_NEIGHBOURS: usize = 8;
const HOPS: u32 = 1;
/// γ: what a neighbour gains, as a share of the best score, which is near 1 in min–max fusion.
const BONUS: f32 = 0.25;
/// δ: the factor of every further hop.
const DECAY: f32 = 0.6;
/// Chunks of a neighbour that become candidates if none of it is; packing takes two of a file.
const NEW_CHUNKS: usize = 2;

pub(super) static EXPANSION: StepSpec = StepSpec {
    name: "expansion",
    about: "The file imports one of the best files, or is imported by one.",
    why: |_, _| "its file imports one of the best files, or is imported by one".to_owned(),
    group: Group::Other,
    compares_tokens: false,
    params: &[],
    apply: expansion,
};

fn expansion(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let bonuses = bonuses(context, &seeds(context, &hits));
    let mut gains: BTreeMap<ChunkId, f32> = BTreeMap::new();
    let mut known: BTreeSet<FileId> = BTreeSet::new();
    for hit in &hits {
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        if let Some((file, &bonus)) = file.and_then(|file| Some((file, bonuses.get(&file)?))) {
            known.insert(file);
            gains.insert(hit.chunk, bonus);
        }
    }
    let similarity = Similarity::new(context);
    for (&file, &bonus) in bonuses.iter().filter(|(file, _)| !known.contains(file)) {
        let mut chunks: Vec<ChunkId> = context.index.chunks_of(file).map(|(id, _)| id).collect();
        chunks.sort_by(|&a, &b| similarity.of(b).total_cmp(&similarity.of(a)));
        gains.extend(chunks.into_iter().take(NEW_CHUNKS).map(|id| (id, bonus)));
    }
    with_new("expansion", hits, &gains)
}

/// The files of the best hits, best first.
fn seeds(context: &Context<'_>, hits: &[Hit]) -> Vec<FileId> {
    let mut seeds = Vec::new();
    for hit in hits {
        let file = context.index.chunk(hit.chunk).map(|chunk| chunk.file);
        seeds.extend(file.filter(|file| !seeds.contains(file)));
        if seeds.len() == SEEDS {
            break;
        }
    }
    seeds
}

/// The neighbours of the seeds with what they gain; tests and documents are none.
fn bonuses(context: &Context<'_>, seeds: &[FileId]) -> BTreeMap<FileId, f32> {
    let mut bonuses: BTreeMap<FileId, f32> = BTreeMap::new();
    for &seed in seeds {
        let neighbours = context.index.graph.neighbours(seed, HOPS).into_iter();
        let wanted = neighbours.filter(|&(file, _)| is_wanted(context, file));
        for (file, hops) in wanted.take(MAX_NEIGHBOURS) {
            let bonus = BONUS * DECAY.powi(hops as i32 - 1);
            let best = bonuses.entry(file).or_insert(0.0);
            *best = best.max(bonus);
        }
    }
    bonuses
}

fn is_wanted(context: &Context<'_>, file: FileId) -> bool {
    let first = context.index.chunks_of(file).next();
    let role = first.and_then(|(chunk, _)| role_of(context.index, chunk));
    !matches!(role, None | Some(Role::Test | Role::Docs))
}
