//! Each kind of question once in three languages, asked on the page. `tests/src/kinds.rs` asks the
//! same questions natively and checks that no kind is missing.

use footnote_tests::archive::save;
use footnote_tests::browser::Page;
use footnote_tests::kinds::{project, table};

use crate::story::{ask, read};

async fn story(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    let (name, bytes) = project(language);
    read(&page, &save(folder.path(), name, &bytes)).await;
    let mut wrong = Vec::new();
    for row in table().into_iter().filter(|row| row.language == language) {
        let shown = ask(&page, &row.question).await;
        // Footnotes are joined to the words before them.
        let text = shown.text.replace('\u{2060}', "");
        let says = row.says.replace('`', "");
        if !text.contains(&says) || shown.footnotes.is_empty() {
            wrong.push(format!("{}: no “{says}” in “{text}”", row.question));
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
