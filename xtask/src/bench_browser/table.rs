//! A report as a Markdown table, each number beside the last recorded one.

use serde_json::Value;

/// The figures of an archive: the place in the report, the name, the decimals.
const ROWS: [(&str, &str, usize); 23] = [
    ("/files", "files", 0),
    ("/text_mb", "text, MB", 1),
    ("/chunks", "chunks", 0),
    ("/lexical_ready_ms", "drop → words can be searched, ms", 0),
    ("/links_ms", "of it the graph, ms", 0),
    ("/first_answer_ms", "drop → first cited answer, ms", 0),
    (
        "/index_file_answer_ms",
        "the same from its index file, ms",
        0,
    ),
    (
        "/question_ms_p50",
        "question → answer by words, median, ms",
        0,
    ),
    ("/question_ms_p95", "the same, 95th percentile, ms", 0),
    ("/search_ms_p95", "of it the search, 95th percentile, ms", 0),
    ("/all_meaning_ms", "every chunk has a vector, ms", 0),
    ("/vectors_per_s", "vectors a second", 1),
    ("/reload_ready_ms", "reload → ready, ms", 0),
    ("/saved_mb", "saved, MB", 1),
    ("/peak_memory_ready_mb", "peak memory until ready, MB", 0),
    (
        "/peak_memory_first_answer_mb",
        "peak memory until the first answer compared by meaning, MB",
        0,
    ),
    ("/peak_memory_mb", "peak memory, MB", 0),
    (
        "/longest_page_task_ms/start",
        "longest task of the page as it starts, ms (0: none of 50)",
        0,
    ),
    (
        "/longest_page_task_ms/reading",
        "until the first answer by meaning",
        0,
    ),
    ("/longest_page_task_ms/vectors", "beside vectors", 0),
    ("/longest_page_task_ms/questions", "as it answers", 0),
    (
        "/longest_page_task_ms/traces",
        "as it shows how answers were found",
        0,
    ),
    ("/longest_page_task_ms/graph", "as it shows the graph", 0),
];

/// The archives of a report by size; in brackets the values of `recorded`, if they differ by more
/// than a tenth.
pub fn of(report: &Value, recorded: &Value) -> String {
    let archives = by_size(report);
    let names: Vec<&str> = archives.iter().map(|(name, _)| name.as_str()).collect();
    let mut table = format!(
        "| | {} |\n|---|{}\n",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (place, label, decimals) in ROWS {
        let cells: Vec<String> = archives
            .iter()
            .map(|(name, archive)| {
                let before = recorded["archives"][name].pointer(place);
                cell(archive.pointer(place), before, decimals)
            })
            .collect();
        table += &format!("| {label} | {} |\n", cells.join(" | "));
    }
    table
}

/// The archives of a report, those with the least text first.
pub fn by_size(report: &Value) -> Vec<(String, Value)> {
    let archives = report["archives"].as_object().cloned().unwrap_or_default();
    let mut archives: Vec<(String, Value)> = archives.into_iter().collect();
    let size = |archive: &Value| archive["chunks"].as_f64().unwrap_or(0.0);
    archives.sort_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)));
    archives
}

fn cell(now: Option<&Value>, before: Option<&Value>, decimals: usize) -> String {
    let Some(now) = now.and_then(Value::as_f64) else {
        return "–".to_owned();
    };
    let before = before
        .and_then(Value::as_f64)
        .filter(|before| (now - before).abs() > before.abs() / 10.0)
        .map(|before| format!(" ({})", number(before, decimals)));
    number(now, decimals) + &before.unwrap_or_default()
}

/// Formats a number, for example `44,873`.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn archives_are_sorted_by_size_with_recorded_values_beside_them() {
        let report = json!({ "archives": {
            "large": { "chunks": 44873, "vectors_per_s": 51.84, "reload_ready_ms": 1000.0 },
            "small": { "chunks": 813, "reload_ready_ms": 884.0 },
        }});
        let recorded = json!({ "archives": {
            "large": { "chunks": 44873, "vectors_per_s": 25.0, "reload_ready_ms": 1050.0 },
        }});
        let table = of(&report, &recorded);
        for line in [
            "| | small | large |",
            "| chunks | 813 | 44,873 |",
            "| vectors a second | – | 51.8 (25.0) |",
            "| reload → ready, ms | 884 | 1,000 |",
        ] {
            assert!(table.contains(line), "{line} in\n{table}");
        }
    }
}
