//! Writing and reading runs.

use serde_json::{Value, json};

use super::*;

#[test]
fn a_run_comes_back_as_it_was_written() {
    let items = set(6);
    let mut written = run("a", &items, |at| (at != 2).then_some(1 + at % 2 * 2));
    written.meta = RunMeta {
        versions: [("footnote".to_owned(), "0.1.0".to_owned())].into(),
        index: "4f1c".to_owned(),
        set: "9be2".to_owned(),
        settings: json!({"budget": 4000}),
        seed: u64::MAX,
        model: Some("m".to_owned()),
        prompt: None,
        durations: [("search".to_owned(), 1.5)].into(),
    };
    written
        .failed
        .insert("q2".to_owned(), "time limit".to_owned());
    let text = written.to_json().to_string();
    let read = Run::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(read.to_json(), written.to_json());
    assert_eq!(read.meta, written.meta);
    assert!(
        read.rows
            .values()
            .all(|row| row.scores.is_some() && row.context.is_some())
    );
}

#[test]
fn a_run_read_from_a_file_does_not_differ_from_the_one_that_was_written() {
    let items = set(40);
    let ranks = noise(4, 40);
    let written = run("a", &items, |at| Some(ranks[at] + 3));
    let text = written.to_json().to_string();
    let read = Run::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
    for metric in &METRICS {
        assert!(regressions(&read, &written, &refs(&items), metric).is_empty());
        let it = difference(&read, &written, &refs(&items), metric);
        assert!(it.is_none_or(|it| it.p == 1.0), "{}", metric.key);
    }
}

#[test]
fn a_file_that_is_not_a_run_is_refused_with_a_reason() {
    let good = run("a", &set(1), |_| Some(1)).to_json();
    for (path, value, reason) in [
        ("/format", json!(2), "the run has format 2"),
        ("/format", json!("1"), "“format” of the run"),
        ("/strategy", Value::Null, "“strategy” of the run"),
        ("/run_meta/seed", json!(-1), "“seed” of the run"),
        (
            "/run_meta/versions",
            json!({"a": 1}),
            "“versions” of the run",
        ),
        ("/rows", json!([]), "“rows” of the run"),
        (
            "/rows/q0/files",
            json!([1]),
            "the row of question q0 cannot be read: “files”",
        ),
        (
            "/rows/q0/lines/0",
            json!(["a", 1]),
            "the row of question q0 cannot be read: “lines”",
        ),
        (
            "/rows/q0/ms",
            Value::Null,
            "the row of question q0 cannot be read: “ms”",
        ),
        (
            "/rows/q0/shown",
            json!({}),
            "the row of question q0 cannot be read: “shown”",
        ),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value;
        let error = Run::from_json(&bad).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
}

#[test]
fn old_runs_are_scored_again_from_what_they_found() {
    let items = set(8);
    let fresh = run("a", &items, |at| Some(at + 1));
    let mut json = fresh.to_json();
    for row in json["rows"].as_object_mut().unwrap().values_mut() {
        row["scores"].as_object_mut().unwrap().remove("mrr@10");
        row["context"] = Value::Null;
    }
    let mut old = Run::from_json(&json).unwrap();
    let before = estimate(&old, &refs(&items), of("mrr@10"));
    assert_eq!(
        before.mean, None,
        "a number that is not there is not made up"
    );
    assert_eq!(old.rescore(&refs(&items[..7])), ["q7"]);
    assert!(old.rescore(&refs(&items)).is_empty());
    assert_eq!(old.to_json(), fresh.to_json());
    let mut other = items;
    other
        .iter_mut()
        .for_each(|item| item.gold_files = vec!["x1.py".to_owned()]);
    old.rescore(&refs(&other));
    assert_eq!(
        estimate(&old, &refs(&other), of("acc@1")).mean,
        Some(7.0 / 8.0)
    );
}
