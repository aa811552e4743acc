//! The program's `export` and `judge`: a small set of the sample archive, exported and imported
//! again.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use footnote_core::lab::export::FORMATS;
use serde_json::{Value, json};

fn footnote(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_footnote");
    Command::new(program).args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    let streams = [output.stdout.as_slice(), &output.stderr];
    streams.map(String::from_utf8_lossy).concat()
}

/// Runs the program and checks its exit status.
fn run(args: &[&str], status: i32) -> String {
    let output = footnote(args);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{args:?}\n{}",
        said(&output)
    );
    said(&output)
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn write_lines(path: &Path, lines: &[Value]) {
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, lines.concat()).unwrap();
}

/// A folder with `set.jsonl` and `pairs.jsonl`.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let lab = Self(tempfile::tempdir().unwrap());
        let count = ["--count", "40", "--out"];
        let set = lab.at("set.jsonl");
        let mut args = vec!["questions", SAMPLE];
        args.extend(count);
        args.push(&set);
        run(&args, 0);
        let pair = |(at, item): (usize, &Value)| {
            let why = match at % 3 {
                0 => json!({"kind": "rating", "chosen": 9.0, "rejected": 2.0}),
                1 => json!({"kind": "judge", "win_rate": 0.75}),
                _ => Value::Null,
            };
            json!({
                "id": item["id"], "question": item["query"], "why": why,
                "chosen": item["reference_answer"], "rejected": "No idea.",
            })
        };
        let pairs: Vec<Value> = lines(set.as_ref()).iter().enumerate().map(pair).collect();
        write_lines(&lab.path("pairs.jsonl"), &pairs);
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Exports to a folder named after the format.
    fn export(&self, format: &str, more: &[&str]) -> String {
        let (set, pairs, folder) = (
            self.at("set.jsonl"),
            self.at("pairs.jsonl"),
            self.at(format),
        );
        let mut args = vec!["export", &set, "--format", format, "--out", &folder];
        if format.starts_with("preference") {
            args.extend(["--preferences", &pairs]);
        }
        args.extend(more);
        run(&args, 0)
    }
}

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/samples/courier.zip");

#[test]
fn every_format_is_listed_exported_and_read_back_without_duplicates() {
    let lab = Lab::new();
    let list = run(&["export", "--list"], 0);
    for format in FORMATS {
        assert!(list.contains(format.name), "{list}");
        lab.export(format.name, &["--archive", SAMPLE]);
        let card = fs::read_to_string(lab.path(format.name).join("README.md")).unwrap();
        assert!(card.contains("made by Footnote"), "{card}");
        let (folder, back) = (lab.at(format.name), lab.at("back.jsonl"));
        let args = ["export", "--import", &folder, "--into", &back];
        let args = [&args[..], &["--format", format.name]].concat();
        assert!(run(&args, 0).contains("Left out: duplicates 0"));
        let mut original = lines(&lab.path(match format.answers() {
            true => "set.jsonl",
            false => "pairs.jsonl",
        }));
        let mut imported = lines(&lab.path("back.jsonl"));
        let id = |line: &Value| line["id"].as_str().unwrap().to_owned();
        original.sort_by_key(id);
        imported.sort_by_key(id);
        assert_eq!(imported, original, "{}", format.name);
        let again = run(&args, 0);
        let n = original.len();
        assert!(
            again.contains(&format!(": 0. Left out: duplicates {n}")),
            "{again}"
        );
        fs::remove_file(lab.path("back.jsonl")).unwrap();
    }
}

