//! A metric averaged over the questions of a set.

use super::metrics::Metric;
use super::run::Run;
use crate::eval::{Interval, Item, average, bootstrap};

/// A metric of a run, averaged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Number of questions that the metric applies to and is measured for, missing ones included.
    pub n: usize,
    /// How many of them have no row.
    pub missing: usize,
    /// The mean. Missing questions count as 0 for metrics where higher is better, and are left out
    /// for the others. `None` without values.
    pub mean: Option<f64>,
    /// The median of the same values, the lower of two; `None` without values.
    pub median: Option<f64>,
    /// 95 % bootstrap interval of the mean; `None` without values.
    pub interval: Option<Interval>,
}

/// Averages a metric over `items`, which may be a group of a set; a repeated id counts as one
/// question.
pub fn estimate(run: &Run, items: &[&Item], metric: &Metric) -> Estimate {
    let (values, left_out, missing) = values(run, items, metric);
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let is_measured = !values.is_empty();
    Estimate {
        n: values.len() + left_out,
        missing,
        mean: average(values.iter().copied()),
        median: sorted.get(sorted.len().saturating_sub(1) / 2).copied(),
        interval: is_measured.then(|| bootstrap(&values)),
    }
}

/// The values, the number of missing questions without a value, and the number of all missing
/// questions.
fn values(run: &Run, items: &[&Item], metric: &Metric) -> (Vec<f64>, usize, usize) {
    let (mut all, mut left_out, mut missing) = (Vec::new(), 0, 0);
    if !metric.is_measured(run) {
        return (all, left_out, missing);
    }
    for item in distinct(items) {
        if let Some(row) = run.rows.get(&item.id) {
            all.extend((metric.value)(row));
        } else if !metric.higher_is_better {
            left_out += 1;
            missing += 1;
        } else if let Some(value) = metric.missing(run, item) {
            all.push(value);
            missing += 1;
        }
    }
    (all, left_out, missing)
}

/// The questions without those that repeat an id.
pub(super) fn distinct<'a>(items: &[&'a Item]) -> Vec<&'a Item> {
    let mut seen = std::collections::BTreeSet::new();
    let items = items.iter().copied();
    items.filter(|item| seen.insert(item.id.as_str())).collect()
}
