//! The precision–recall curve for the confidence in files.

use super::Run;
use crate::eval::Item;

/// The result of taking every file with at least a given confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The lowest confidence that is taken.
    pub threshold: f64,
    /// Share of the taken files that are gold.
    pub precision: f64,
    /// Share of the gold files that are taken.
    pub recall: f64,
    /// Number of files taken.
    pub n: usize,
}

/// The curve of (confidence, is gold) pairs: one point for each distinct confidence, the highest
/// first. `n_gold` is the number of all gold files, including those never returned; without those,
/// recall would be too high. NaN confidences are left out. Empty without gold files.
pub fn precision_recall(pairs: &[(f64, bool)], n_gold: usize) -> Vec<Point> {
    let mut pairs: Vec<(f64, bool)> = pairs.to_vec();
    pairs.retain(|(confidence, _)| confidence.is_finite());
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let n_gold = n_gold.max(pairs.iter().filter(|(_, is_gold)| *is_gold).count());
    let mut points = Vec::new();
    if n_gold == 0 {
        return points;
    }
    let (mut n, mut found) = (0, 0);
    // Files with the same confidence are taken together or not at all, whatever their order.
    for same in pairs.chunk_by(|a, b| a.0 == b.0) {
        n += same.len();
        found += same.iter().filter(|(_, is_gold)| *is_gold).count();
        points.extend(same.first().map(|(threshold, _)| Point {
            threshold: *threshold,
            precision: found as f64 / n as f64,
            recall: found as f64 / n_gold as f64,
            n,
        }));
    }
    points
}

/// The curve of a run over `items`, for the files that its answers name. Empty if no answer states
/// its confidence in a file.
pub fn curve(run: &Run, items: &[&Item]) -> Vec<Point> {
    let n_gold = items.iter().map(|item| item.gold_files.len()).sum();
    let named = items.iter().flat_map(|item| {
        let prediction = run.rows.get(&item.id).map(|row| &row.prediction);
        let named = prediction.map(|it| it.set.iter().zip(&it.confidence));
        let named = named.into_iter().flatten();
        named.map(|(path, sure)| (*sure, item.gold_files.contains(path)))
    });
    let pairs: Vec<(f64, bool)> = named.collect();
    match pairs.is_empty() {
        true => Vec::new(),
        false => precision_recall(&pairs, n_gold),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_confidence_is_a_point() {
        let pairs = [
            (0.2, false),
            (0.9, true),
            (0.5, true),
            (f64::NAN, true),
            (0.5, false),
            (0.1, true),
        ];
        let points = precision_recall(&pairs, 4);
        let points: Vec<_> = points
            .iter()
            .map(|it| (it.threshold, it.precision, it.recall, it.n))
            .collect();
        assert_eq!(
            points,
            [
                (0.9, 1.0, 0.25, 1),
                (0.5, 2.0 / 3.0, 0.5, 3),
                (0.2, 0.5, 0.5, 4),
                (0.1, 0.6, 0.75, 5),
            ]
        );
    }

    #[test]
    fn more_found_than_there_are_is_not_more_than_all() {
        let points = precision_recall(&[(0.5, true), (0.4, true)], 1);
        assert_eq!(points.last().map(|it| it.recall), Some(1.0));
    }

    #[test]
    fn nothing_has_no_curve() {
        assert!(precision_recall(&[], 3).is_empty());
        assert!(precision_recall(&[(0.5, false)], 0).is_empty());
    }
}
