//! A run against a baseline, question by question.

use super::estimate::distinct;
use super::metrics::Metric;
use super::run::Run;
use crate::eval::{Interval, Item, average, bootstrap};
use crate::random::Random;

/// Number of random draws of the permutation test.
const FLIPS: u32 = 10_000;
/// Up to this many differences, all signs are tried instead.
const EXACT: usize = 12;
/// Smaller differences count as none: a number read from a file may differ in its last digit from
/// the one written.
const SAME: f64 = 1e-9;

/// How much a metric of a run differs from that of a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Number of questions for which both have a value.
    pub n: usize,
    /// Number of questions for which only one of the two has a row; the other figures leave them
    /// out.
    pub unshared: usize,
    /// Mean of run − baseline over the shared questions.
    pub mean: f64,
    /// 95 % paired bootstrap interval of that mean.
    pub interval: Interval,
    /// Two-sided p of a paired sign-flip permutation test: how often chance gives a mean at least
    /// this far from 0.
    pub p: f64,
    /// Whether all signs were tried, rather than 10,000 random draws.
    pub is_exact: bool,
}

/// Compares a metric of a run with that of a baseline, over the questions for which both have a
/// value; `None` if there are none. The result is the same in every call.
pub fn difference(
    run: &Run,
    baseline: &Run,
    items: &[&Item],
    metric: &Metric,
) -> Option<Difference> {
    let items = distinct(items);
    let of = |run: &Run, item: &Item| (metric.value)(run.rows.get(&item.id)?);
    let pairs = items.iter();
    let differences: Vec<f64> = pairs
        .filter_map(|item| Some(gain(of(run, item)?, of(baseline, item)?)))
        .collect();
    let has = |run: &Run, item: &Item| run.rows.contains_key(&item.id);
    let unshared = items.iter();
    let unshared = unshared.filter(|item| has(run, item) != has(baseline, item));
    let (p, is_exact) = sign_flip(&differences);
    Some(Difference {
        n: differences.len(),
        unshared: unshared.count(),
        mean: average(differences.iter().copied())?,
        interval: bootstrap(&differences),
        p,
        is_exact,
    })
}

fn gain(value: f64, baseline: f64) -> f64 {
    let gain = value - baseline;
    if gain.abs() < SAME { 0.0 } else { gain }
}

/// The p of the hypothesis that the signs of the differences are random, and whether it is exact
/// (Fisher's randomisation test; Smucker, Allan & Carterette, A comparison of statistical
/// significance tests for information retrieval evaluation, 2007). The observed signs count as one
/// draw, so that p is never 0 (Phipson & Smyth, 2010).
fn sign_flip(differences: &[f64]) -> (f64, bool) {
    // The sign of 0 changes no sum, so zeros are left out.
    let sizes: Vec<f64> = differences
        .iter()
        .copied()
        .filter(|it| *it != 0.0)
        .collect();
    match sizes.len() <= EXACT {
        true => (with_all_signs(&sizes), true),
        false => (with_drawn_signs(&sizes), false),
    }
}

fn with_all_signs(sizes: &[f64]) -> f64 {
    let (limit, all) = (limit(sizes), 1_u64 << sizes.len().min(EXACT));
    let far = (0..all).filter(|&signs| flipped(sizes, || signs).abs() >= limit);
    far.count() as f64 / all as f64
}

fn with_drawn_signs(sizes: &[f64]) -> f64 {
    let limit = limit(sizes);
    let mut random = Random::new(0x0F00_7407_E000_0002);
    let far = (0..FLIPS).filter(|_| flipped(sizes, || random.next()).abs() >= limit);
    (far.count() as f64 + 1.0) / (f64::from(FLIPS) + 1.0)
}

