//! Fuses two ranked lists into one. Lists are (chunk, score) pairs, best first.

use std::collections::BTreeMap;

use super::{Hit, ScorePart};
use crate::chunk::ChunkId;

/// A ranked list: distinct chunks, best first.
pub type Ranked = Vec<(ChunkId, f32)>;

/// Turns one list into hits with the list's own scores.
pub fn single(name: &'static str, list: &Ranked) -> Vec<Hit> {
    list.iter()
        .map(|&(chunk, score)| Hit {
            chunk,
            score,
            parts: vec![ScorePart {
                name,
                raw: score,
                weighted: score,
            }],
        })
        .collect()
}

/// The shares of words and meaning in min–max fusion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// α: the share of BM25.
    pub words: f32,
    /// β: the share of the cosine.
    pub meaning: f32,
}

/// Min–max fusion: scales each list to 0–1 on its own, then adds `α · bm25 + β · dense`. A chunk
/// that is missing from a list gets nothing from it, as published, with one exception: `has_vector`
/// is false if the chunk could not be compared yet. It then gets the mean dense part of the
/// compared chunks of the BM25 list, so that the order in which vectors arrive does not decide who
/// wins. Without any dense list, the BM25 list stands alone with weight 1.
pub fn min_max(
    bm25: &Ranked,
    dense: &Ranked,
    shares: Shares,
    has_vector: impl Fn(ChunkId) -> bool,
) -> Vec<Hit> {
    if dense.is_empty() {
        return weighted_alone("bm25", bm25);
    }
    if bm25.is_empty() {
        return weighted_alone("dense", dense);
    }
    let words = scaled(bm25);
    let meaning = scaled(dense);
    let compared: Vec<f32> = words
        .keys()
        .filter(|&&chunk| has_vector(chunk))
        .map(|chunk| meaning.get(chunk).map_or(0.0, |&(_, unit)| unit))
        .collect();
    let expected = compared.iter().sum::<f32>() / compared.len().max(1) as f32;
    let mut hits: BTreeMap<ChunkId, Hit> = BTreeMap::new();
    for (&chunk, &(raw, unit)) in &words {
        add(&mut hits, chunk, "bm25", raw, shares.words * unit);
        if !meaning.contains_key(&chunk) && !has_vector(chunk) {
            add(
                &mut hits,
                chunk,
                "dense, not compared yet",
                0.0,
                shares.meaning * expected,
            );
        }
    }
    for (&chunk, &(raw, unit)) in &meaning {
        add(&mut hits, chunk, "dense", raw, shares.meaning * unit);
    }
    sorted(hits.into_values().collect())
}

/// Reciprocal rank fusion: Σ 1 / (k + rank) over the lists, ranks from 1.
pub fn rrf(bm25: &Ranked, dense: &Ranked, k: f32) -> Vec<Hit> {
    by_rank(&[("bm25", bm25), ("dense", dense)], k)
}

