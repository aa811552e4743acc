//! The table on standard output, and the two JSON files.

use std::collections::BTreeMap;
use std::io::Write;

use footnote_core::eval::{Scores, Summary, summarize};

use super::folds::{self, Choices};
use super::{Row, Settings};
use crate::Result;

pub fn print(settings: &Settings, rows: &[Row]) -> Result<()> {
    let choices = folds::choose(rows, settings.runs.len());
    let mut all = Vec::new();
    for (at, set) in settings.sets.iter().enumerate() {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.set == at).collect();
        let summaries = summaries(settings, &rows, &choices);
        let name = set.file_stem().unwrap_or_default().to_string_lossy();
        if settings.sets.len() > 1 {
            write!(std::io::stdout(), "\n## {name}\n\n")?;
        }
        write!(std::io::stdout(), "{}", table(&summaries))?;
        all.extend(summaries.iter().map(|summary| {
            let mut json = summary.to_json();
            json["set"] = name.clone().into();
            json
        }));
    }
    write!(
        std::io::stdout(),
        "{}",
        by_repository(settings, rows, &choices)
    )?;
    if settings.runs.len() > 1 {
        for (repository, &run) in &choices {
            let name = settings.runs.get(run).map_or("", |run| &run.name);
            writeln!(std::io::stderr(), "best without {repository}: {name}")?;
        }
    }
    if let Some(path) = &settings.json {
        std::fs::write(path, serde_json::to_string_pretty(&all)? + "\n")?;
    }
    if let Some(path) = &settings.per_query {
        let lines: Vec<String> = rows
            .iter()
            .map(|row| json(settings, row).to_string())
            .collect();
        std::fs::write(path, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// The means over repositories, and the five repositories with the lowest nDCG@10.
fn by_repository(settings: &Settings, rows: &[Row], choices: &Choices) -> String {
    let mut out = String::from(
        "\n## By repository\n\n| strategy | repositories | acc@1 | nDCG@10 | worst nDCG@10 |\n|---|---|---|---|---|\n",
    );
    let mut add = |name: &str, wanted: &dyn Fn(&Row) -> bool| {
        let of =
            |measure: fn(&Row) -> f64| folds::means(rows.iter().filter(|row| wanted(row)), measure);
        let (acc, ndcg) = (of(|row| row.scores.acc[0]), of(|row| row.scores.ndcg10));
        let mean = |it: &BTreeMap<String, f64>| it.values().sum::<f64>() / it.len().max(1) as f64;
        let mut worst: Vec<(&String, &f64)> = ndcg.iter().collect();
        worst.sort_by(|a, b| a.1.total_cmp(b.1));
        let worst: Vec<String> = worst
            .iter()
            .take(5)
            .map(|(repository, ndcg)| format!("{repository} {ndcg:.2}"))
            .collect();
        out += &format!(
            "| {name} | {} | {:.3} | {:.3} | {} |\n",
            ndcg.len(),
            mean(&acc),
            mean(&ndcg),
            worst.join(", ")
        );
    };
    for (at, run) in settings.runs.iter().enumerate() {
        add(&run.name, &|row| row.run == at);
    }
    if settings.runs.len() > 1 {
        add("cross-validated", &|row| {
            choices.get(&folds::repository(&row.item.archive)) == Some(&row.run)
        });
    }
    out
}

/// One summary per run and, if there are several, one more: each repository under the run chosen
/// for it.
fn summaries(settings: &Settings, rows: &[&Row], choices: &Choices) -> Vec<Summary> {
    let scores = |wanted: &dyn Fn(&Row) -> bool| -> Vec<Scores> {
        let rows = rows.iter().filter(|row| wanted(row));
        rows.map(|row| row.scores.clone()).collect()
    };
    let mut summaries: Vec<Summary> = settings
        .runs
        .iter()
        .enumerate()
        .map(|(at, run)| summarize(&run.name, &scores(&|row| row.run == at)))
        .collect();
    if settings.runs.len() > 1 {
        let chosen =
            |row: &Row| choices.get(&folds::repository(&row.item.archive)) == Some(&row.run);
        summaries.push(summarize("cross-validated", &scores(&chosen)));
    }
    summaries
}

/// A Markdown table, one strategy per row.
fn table(summaries: &[Summary]) -> String {
    let mut out = String::from(
        "| strategy | n | acc@1 (95 %) | acc@3 | acc@5 | MRR@10 | nDCG@10 (95 %) | recall@5 | recall@10 | EM | micro-recall | cross-file | lines@200 | lines@400 | lines@800 | ms p50 | ms p95 |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for s in summaries {
        let lines = s.line_recall.map_or("– | – | –".to_owned(), |[a, b, c]| {
            format!("{a:.3} | {b:.3} | {c:.3}")
        });
        let cross_file = s
            .cross_file
            .map_or("–".to_owned(), |share| format!("{share:.3}"));
        out += &format!(
            "| {} | {} | {:.3} ({:.3}–{:.3}) | {:.3} | {:.3} | {:.3} | {:.3} ({:.3}–{:.3}) | {:.3} | {:.3} | {:.3} | {:.3} | {cross_file} | {lines} | {:.1} | {:.1} |\n",
            s.strategy,
            s.n,
            s.acc[0],
            s.acc1_interval.low,
            s.acc1_interval.high,
            s.acc[1],
            s.acc[2],
            s.mrr10,
            s.ndcg10,
            s.ndcg10_interval.low,
            s.ndcg10_interval.high,
            s.recall[0],
            s.recall[1],
            s.exact,
            s.micro_recall,
            s.ms_p50,
            s.ms_p95,
        );
    }
    out
}

fn json(settings: &Settings, row: &Row) -> serde_json::Value {
    let name = settings.runs.get(row.run).map_or("", |run| &run.name);
    let files: Vec<&String> = row.prediction.files.iter().take(10).collect();
    let lines: Vec<String> = row
        .prediction
        .lines
        .iter()
        .take(10)
        .map(|(path, lines)| format!("{path}:{lines}"))
        .collect();
    serde_json::json!({
        "strategy": name,
        "id": row.item.id,
        "archive": row.item.archive,
        "query": row.item.query,
        "gold_files": row.item.gold_files,
        "files": files,
        "set": row.prediction.set,
        "lines": lines,
        "acc@1": row.scores.acc[0],
        "mrr@10": row.scores.mrr10,
        "ndcg@10": row.scores.ndcg10,
        "em": row.scores.exact,
        "line_recall@200": row.scores.line_recall.map(|recall| recall[0]),
        "ms": row.scores.milliseconds,
    })
}
