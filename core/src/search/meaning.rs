//! How near candidates are to the question in meaning: by the static encoder, which has read all of
//! them, and by the transformer, which has read some. The others get the value that the transformer
//! would probably give them, so that no candidate gains or loses by having been read.

use std::collections::BTreeMap;

use super::analysis::Wording;
use super::params::Param;
use super::{Context, ScorePart, fusion};
use crate::chunk::ChunkId;
use crate::embed::Embedding;
use crate::index::{Index, Vectors};

/// Parameters that `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&PROSE, &NAMED, &SYMBOL, &TABLE];

/// Share of meaning if the question is a sentence.
static PROSE: Param = Param::new("dense_prose", 0.6);
/// Share of meaning if the question is a sentence with a name written as code.
static NAMED: Param = Param::new("dense_named", 0.4);
/// Share of meaning if the question is a name.
static SYMBOL: Param = Param::new("dense_symbol", 0.3);

/// The static encoder's part of that share, once the transformer has read candidates.
static TABLE: Param = Param::new("table_share", 0.3);

/// Number of compared candidates needed to predict the transformer's values for the others.
const MIN_COMPARED: usize = 8;

/// The meaning of a question's candidates.
pub(super) struct Meaning {
    dense: Scaled,
    table: Scaled,
    /// The weight of meaning; the rest belongs to words.
    pub(super) share: f32,
    /// The static encoder's part of that share.
    table_share: f32,
    /// Predicts the transformer's value of a candidate from the static encoder's.
    expected: Line,
}

impl Meaning {
    /// Compares `candidates` with the question.
    pub(super) fn new(context: &Context<'_>, candidates: impl Iterator<Item = ChunkId>) -> Self {
        let candidates: Vec<ChunkId> = candidates.collect();
        let by_transformer = |&chunk: &ChunkId| {
            let cosine = context.vectors.cosine(context.embedding?, chunk)?;
            Some((chunk, cosine))
        };
        let by_table = |&chunk: &ChunkId| {
            let cosine = context.table.as_ref()?.cosine(chunk)?;
            Some((chunk, cosine))
        };
        let dense = Scaled::new(candidates.iter().filter_map(by_transformer));
        let table = Scaled::new(candidates.iter().filter_map(by_table));
        let is_known = !dense.is_empty() || !table.is_empty();
        Self {
            share: if is_known { share(context) } else { 0.0 },
            table_share: match (dense.is_empty(), table.is_empty()) {
                (true, _) => 1.0,
                (false, true) => 0.0,
                (false, false) => context.params.get(&TABLE),
            },
            expected: Line::between(&table, &dense),
            dense,
            table,
        }
    }

    /// Returns what meaning adds to a candidate's score.
    pub(super) fn parts(&self, chunk: ChunkId) -> impl Iterator<Item = ScorePart> {
        let by_table = self.table.of(chunk);
        let by_transformer = match self.dense.of(chunk) {
            Some((raw, unit)) => ("dense", raw, unit),
            None => {
                let guess = self.expected.at(by_table.map_or(0.0, |(_, unit)| unit));
                ("dense, not compared yet", 0.0, guess)
            }
        };
        let part = |(name, raw, unit): (&'static str, f32, f32), share: f32| {
            (share > 0.0).then_some(ScorePart {
                name,
                raw,
                weighted: share * unit,
            })
        };
        let closely = part(by_transformer, self.share * (1.0 - self.table_share));
        let table = by_table.map(|(raw, unit)| ("table", raw, unit));
        let quickly = table.and_then(|it| part(it, self.share * self.table_share));
        closely.into_iter().chain(quickly)
    }
}

/// Returns how many chunks a question is compared with in meaning: all, once the static encoder has
/// read them; else those that the transformer has read, if it has also read the question.
pub fn compared_by_meaning(
    index: &Index,
    vectors: &Vectors,
    embedding: Option<&Embedding>,
) -> usize {
    match index.table() {
        Some(table) => table.vectors().count(),
        None => embedding.map_or(0, |_| vectors.count()),
    }
}

