//! Each kind of question once in three languages, asked on the page. `cli/tests/kinds.rs` asks the
//! same table and checks that no kind is left out of it.

use std::fs;
use std::path::Path;

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::Page;
use serde_json::Value;
use xtask::paths;

use crate::story::{ask, read};

/// A fixture project as an archive.
fn project(language: &str) -> Vec<u8> {
    let folder = paths::root().join("tests/fixtures/kinds").join(language);
    let mut found = Vec::new();
    files(&folder, &folder, &mut found);
    let files: Vec<(&str, &[u8])> = found
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    zip(&files)
}

fn files(folder: &Path, below: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, below, found);
            continue;
        }
        let inner = path.strip_prefix(below).unwrap().to_string_lossy();
        found.push((format!("parcel-1/{inner}"), fs::read(&path).unwrap()));
    }
}

/// Questions of a language, each with what the answer holds as the page shows it.
fn table(language: &str) -> Vec<(String, String)> {
    let file = paths::root().join("tests/fixtures/kinds/questions.json");
    let rows: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    rows.iter()
        .filter(|row| row["language"] == language)
        .map(|row| (text(row, "question"), text(row, "says").replace('`', "")))
        .collect()
}

async fn story(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open().await;
    let archive = save(folder.path(), "parcel-1.zip", &project(language));
    read(&page, &archive).await;
    let mut wrong = Vec::new();
    for (question, says) in table(language) {
        let shown = ask(&page, &question).await;
        // Footnotes are joined to the words before them.
        let text = shown.text.replace('\u{2060}', "");
        if !text.contains(&says) || shown.footnotes.is_empty() {
            wrong.push(format!("{question}: no “{says}” in “{text}”"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    page.close().await;
}

#[tokio::test]
async fn each_kind_of_question_is_answered_about_python() {
    story("python").await;
}

#[tokio::test]
async fn each_kind_of_question_is_answered_about_typescript() {
    story("typescript").await;
}

#[tokio::test]
async fn each_kind_of_question_is_answered_about_rust() {
    story("rust").await;
}
