//! Late interaction: compares question and chunk token by token instead of by two mean vectors.
//!
//! It needs the vectors of all tokens of the candidates, which no index stores (a chunk's would
//! take a hundred times the space of its mean), so it works in two rounds: [`candidates`] names the
//! chunks, the caller has an encoder compute their token vectors and puts their [`bert_score`] into
//! [`Context::late`], and the step `late` ranks by them.

use std::collections::BTreeMap;

use super::strategy::Strategy;
use super::{Context, Hit, fusion};
use crate::chunk::ChunkId;
use crate::describe::describe;
use crate::embed::TokenVectors;
use crate::index::Index;

/// Number of best hits that are compared token by token.
pub const CANDIDATES: usize = 30;

/// How close two texts are, token by token; each part is at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BertScore {
    /// Mean over the candidate's tokens of the best cosine with any token of the query.
    pub precision: f32,
    /// Mean over the query's tokens of the best cosine with any token of the candidate.
    pub recall: f32,
    /// The harmonic mean of both; 0 if it is undefined.
    pub f1: f32,
}

/// Which text of a chunk is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Its code, in the form that encoders read.
    Code,
    /// A description of what it does: see [`crate::describe`].
    Text,
}

impl Side {
    /// Returns the text of a chunk that an encoder reads.
    pub fn text(self, index: &Index, chunk: ChunkId) -> String {
        match self {
            Self::Code => index.embedding_text(chunk),
            Self::Text => {
                let texts = index.texts();
                let written = texts.and_then(|texts| Some(texts.of(chunk)?.text.clone()));
                written.unwrap_or_else(|| describe(index, chunk))
            }
        }
    }
}

/// The scores of a question's candidates.
pub type LateScores = BTreeMap<ChunkId, BertScore>;

/// BERTScore as in Code2Text, section 3 (Zhang et al. 2020, without idf weights). All parts are 0
/// if a side has no token, or if the vectors come from different models.
pub fn bert_score(query: &TokenVectors, candidate: &TokenVectors) -> BertScore {
    let (n_query, n_candidate) = (query.rows().len(), candidate.rows().len());
    if n_query == 0 || n_candidate == 0 || query.dimension() != candidate.dimension() {
        return BertScore::default();
    }
    let mut best_for_candidate = vec![-1f32; n_candidate];
    let mut recall = 0.0;
    for token in query.rows() {
        let mut best = -1f32;
        for (other, best_for) in candidate.rows().zip(&mut best_for_candidate) {
            let cosine = dot(token, other);
            best = best.max(cosine);
            *best_for = best_for.max(cosine);
        }
        recall += best;
    }
    let recall = recall / n_query as f32;
    let precision = best_for_candidate.iter().sum::<f32>() / n_candidate as f32;
    let both_positive = precision > 0.0 && recall > 0.0;
    BertScore {
        precision,
        recall,
        f1: if both_positive {
            2.0 * precision * recall / (precision + recall)
        } else {
            0.0
        },
    }
}

/// Computes eight sums in parallel, which a compiler turns into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0f32; 8];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Returns the chunks whose [`LateScores`] a strategy with the step `late` needs: the best hits of
/// the steps before it. Empty for other strategies.
pub fn candidates(context: &Context<'_>, strategy: &Strategy) -> Vec<ChunkId> {
    let Some(before) = strategy
        .steps
        .iter()
        .position(|step| step.spec().compares.is_some())
    else {
        return Vec::new();
    };
    let first = Strategy {
        lists: strategy.lists,
        steps: strategy.steps.iter().take(before).copied().collect(),
    };
    let hits = context.run(&first, CANDIDATES);
    hits.into_iter().map(|hit| hit.chunk).collect()
}

