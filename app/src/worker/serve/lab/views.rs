//! Converts sets and runs to what the page shows.

use std::collections::{BTreeMap, BTreeSet};

use footnote_core::eval::Item;
use footnote_core::lab::describing::PROMPTS;
use footnote_core::lab::export::{BadLine, FORMATS, Format, Merged};
use footnote_core::lab::questions::{Count, KINDS, Made, STRATEGIES, WrittenCount, WrittenMade};
use footnote_core::lab::runs::{
    self, Column, Difference, METRICS, Run, by_category, by_ending, by_folder, compare, estimate,
    metric,
};
use footnote_core::pipeline::PRESETS;

use crate::words;
use crate::worker::protocol::{
    LabCellView, LabColumnView, LabComparisonView, LabCountView, LabCurveView, LabDifferenceView,
    LabGoldView, LabGroupView, LabGroupingView, LabItemView, LabOfferView, LabRanksView,
    LabSetView, StrategyView,
};
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner;

/// The metrics to show, out of those measured.
const SHOWN: [&str; 10] = [
    "em",
    "micro_recall",
    "acc@1",
    "ndcg@10",
    "recall@10",
    "cross_file",
    "gold_lines",
    "files",
    "tokens",
    "ms",
];
/// The metric that is compared by group of questions.
const BY_GROUP: &str = "ndcg@10";
/// Most questions whose ranks are sent to the page.
const LISTED: usize = 5_000;

/// A way to group questions: what a group shares, and the group of a question.
type Grouping = (&'static str, fn(&Item) -> String);

const GROUPINGS: [Grouping; 4] = [
    ("kind", by_category),
    ("folder", by_folder),
    ("file extension", by_ending),
    ("number of files that answer", |item| {
        item.gold_files.len().to_string()
    }),
];

pub fn offer() -> LabOfferView {
    let kinds = KINDS.iter().map(|kind| StrategyView {
        name: kind.name.to_owned(),
        title: kind.title.to_owned(),
    });
    let strategies = STRATEGIES.iter().map(|strategy| StrategyView {
        name: strategy.name.to_owned(),
        title: strategy.title.to_owned(),
    });
    let tuning = |answers: bool| -> Vec<StrategyView> {
        let formats = FORMATS.iter().filter(|it| it.answers() == answers);
        let view = |format: &Format| StrategyView {
            name: format.name.to_owned(),
            title: format.tools.to_owned(),
        };
        formats.map(view).collect()
    };
    let prompts = PROMPTS.iter().map(|prompt| StrategyView {
        name: prompt.name.to_owned(),
        title: prompt.title.to_owned(),
    });
    LabOfferView {
        kinds: kinds.collect(),
        strategies: strategies.collect(),
        tuning: tuning(true),
        preferences: tuning(false),
        prompts: prompts.collect(),
        pipelines: runner::offered(),
    }
}

pub fn made(made: &Made) -> LabSetView {
    LabSetView {
        items: made.items.iter().map(item).collect(),
        counts: made.counts.iter().map(count).collect(),
        note: made.short.clone(),
        ..LabSetView::default()
    }
}

/// A question file that was read.
pub struct Reading<'r> {
    pub file_name: &'r str,
    /// The name of another tool's format, if it is one.
    pub format: Option<&'static str>,
    pub n_read: usize,
    /// The result of merging with the existing set, if it was added to that.
    pub merged: &'r Merged,
    pub bad: &'r [BadLine],
    pub is_added: bool,
}

/// Describes a set from a user's file. Files of another repository would never be found, so this is
/// reported at once.
pub fn read(reading: &Reading<'_>, open: Option<&OpenRepo>) -> LabSetView {
    let items = &reading.merged.items;
    let gold = items.iter().flat_map(|item| &item.gold_files);
    let gold: BTreeSet<&String> = gold.collect();
    let is_there =
        |path: &&&String| open.is_none_or(|open| open.index.repo.find(path.as_str()).is_some());
    let n_there = gold.iter().filter(is_there).count();
    let mut note = added(reading);
    if n_there < gold.len() {
        let n = gold.len() - n_there;
        note += &format!(
            " Files that answer but are not in this repository: {n} of {}. Their questions count as \
             not found.",
            gold.len()
        );
    }
    LabSetView {
        items: items.iter().map(item).collect(),
        note: Some(note),
        ..LabSetView::default()
    }
}

/// Describes the result of adding a file.
fn added(reading: &Reading<'_>) -> String {
    let Reading { merged, bad, .. } = reading;
    let questions = words::count(merged.added as u64, "question");
    let mut note = format!("{questions} from {}", reading.file_name);
    if let Some(format) = reading.format {
        note += &format!(" (format {format})");
    }
    note += if reading.is_added { " added." } else { "." };
    let left_out = reading.n_read - merged.added.min(reading.n_read);
    if left_out > 0 {
        let left_out = words::count(left_out as u64, "question");
        note += &format!(" {left_out} left out: the id or the question is already in the set.");
    }
    if let Some(first) = bad.first() {
        note += &format!(
            " {} could not be read; the first is line {} of {}: {}.",
            words::count(bad.len() as u64, "line"),
            first.line,
            first.file,
            first.reason
        );
    }
    note
}

