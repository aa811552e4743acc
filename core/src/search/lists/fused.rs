//! Words and meaning over one common list, each candidate with both scores. The share of meaning
//! depends on the wording.

use std::collections::{BTreeMap, BTreeSet};

use super::{ListSpec, by_meaning, by_table, most};
use crate::chunk::ChunkId;
use crate::search::fusion::{self, Ranked};
use crate::search::meaning::Meaning;
use crate::search::retrieve::weighted_terms;
use crate::search::{Context, Hit, ScorePart, in_scope};

pub(super) static LIST: ListSpec = ListSpec {
    name: "fused",
    about: "Words and meaning; every candidate has both scores.",
    uses_words: true,
    uses_vectors: true,
    uses_texts: false,
    params: &[],
    make: |context| {
        let n = most(context);
        let terms = weighted_terms(context);
        let params = context.bm25_params();
        let list = |n| context.index.bm25.search_weighted(&params, &terms, n);
        let words = in_scope(context.index, context.question, n, list);
        let meaning = [by_meaning(context, n), by_table(context, n)];
        rescored(context, &words, &meaning)
    },
};

/// Joins lists into one list of candidates and gives every candidate all of its scores, so that a
/// chunk from only one list is not judged by that list alone. BM25 is scaled by its best score.
fn rescored(context: &Context<'_>, bm25: &Ranked, meaning: &[Ranked]) -> Vec<Hit> {
    let words: BTreeMap<ChunkId, f32> = bm25.iter().copied().collect();
    let others = meaning.iter().flatten();
    let candidates: BTreeSet<ChunkId> =
        bm25.iter().chain(others).map(|&(chunk, _)| chunk).collect();
    let best = words.values().copied().fold(f32::MIN_POSITIVE, f32::max);
    let meaning = Meaning::new(context, candidates.iter().copied());
    let hits = candidates.into_iter().map(|chunk| {
        let mut parts = Vec::new();
        if let Some(&raw) = words.get(&chunk) {
            parts.push(ScorePart {
                name: "bm25",
                raw,
                weighted: (1.0 - meaning.share) * raw / best,
            });
        }
        parts.extend(meaning.parts(chunk));
        let score = parts.iter().map(|part| part.weighted).sum();
        Hit {
            chunk,
            score,
            parts,
        }
    });
    fusion::sorted(hits.collect())
}