/// Blends the hits' scores with their F1, scaled to 0–1 over the scored hits and multiplied by the
/// best score: `(1 − weight) · score + weight · best · F1`. A hit that was not compared gets
/// nothing for its F1, so that those beyond [`CANDIDATES`] stay behind.
pub fn late_interaction(mut hits: Vec<Hit>, scores: &LateScores, weight: f32) -> Vec<Hit> {
    if scores.is_empty() || weight <= 0.0 {
        return hits;
    }
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f32::max);
    let scored = hits.iter().filter_map(|hit| scores.get(&hit.chunk));
    let f1s: Vec<f32> = scored.map(|score| score.f1).collect();
    let scale = fusion::scale_of(f1s.into_iter());
    for hit in &mut hits {
        let f1 = scores.get(&hit.chunk).map(|score| score.f1);
        let gain = best * f1.map_or(0.0, &scale) - hit.score;
        hit.add("late", f1.unwrap_or(0.0), weight * gain);
    }
    fusion::sorted(hits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ScorePart;

    fn tokens(rows: &[[f32; 2]]) -> TokenVectors {
        TokenVectors::from_raw(2, rows.iter().flatten().copied().collect())
    }

    #[test]
    fn scores_match_those_computed_by_hand() {
        let (x, y, between) = ([1.0, 0.0], [0.0, 1.0], [0.6, 0.8]);
        for (query, candidate, precision, recall, f1) in [
            (vec![x, y], vec![x, y], 1.0, 1.0, 1.0),
            (vec![x, y], vec![y, x], 1.0, 1.0, 1.0),
            (vec![x], vec![x, y], 0.5, 1.0, 2.0 / 3.0),
            (vec![x, y], vec![x], 1.0, 0.5, 2.0 / 3.0),
            (vec![x, y], vec![between], 0.8, 0.7, 2.0 * 0.56 / 1.5),
            (vec![x], vec![y], 0.0, 0.0, 0.0),
            (vec![x], vec![[-1.0, 0.0]], -1.0, -1.0, 0.0),
            (vec![], vec![x], 0.0, 0.0, 0.0),
            (vec![x], vec![], 0.0, 0.0, 0.0),
        ] {
            let score = bert_score(&tokens(&query), &tokens(&candidate));
            for (is, should) in [
                (score.precision, precision),
                (score.recall, recall),
                (score.f1, f1),
            ] {
                assert!(
                    (is - should).abs() < 1e-6,
                    "{query:?} {candidate:?}: {score:?}"
                );
            }
        }
    }

    #[test]
    fn vectors_of_different_models_have_nothing_in_common() {
        let other = TokenVectors::from_raw(3, vec![1.0; 3]);
        assert_eq!(
            bert_score(&tokens(&[[1.0, 0.0]]), &other),
            BertScore::default()
        );
    }

    #[test]
    fn long_rows_are_multiplied_to_the_end() {
        let row: Vec<f32> = (0..11).map(|n| n as f32).collect();
        assert_eq!(dot(&row, &row), 385.0);
    }

    fn hits(scores: &[f32]) -> Vec<Hit> {
        let hit = |(at, &score): (usize, &f32)| Hit {
            chunk: ChunkId(at as u32),
            score,
            parts: vec![ScorePart {
                name: "bm25",
                raw: score,
                weighted: score,
            }],
        };
        scores.iter().enumerate().map(hit).collect()
    }

    fn f1s(values: &[f32]) -> LateScores {
        let score = |&f1: &f32| BertScore {
            f1,
            ..BertScore::default()
        };
        (0..).map(ChunkId).zip(values.iter().map(score)).collect()
    }

    #[test]
    fn the_weight_decides_between_both_orders() {
        for (weight, order) in [
            (0.0, [0, 1, 2, 3]),
            (0.1, [0, 1, 2, 3]),
            (0.5, [1, 0, 2, 3]),
        ] {
            let blended =
                late_interaction(hits(&[1.0, 0.8, 0.4, 0.3]), &f1s(&[0.5, 0.7, 0.6]), weight);
            let chunks: Vec<u32> = blended.iter().map(|hit| hit.chunk.0).collect();
            assert_eq!(chunks, order, "{weight}");
            for hit in blended {
                let sum: f32 = hit.parts.iter().map(|part| part.weighted).sum();
                assert!((hit.score - sum).abs() < 1e-6, "{hit:?}");
            }
        }
    }

    #[test]
    fn without_scores_nothing_changes() {
        let before = hits(&[1.0, 0.5]);
        assert_eq!(
            late_interaction(before.clone(), &LateScores::new(), 0.5),
            before
        );
    }
}
