//! The rank of the wanted candidate, over many cases.

use crate::eval::{Interval, bootstrap};

/// The figures of one ranking over many cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    /// Number of cases.
    pub n: usize,
    /// Share of cases with the wanted candidate among the first 1, 3, 5.
    pub acc: [f64; 3],
    /// Interval of the share with it first.
    pub interval: Interval,
}

/// The rank of the wanted candidate, from 0, by scores of which larger is better; equal scores keep
/// their order.
pub fn rank(scores: &[f32], gold: usize) -> usize {
    let own = scores.get(gold).copied().unwrap_or(f32::NEG_INFINITY);
    let is_before = |(at, score): (usize, &f32)| *score > own || (*score == own && at < gold);
    scores
        .iter()
        .enumerate()
        .filter(|it| is_before(*it))
        .count()
}

/// The figures for the ranks of the wanted candidates.
pub fn marks(ranks: &[usize]) -> Marks {
    let within = |k: usize| -> Vec<f64> {
        let hits = ranks.iter().map(|rank| f64::from(u8::from(*rank < k)));
        hits.collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let first = within(1);
    Marks {
        n: ranks.len(),
        acc: [mean(&first), mean(&within(3)), mean(&within(5))],
        interval: bootstrap(&first),
    }
}

/// The expected shares among the first 1, 3, 5 for a random choice among that many candidates per
/// case.
pub fn expected_by_chance(candidates: &[usize]) -> [f64; 3] {
    [1, 3, 5].map(|k: usize| {
        let shares = candidates
            .iter()
            .map(|&n| k.min(n) as f64 / n.max(1) as f64);
        shares.sum::<f64>() / candidates.len().max(1) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_is_behind_all_that_score_more() {
        for (scores, gold, expected) in [
            (vec![0.1, 0.9, 0.5], 1, 0),
            (vec![0.1, 0.9, 0.5], 0, 2),
            (vec![0.5, 0.5, 0.5], 2, 2),
            (vec![0.5, 0.5], 0, 0),
            (vec![], 0, 0),
        ] {
            assert_eq!(rank(&scores, gold), expected, "{scores:?}");
        }
    }

    #[test]
    fn marks_are_shares_of_the_cases() {
        let marks = marks(&[0, 1, 3, 9]);
        assert_eq!((marks.n, marks.acc), (4, [0.25, 0.5, 0.75]));
        assert!(marks.interval.low <= 0.25 && 0.25 <= marks.interval.high);
        let none = super::marks(&[]);
        assert_eq!((none.n, none.acc), (0, [0.0; 3]));
    }

    #[test]
    fn chance_is_the_share_of_places() {
        let [first, third, fifth] = expected_by_chance(&[5, 10]);
        assert!((first - 0.15).abs() < 1e-9);
        assert!((third - 0.45).abs() < 1e-9);
        assert!((fifth - 0.75).abs() < 1e-9);
    }
}
