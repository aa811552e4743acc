//! Selects the hits that fit into a context. Three ways, so that they can be compared: the
//! submodular coverage of Grounded, plain top-k, and a greedy choice with a limit per file.

use std::collections::BTreeMap;

use super::Hit;
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Maximum number of lines of a chunk in a context (Grounded, section 3.2).
pub const MAX_LINES: u32 = 100;
/// Maximum number of characters in a context (Grounded, section 3.5: 11,000 to 12,000).
pub const BUDGET_CHARS: usize = 12_000;
/// Number of chunks of a file after which it adds nothing to the coverage (Grounded, section 3.5).
const SATURATION: usize = 2;

/// How a context is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Greedy on f(S) = Σ_j w_j · min(1, |S ∩ f_j| / 2), w_j = √score of file j (Grounded, section
    /// 3.5): a file counts only for its first two chunks.
    Coverage,
    /// The best hits that fit.
    TopK,
    /// The best hits that fit, at most this many per file.
    PerFile(usize),
}

impl Packing {
    /// All ways, in the order in which they are compared.
    pub const ALL: [Packing; 3] = [Packing::Coverage, Packing::TopK, Packing::PerFile(2)];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Packing::Coverage => "coverage",
            Packing::TopK => "top-k",
            Packing::PerFile(_) => "per-file",
        }
    }
}

/// The limits of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The total cost, in the unit of `cost`.
    pub budget: usize,
    /// Maximum number of lines of each chunk, from its first.
    pub lines: u32,
    /// Maximum number of chunks.
    pub most: usize,
}

/// A part of the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The chunk it comes from.
    pub chunk: ChunkId,
    /// The first lines of the chunk that fit.
    pub lines: LineRange,
    /// The number of characters in these lines, line ends included.
    pub chars: usize,
}

/// Selects from `hits` (best first) what fits into `budget` characters, at most [`MAX_LINES`] of
/// each chunk, in order of selection.
pub fn pack(index: &Index, hits: &[Hit], packing: Packing, budget: usize) -> Vec<Packed> {
    let candidates = candidates(index, hits, MAX_LINES);
    choose(candidates.collect(), packing, budget, usize::MAX)
}

/// Like [`pack`], with a budget in any unit: `cost` returns the cost of lines of a file.
pub fn pack_by(
    index: &Index,
    hits: &[Hit],
    packing: Packing,
    budget: usize,
    cost: impl Fn(FileId, LineRange) -> usize,
) -> Vec<Packed> {
    let room = Room {
        budget,
        lines: MAX_LINES,
        most: usize::MAX,
    };
    pack_within(index, hits, packing, room, cost)
}

/// Like [`pack_by`], with other limits.
pub fn pack_within(
    index: &Index,
    hits: &[Hit],
    packing: Packing,
    room: Room,
    cost: impl Fn(FileId, LineRange) -> usize,
) -> Vec<Packed> {
    let candidates = candidates(index, hits, room.lines).map(|candidate| Candidate {
        cost: cost(candidate.file, candidate.packed.lines),
        ..candidate
    });
    choose(candidates.collect(), packing, room.budget, room.most)
}

fn candidates(index: &Index, hits: &[Hit], lines: u32) -> impl Iterator<Item = Candidate> {
    hits.iter()
        .filter_map(move |hit| Candidate::new(index, hit, lines))
}

fn choose(
    mut candidates: Vec<Candidate>,
    packing: Packing,
    budget: usize,
    most: usize,
) -> Vec<Packed> {
    let weights = weights(&candidates);
    let mut chosen = Vec::new();
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut left = budget;
    while chosen.len() < most {
        candidates.retain(|candidate| candidate.cost <= left);
        let best = candidates
            .iter()
            .enumerate()
            .filter_map(|(at, candidate)| {
                let count = counts.get(&candidate.file).copied().unwrap_or(0);
                let weight = weights.get(&candidate.file).copied().unwrap_or(0.0);
                Some((at, gain(packing, candidate, count, weight)?))
            })
            // Takes the first of equal gains: hits come best first.
            .fold(None, |best: Option<(usize, f32)>, (at, gain)| match best {
                Some((_, known)) if known >= gain => best,
                _ => Some((at, gain)),
            });
        let Some((at, _)) = best else {
            return chosen;
        };
        let candidate = candidates.remove(at);
        left -= candidate.cost;
        *counts.entry(candidate.file).or_default() += 1;
        chosen.push(candidate.packed);
    }
    chosen
}

/// Returns what a candidate adds if `count` chunks of its file are selected; `None` if it may not
/// be selected.
fn gain(packing: Packing, candidate: &Candidate, count: usize, weight: f32) -> Option<f32> {
    match packing {
        // What adds nothing to the coverage fills the remaining room, after everything that does.
        Packing::Coverage if count >= SATURATION => Some(candidate.score * 1e-6),
        Packing::Coverage => Some(weight / SATURATION as f32),
        Packing::PerFile(limit) if count >= limit => None,
        Packing::TopK | Packing::PerFile(_) => Some(candidate.score),
    }
}

/// Returns √score of each file's best hit.
fn weights(candidates: &[Candidate]) -> BTreeMap<FileId, f32> {
    let mut weights: BTreeMap<FileId, f32> = BTreeMap::new();
    for candidate in candidates {
        let weight = weights.entry(candidate.file).or_default();
        *weight = weight.max(candidate.score.max(0.0).sqrt());
    }
    weights
}

struct Candidate {
    packed: Packed,
    /// In the unit of the budget.
    cost: usize,
    file: FileId,
    score: f32,
}

impl Candidate {
    fn new(index: &Index, hit: &Hit, most: u32) -> Option<Self> {
        let chunk = index.chunk(hit.chunk)?;
        let text = index.text_of(hit.chunk)?;
        let start = chunk.lines.start();
        let last = start.0.saturating_add(most.max(1) - 1);
        let end = Line(chunk.lines.end().0.min(last));
        let lines = text.lines().take(most as usize);
        let chars = lines.map(|line| line.chars().count() + 1).sum();
        Some(Self {
            packed: Packed {
                chunk: hit.chunk,
                lines: LineRange::new(start, end),
                chars,
            },
            cost: chars,
            file: chunk.file,
            score: hit.score,
        })
    }
}
