//! Rows → means with intervals, as a table and as JSON.

use std::collections::BTreeSet;
use std::io::Write;

use footnote_core::eval::bootstrap;

use super::super::Settings;
use crate::Result;

/// One question under one strategy.
pub struct Row {
    pub set: usize,
    pub strategy: String,
    pub pool: String,
    /// The share of tokens, or the tokens of the context.
    pub keep: f32,
    /// The share of the gold lines that is kept.
    pub gold_lines: f64,
    /// The share of the reference answer's identifiers that is kept, if it has any.
    pub names: Option<f64>,
}

pub fn print(settings: &Settings, rows: &[Row]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let mut results = Vec::new();
    let sets = settings
        .sets
        .iter()
        .map(|set| set.file_stem().unwrap_or_default().to_string_lossy());
    let mut groups: Vec<(String, Vec<&Row>)> = Vec::new();
    for (at, set) in sets.enumerate() {
        groups.push((
            set.into_owned(),
            rows.iter().filter(|row| row.set == at).collect(),
        ));
    }
    if settings.sets.len() > 1 {
        groups.push(("all".to_owned(), rows.iter().collect()));
    }
    for (set, rows) in &groups {
        let pools: BTreeSet<&str> = rows.iter().map(|row| row.pool.as_str()).collect();
        for pool in pools {
            let rows: Vec<&Row> = rows
                .iter()
                .copied()
                .filter(|row| row.pool == pool)
                .collect();
            writeln!(
                out,
                "\n## {set}, {pool}\n\n{}",
                table(set, pool, &rows, &mut results)
            )?;
        }
    }
    if let Some(path) = &settings.json {
        let lines: Vec<String> = results.iter().map(|result| format!("  {result}")).collect();
        std::fs::write(path, format!("[\n{}\n]\n", lines.join(",\n")))?;
    }
    Ok(())
}

/// One strategy per line, one share of tokens per column.
fn table(set: &str, pool: &str, rows: &[&Row], results: &mut Vec<serde_json::Value>) -> String {
    let mut keeps: Vec<f32> = rows.iter().map(|row| row.keep).collect();
    keeps.sort_by(f32::total_cmp);
    keeps.dedup();
    let mut strategies: Vec<&str> = Vec::new();
    for row in rows {
        if !strategies.contains(&row.strategy.as_str()) {
            strategies.push(&row.strategy);
        }
    }
    let head: Vec<String> = keeps.iter().map(|keep| format!(" {keep} |")).collect();
    let mut out = format!(
        "| strategy | n |{} names |\n|---|---|{}---|\n",
        head.concat(),
        "---|".repeat(keeps.len())
    );
    for strategy in strategies {
        let of = |keep: f32| -> Vec<&&Row> {
            rows.iter()
                .filter(|row| row.strategy == strategy && row.keep == keep)
                .collect()
        };
        let n = keeps.first().map_or(0, |&keep| of(keep).len());
        out += &format!("| {strategy} | {n} |");
        let mut names = Vec::new();
        for &keep in &keeps {
            let lines: Vec<f64> = of(keep).iter().map(|row| row.gold_lines).collect();
            let known: Vec<f64> = of(keep).iter().filter_map(|row| row.names).collect();
            if lines.is_empty() {
                out += " – |";
                continue;
            }
            let interval = bootstrap(&lines);
            let (low, high) = (interval.low * 100.0, interval.high * 100.0);
            out += &format!(" {:.1} ({low:.0}–{high:.0}) |", mean(&lines) * 100.0);
            names.push(match known.is_empty() {
                true => "–".to_owned(),
                false => format!("{:.0}", mean(&known) * 100.0),
            });
            results.push(serde_json::json!({
                "set": set, "strategy": strategy, "keep": rounded(f64::from(keep)), "pool": pool, "gold_lines_kept": rounded(mean(&lines)),
                "n": lines.len(), "ci95": [rounded(interval.low), rounded(interval.high)],
                "names_kept": (!known.is_empty()).then(|| rounded(mean(&known))), "n_names": known.len(),
            }));
        }
        out += &format!(" {} |\n", names.join(" / "));
    }
    out
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
