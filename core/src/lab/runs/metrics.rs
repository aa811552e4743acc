//! The metrics of a row.

use super::row::Row;
use super::run::Run;
use crate::eval::{ContextScores, Item, Scores};

/// One metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its key in files; that of [`crate::eval::Summary::to_json`] if the metric is the same.
    pub key: &'static str,
    /// Its name on the page.
    pub title: &'static str,
    /// Whether higher is better. Such metrics are shares between 0 and 1; the others are numbers of
    /// at least 0.
    pub higher_is_better: bool,
    /// The value for a row; `None` if the metric does not apply or was not measured.
    pub value: fn(&Row) -> Option<f64>,
}

const fn share(key: &'static str, title: &'static str, value: fn(&Row) -> Option<f64>) -> Metric {
    Metric {
        key,
        title,
        higher_is_better: true,
        value,
    }
}

const fn cost(key: &'static str, title: &'static str, value: fn(&Row) -> Option<f64>) -> Metric {
    Metric {
        key,
        title,
        higher_is_better: false,
        value,
    }
}

/// Grounded's cross-file completeness (section 4.2).
fn complete(row: &Row) -> Option<f64> {
    match &row.context {
        Some(context) => context.complete,
        None => row.scores.as_ref()?.cross_file,
    }
}

/// All metrics, in the order of a table. EM, recall and micro-recall are PathFinder's. A question
/// with one gold file has no `cross_file`, one without gold lines no `gold_lines`. Cross-file
/// completeness is about what a model is shown; if nothing is shown, about the first ten files.
#[rustfmt::skip]
pub const METRICS: [Metric; 16] = [
    share("em", "Exact set (EM)", |row| of(row, |it| it.exact)),
    share("recall", "Recall of the set", |row| of(row, any_found)),
    share("micro_recall", "Micro-recall", |row| of(row, |it| it.micro_recall)),
    share("acc@1", "First file right", |row| of(row, |it| it.acc[0])),
    share("mrr@10", "MRR at 10", |row| of(row, |it| it.mrr10)),
    share("ndcg@10", "nDCG at 10", |row| of(row, |it| it.ndcg10)),
    share("recall@5", "Recall at 5", |row| of(row, |it| it.recall[0])),
    share("recall@10", "Recall at 10", |row| of(row, |it| it.recall[1])),
    share("cross_file", "Several files complete", complete),
    share("line_recall@200", "Gold lines in 200", |row| Some(row.scores.as_ref()?.line_recall?[0])),
    share("gold_lines", "Gold lines in context", |row| row.context.as_ref()?.gold_lines),
    share("citation_accuracy", "Citation accuracy", |row| more(row, "citation_accuracy")),
    cost("auto_citation", "Automatic citations", |row| more(row, "auto_citation")),
    cost("files", "Files", files),
    cost("tokens", "Tokens", |row| Some(row.shown.as_ref()?.tokens as f64)),
    cost("ms", "Milliseconds", |row| Some(row.prediction.milliseconds)),
];

/// The metric with this key.
pub fn metric(key: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.key == key)
}

fn of(row: &Row, value: fn(&Scores) -> f64) -> Option<f64> {
    row.scores.as_ref().map(value)
}

fn any_found(scores: &Scores) -> f64 {
    f64::from(u8::from(scores.micro_recall > 0.0))
}

fn more(row: &Row, key: &str) -> Option<f64> {
    row.more.get(key).copied()
}

/// Number of files shown; if files are only ranked, number of files in the set.
fn files(row: &Row) -> Option<f64> {
    let shown = |context: &ContextScores| context.files;
    let set = row.prediction.set.len() as f64;
    Some(row.context.as_ref().map_or(set, shown))
}

impl Metric {
    /// Whether any row of a run has a value; true for a run without rows. A strategy that only
    /// ranks shows no lines; that must not count as 0 lines for each question it lacks.
    pub(super) fn is_measured(&self, run: &Run) -> bool {
        run.rows.is_empty() || run.rows.values().any(|row| (self.value)(row).is_some())
    }

    /// The value of a question without a row: 0 if higher is better and the metric is measured and
    /// applies to the question.
    pub(super) fn missing(&self, run: &Run, item: &Item) -> Option<f64> {
        // An empty set of gold files would be matched exactly by an empty prediction; a missing
        // question must not pass.
        let applies = || (self.value)(&Row::absent(item)).is_some();
        (self.higher_is_better && self.is_measured(run) && applies()).then_some(0.0)
    }
}
