//! Import expansion (Grounded, sections 3.1.3 and 4.2): files that import the best ones, or are
//! imported by them, gain a bonus.

use std::collections::{BTreeMap, BTreeSet};

use super::similarity::Similarity;
use super::{Group, StepSpec};
use super::{role_of, with_new};
use crate::chunk::ChunkId;
use crate::lang::Role;
use crate::search::params::Param;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Number of files that are expanded.
static SEEDS: Param = Param::new("seeds", 4.0).shown(
    "seeds",
    (0.0, 20.0),
    1.0,
    "How many of the best files have their imports followed.",
);
/// Maximum number of neighbours per seed.
static NEIGHBOURS: Param = Param::new("neighbours", 8.0).shown(
    "neighbours",
    (0.0, 50.0),
    1.0,
    "How many files are taken around each of them, nearest to the question first.",
);
/// How many imports are followed.
static HOPS: Param = Param::new("hops", 1.0).shown(
    "hops",
    (1.0, 4.0),
    1.0,
    "How many imports are followed one after the other.",
);
/// γ: what a neighbour gains, as a share of the best score, which is close to 1 in min–max fusion.
static BONUS: Param = Param::new("gamma", 0.25).shown(
    "γ",
    (0.0, 1.0),
    0.05,
    "What a neighbour gains, as a share of the best score.",
);
/// δ: the factor for each further hop.
static DECAY: Param = Param::new("delta", 0.6).shown(
    "δ",
    (0.0, 1.0),
    0.05,
    "What is left of that gain at each further import.",
);
/// Number of chunks of a neighbour that become candidates if none of it is; packing takes two per
/// file.
const NEW_CHUNKS: usize = 2;

pub(super) static EXPANSION: StepSpec = StepSpec {
    name: "expansion",
    about: "The file imports one of the best files, or is imported by one.",
    why: |_, _| "its file imports one of the best files, or is imported by one".to_owned(),
    group: Group::Other,
    compares: None,
    params: &[&SEEDS, &NEIGHBOURS, &HOPS, &BONUS, &DECAY],
    apply: expansion,
};

fn expansion(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let around = Around::new(context);
    let bonuses = bonuses(context, &around, &seeds(context, &hits));
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
        let chunks = around.new_chunks(file).into_iter();
        gains.extend(chunks.map(|id| (id, bonus)));
    }
    with_new("expansion", hits, &gains)
}

/// Returns the files of the best hits, best first.
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

/// Returns the neighbours of the seeds with their gains.
fn bonuses(context: &Context<'_>, around: &Around<'_>, seeds: &[FileId]) -> BTreeMap<FileId, f32> {
    let get = |param| context.params.get(param).max(0.0);
    let (most, hops) = (get(&NEIGHBOURS) as usize, get(&HOPS) as u32);
    let mut bonuses: BTreeMap<FileId, f32> = BTreeMap::new();
    for &seed in seeds {
        for (file, hops) in around.files(seed, hops).into_iter().take(most) {
            let bonus = get(&BONUS) * get(&DECAY).powi(hops as i32 - 1);
            let best = bonuses.entry(file).or_insert(0.0);
            *best = best.max(bonus);
        }
    }
    bonuses
}

/// The files around a file along imports, nearest to the question first.
pub(crate) struct Around<'a> {
    context: &'a Context<'a>,
    similarity: Similarity<'a>,
}

impl<'a> Around<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        let similarity = Similarity::new(context);
        Self {
            context,
            similarity,
        }
    }

    /// Returns the files at most `hops` imports away from the seed, with their distance, without
    /// tests and documents.
    pub fn files(&self, seed: FileId, hops: u32) -> Vec<(FileId, u32)> {
        let around = self.context.index.graph.neighbours(seed, hops).into_iter();
        let wanted = around.filter(|&(file, _)| is_wanted(self.context, file));
        let mut ranked: Vec<(FileId, u32, f32)> = wanted
            .map(|(file, hops)| (file, hops, self.nearness(file)))
            .collect();
        ranked.sort_by(|a, b| a.1.cmp(&b.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
        ranked
            .into_iter()
            .map(|(file, hops, _)| (file, hops))
            .collect()
    }

    /// Returns the chunks of a file that become candidates if none of it is one.
    pub fn new_chunks(&self, file: FileId) -> Vec<ChunkId> {
        let chunks = self.context.index.chunks_of(file);
        let mut chunks: Vec<ChunkId> = chunks.map(|(id, _)| id).collect();
        let near = |id: ChunkId| self.similarity.of(id);
        chunks.sort_by(|&a, &b| near(b).total_cmp(&near(a)));
        chunks.truncate(NEW_CHUNKS);
        chunks
    }

    /// Returns how near a chunk is to the question.
    pub fn nearness_of(&self, chunk: ChunkId) -> f32 {
        self.similarity.of(chunk)
    }

    /// Returns how near the file's nearest chunk is to the question.
    fn nearness(&self, file: FileId) -> f32 {
        let chunks = self.context.index.chunks_of(file);
        let near = chunks.map(|(id, _)| self.similarity.of(id));
        near.fold(0.0, f32::max)
    }
}

fn is_wanted(context: &Context<'_>, file: FileId) -> bool {
    let first = context.index.chunks_of(file).next();
    let role = first.and_then(|(chunk, _)| role_of(context.index, chunk));
    !matches!(role, None | Some(Role::Test | Role::Docs))
}
