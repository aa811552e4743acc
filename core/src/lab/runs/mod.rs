//! Runs and their comparison: what each pipeline found for the questions of a set, compared with a
//! baseline.
//!
//! A [`Run`] has a [`Row`] for each question it answered. [`METRICS`] is the registry of metrics;
//! [`estimate()`] averages one metric with its interval, [`difference()`] pairs it with a baseline
//! run, [`regressions`] lists where a run is worse, [`grouped`] divides the questions into groups
//! that all of these accept. [`compare()`] does the first two for all metrics, and
//! [`Comparison::to_json`] and [`Comparison::to_csv`] write the result.
//!
//! A question without a row counts as *missing*: it scores 0 wherever higher is better, and is left
//! out of the means of files, tokens and time, where 0 would be a reward. Every mean comes with `n`
//! and `missing`.

mod compare;
mod csv;
mod curve;
mod difference;
mod estimate;
mod groups;
mod metrics;
mod of_pipeline;
mod record;
mod row;
mod run;

pub use compare::{Column, Comparison, compare, rows_csv};
pub use curve::{Point, curve, precision_recall};
pub use difference::{Difference, Regression, difference, regressions};
pub use estimate::{Estimate, estimate};
pub use groups::{by_category, by_ending, by_folder, by_split, grouped};
pub use metrics::{METRICS, Metric, metric};
pub use row::Row;
pub use run::{Run, RunError, RunMeta};

#[cfg(test)]
mod tests;
