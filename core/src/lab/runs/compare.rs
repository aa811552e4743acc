//! All metrics of several runs, side by side.

use serde_json::{Value, json};

use super::csv;
use super::difference::{Difference, difference};
use super::estimate::{Estimate, distinct, estimate};
use super::metrics::METRICS;
use super::row::Row;
use super::run::Run;
use crate::eval::{Interval, Item, Scores, summarize};

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name of the pipeline or strategy.
    pub name: String,
    /// Number of questions in the set.
    pub n: usize,
    /// How many of them have no row.
    pub missing: usize,
    /// One for each of [`METRICS`].
    pub estimates: Vec<Estimate>,
    /// One for each of [`METRICS`], against the baseline; empty for the baseline itself, and if
    /// there is none.
    pub differences: Vec<Option<Difference>>,
    /// What differs from the baseline besides the figures, as named by
    /// [`super::RunMeta::differences`].
    pub made_otherwise: Vec<&'static str>,
    /// The run's `run_meta`, as JSON.
    pub meta: Value,
    /// The summary that `footnote evaluate` writes.
    summary: Value,
}

/// Several runs on one set.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Name of the baseline run; `None` if there is none.
    pub baseline: Option<String>,
    /// One for each run, in their order.
    pub columns: Vec<Column>,
}

/// Compares runs over `items`, which may be a group of a set; `baseline` is an index into `runs`.
pub fn compare(runs: &[&Run], items: &[&Item], baseline: Option<usize>) -> Comparison {
    let items = distinct(items);
    let base = baseline.and_then(|at| runs.get(at)).copied();
    let columns = runs.iter().enumerate().map(|(at, run)| {
        let base = base.filter(|_| baseline != Some(at));
        column(run, base, &items)
    });
    Comparison {
        baseline: base.map(|run| run.name.clone()),
        columns: columns.collect(),
    }
}

fn column(run: &Run, base: Option<&Run>, items: &[&Item]) -> Column {
    let estimates = METRICS.iter().map(|metric| estimate(run, items, metric));
    let differences = base.map(|base| {
        let metrics = METRICS.iter();
        metrics
            .map(|metric| difference(run, base, items, metric))
            .collect()
    });
    let missing = items.iter().filter(|item| !run.rows.contains_key(&item.id));
    Column {
        name: run.name.clone(),
        n: items.len(),
        missing: missing.count(),
        estimates: estimates.collect(),
        differences: differences.unwrap_or_default(),
        made_otherwise: base.map_or(Vec::new(), |base| run.meta.differences(&base.meta)),
        meta: run.meta.to_json(),
        summary: summary(run, items),
    }
}

/// The summary of `footnote evaluate`; missing questions count as nothing found, and only measured
/// times count.
fn summary(run: &Run, items: &[&Item]) -> Value {
    let scored = |row: &Row| row.scores.clone();
    let rows = items.iter().filter_map(|item| run.rows.get(&item.id));
    let present: Vec<Scores> = rows.filter_map(scored).collect();
    let all: Vec<Scores> = items
        .iter()
        .filter_map(|item| match run.rows.get(&item.id) {
            Some(row) => scored(row),
            None => Row::absent(item)
                .scores
                .map(|it| Scores { exact: 0.0, ..it }),
        })
        .collect();
    let times = summarize(&run.name, &present);
    let mut summary = summarize(&run.name, &all);
    (summary.ms_p50, summary.ms_p95) = (times.ms_p50, times.ms_p95);
    summary.to_json()
}

fn interval(it: Interval) -> Value {
    json!([it.low, it.high])
}

impl Comparison {
    /// A list with one object per run. Keys are those of [`crate::eval::Summary::to_json`], and for
    /// each metric `KEY`, `KEY_ci95`, `n_KEY` and `missing_KEY`; `difference` holds the same for
    /// the differences, with `p`.
    pub fn to_json(&self) -> Value {
        let columns = self.columns.iter();
        columns.map(|column| self.column_to_json(column)).collect()
    }