/// From this value on, a sum counts as being as far from 0 as the observed one. The same numbers
/// summed with other signs may differ in their last digits, which must not matter.
fn limit(sizes: &[f64]) -> f64 {
    let observed: f64 = sizes.iter().sum();
    observed.abs() - 1e-12 * sizes.iter().map(|it| it.abs()).sum::<f64>()
}

/// The sum of the differences, each with a sign from a bit of `signs`; one number is enough for 64
/// of them.
fn flipped(sizes: &[f64], mut signs: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for sizes in sizes.chunks(64) {
        let mut bits = signs();
        for size in sizes {
            sum += if bits & 1 == 1 { *size } else { -size };
            bits >>= 1;
        }
    }
    sum
}

/// A question in which a run is worse than the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// The question's id.
    pub id: String,
    /// How much worse, more than 0.
    pub loss: f64,
    /// Rank of the first gold file, from 1; `None` if none is within 10.
    pub rank: Option<usize>,
    /// The same for the baseline.
    pub baseline_rank: Option<usize>,
    /// Whether the run has no row for it; it then counts as 0 for metrics where higher is better.
    pub is_missing: bool,
}

/// The questions in which a run is worse than the baseline: the largest loss first, then by id.
pub fn regressions(run: &Run, baseline: &Run, items: &[&Item], metric: &Metric) -> Vec<Regression> {
    let items = distinct(items).into_iter();
    let mut worse: Vec<Regression> = items
        .filter_map(|item| {
            let (row, other) = (run.rows.get(&item.id), baseline.rows.get(&item.id)?);
            let value = match row {
                Some(row) => (metric.value)(row)?,
                None => metric.missing(run, item)?,
            };
            let gain = gain(value, (metric.value)(other)?);
            let loss = if metric.higher_is_better { -gain } else { gain };
            (loss > 0.0).then(|| Regression {
                id: item.id.clone(),
                loss,
                rank: row.and_then(|row| row.rank(item)),
                baseline_rank: other.rank(item),
                is_missing: row.is_none(),
            })
        })
        .collect();
    worse.sort_by(|a, b| b.loss.total_cmp(&a.loss).then_with(|| a.id.cmp(&b.id)));
    worse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_differences_are_tried_with_all_signs() {
        // Of the 8 signs of 1, 2, 3 only +++ and −−− reach 6; of 1, 1, −1 all reach 1.
        for (differences, p) in [
            (vec![1.0, 2.0, 3.0], 2.0 / 8.0),
            (vec![0.0, 1.0, 2.0, 0.0, 3.0], 2.0 / 8.0),
            (vec![1.0, 1.0, -1.0], 1.0),
            (vec![-0.1; 12], 2.0 / 4096.0),
            (vec![0.0; 50], 1.0),
            (vec![], 1.0),
        ] {
            assert_eq!(sign_flip(&differences), (p, true), "{differences:?}");
        }
    }

    #[test]
    fn many_differences_are_drawn_and_agree_with_the_normal_approximation() {
        // 60 gains and 40 losses of the same size: z = 20 / √100 = 2, with the correction for steps
        // 1.9: p = .057.
        let differences: Vec<f64> = (0..100).map(|n| if n < 60 { 0.5 } else { -0.5 }).collect();
        let (p, is_exact) = sign_flip(&differences);
        assert!(!is_exact);
        assert!((p - 0.057).abs() < 0.01, "{p}");
        assert_eq!(sign_flip(&differences), (p, false));
        assert_eq!(sign_flip(&[0.5; 100]).0, 1.0 / 10_001.0);
    }

    #[test]
    fn draws_and_all_signs_give_about_the_same() {
        let sizes: Vec<f64> = (1..=12)
            .map(|n| f64::from(n) * if n % 3 == 0 { -1.0 } else { 1.0 })
            .collect();
        let (exact, drawn) = (with_all_signs(&sizes), with_drawn_signs(&sizes));
        // Three standard deviations of a share of 10,000 draws.
        assert!((exact - drawn).abs() < 0.015, "{exact} {drawn}");
    }
}
