//! What the page is told of sets and runs.

use std::collections::BTreeSet;

use footnote_core::eval::Item;
use footnote_core::lab::questions::{Count, KINDS, Made};
use footnote_core::lab::runs::{
    self, Column, Difference, METRICS, Run, by_category, compare, estimate, metric, regressions,
};
use footnote_core::pipeline::PRESETS;

use crate::worker::protocol::{
    LabBegunView, LabCellView, LabColumnView, LabComparisonView, LabCountView, LabDifferenceView,
    LabGoldView, LabGroupView, LabItemView, LabOfferView, LabSetView, LabWorseView, StrategyView,
};
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::runner;

/// The metrics that are shown, of those that are measured.
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
/// What is compared by kind of question.
const BY_KIND: &str = "ndcg@10";
/// By what a pipeline is worse for a question.
const WORSE: &str = "mrr@10";
/// Regressions that are listed.
const LISTED: usize = 200;

pub fn offer() -> LabOfferView {
    let kinds = KINDS.iter().map(|kind| StrategyView {
        name: kind.name.to_owned(),
        title: kind.title.to_owned(),
    });
    LabOfferView {
        kinds: kinds.collect(),
        pipelines: runner::offered(),
    }
}

pub fn made(made: &Made) -> LabSetView {
    LabSetView {
        items: made.items.iter().map(item).collect(),
        counts: made.counts.iter().map(count).collect(),
        note: made.short.clone(),
        begun: LabBegunView::default(),
    }
}

/// A set of the user's own. Files of another repository are never found, so that is said at once.
pub fn read(file_name: &str, n_read: usize, items: &[Item], open: Option<&OpenRepo>) -> LabSetView {
    let gold = items.iter().flat_map(|item| &item.gold_files);
    let gold: BTreeSet<&String> = gold.collect();
    let is_there =
        |path: &&&String| open.is_none_or(|open| open.index.repo.find(path.as_str()).is_some());
    let n_there = gold.iter().filter(is_there).count();
    let mut note = format!("{} questions of {file_name}.", items.len());
    if n_read > items.len() {
        note += &format!(
            " {} with an id that stood there already are left out.",
            n_read - items.len()
        );
    }
    if n_there < gold.len() {
        let n = gold.len() - n_there;
        note += &format!(
            " {n} of the {} files that answer are not in this repository: their questions count as \
             not found.",
            gold.len()
        );
    }
    LabSetView {
        items: items.iter().map(item).collect(),
        counts: Vec::new(),
        note: Some(note),
        begun: LabBegunView::default(),
    }
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
    let dropped = count.dropped.iter();
    LabCountView {
        kind: count.kind.to_owned(),
        made: count.made as u32,
        kept: count.kept as u32,
        dropped: dropped
            .map(|(why, n)| ((*why).to_owned(), *n as u32))
            .collect(),
    }
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
        groups: groups(&runs, &items),
        worse: base
            .map(|base| worse(&runs, base, &items))
            .unwrap_or_default(),
    }
}

fn column(column: &Column) -> LabColumnView {
    let preset = PRESETS.iter().find(|preset| preset.name == column.name);
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
        title: preset
            .map_or(&*column.name, |preset| preset.title)
            .to_owned(),
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

fn groups(runs: &[&Run], items: &[&Item]) -> Vec<LabGroupView> {
    let Some(metric) = metric(BY_KIND) else {
        return Vec::new();
    };
    let by_kind = runs::grouped(items, by_category);
    let group = |(kind, items): (String, Vec<&Item>)| LabGroupView {
        kind,
        n: items.len() as u32,
        values: runs
            .iter()
            .map(|run| estimate(run, &items, metric).mean)
            .collect(),
    };
    by_kind.into_iter().map(group).collect()
}

fn worse(runs: &[&Run], base: &Run, items: &[&Item]) -> Vec<LabWorseView> {
    let Some(metric) = metric(WORSE) else {
        return Vec::new();
    };
    let others = runs.iter().filter(|run| run.name != base.name);
    let all = others.flat_map(|run| {
        let found = regressions(run, base, items, metric);
        found.into_iter().map(|it| LabWorseView {
            id: it.id,
            pipeline: run.name.clone(),
            rank: it.rank.map(|rank| rank as u32),
            baseline_rank: it.baseline_rank.map(|rank| rank as u32),
        })
    });
    all.take(LISTED).collect()
}