/// Returns the weight of meaning for this wording.
fn share(context: &Context<'_>) -> f32 {
    context.params.get(match context.analysis.wording {
        Wording::Symbol => &SYMBOL,
        Wording::Named => &NAMED,
        Wording::Prose => &PROSE,
    })
}

/// Cosines, raw and scaled from 0 (the worst) to 1 (the best).
struct Scaled(BTreeMap<ChunkId, (f32, f32)>);

impl Scaled {
    fn new(cosines: impl Iterator<Item = (ChunkId, f32)>) -> Self {
        let cosines: Vec<_> = cosines.collect();
        let scale = fusion::scale_of(cosines.iter().map(|&(_, cosine)| cosine));
        let scaled = cosines
            .iter()
            .map(|&(chunk, cosine)| (chunk, (cosine, scale(cosine))));
        Self(scaled.collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(&self, chunk: ChunkId) -> Option<(f32, f32)> {
        self.0.get(&chunk).copied()
    }
}

/// The line `start + slope · x`.
struct Line {
    start: f32,
    slope: f32,
}

impl Line {
    /// Fits the least-squares line from one list's values to the other's, over what both contain; a
    /// level line at the mean if too few are in both. It never falls.
    fn between(from: &Scaled, to: &Scaled) -> Self {
        let all = to.0.values().map(|&(_, unit)| unit);
        let level = Self {
            start: all.sum::<f32>() / to.0.len().max(1) as f32,
            slope: 0.0,
        };
        let both: Vec<(f32, f32)> =
            to.0.iter()
                .filter_map(|(&chunk, &(_, y))| Some((from.of(chunk)?.1, y)))
                .collect();
        if both.len() < MIN_COMPARED {
            return level;
        }
        let n = both.len() as f32;
        let mean_x = both.iter().map(|(x, _)| x).sum::<f32>() / n;
        let mean_y = both.iter().map(|(_, y)| y).sum::<f32>() / n;
        let spread: f32 = both.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let common: f32 = both.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        if spread <= f32::EPSILON {
            return level;
        }
        let slope = (common / spread).clamp(0.0, 1.0);
        Self {
            start: mean_y - slope * mean_x,
            slope,
        }
    }

    fn at(&self, x: f32) -> f32 {
        (self.start + self.slope * x).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(pairs: &[(u32, f32)]) -> Scaled {
        Scaled::new(
            pairs
                .iter()
                .map(|&(chunk, cosine)| (ChunkId(chunk), cosine)),
        )
    }

    #[test]
    fn chunks_that_were_not_compared_are_expected_on_the_line_through_the_others() {
        let table: Vec<(u32, f32)> = (0..=20).map(|at| (at, at as f32)).collect();
        // Chunk 5 is better than its neighbours; the others lie on a line.
        let dense = (0..=10).map(|at| (at, if at == 5 { 8.0 } else { at as f32 }));
        let dense: Vec<(u32, f32)> = dense.collect();
        let (table, dense) = (scaled(&table), scaled(&dense));
        let line = Line::between(&table, &dense);
        let chances: Vec<f32> = [0.0, 0.25, 0.5, 1.0].map(|x| line.at(x)).into();
        assert!(
            chances.is_sorted() && chances[0] < chances[1],
            "{chances:?}"
        );
        let compared = table.of(ChunkId(4)).map(|(_, unit)| line.at(unit)).unwrap();
        assert!((0.3..0.6).contains(&compared), "{compared}");
    }

    #[test]
    fn with_few_compared_or_a_falling_line_the_expectation_is_level() {
        let table: Vec<(u32, f32)> = (0..=20).map(|at| (at, at as f32)).collect();
        let table = scaled(&table);
        let few = scaled(&[(1, 0.1), (20, 0.9)]);
        let falling: Vec<(u32, f32)> = (0..=10).map(|at| (at, -(at as f32))).collect();
        for dense in [few, scaled(&falling)] {
            let line = Line::between(&table, &dense);
            assert!((line.at(0.0) - line.at(1.0)).abs() < 1e-6);
            assert!((line.at(0.0) - 0.5).abs() < 1e-5);
        }
        assert_eq!(Line::between(&table, &scaled(&[])).at(0.5), 0.0);
    }
}
