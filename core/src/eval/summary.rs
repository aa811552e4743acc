//! Averages over a set, with bootstrap intervals.

use super::metrics::Scores;
use crate::random::Random;

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// A 95 % percentile bootstrap interval of a mean (Efron & Tibshirani, An Introduction to the
/// Bootstrap, chapter 13).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// 2.5th percentile of the resampled means.
    pub low: f64,
    /// 97.5th percentile of the resampled means.
    pub high: f64,
}

/// The metrics of one strategy on one set: means over its questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Name of the strategy.
    pub strategy: String,
    /// Number of questions.
    pub n: usize,
    /// Share of questions with a gold file among the first 1, 3, 5.
    pub acc: [f64; 3],
    /// Interval of the share with a gold file first.
    pub acc1_interval: Interval,
    /// Mean of 1 / rank of the first gold file within 10.
    pub mrr10: f64,
    /// Mean of the discounted gain within 10: [`Scores::ndcg10`].
    pub ndcg10: f64,
    /// Interval of that mean.
    pub ndcg10_interval: Interval,
    /// Share of the gold files within 5 and 10.
    pub recall: [f64; 2],
    /// Share of questions whose predicted set is the gold set.
    pub exact: f64,
    /// Share of the gold files in the predicted set.
    pub micro_recall: f64,
    /// Share of the questions with several gold files whose files are all within 10; `None` if no
    /// question has several.
    pub cross_file: Option<f64>,
    /// Number of questions with several gold files.
    pub n_cross_file: usize,
    /// Mean over the questions that have gold lines; `None` if none has.
    pub line_recall: Option<[f64; 3]>,
    /// Number of questions with gold lines.
    pub n_lines: usize,
    /// Median time of a retrieval, in milliseconds.
    pub ms_p50: f64,
    /// 95th percentile of the retrieval time, in milliseconds.
    pub ms_p95: f64,
}

impl Summary {
    /// The summary as a JSON object; the keys are the names of the metrics.
    pub fn to_json(&self) -> serde_json::Value {
        let lines = |at: usize| self.line_recall.and_then(|recall| recall.get(at).copied());
        serde_json::json!({
            "strategy": self.strategy,
            "n": self.n,
            "acc@1": self.acc[0],
            "acc@3": self.acc[1],
            "acc@5": self.acc[2],
            "acc@1_ci95": [self.acc1_interval.low, self.acc1_interval.high],
            "mrr@10": self.mrr10,
            "ndcg@10": self.ndcg10,
            "ndcg@10_ci95": [self.ndcg10_interval.low, self.ndcg10_interval.high],
            "recall@5": self.recall[0],
            "recall@10": self.recall[1],
            "em": self.exact,
            "micro_recall": self.micro_recall,
            "cross_file": self.cross_file,
            "n_cross_file": self.n_cross_file,
            "line_recall@200": lines(0),
            "line_recall@400": lines(1),
            "line_recall@800": lines(2),
            "n_lines": self.n_lines,
            "ms_p50": self.ms_p50,
            "ms_p95": self.ms_p95,
        })
    }
}

/// Averages the scores of a strategy. The intervals are the same in every run, because the
/// generator has a constant seed.
pub fn summarize(strategy: &str, scores: &[Scores]) -> Summary {
    let mean_of = |value: &dyn Fn(&Scores) -> f64| mean(&collect(scores, value));
    let with_lines: Vec<[f64; 3]> = scores.iter().filter_map(|s| s.line_recall).collect();
    let cross_file: Vec<f64> = scores.iter().filter_map(|s| s.cross_file).collect();
    let acc1 = collect(scores, &|s| s.acc[0]);
    let ndcg10 = collect(scores, &|s| s.ndcg10);
    let mut times = collect(scores, &|s| s.milliseconds);
    times.sort_by(f64::total_cmp);
    Summary {
        strategy: strategy.to_owned(),
        n: scores.len(),
        acc: [mean(&acc1), mean_of(&|s| s.acc[1]), mean_of(&|s| s.acc[2])],
        acc1_interval: bootstrap(&acc1),
        mrr10: mean_of(&|s| s.mrr10),
        ndcg10: mean(&ndcg10),
        ndcg10_interval: bootstrap(&ndcg10),
        recall: [mean_of(&|s| s.recall[0]), mean_of(&|s| s.recall[1])],
        exact: mean_of(&|s| s.exact),
        micro_recall: mean_of(&|s| s.micro_recall),
        cross_file: (!cross_file.is_empty()).then(|| mean(&cross_file)),
        n_cross_file: cross_file.len(),
        line_recall: (!with_lines.is_empty()).then(|| {
            [0, 1, 2].map(|at: usize| {
                let column: Vec<f64> = with_lines
                    .iter()
                    .filter_map(|recall| recall.get(at).copied())
                    .collect();
                mean(&column)
            })
        }),
        n_lines: with_lines.len(),
        ms_p50: quantile(&times, 0.5),
        ms_p95: quantile(&times, 0.95),
    }
}