#[test]
fn exports_load_where_python_has_the_tools() {
    let python = std::env::var("FOOTNOTE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_datasets = Command::new(&python)
        .args(["-c", "import datasets"])
        .output();
    if !has_datasets.is_ok_and(|output| output.status.success()) {
        let why = "skipped: `import datasets` fails; FOOTNOTE_PYTHON can name another Python";
        writeln!(std::io::stderr(), "{why}").unwrap();
        return;
    }
    let lab = Lab::new();
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/exports/validate.py"
    );
    let mut validate = Command::new(&python);
    validate.arg(script);
    for format in FORMATS {
        lab.export(format.name, &["--archive", SAMPLE]);
        validate.arg(lab.path(format.name));
    }
    let output = validate.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    writeln!(
        std::io::stderr(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    )
    .unwrap();
}

#[test]
fn an_export_overwrites_its_own_files_only() {
    let lab = Lab::new();
    lab.export("messages", &[]);
    lab.export("messages", &["--seed", "2"]);
    let card = lab.path("messages/README.md");
    fs::write(&card, "my own card").unwrap();
    let (set, folder) = (lab.at("set.jsonl"), lab.at("messages"));
    let args = ["export", &set, "--format", "messages", "--out", &folder];
    let refused = run(&args, 2);
    assert!(refused.contains("contains README.md"), "{refused}");
    assert_eq!(fs::read_to_string(&card).unwrap(), "my own card");
    run(&[&args[..], &["--force"]].concat(), 0);
    assert_ne!(fs::read_to_string(&card).unwrap(), "my own card");
}

#[test]
fn an_import_names_bad_lines_and_conflicts_and_keeps_the_set() {
    let lab = Lab::new();
    lab.export("messages", &[]);
    let mut set = lines(&lab.path("set.jsonl"));
    set[0]["query"] = "Something else?".into();
    set[1]["mine"] = "a field that Footnote does not know".into();
    set.truncate(10);
    write_lines(&lab.path("kept.jsonl"), &set);
    let train = lab.path("messages/train.jsonl");
    let text = fs::read_to_string(&train).unwrap() + "{\"messages\": 3}\n";
    fs::write(&train, text).unwrap();
    let (folder, kept) = (lab.at("messages"), lab.at("kept.jsonl"));
    let report = run(&["export", "--import", &folder, "--into", &kept], 0);
    let n = lines(&lab.path("set.jsonl")).len();
    let counts = format!(
        ": {}. Left out: duplicates 9, conflicts 1, bad lines 1.",
        n - 10
    );
    assert!(report.contains(&counts), "{report}");
    assert!(
        report.contains("with another question or archive"),
        "{report}"
    );
    let bad = format!("train.jsonl:{}: left out", lines(&train).len());
    assert!(report.contains(&bad), "{report}");
    assert_eq!(lines(&lab.path("kept.jsonl"))[..10], set);
}

#[test]
fn an_impossible_export_or_import_says_what_to_do() {
    let lab = Lab::new();
    let (set, out) = (lab.at("set.jsonl"), lab.at("out"));
    let (pairs, empty) = (lab.at("pairs.jsonl"), lab.at("empty.jsonl"));
    fs::write(&empty, "").unwrap();
    let to = ["--out", &out];
    let cases: [(&[&str], &str); 6] = [
        (&[&set, "--format", "massages"], "the formats are messages"),
        (&[&set, "--format", "preference"], "--preferences"),
        (
            &[&set, "--format", "alpaca", "--preferences", &pairs],
            "leave --preferences out",
        ),
        (
            &[&set, "--format", "alpaca", "--valid", "20"],
            "from 0 to below 1",
        ),
        (&[&empty, "--format", "alpaca"], "the question set is empty"),
        (
            &[&pairs, "--format", "alpaca"],
            "line 1 of the question set",
        ),
    ];
    for (args, expected) in cases {
        let text = run(&[&["export"], args, &to].concat(), 2);
        assert!(text.contains(expected), "{args:?}\n{text}");
    }
    let text = run(&["export", "--import", &set, "--into", &out], 2);
    assert!(text.contains("no row of a known format"), "{text}");
    assert!(!lab.path("out").exists());
}

/// Writes pairs in which side one is better in eight of ten.
fn answers(lab: &Lab, n: usize) {
    let pair = |at: usize| {
        let mut answers = ["good".to_owned() + &"!".repeat(at % 7), "poor".to_owned()];
        answers[1].push_str(&"?".repeat(at % 5));
        if at % 10 >= 8 {
            answers.swap(0, 1);
        }
        json!({"id": format!("q{at}"), "question": "why?", "answers": answers})
    };
    let pairs: Vec<Value> = (0..n).map(pair).collect();
    write_lines(&lab.path("compared.jsonl"), &pairs);
}

/// Writes a judge's output for each request of a plan.
fn outputs(lab: &Lab, plan: &str, says: impl Fn(&str) -> &'static str) {
    let answered = |request: &Value| {
        let verdict = says(request["user"].as_str().unwrap());
        json!({"id": request["id"], "output": format!("Because.\n{verdict}")})
    };
    let answered: Vec<Value> = lines(&lab.path(plan)).iter().map(answered).collect();
    write_lines(&lab.path("outputs.jsonl"), &answered);
}

fn better(user: &str) -> &'static str {
    match user.find("good") < user.find("poor") {
        true => "[[A]]",
        false => "[[B]]",
    }
}

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

