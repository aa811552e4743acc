//! The program itself, on the sample archive.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn sample() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../public/samples/courier.zip")
}

fn footnote(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_footnote");
    Command::new(program).args(args).output().unwrap()
}

fn ask(question: &str, options: &[&str]) -> Output {
    let sample = sample();
    let mut args = vec!["ask", sample.to_str().unwrap(), question];
    args.extend(options);
    footnote(&args)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_answer_has_sentences_then_places_then_files() {
    let output = ask("How long does a failed job wait?", &["--no-vectors"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let blocks: Vec<&str> = text.split("\n\n").collect();
    let &[sentences, places, files] = blocks.as_slice() else {
        panic!("{text}");
    };
    assert!(sentences.contains("[1]"), "{text}");
    assert!(places.starts_with("[1] "), "{text}");
    assert!(places.contains("src/courier/backoff.py:"), "{text}");
    assert!(files.starts_with("Files\n"), "{text}");
}

#[test]
fn the_json_of_an_answer_points_only_at_footnotes_that_it_lists() {
    for options in [["--json", "--no-vectors"].as_slice(), &["--json"]] {
        let output = ask("How long does a failed job wait?", options);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["question"], "How long does a failed job wait?");
        assert_eq!(answer["nothing"], Value::Null);
        assert!(answer.as_object().unwrap().contains_key("note"));
        let footnotes = answer["footnotes"].as_array().unwrap();
        let numbers: Vec<&Value> = footnotes.iter().map(|note| &note["number"]).collect();
        let statements = answer["statements"].as_array().unwrap();
        assert!(!statements.is_empty());
        for statement in statements {
            assert!(statement["text"].is_string());
            assert_eq!(statement["verdict"], "proven");
            let places = statement["citations"].as_array().unwrap();
            let is_listed = |place: &Value| {
                let same = |note: &Value| {
                    ["path", "start", "end"]
                        .iter()
                        .all(|key| note[key] == place[key])
                };
                footnotes.iter().any(same)
            };
            assert!(
                !places.is_empty() && places.iter().all(is_listed),
                "{places:?}"
            );
            let cited = statement["footnotes"].as_array().unwrap();
            assert!(!cited.is_empty());
            assert!(cited.iter().all(|number| numbers.contains(&number)));
        }
        for note in footnotes {
            assert!(note["path"].is_string() && note["why"].is_string());
            assert!(note["start"].as_u64() <= note["end"].as_u64());
        }
        assert!(answer["files"][0]["path"].is_string());
        assert!(answer["files"][0]["confidence"].is_number());
    }
}

#[test]
fn a_folder_is_answered_from_like_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tea");
    fs::create_dir_all(folder.join("src/tea")).unwrap();
    fs::create_dir_all(folder.join("node_modules/cup")).unwrap();
    fs::create_dir_all(folder.join("built")).unwrap();
    let code = "def brew(minutes):\n    \"\"\"Steeps leaves for some minutes.\"\"\"\n";
    fs::write(folder.join("src/tea/pot.py"), code).unwrap();
    fs::write(folder.join("node_modules/cup/brew.py"), code).unwrap();
    fs::write(folder.join("built/brew.py"), code).unwrap();
    fs::write(folder.join("built/CACHEDIR.TAG"), "").unwrap();
    let folder = folder.to_str().unwrap();
    let output = footnote(&[
        "ask",
        folder,
        "What does brew do?",
        "--json",
        "--no-vectors",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notes = answer["footnotes"].as_array().unwrap();
    let paths: Vec<_> = notes.iter().map(|note| note["path"].as_str()).collect();
    assert!(
        paths.iter().all(|path| *path == Some("src/tea/pot.py")),
        "{paths:?}"
    );
}

#[test]
fn nothing_found_is_exit_status_1_and_says_why() {
    let question = "Which wine goes with grilled salmon?";
    let output = ask(question, &["--json", "--no-vectors"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer["nothing"].is_string());
    assert_eq!(answer["statements"].as_array().unwrap().len(), 0);
    let output = ask(question, &["--no-vectors"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty());
}

#[test]
fn a_command_that_cannot_be_carried_out_exits_with_2_and_says_what_to_do() {
    let sample = sample();
    let sample = sample.to_str().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["ask", "nowhere.zip", "Why?"], "cannot read nowhere.zip"),
        (
            &["ask", sample, "Why?", "--model-dir", "nowhere"],
            "--no-vectors",
        ),
        (
            &["ask", sample, "Why?", "--chunk", "lines"],
            "sliding-window",
        ),
        (&["ask", sample, "Why?", "--jsn"], "--json"),
        (&["verify", sample, "nowhere.md"], "cannot read nowhere.md"),
        (&["evaluate", "--frobnicate"], "--frobnicate"),
    ];
    for (args, said) in cases {
        let output = footnote(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains(said),
            "{args:?}: {}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn other_ways_of_cutting_files_answer_too() {
    for name in ["sliding-window", "fixed-chars"] {
        let options = ["--no-vectors", "--chunk", name];
        let output = ask("How long does a failed job wait?", &options);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    }
}

#[test]
fn pipelines_are_listed_with_what_differs_from_their_papers() {
    let output = footnote(&["ask", "--pipeline", "list"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for name in ["footnote", "grounded", "repodistill", "repoqa-sa"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
    }
    assert!(text.contains("differs from its paper: "), "{text}");
    assert!(text.contains("\nalpha "), "{text}");
}

#[test]
fn a_pipeline_says_what_a_model_would_be_shown_within_its_budget() {
    let by_words = ["footnote", "repodistill", "repoqa-sa", "sliding-window"];
    let by_words = by_words.map(|name| (name, Some("--no-vectors")));
    for (name, flag) in by_words.into_iter().chain([("grounded", None)]) {
        let mut options = vec!["--json", "--pipeline", name, "--set", "budget=900,k₁=1.5"];
        options.extend(flag);
        let output = ask("How long does a failed job wait?", &options);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["pipeline"], name);
        assert!(answer["tokens"].as_u64().unwrap() <= 900, "{answer}");
        let context = answer["context"].as_array().unwrap();
        assert!(!context.is_empty(), "{name}");
        for block in context {
            let sent = block["sent"].as_str().unwrap();
            assert!(sent.contains(block["path"].as_str().unwrap()), "{sent}");
            assert!(block["start"].as_u64() <= block["end"].as_u64());
            assert!(block["tokens"].as_u64().unwrap() > 0);
        }
        assert!(answer["statements"].is_array() && answer["files"].is_array());
    }
}

#[test]
fn a_pipeline_without_evidence_has_no_answer_of_its_own() {
    let output = ask(
        "How long does a failed job wait?",
        &["--pipeline", "no-evidence"],
    );
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("only a language model can answer"), "{text}");
    assert!(text.contains("A model would see 0 tokens"), "{text}");
}

#[test]
fn evaluate_measures_what_pipelines_would_show_a_model() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(sample(), folder.path().join("courier.zip")).unwrap();
    let archives = r#"{"courier": {"registry": "-", "name": "courier", "version": "1", "file": "courier.zip", "sha256": ""}}"#;
    fs::write(folder.path().join("archives.json"), archives).unwrap();
    let set = folder.path().join("set.jsonl");
    let item = r#"{"id": "1", "archive": "courier", "query": "How long does a failed job wait?", "gold_files": ["src/courier/backoff.py"], "gold_spans": [{"file": "src/courier/backoff.py", "start": 1, "end": 5}]}"#;
    fs::write(&set, item).unwrap();
    let json = folder.path().join("out.json");
    let output = footnote(&[
        "evaluate",
        set.to_str().unwrap(),
        folder.path().to_str().unwrap(),
        "--no-vectors",
        "--pipeline",
        "grounded,whole-files",
        "--budget",
        "500,4000",
        "--json",
        json.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let rows = rows.as_array().unwrap();
    let runs: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            (
                row["pipeline"].as_str().unwrap(),
                row["budget"].as_str().unwrap(),
            )
        })
        .collect();
    let grounded = [("grounded", "500"), ("grounded", "4000")];
    assert_eq!(runs[..2], grounded);
    for row in rows {
        assert!(row["used"].as_f64().unwrap() <= 1.0, "{row}");
        assert_eq!(row["n"], 1);
    }
    assert_eq!(rows[3]["gold_files"], 1.0, "{rows:?}");
    assert!(stdout(&output).contains("| grounded | 500 | 1 |"));
}

#[test]
fn verify_says_by_its_exit_status_whether_every_citation_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (answer, evidence) = (folder.path().join("a.md"), folder.path().join("e.json"));
    let sent = r#"[{"file": "README.md", "start": 1, "end": 5}]"#;
    fs::write(&evidence, sent).unwrap();
    let (path, evidence) = (answer.to_str().unwrap(), evidence.to_str().unwrap());
    let sample = sample();
    let sample = sample.to_str().unwrap();
    let held = "Delays double [src/courier/backoff.py:8-13].";
    let missing = "Delays double [src/courier/nowhere.py:8-13].";
    let held_by = ["proven", "supported", "lines-exist"];
    let cases: [(&str, &[&str], i32, &[&str]); 3] = [
        (held, &[], 0, &held_by),
        (held, &["--evidence", evidence], 1, &["outside-evidence"]),
        (missing, &[], 1, &["rejected"]),
    ];
    for (text, options, status, verdicts) in cases {
        fs::write(&answer, text).unwrap();
        let mut args = vec!["verify", sample, path];
        args.extend(options);
        let output = footnote(&args);
        assert_eq!(output.status.code(), Some(status), "{text} {options:?}");
        let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let verdict = listed[0]["verdict"].as_str().unwrap();
        assert!(verdicts.contains(&verdict), "{verdict}: {text} {options:?}");
        assert!(listed[0]["instead"].is_null());
    }
}

#[test]
fn evaluate_measures_under_every_way_of_cutting_files() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set.jsonl");
    let question = serde_json::json!({
        "id": "1", "archive": "zip:courier@1.4.0", "query": "How long does a failed job wait?",
        "gold_files": ["src/courier/backoff.py"], "gold_spans": [],
    });
    fs::write(&set, question.to_string()).unwrap();
    let archives = serde_json::json!({ "zip:courier@1.4.0": {
        "registry": "zip", "name": "courier", "version": "1.4.0", "file": "courier.zip", "sha256": "",
    }});
    fs::write(folder.path().join("archives.json"), archives.to_string()).unwrap();
    let sample = sample();
    let archives = sample.parent().unwrap().to_str().unwrap();
    let indexes = folder.path().join("indexes");
    for name in ["function", "sliding-window", "fixed-chars"] {
        let output = footnote(&[
            "evaluate",
            set.to_str().unwrap(),
            archives,
            "--no-vectors",
            "--chunk",
            name,
            "--indexes",
            indexes.to_str().unwrap(),
        ]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        assert!(stdout(&output).contains("| default | 1 |"), "{name}");
    }
    assert_eq!(fs::read_dir(indexes).unwrap().count(), 3);
}

#[test]
fn a_path_through_the_graph_is_printed_step_by_step() {
    let sample = sample();
    let sample = sample.to_str().unwrap();
    let output = footnote(&["graph", sample, "--path", "fail", "delay"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.first().unwrap().ends_with("fail"), "{text}");
    assert!(lines.last().unwrap().ends_with("delay"), "{text}");
    let none = footnote(&["graph", sample, "--path", "fail", "nowhere"]);
    assert_eq!(none.status.code(), Some(1));
}

/// Two versions of a small package, as folders.
fn versions(folder: &std::path::Path) -> [String; 2] {
    let versions = [
        (
            "mail-1.0",
            "def send(to):\n    return to\n\n\ndef gone():\n    return 1\n",
        ),
        ("mail-1.1", "def send(to, twice=False):\n    return to\n"),
    ];
    versions.map(|(name, text)| {
        let version = folder.join(name);
        fs::create_dir_all(&version).unwrap();
        fs::write(version.join("mail.py"), text).unwrap();
        fs::write(version.join("same.py"), "SAME = 1\n").unwrap();
        version.to_str().unwrap().to_owned()
    })
}

#[test]
fn changes_are_listed_with_their_places_in_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = versions(folder.path());
    let output = footnote(&["changes", &old, &new, "--time"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for line in [
        "mail-1.0 > mail-1.1",
        "files        1 the same, 1 changed",
        "definitions  1 changed, 1 removed",
        "reused       1 of 2 files (50 %)",
        "  signature          send  mail.py:1-2 > mail.py:1-2",
        "  removed            gone  mail.py:5-6",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
}

#[test]
fn the_json_of_changes_can_be_limited_to_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = versions(folder.path());
    let output = footnote(&["changes", &old, &new, "--json", "--in", "gone"]);
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let definitions = shown["definitions"].as_array().unwrap();
    assert_eq!(definitions.len(), 1);
    assert_eq!(definitions[0]["what"], "removed");
    assert_eq!(definitions[0]["old"]["start"], 5);
    assert_eq!(definitions[0]["new"], Value::Null);
    assert!(shown["files"].as_array().unwrap().is_empty());
}

#[test]
fn a_question_about_changes_is_answered_from_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = versions(folder.path());
    let ask = |question: &str| footnote(&["changes", &old, &new, question]);
    let output = ask("what changed in send between 1.0 and 1.1");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "`send` differs between 1.0 and 1.1 in its signature",
        "[1] 1.0 mail.py:1-2  definition",
        "[2] 1.1 mail.py:1-2  definition",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(ask("what changed in tea").status.code(), Some(1));
    assert_eq!(ask("who calls send").status.code(), Some(2));
}

/// A small folder, and unfinished code beside it.
fn tea(folder: &std::path::Path) -> (String, String) {
    let project = folder.join("tea");
    fs::create_dir_all(project.join("src/tea")).unwrap();
    let pot = "class Pot:\n    pass\n\n\ndef brew(pot):\n    return pot\n";
    fs::write(project.join("src/tea/__init__.py"), "").unwrap();
    fs::write(project.join("src/tea/pot.py"), pot).unwrap();
    let code = folder.join("unfinished.py");
    let text =
        "from tea.pot import Pot, brew\n\n\ndef serve():\n    pot = Pot()\n    return brew(\n";
    fs::write(&code, text).unwrap();
    let shown = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    (shown(&project), shown(&code))
}

#[test]
fn complete_says_what_unfinished_code_needs_and_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (project, code) = tea(folder.path());
    let output = footnote(&["complete", &project, "--code", &code, "--lines", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("uses 1 definition that it imports: `brew`."),
        "{text}"
    );
    assert!(text.contains("src/tea/pot.py:5-5"), "{text}");
    let output = footnote(&["complete", &project, "--code", &code, "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["kind"], "unfinished");
    assert_eq!(answer["statements"][0]["verdict"], "proven");
    assert_eq!(answer["files"][0]["path"], "src/tea/pot.py");
}

#[test]
fn code_that_needs_nothing_ends_with_one_and_no_code_with_two() {
    let folder = tempfile::tempdir().unwrap();
    let (project, code) = tea(folder.path());
    for (text, status) in [("import os\nos.getcwd(", 1), ("  \n", 2)] {
        fs::write(&code, text).unwrap();
        let output = footnote(&["complete", &project, "--code", &code]);
        assert_eq!(output.status.code(), Some(status), "{text}");
    }
}

#[test]
fn lines_are_cut_out_of_code_and_the_rankings_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = tea(folder.path());
    let parts: String = (0..6)
        .map(|n| format!("def part_{n}():\n    pass\n\n\n"))
        .collect();
    let names: Vec<String> = (0..6).map(|n| format!("part_{n}")).collect();
    let user = format!(
        "from tea.parts import {}\n\n\ndef f():\n    part_3()\n",
        names.join(", ")
    );
    let src = PathBuf::from(&project).join("src/tea");
    fs::write(src.join("parts.py"), parts).unwrap();
    fs::write(src.join("user.py"), user).unwrap();
    let cases = folder.path().join("cases.jsonl");
    let cases = cases.to_str().unwrap();
    let output = footnote(&[
        "repobench",
        &project,
        "--language",
        "python",
        "--cases",
        cases,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("Python: 1 cases"),
        "{}",
        stdout(&output)
    );
    let case: Value = serde_json::from_str(&fs::read_to_string(cases).unwrap()).unwrap();
    assert_eq!(case["file"], "src/tea/user.py");
    assert_eq!(case["candidates"].as_array().unwrap().len(), 6);
    let output = footnote(&["repobench", &project, "--language", "rust"]);
    assert_eq!(output.status.code(), Some(1));
}
