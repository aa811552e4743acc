//! The strategies: which lists are made and how they are joined.

use std::collections::{BTreeMap, BTreeSet};

use super::fusion::{self, Ranked};
use super::stem::stem;
use super::{Hit, Question, ScorePart, Strategy, prior};
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::tokens::question_tokens;
use crate::index::{Index, Vectors};

use super::question::MAX_TERMS;

/// Candidates that `default` takes from each list.
const CANDIDATES: usize = 100;
/// Share of meaning in `default`; measured best between .4 and .6.
const DENSE_SHARE: f32 = 0.55;

/// Ranks the chunks of `index` for `question`; at most `limit` hits, best first. Without
/// `embedding`, or as long as no chunk has a vector, every strategy but `dense` ranks by words alone.
pub fn search(
    index: &Index,
    vectors: &Vectors,
    question: &Question,
    embedding: Option<&Embedding>,
    strategy: Strategy,
    limit: usize,
) -> Vec<Hit> {
    let words = |n| index.bm25.search(&terms(index, question), n);
    let meaning = |n| embedding.map_or_else(Vec::new, |query| vectors.nearest(query, n));
    let mut hits = match strategy {
        Strategy::Bm25 => fusion::single("bm25", &words(limit)),
        Strategy::Dense => fusion::single("dense", &meaning(limit)),
        Strategy::Hybrid => {
            fusion::min_max(&words(fusion::TOP_K), &meaning(fusion::TOP_K), |chunk| {
                vectors.has(chunk)
            })
        }
        Strategy::Rrf => fusion::rrf(&words(limit), &meaning(limit)),
        Strategy::Default => {
            let hits = rescored(
                vectors,
                &index.bm25.search(&with_forms(index, question), CANDIDATES),
                &meaning(CANDIDATES),
                embedding,
            );
            prior::role_prior(index, question, hits)
        }
    };
    hits.truncate(limit);
    hits
}

/// The chunks whose vectors are wanted first: the best `n` by words, after the prior of file roles,
/// so that a repository's tests do not use up what can be compared at once.
pub fn candidates_to_compare(index: &Index, question: &Question, n: usize) -> Vec<ChunkId> {
    let list = index
        .bm25
        .search(&terms(index, question), n.saturating_mul(3));
    prior::role_prior(index, question, fusion::single("bm25", &list))
        .into_iter()
        .take(n)
        .map(|hit| hit.chunk)
        .collect()
}

/// The words of the question that are looked up; each once. Of a long question only the
/// [`MAX_TERMS`] that are rarest in the repository.
pub fn terms(index: &Index, question: &Question) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut terms: Vec<String> = question_tokens(question.text())
        .into_iter()
        .filter(|term| seen.insert(term.clone()))
        .collect();
    if terms.len() > MAX_TERMS {
        terms.retain(|term| index.bm25.document_frequency(term) > 0);
        terms.sort_by_key(|term| index.bm25.document_frequency(term));
        terms.truncate(MAX_TERMS);
    }
    terms
}

/// The terms of [`terms`] twice, and once each other form of them that the repository uses:
/// `redirects` finds `redirected` too, but less.
fn with_forms(index: &Index, question: &Question) -> Vec<String> {
    let terms = terms(index, question);
    let stems: BTreeSet<String> = terms.iter().map(|term| stem(term)).collect();
    let prefixes: BTreeSet<&str> = stems.iter().filter_map(|stem| stem.get(..3)).collect();
    let forms: Vec<String> = index
        .bm25
        .terms()
        .filter(|term| {
            term.get(..3)
                .is_some_and(|prefix| prefixes.contains(prefix))
        })
        .filter(|term| terms.iter().all(|known| known != term) && stems.contains(&stem(term)))
        .map(str::to_owned)
        .collect();
    terms.iter().chain(&terms).chain(&forms).cloned().collect()
}

/// Joins two lists into one list of candidates and gives every candidate both of its scores, so that
/// a chunk which only one list put forward is not judged by that list alone. BM25 is scaled by its
/// best score, the cosine from the worst to the best candidate. A candidate without a vector gets
/// the mean dense part of those that have one.
fn rescored(
    vectors: &Vectors,
    bm25: &Ranked,
    dense: &Ranked,
    embedding: Option<&Embedding>,
) -> Vec<Hit> {
    let words: BTreeMap<ChunkId, f32> = bm25.iter().copied().collect();
    let candidates: BTreeSet<ChunkId> = bm25.iter().chain(dense).map(|&(chunk, _)| chunk).collect();
    let cosines: BTreeMap<ChunkId, f32> = candidates
        .iter()
        .filter_map(|&chunk| Some((chunk, vectors.cosine(embedding?, chunk)?)))
        .collect();
    let best = words.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    let scale = fusion::scale_of(cosines.values().copied());
    let mean =
        cosines.values().map(|&cosine| scale(cosine)).sum::<f32>() / cosines.len().max(1) as f32;
    let dense_share = if cosines.is_empty() { 0.0 } else { DENSE_SHARE };
    let hits = candidates
        .into_iter()
        .map(|chunk| {
            let mut parts = Vec::new();
            if let Some(&raw) = words.get(&chunk) {
                parts.push(ScorePart {
                    name: "bm25",
                    raw,
                    weighted: (1.0 - dense_share) * raw / best,
                });
            }
            match cosines.get(&chunk) {
                Some(&raw) => parts.push(ScorePart {
                    name: "dense",
                    raw,
                    weighted: dense_share * scale(raw),
                }),
                None if dense_share > 0.0 => parts.push(ScorePart {
                    name: "dense, not compared yet",
                    raw: 0.0,
                    weighted: dense_share * mean,
                }),
                None => {}
            }
            let score = parts.iter().map(|part| part.weighted).sum();
            Hit {
                chunk,
                score,
                parts,
            }
        })
        .collect();
    fusion::sorted(hits)
}