/// Like [`rrf`], over any number of lists, each with the name of its part.
pub fn by_rank(lists: &[(&'static str, &Ranked)], k: f32) -> Vec<Hit> {
    let mut hits: BTreeMap<ChunkId, Hit> = BTreeMap::new();
    for &(name, list) in lists {
        for (at, &(chunk, raw)) in list.iter().enumerate() {
            add(&mut hits, chunk, name, raw, 1.0 / (k + at as f32 + 1.0));
        }
    }
    sorted(hits.into_values().collect())
}

/// Sorts best first; equal scores stay in index order, so that results are reproducible.
pub fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    hits
}

/// Returns a function that scales a list's scores to 0–1 by its smallest and largest score; a list
/// whose scores are all equal scales to 1.
pub fn scale_of(scores: impl Iterator<Item = f32>) -> impl Fn(f32) -> f32 {
    let (low, high) = scores.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    move |score| {
        if high > low {
            ((score - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }
}

fn scaled(list: &Ranked) -> BTreeMap<ChunkId, (f32, f32)> {
    let scale = scale_of(list.iter().map(|&(_, score)| score));
    list.iter()
        .map(|&(chunk, score)| (chunk, (score, scale(score))))
        .collect()
}

fn weighted_alone(name: &'static str, list: &Ranked) -> Vec<Hit> {
    let mut hits = BTreeMap::new();
    for (chunk, (raw, unit)) in scaled(list) {
        add(&mut hits, chunk, name, raw, unit);
    }
    sorted(hits.into_values().collect())
}

fn add(
    hits: &mut BTreeMap<ChunkId, Hit>,
    chunk: ChunkId,
    name: &'static str,
    raw: f32,
    weighted: f32,
) {
    let hit = hits.entry(chunk).or_insert_with(|| Hit {
        chunk,
        score: 0.0,
        parts: Vec::new(),
    });
    hit.score += weighted;
    hit.parts.push(ScorePart {
        name,
        raw,
        weighted,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As published.
    const SHARES: Shares = Shares {
        words: 0.45,
        meaning: 0.55,
    };

    fn list(pairs: &[(u32, f32)]) -> Ranked {
        pairs
            .iter()
            .map(|&(id, score)| (ChunkId(id), score))
            .collect()
    }

    fn order(hits: &[Hit]) -> Vec<u32> {
        hits.iter().map(|hit| hit.chunk.0).collect()
    }

    #[test]
    fn min_max_adds_the_scaled_scores_of_both_lists() {
        let hits = min_max(
            &list(&[(1, 10.0), (2, 5.0), (3, 0.0)]),
            &list(&[(3, 0.9), (2, 0.7), (4, 0.5)]),
            SHARES,
            |_| true,
        );
        assert_eq!(order(&hits), [3, 2, 1, 4]);
        for (hit, score) in hits.iter().zip([0.55, 0.225 + 0.275, 0.45, 0.0]) {
            assert!((hit.score - score).abs() < 1e-5, "{hit:?}");
            let sum: f32 = hit.parts.iter().map(|part| part.weighted).sum();
            assert!(
                (hit.score - sum).abs() < 1e-6,
                "score is the sum of its parts"
            );
        }
        assert_eq!(hits[1].raw("dense"), Some(0.7));
        assert_eq!(hits[1].raw("bm25"), Some(5.0));
        assert_eq!(hits[2].raw("dense"), None);
    }

    #[test]
    fn without_vectors_min_max_is_the_order_of_words() {
        let bm25 = list(&[(7, 3.0), (1, 2.0), (5, 1.0)]);
        assert_eq!(
            order(&min_max(&bm25, &Vec::new(), SHARES, |_| false)),
            [7, 1, 5]
        );
        assert_eq!(
            order(&min_max(&Vec::new(), &bm25, SHARES, |_| true)),
            [7, 1, 5]
        );
        assert!(min_max(&Vec::new(), &Vec::new(), SHARES, |_| true).is_empty());
    }

    #[test]
    fn the_best_chunk_by_words_keeps_its_place_when_only_weak_ones_have_vectors() {
        let bm25 = list(&[(1, 10.0), (2, 4.0), (3, 3.0), (4, 1.0)]);
        let dense = list(&[(3, 0.4), (2, 0.3)]);
        let hits = min_max(&bm25, &dense, SHARES, |chunk| matches!(chunk.0, 2 | 3));
        assert_eq!(order(&hits)[0], 1, "{hits:?}");
        // A chunk that was compared and found close still ranks above one found far.
        let place = |id| order(&hits).iter().position(|&x| x == id);
        assert!(place(3) < place(2));
    }

    #[test]
    fn a_chunk_with_a_vector_outside_the_dense_list_gets_nothing_from_it() {
        let hits = min_max(
            &list(&[(1, 2.0), (2, 1.0)]),
            &list(&[(2, 0.5), (3, 0.4)]),
            SHARES,
            |_| true,
        );
        let first = hits.iter().find(|hit| hit.chunk.0 == 1).unwrap();
        assert!((first.score - SHARES.words).abs() < 1e-6);
    }

    #[test]
    fn equal_scores_scale_to_one_and_keep_the_order_of_the_index() {
        let hits = min_max(&list(&[(2, 1.0), (1, 1.0)]), &Vec::new(), SHARES, |_| false);
        assert_eq!(order(&hits), [1, 2]);
        assert_eq!(hits[0].score, 1.0);
    }

    #[test]
    fn rrf_adds_reciprocal_ranks() {
        let (words, meaning) = (list(&[(1, 9.0), (2, 8.0)]), list(&[(2, 0.9), (3, 0.8)]));
        let hits = rrf(&words, &meaning, 60.0);
        assert_eq!(order(&hits), [2, 1, 3]);
        assert!((hits[0].score - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-7);
    }
}
