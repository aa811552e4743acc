//! A row as JSON.

use serde_json::{Value, json};

use super::row::Row;
use crate::eval::{ContextPrediction, ContextScores, Prediction, Scores};
use crate::lines::{Line, LineRange};

/// The row with its prediction and its scores.
pub(super) fn to_json(row: &Row) -> Value {
    let lines = row.prediction.lines.iter();
    let lines: Vec<Value> = lines
        .map(|(path, lines)| json!([path, lines.start().0, lines.end().0]))
        .collect();
    json!({
        "files": row.prediction.files,
        "set": row.prediction.set,
        "confidence": row.prediction.confidence,
        "lines": lines,
        "ms": row.prediction.milliseconds,
        "shown": row.shown.as_ref().map(shown_to_json),
        "scores": row.scores.as_ref().map(scores_to_json),
        "context": row.context.as_ref().map(context_to_json),
        "more": row.more,
    })
}

/// Reads what [`to_json`] writes. Scores that lack a number are from another version: they are left
/// out, and the row is scored again from its prediction.
pub(super) fn from_json(value: &Value) -> Result<Row, String> {
    let milliseconds = number(value, "ms").ok_or("“ms” is not a number")?;
    let more = match value.get("more") {
        None | Some(Value::Null) => Some(Default::default()),
        Some(more) => more.as_object().and_then(|more| {
            let more = more.iter();
            more.map(|(key, it)| Some((key.clone(), it.as_f64()?)))
                .collect()
        }),
    };
    Ok(Row {
        prediction: Prediction {
            files: paths(value, "files")?,
            set: paths(value, "set")?,
            confidence: confidence(value).ok_or("“confidence” is not a list of numbers")?,
            lines: lines(value).ok_or("“lines” is not a list of path, first and last line")?,
            milliseconds,
        },
        shown: match value.get("shown") {
            None | Some(Value::Null) => None,
            Some(shown) => Some(shown_from_json(shown).ok_or("“shown” cannot be read")?),
        },
        scores: value.get("scores").and_then(scores_from_json),
        context: value.get("context").and_then(context_from_json),
        more: more.ok_or("“more” is not numbers by name")?,
    })
}

fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key).and_then(Value::as_f64)
}

fn paths(value: &Value, key: &str) -> Result<Vec<String>, String> {
    let list = value.get(key).and_then(Value::as_array);
    let paths = list.and_then(|list| {
        let paths = list.iter().map(|path| path.as_str().map(str::to_owned));
        paths.collect::<Option<Vec<String>>>()
    });
    paths.ok_or_else(|| format!("“{key}” is not a list of paths"))
}

/// The confidences; earlier versions wrote none.
fn confidence(value: &Value) -> Option<Vec<f64>> {
    match value.get("confidence") {
        None => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(Value::as_f64).collect(),
    }
}

fn range(start: &Value, end: &Value) -> Option<LineRange> {
    let line = |value: &Value| Some(Line(u32::try_from(value.as_u64()?).ok()?));
    Some(LineRange::new(line(start)?, line(end)?))
}

fn lines(value: &Value) -> Option<Vec<(String, LineRange)>> {
    let list = value.get("lines")?.as_array()?.iter();
    list.map(|entry| match entry.as_array()?.as_slice() {
        [path, start, end] => Some((path.as_str()?.to_owned(), range(start, end)?)),
        _ => None,
    })
    .collect()
}

fn shown_to_json(shown: &ContextPrediction) -> Value {
    let files = shown.shown.iter().map(|(path, runs)| {
        let runs = runs.iter().map(|run| json!([run.start().0, run.end().0]));
        json!([path, runs.collect::<Vec<Value>>()])
    });
    json!({
        "files": files.collect::<Vec<Value>>(),
        "tokens": shown.tokens,
        "budget": shown.budget,
    })
}

fn shown_from_json(value: &Value) -> Option<ContextPrediction> {
    let run = |entry: &Value| match entry.as_array()?.as_slice() {
        [start, end] => range(start, end),
        _ => None,
    };
    let file = |entry: &Value| match entry.as_array()?.as_slice() {
        [path, runs] => {
            let runs = runs.as_array()?.iter().map(run);
            Some((path.as_str()?.to_owned(), runs.collect::<Option<_>>()?))
        }
        _ => None,
    };
    let whole = |key: &str| usize::try_from(value.get(key)?.as_u64()?).ok();
    let files = value.get("files")?.as_array()?.iter().map(file);
    Some(ContextPrediction {
        shown: files.collect::<Option<_>>()?,
        tokens: whole("tokens")?,
        budget: whole("budget")?,
    })
}

fn scores_to_json(scores: &Scores) -> Value {
    json!({
        "acc": scores.acc,
        "mrr@10": scores.mrr10,
        "ndcg@10": scores.ndcg10,
        "recall": scores.recall,
        "em": scores.exact,
        "micro_recall": scores.micro_recall,
        "cross_file": scores.cross_file,
        "line_recall": scores.line_recall,
        "ms": scores.milliseconds,
    })
}

fn scores_from_json(value: &Value) -> Option<Scores> {
    Some(Scores {
        acc: numbers(value.get("acc")?)?,
        mrr10: number(value, "mrr@10")?,
        ndcg10: number(value, "ndcg@10")?,
        recall: numbers(value.get("recall")?)?,
        exact: number(value, "em")?,
        micro_recall: number(value, "micro_recall")?,
        cross_file: or_null(value.get("cross_file")?, Value::as_f64)?,
        line_recall: or_null(value.get("line_recall")?, numbers)?,
        milliseconds: number(value, "ms")?,
    })
}

fn context_to_json(scores: &ContextScores) -> Value {
    json!({
        "gold_lines": scores.gold_lines,
        "gold_files": scores.gold_files,
        "complete": scores.complete,
        "files": scores.files,
        "used": scores.used,
    })
}

fn context_from_json(value: &Value) -> Option<ContextScores> {
    Some(ContextScores {
        gold_lines: or_null(value.get("gold_lines")?, Value::as_f64)?,
        gold_files: number(value, "gold_files")?,
        complete: or_null(value.get("complete")?, Value::as_f64)?,
        files: number(value, "files")?,
        used: number(value, "used")?,
    })
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// A value that may be null: the inner `None` is null, the outer one is anything unexpected.
fn or_null<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Option<Option<T>> {
    match value {
        Value::Null => Some(None),
        _ => read(value).map(Some),
    }
}