pub fn item(item: &Item) -> LabItemView {
    let spans = item.gold_spans.iter().map(|span| LabGoldView {
        path: span.file.clone(),
        start: span.start,
        end: span.end,
    });
    let mut gold: Vec<LabGoldView> = spans.collect();
    for path in &item.gold_files {
        if gold.iter().all(|it| it.path != *path) {
            gold.push(LabGoldView {
                path: path.clone(),
                start: 0,
                end: 0,
            });
        }
    }
    LabItemView {
        id: item.id.clone(),
        kind: item.category.clone().unwrap_or_default(),
        question: item.query.clone(),
        answer: item.reference_answer.clone().unwrap_or_default(),
        gold,
    }
}

fn count(count: &Count) -> LabCountView {
    LabCountView {
        kind: count.kind.to_owned(),
        asked: 0,
        made: count.made as u32,
        kept: count.kept as u32,
        dropped: dropped(&count.dropped),
    }
}

pub fn written(made: &WrittenMade) -> LabSetView {
    LabSetView {
        items: made.items.iter().map(item).collect(),
        counts: written_counts(&made.counts),
        note: made.short.clone(),
        ..LabSetView::default()
    }
}

pub fn written_counts(counts: &[WrittenCount]) -> Vec<LabCountView> {
    let count = |count: &WrittenCount| LabCountView {
        kind: count.strategy.to_owned(),
        asked: count.asked as u32,
        made: count.made as u32,
        kept: count.kept as u32,
        dropped: [&count.dropped, &count.failed, &count.paths]
            .into_iter()
            .flat_map(dropped)
            .collect(),
    };
    counts.iter().map(count).collect()
}

fn dropped(dropped: &BTreeMap<&'static str, usize>) -> Vec<(String, u32)> {
    let dropped = dropped.iter();
    dropped
        .map(|(why, n)| ((*why).to_owned(), *n as u32))
        .collect()
}

pub fn compared(runs: &[Run], items: &[Item], baseline: usize, seconds: f64) -> LabComparisonView {
    let runs: Vec<&Run> = runs.iter().collect();
    let items: Vec<&Item> = items.iter().collect();
    let comparison = compare(&runs, &items, Some(baseline));
    let base = runs.get(baseline).copied();
    LabComparisonView {
        n: items.len() as u32,
        baseline: base.map(|run| run.name.clone()).unwrap_or_default(),
        closely: false,
        seconds,
        columns: comparison.columns.iter().map(column).collect(),
        groupings: groupings(&runs, &items),
        ranks: ranks(&runs, &items),
        curves: runs.iter().filter_map(|run| curve(run, &items)).collect(),
    }
}

fn curve(run: &Run, items: &[&Item]) -> Option<LabCurveView> {
    let points = runs::curve(run, items);
    let points: Vec<(f64, f64)> = points.iter().map(|it| (it.recall, it.precision)).collect();
    (!points.is_empty()).then(|| LabCurveView {
        name: run.name.clone(),
        points,
    })
}

/// A pipeline's title.
pub fn title(name: &str) -> String {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    preset.map_or(name, |preset| preset.title).to_owned()
}

fn column(column: &Column) -> LabColumnView {
    let cells = METRICS.iter().enumerate();
    let shown = cells.filter(|(_, metric)| SHOWN.contains(&metric.key));
    let cell = |(at, metric): (usize, &runs::Metric)| {
        let estimate = column.estimates.get(at);
        let interval = estimate.and_then(|it| it.interval);
        let difference = column.differences.get(at).and_then(Option::as_ref);
        LabCellView {
            key: metric.key.to_owned(),
            title: metric.title.to_owned(),
            is_share: !matches!(metric.key, "files" | "tokens" | "ms"),
            higher_is_better: metric.higher_is_better,
            mean: estimate.and_then(|it| it.mean),
            interval: interval.map(|it| (it.low, it.high)),
            difference: difference.map(differs),
        }
    };
    LabColumnView {
        name: column.name.clone(),
        title: title(&column.name),
        missing: column.missing as u32,
        cells: shown.map(cell).collect(),
    }
}

fn differs(difference: &Difference) -> LabDifferenceView {
    LabDifferenceView {
        mean: difference.mean,
        low: difference.interval.low,
        high: difference.interval.high,
        p: difference.p,
    }
}

/// The questions in groups, skipping groupings with only one group.
fn groupings(runs: &[&Run], items: &[&Item]) -> Vec<LabGroupingView> {
    let all = GROUPINGS.iter().enumerate().map(|(at, (by, key))| {
        let groups = groups(runs, items, key);
        (at == 0 || groups.len() > 1).then(|| LabGroupingView {
            by: (*by).to_owned(),
            groups,
        })
    });
    all.flatten().collect()
}

fn groups(runs: &[&Run], items: &[&Item], key: &fn(&Item) -> String) -> Vec<LabGroupView> {
    let Some(metric) = metric(BY_GROUP) else {
        return Vec::new();
    };
    let group = |(name, items): (String, Vec<&Item>)| LabGroupView {
        name,
        n: items.len() as u32,
        values: runs
            .iter()
            .map(|run| estimate(run, &items, metric).mean)
            .collect(),
    };
    runs::grouped(items, key).into_iter().map(group).collect()
}

fn ranks(runs: &[&Run], items: &[&Item]) -> Vec<LabRanksView> {
    let of = |item: &&Item| LabRanksView {
        id: item.id.clone(),
        ranks: runs
            .iter()
            .map(|run| {
                let row = run.rows.get(&item.id);
                row.and_then(|row| row.rank(item)).map(|rank| rank as u32)
            })
            .collect(),
    };
    items.iter().take(LISTED).map(of).collect()
}
