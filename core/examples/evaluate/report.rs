//! The table on standard output and the two JSON files.

use std::io::Write;

use footnote_core::eval::{Scores, Summary, summarize};

use super::{Result, Row, Settings};

pub fn print(settings: &Settings, rows: &[Row]) -> Result<()> {
    let summaries: Vec<Summary> = settings
        .strategies
        .iter()
        .map(|&strategy| {
            let scores: Vec<Scores> = rows
                .iter()
                .filter(|row| row.strategy == strategy)
                .map(|row| row.scores.clone())
                .collect();
            summarize(strategy.name(), &scores)
        })
        .collect();
    write!(std::io::stdout(), "{}", table(&summaries))?;
    if let Some(path) = &settings.json {
        let list: Vec<_> = summaries.iter().map(Summary::to_json).collect();
        std::fs::write(path, serde_json::to_string_pretty(&list)? + "\n")?;
    }
    if let Some(path) = &settings.per_query {
        let lines: Vec<String> = rows.iter().map(|row| json(row).to_string()).collect();
        std::fs::write(path, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// A Markdown table, one strategy a row.
fn table(summaries: &[Summary]) -> String {
    let mut out = String::from(
        "| strategy | n | acc@1 (95 %) | acc@3 | acc@5 | MRR@10 | nDCG@10 (95 %) | recall@5 | recall@10 | EM | micro-recall | lines@200 | lines@400 | lines@800 | ms p50 | ms p95 |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for s in summaries {
        let lines = s.line_recall.map_or("– | – | –".to_owned(), |[a, b, c]| {
            format!("{a:.3} | {b:.3} | {c:.3}")
        });
        out += &format!(
            "| {} | {} | {:.3} ({:.3}–{:.3}) | {:.3} | {:.3} | {:.3} | {:.3} ({:.3}–{:.3}) | {:.3} | {:.3} | {:.3} | {:.3} | {lines} | {:.1} | {:.1} |\n",
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

fn json(row: &Row) -> serde_json::Value {
    let files: Vec<&String> = row.prediction.files.iter().take(10).collect();
    let lines: Vec<String> = row
        .prediction
        .lines
        .iter()
        .take(10)
        .map(|(path, lines)| format!("{path}:{lines}"))
        .collect();
    serde_json::json!({
        "strategy": row.strategy.name(),
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
