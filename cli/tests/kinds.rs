//! Each kind of question once in three languages, on small projects. The same table is asked in the
//! browser (`tests/e2e/every_kind.rs`).
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use footnote_core::answer::{Fit, Outcome, ask_after};
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::Question;
use footnote_core::source::{Repo, SourceFile};
use serde_json::Value;

/// Kinds that no question can be of in a language: Rust has no defaults of parameters, and tests of
/// TypeScript that are named by a sentence are no definitions.
const NOT_IN: [(&str, &str); 2] = [("rust", "defaults"), ("typescript", "test-checks")];

const LANGUAGES: [&str; 3] = ["python", "typescript", "rust"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn fixtures() -> PathBuf {
    root().join("tests/fixtures/kinds")
}

/// Language, kind, question, and what the first statement holds.
fn table() -> Vec<[String; 4]> {
    let text = fs::read_to_string(fixtures().join("questions.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let row = |row: &Value| {
        ["language", "kind", "question", "says"].map(|key| row[key].as_str().unwrap().to_owned())
    };
    rows.iter().map(row).collect()
}

fn files(folder: &Path, below: &Path, found: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, below, found);
            continue;
        }
        let inner = path.strip_prefix(below).unwrap().to_string_lossy();
        found.push(SourceFile {
            path: inner.replace('\\', "/"),
            text: fs::read_to_string(&path).unwrap(),
        });
    }
}

fn index(language: &str) -> Index {
    let folder = fixtures().join(language);
    let mut found = Vec::new();
    files(&folder, &folder, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let repo = Repo {
        name: language.to_owned(),
        files: found,
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

/// The names of all kinds, read off the files that hold them.
fn kinds() -> BTreeSet<String> {
    let mut all = BTreeSet::from(["manifest".to_owned()]);
    let mut folders = vec![root().join("core/src/answer/kinds")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // Tests hold kinds of their own making.
                folders.extend((!path.ends_with("tests")).then_some(path));
                continue;
            }
            let text = fs::read_to_string(path).unwrap();
            for line in text.lines().map(str::trim) {
                let named = line.strip_prefix("name: \"").or_else(|| {
                    line.split_once("const NAME: &str = \"")
                        .map(|(_, name)| name)
                });
                all.extend(named.and_then(|name| Some(name.split_once('"')?.0.to_owned())));
            }
        }
    }
    all
}

#[test]
fn each_kind_of_question_has_a_line_in_each_language() {
    let asked: BTreeSet<(String, String)> = table()
        .into_iter()
        .map(|[language, kind, ..]| (language, kind))
        .collect();
    let kinds = kinds();
    assert!(kinds.len() > 30, "{kinds:?}");
    let all = LANGUAGES.iter().flat_map(|language| {
        let kinds = kinds.iter().map(move |kind| (*language, kind.as_str()));
        kinds.filter(|pair| !NOT_IN.contains(pair))
    });
    let wanted: BTreeSet<(String, String)> = all
        .map(|(language, kind)| (language.to_owned(), kind.to_owned()))
        .collect();
    assert_eq!(asked, wanted);
}

#[test]
fn each_kind_of_question_is_answered_exactly_in_each_language() {
    let mut wrong = Vec::new();
    for language in LANGUAGES {
        let index = index(language);
        let own = table().into_iter().filter(|row| row[0] == language);
        for [_, kind, question, says] in own {
            let read = Question::new(&question).unwrap();
            let answer = ask_after(&index, &Vectors::new(1, 0), &read, None, &[]).answer;
            let first = match &answer.outcome {
                Outcome::Found { statements, .. } => statements[0].plain(),
                Outcome::Nothing { why } => why.clone(),
            };
            let is_right = answer.kind == Some(kind.as_str())
                && answer.fit == Fit::Exact
                && first.contains(&says);
            if !is_right {
                wrong.push(format!("{language}: {question}: {:?} {first}", answer.kind));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