fn collect(scores: &[Scores], value: &dyn Fn(&Scores) -> f64) -> Vec<f64> {
    scores.iter().map(value).collect()
}

fn mean(values: &[f64]) -> f64 {
    average(values.iter().copied()).unwrap_or(0.0)
}

/// The mean of the values; `None` if there are none.
pub(crate) fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// The value at rank `share` of a sorted list (nearest rank); 0 for an empty one.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

/// The bootstrap interval of the mean of `values`, the same in every run.
pub fn bootstrap(values: &[f64]) -> Interval {
    let average = |drawn: &[&f64]| average(drawn.iter().map(|value| **value));
    bootstrap_of(values, 0x0F00_7407_E000_0001, average)
}

/// The bootstrap interval of any statistic of `items`, drawn with `seed`. Draws for which the
/// statistic does not exist are left out.
pub(crate) fn bootstrap_of<T>(
    items: &[T],
    seed: u64,
    statistic: impl Fn(&[&T]) -> Option<f64>,
) -> Interval {
    let mut random = Random::new(seed);
    let mut drawn: Vec<&T> = Vec::with_capacity(items.len());
    let mut values: Vec<f64> = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        drawn.clear();
        drawn.extend((0..items.len()).filter_map(|_| items.get(random.below(items.len()))));
        values.extend(statistic(&drawn));
    }
    values.sort_by(f64::total_cmp);
    Interval {
        low: quantile(&values, 0.025),
        high: quantile(&values, 0.975),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(acc1: f64, milliseconds: f64) -> Scores {
        Scores {
            acc: [acc1; 3],
            mrr10: acc1,
            ndcg10: acc1,
            recall: [acc1; 2],
            exact: 0.0,
            micro_recall: acc1,
            cross_file: (acc1 > 0.0).then_some(0.5),
            line_recall: (acc1 > 0.0).then_some([0.25, 0.5, 1.0]),
            milliseconds,
        }
    }

    #[test]
    fn means_skip_questions_without_gold_lines() {
        let all: Vec<Scores> = (0..100)
            .map(|n| scores(f64::from(u8::from(n % 4 == 0)), f64::from(n) + 1.0))
            .collect();
        let summary = summarize("bm25", &all);
        assert_eq!((summary.n, summary.n_lines), (100, 25));
        assert_eq!((summary.cross_file, summary.n_cross_file), (Some(0.5), 25));
        assert_eq!(summary.acc[0], 0.25);
        assert_eq!(summary.line_recall, Some([0.25, 0.5, 1.0]));
        assert_eq!((summary.ms_p50, summary.ms_p95), (50.0, 95.0));
    }

    #[test]
    fn the_interval_holds_the_mean_is_about_as_wide_as_theory_says_and_repeats() {
        let values: Vec<f64> = (0..400).map(|n| f64::from(u8::from(n % 2 == 0))).collect();
        let interval = bootstrap(&values);
        // Normal approximation: ± 1.96 · sqrt(.25 / 400) = ± .049.
        assert!((interval.low - 0.451).abs() < 0.01, "{interval:?}");
        assert!((interval.high - 0.549).abs() < 0.01, "{interval:?}");
        assert_eq!(interval, bootstrap(&values));
    }

    #[test]
    fn an_empty_set_is_all_zero() {
        let summary = summarize("bm25", &[]);
        assert_eq!((summary.n, summary.acc[0], summary.ms_p95), (0, 0.0, 0.0));
        assert_eq!((summary.line_recall, summary.cross_file), (None, None));
    }

    #[test]
    fn json_has_the_promised_keys() {
        let json = summarize("rrf", &[scores(1.0, 2.0)]).to_json();
        for key in [
            "strategy",
            "n",
            "acc@1",
            "acc@3",
            "acc@5",
            "mrr@10",
            "ndcg@10",
            "recall@5",
            "recall@10",
            "em",
            "micro_recall",
            "cross_file",
            "line_recall@200",
            "line_recall@400",
            "line_recall@800",
            "ms_p50",
            "ms_p95",
        ] {
            assert!(!json[key].is_null(), "{key}");
        }
    }
}