    fn column_to_json(&self, column: &Column) -> Value {
        let mut json = column.summary.clone();
        let Some(object) = json.as_object_mut() else {
            return json;
        };
        let mut set = |key: String, value: Value| object.insert(key, value);
        set("n".to_owned(), column.n.into());
        set("missing".to_owned(), column.missing.into());
        set("run_meta".to_owned(), column.meta.clone());
        for (metric, it) in METRICS.iter().zip(&column.estimates) {
            let key = metric.key;
            set(key.to_owned(), it.mean.into());
            set(format!("{key}_ci95"), it.interval.map(interval).into());
            set(format!("n_{key}"), it.n.into());
            set(format!("missing_{key}"), it.missing.into());
        }
        if !column.differences.is_empty() {
            let mut differences = json!({
                "baseline": self.baseline,
                "made_otherwise": column.made_otherwise,
            });
            for (metric, it) in METRICS.iter().zip(&column.differences) {
                if let (Some(it), Some(object)) = (it, differences.as_object_mut()) {
                    object.insert(metric.key.to_owned(), difference_to_json(it));
                }
            }
            set("difference".to_owned(), differences);
        }
        json
    }

    /// One line for each run and metric. A missing value is an empty cell.
    pub fn to_csv(&self) -> String {
        let head = [
            "strategy",
            "metric",
            "n",
            "missing",
            "mean",
            "low",
            "high",
            "median",
            "baseline",
            "difference",
            "difference_low",
            "difference_high",
            "p",
            "n_shared",
            "run_meta",
        ];
        let mut out = csv::line(&head.map(str::to_owned));
        for column in &self.columns {
            for (at, (metric, it)) in METRICS.iter().zip(&column.estimates).enumerate() {
                let difference = column.differences.get(at).copied().flatten();
                let base = difference.and(self.baseline.clone());
                let cells = [
                    column.name.clone(),
                    metric.key.to_owned(),
                    it.n.to_string(),
                    it.missing.to_string(),
                    number(it.mean),
                    number(it.interval.map(|it| it.low)),
                    number(it.interval.map(|it| it.high)),
                    number(it.median),
                    base.unwrap_or_default(),
                    number(difference.map(|it| it.mean)),
                    number(difference.map(|it| it.interval.low)),
                    number(difference.map(|it| it.interval.high)),
                    number(difference.map(|it| it.p)),
                    difference.map_or(String::new(), |it| it.n.to_string()),
                    column.meta.to_string(),
                ];
                out += &csv::line(&cells);
            }
        }
        out
    }
}

fn difference_to_json(it: &Difference) -> Value {
    json!({
        "n": it.n,
        "unshared": it.unshared,
        "mean": it.mean,
        "ci95": interval(it.interval),
        "p": it.p,
        "exact": it.is_exact,
    })
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// One line for each run and question, with the value of every metric. A missing question has a
/// line too.
pub fn rows_csv(runs: &[&Run], items: &[&Item]) -> String {
    let head = [
        "strategy", "id", "category", "query", "missing", "why", "rank",
    ];
    let keys = METRICS.iter().map(|metric| metric.key);
    let head: Vec<String> = head.into_iter().chain(keys).map(str::to_owned).collect();
    let mut out = csv::line(&head);
    for run in runs {
        for item in distinct(items) {
            let row = run.rows.get(&item.id);
            let rank = row.and_then(|row| row.rank(item));
            let mut cells = vec![
                run.name.clone(),
                item.id.clone(),
                item.category.clone().unwrap_or_default(),
                item.query.clone(),
                usize::from(row.is_none()).to_string(),
                run.failed.get(&item.id).cloned().unwrap_or_default(),
                rank.map_or(String::new(), |rank| rank.to_string()),
            ];
            cells.extend(METRICS.iter().map(|metric| {
                number(match row {
                    Some(row) => (metric.value)(row),
                    None => metric.missing(run, item),
                })
            }));
            out += &csv::line(&cells);
        }
    }
    out
}
