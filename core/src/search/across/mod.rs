//! Search over many repositories at once: which of them, and which of their chunks, answer a
//! question. It is the first step of two. The best repositories are then opened, and each answers
//! by all rules, with citations that are checked.
//!
//! Two lists are fused by reciprocal rank: BM25 with statistics over all members ([`Corpus`]), and
//! the static encoder's vectors. Everything depends on the members that are given and on nothing
//! else: whoever may not read a repository gives the others only.

mod member;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use member::{Member, Place};

use super::fusion::Ranked;
use super::question::MAX_TERMS;
use super::{Params, Question};
use crate::chunk::ChunkId;
use crate::embed::{Embedding, TableEncoder};
use crate::index::bm25::Corpus;
use crate::index::question_tokens;

/// The length of each list that is fused.
const CANDIDATES: usize = 200;
/// The constant of reciprocal rank fusion, as published (Cormack et al. 2009).
const RRF_K: f32 = 60.0;
/// Share of each further chunk's score that its repository gains, halved from chunk to chunk.
const POOL: f32 = 0.5;

/// A chunk of one of the members.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossHit {
    /// The position of the repository in the list of members.
    pub member: usize,
    /// The chunk in it.
    pub chunk: ChunkId,
    /// Comparable within one search only.
    pub score: f32,
}

/// Repositories and chunks for one question, both best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcrossHits {
    /// The members that have hits, by position, each with a score.
    pub members: Vec<(usize, f32)>,
    /// The chunks.
    pub hits: Vec<AcrossHit>,
}

/// Ranks the chunks of all `members` for a question and returns at most `limit` of them. Equal
/// scores stay in the order of members and chunks. Without an encoder, or for members with vectors
/// of another one, words alone count.
pub fn search(
    members: &[&Member],
    question: &Question,
    encoder: Option<&TableEncoder>,
    limit: usize,
) -> AcrossHits {
    let lists = [
        by_words(members, question),
        by_meaning(members, question, encoder),
    ];
    let mut scores: BTreeMap<(usize, ChunkId), f32> = BTreeMap::new();
    for list in &lists {
        for (rank, &(key, _)) in (1..).zip(list) {
            *scores.entry(key).or_default() += 1.0 / (RRF_K + rank as f32);
        }
    }
    let params = Params::default();
    let hit = |((member, chunk), score): ((usize, ChunkId), f32)| {
        let purpose = members.get(member).and_then(|it| it.purpose(chunk));
        let prior = purpose.map_or(1.0, |it| it.prior_of_ranks(question.about(), &params));
        AcrossHit {
            member,
            chunk,
            score: score * prior,
        }
    };
    let mut hits: Vec<AcrossHit> = scores.into_iter().map(hit).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let members = pooled(&hits);
    hits.truncate(limit);
    AcrossHits { members, hits }
}

/// Chunks of members with their scores, best first.
type Keyed = Vec<((usize, ChunkId), f32)>;

fn by_words(members: &[&Member], question: &Question) -> Keyed {
    let mut seen = BTreeSet::new();
    let mut terms = question_tokens(question.text());
    terms.retain(|term| seen.insert(term.clone()));
    let mut corpus = Corpus::new(terms);
    for member in members {
        corpus.add(&member.bm25, member.lengths);
    }
    corpus.keep_rarest(MAX_TERMS);
    best(members, |member| member.bm25.search_in(&corpus, CANDIDATES))
}

fn by_meaning(members: &[&Member], question: &Question, encoder: Option<&TableEncoder>) -> Keyed {
    let Some(encoder) = encoder else {
        return Vec::new();
    };
    let embedding: Embedding = encoder.vector(question.text());
    if embedding.values().iter().all(|&value| value == 0.0) {
        return Vec::new();
    }
    best(members, |member| match &member.table {
        Some(table) if table.id == encoder.id() => table.vectors.nearest(&embedding, CANDIDATES),
        _ => Vec::new(),
    })
}

/// Joins one list of each member into one.
fn best(members: &[&Member], list: impl Fn(&Member) -> Ranked) -> Keyed {
    let mut all: Keyed = Vec::new();
    for (at, member) in members.iter().enumerate() {
        let of_member = list(member).into_iter();
        all.extend(of_member.map(|(chunk, score)| ((at, chunk), score)));
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(CANDIDATES);
    all
}

/// Pools hits, best first, by member: the best hit's score plus a share of the next ones', halved
/// from hit to hit.
fn pooled(hits: &[AcrossHit]) -> Vec<(usize, f32)> {
    let mut members: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
    for hit in hits {
        let (score, share) = members.entry(hit.member).or_insert((0.0, 1.0));
        *score += *share * hit.score;
        *share *= POOL;
    }
    let mut ranked: Vec<(usize, f32)> = members
        .into_iter()
        .map(|(member, (score, _))| (member, score))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}