#[test]
fn a_judge_is_planned_answered_and_reported_with_what_it_lacks() {
    let lab = Lab(tempfile::tempdir().unwrap());
    answers(&lab, 40);
    let (pairs, plan, outs) = (
        lab.at("compared.jsonl"),
        lab.at("plan.jsonl"),
        lab.at("outputs.jsonl"),
    );
    let base = [
        "judge",
        &pairs,
        "--model",
        "some-model",
        "--sides",
        "grounded,plain",
    ];
    assert!(run(&with(&base, &["--plan", &plan]), 0).contains("240 of 240 requests"));
    outputs(&lab, "plan.jsonl", better);
    let text = run(&with(&base, &["--outputs", &outs]), 0);
    assert!(text.starts_with("The judge prefers grounded: "), "{text}");
    assert!(
        text.contains("more ratings of your own are needed"),
        "{text}"
    );
    let rating = |at: usize| {
        let preference = if at % 10 < 8 { "grounded" } else { "two" };
        json!({"id": format!("q{at}"), "preference": preference})
    };
    let mut ratings: Vec<Value> = (0..40).map(rating).collect();
    ratings.extend([
        json!({"id": "q99", "preference": "one"}),
        json!({"id": "q1"}),
    ]);
    write_lines(&lab.path("ratings.jsonl"), &ratings);
    let rated = lab.at("ratings.jsonl");
    let text = run(&with(&base, &["--outputs", &outs, "--ratings", &rated]), 0);
    assert!(text.contains("grounded is better: "), "{text}");
    assert!(
        text.contains("ratings left out because no pair has their id: 1"),
        "{text}"
    );
    assert!(
        text.contains("ratings.jsonl:42: left out: missing field"),
        "{text}"
    );
}

#[test]
fn missing_outputs_are_counted_and_can_be_asked_for() {
    let lab = Lab(tempfile::tempdir().unwrap());
    answers(&lab, 30);
    let (pairs, plan, outs) = (
        lab.at("compared.jsonl"),
        lab.at("plan.jsonl"),
        lab.at("outputs.jsonl"),
    );
    let base = ["judge", &pairs];
    run(&with(&base, &["--plan", &plan]), 0);
    outputs(&lab, "plan.jsonl", better);
    let text = fs::read_to_string(&outs).unwrap();
    let some: Vec<&str> = text.lines().take(20).collect();
    fs::write(lab.path("some.jsonl"), some.join("\n") + "\nnot JSON\n").unwrap();
    let (some, rest) = (lab.at("some.jsonl"), lab.at("rest.jsonl"));
    let text = run(&with(&base, &["--outputs", &some]), 1);
    assert!(text.contains("Nothing can be concluded"), "{text}");
    assert!(
        text.contains("160 of 180 requests have no output yet"),
        "{text}"
    );
    assert!(text.contains("some.jsonl:21: left out: not JSON"), "{text}");
    run(&with(&base, &["--outputs", &some, "--plan", &rest]), 0);
    assert_eq!(lines(&lab.path("rest.jsonl")).len(), 160);
    outputs(&lab, "rest.jsonl", better);
    let both = format!("{some},{outs}");
    let output = footnote(&with(&base, &["--outputs", &both, "--json"]));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["n_missing"], &report["n_requests"]),
        (&json!(0), &json!(180))
    );
    assert_eq!(report["standing"], "prefers_one");
    let other = run(&with(&base, &["--outputs", &some, "--model", "another"]), 1);
    assert!(
        other.contains("Outputs left out because no request has their id: 20"),
        "{other}"
    );
}

#[test]
fn a_judge_that_always_picks_the_first_is_unusable_and_exit_status_1() {
    let lab = Lab(tempfile::tempdir().unwrap());
    answers(&lab, 30);
    let (pairs, plan, outs) = (
        lab.at("compared.jsonl"),
        lab.at("plan.jsonl"),
        lab.at("outputs.jsonl"),
    );
    run(&["judge", &pairs, "--plan", &plan], 0);
    outputs(&lab, "plan.jsonl", |_| "[[A]]");
    let text = run(&["judge", &pairs, "--outputs", &outs], 1);
    assert!(text.starts_with("Do not use this judge: "), "{text}");
    let empty = lab.at("empty.jsonl");
    fs::write(&empty, "{}\n").unwrap();
    let text = run(&["judge", &empty, "--plan", &plan], 2);
    assert!(
        text.contains("there are no pairs of answers to judge"),
        "{text}"
    );
    let twice = fs::read_to_string(&pairs).unwrap().repeat(2);
    fs::write(&pairs, twice).unwrap();
    let text = run(&["judge", &pairs, "--plan", &plan], 2);
    assert!(text.contains("give each pair an id of its own"), "{text}");
}
