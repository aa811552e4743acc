//! Combines what the search found with what the repository was taught into how likely each file
//! belongs to the answer.

use std::collections::BTreeMap;

use super::files::{self, confidence};
use super::{Hit, Params, Question};
use crate::index::Index;
use crate::index::taught::{Gate, Opinion, Opinions};
use crate::source::FileId;

/// Number of best hits that files are ranked by, as in an untaught answer.
pub(crate) const HITS: usize = 50;

/// Maximum number of files added by the teaching, for its head and its memory each.
const BROUGHT: usize = 5;

/// Features that the teaching adds to [`confidence::NAMES`].
const OWN: [&str; 13] = [
    "found",
    "found first",
    "head",
    "head: probability",
    "head: first",
    "head: lead",
    "memory: share",
    "memory: nearest",
    "memory: nearest, cubed",
    "memory: first",
    "known",
    "novelty",
    "found first and head first",
];

/// Number of features of a [`Candidate`].
pub(crate) const FEATURES: usize = confidence::NAMES.len() + OWN.len();

/// Returns the features' names, in order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    confidence::NAMES.into_iter().chain(OWN)
}

/// What the search says without teaching: the best files with their features.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Best first, at most [`confidence::CONSIDERED`].
    pub files: Vec<(FileId, confidence::Features)>,
}

impl Found {
    /// Takes the hits of a search, best first.
    pub(crate) fn new(index: &Index, question: &Question, hits: &[Hit], params: &Params) -> Self {
        let best = hits.get(..HITS).unwrap_or(hits);
        let ranked = files::pool(index, best, params);
        let features = confidence::features(index, question, &ranked);
        let files = ranked.iter().map(|file| file.file).zip(features);
        Self {
            files: files.collect(),
        }
    }
}

/// A file that may belong to the answer.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub file: FileId,
    pub features: [f32; FEATURES],
}

/// The files that may belong to the answer of a question.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    pub files: Vec<Candidate>,
    /// Cosine of the nearest taught question; 0 if there is none.
    pub nearest: f32,
}

/// Returns the best files of the search, of the head and of the memory.
pub(crate) fn candidates(found: &Found, opinions: &Opinions) -> Candidates {
    let by_head = best(opinions, |it| it.probability);
    let by_memory = best(opinions, |it| it.share);
    let mut wanted: BTreeMap<FileId, Option<&confidence::Features>> = BTreeMap::new();
    wanted.extend(by_head.iter().chain(&by_memory).map(|file| (*file, None)));
    wanted.extend(found.files.iter().map(|(file, it)| (*file, Some(it))));
    let firsts = Firsts {
        found: found.files.first().map(|(file, _)| *file),
        head: by_head.first().copied(),
        memory: by_memory.first().copied(),
        lead: lead(opinions),
    };
    let files = wanted.into_iter().filter_map(|(file, known)| {
        let features = features(file, known, opinions, &firsts)?;
        Some(Candidate { file, features })
    });
    Candidates {
        files: files.collect(),
        nearest: nearest(opinions),
    }
}

/// The best file in each opinion.
struct Firsts {
    found: Option<FileId>,
    head: Option<FileId>,
    memory: Option<FileId>,
    /// By how much the head's best file leads its second.
    lead: f32,
}

fn features(
    file: FileId,
    found: Option<&confidence::Features>,
    opinions: &Opinions,
    firsts: &Firsts,
) -> Option<[f32; FEATURES]> {
    let opinion = opinions.files.get(file.0 as usize)?;
    let flag = |is: bool| f32::from(u8::from(is));
    let is = |first: Option<FileId>| flag(first == Some(file));
    let novelty = 1.0 - nearest(opinions);
    let own: [f32; OWN.len()] = [
        flag(found.is_some()),
        is(firsts.found),
        opinion.probability.max(1e-6).ln() / 10.0,
        opinion.probability,
        is(firsts.head),
        is(firsts.head) * firsts.lead,
        opinion.share,
        opinion.nearest,
        opinion.nearest.powi(3),
        is(firsts.memory),
        (opinion.questions as f32).ln_1p() / 5.0,
        novelty,
        is(firsts.found) * is(firsts.head),
    ];
    let mut all = [0.0; FEATURES];
    let values = found.into_iter().flatten().copied();
    let values = values.chain(std::iter::repeat(0.0));
    let values = values.take(confidence::NAMES.len()).chain(own);
    for (to, value) in all.iter_mut().zip(values) {
        *to = value;
    }
    // The first feature is the constant 1.
    if let Some(one) = all.first_mut() {
        *one = 1.0;
    }
    Some(all)
}

fn nearest(opinions: &Opinions) -> f32 {
    opinions.nearest.map_or(0.0, |(_, cosine)| cosine)
}

/// Returns the files with a non-zero measure, largest first.
fn best(opinions: &Opinions, measure: impl Fn(&Opinion) -> f32) -> Vec<FileId> {
    let all = opinions.files.iter();
    let all = all.map(|it| (it.file, measure(it)));
    let mut all: Vec<(FileId, f32)> = all.filter(|(_, value)| *value > 0.0).collect();
    let order = |a: &(FileId, f32), b: &(FileId, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if all.len() > BROUGHT {
        all.select_nth_unstable_by(BROUGHT, order);
        all.truncate(BROUGHT);
    }
    all.sort_by(order);
    all.into_iter().map(|(file, _)| file).collect()
}

fn lead(opinions: &Opinions) -> f32 {
    let two = opinions
        .files
        .iter()
        .fold([0f32; 2], |[first, second], it| {
            match it.probability > first {
                true => [it.probability, first],
                false => [first, second.max(it.probability)],
            }
        });
    two[0] - two[1]
}

/// Returns the candidates with their probabilities, likeliest first.
pub(crate) fn judged(gate: &Gate, candidates: &[Candidate]) -> Vec<(FileId, f32)> {
    let judged = candidates.iter();
    let judged = judged.map(|it| (it.file, gate.probability(&it.features)));
    let mut judged: Vec<(FileId, f32)> = judged.collect();
    judged.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    judged
}
