//! A new version of a repository: only what changed is read and embedded again, and the page says
//! how much that is.

use std::path::{Path, PathBuf};

use footnote_tests::archive::{files_below, save, zip};
use footnote_tests::browser::{Page, archive};
use xtask::paths;

use crate::story::{all_vectors, close, marked_lines, read};

#[tokio::test]
async fn vectors_of_equal_chunks_are_reused_in_the_next_version() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open().await;
    read(&page, &courier(folder.path(), "1.4.0", "src/", "")).await;
    all_vectors(&page).await;
    let old = total(&page).await;
    close(&page).await;

    // Every file is in another folder, and one has an extra function.
    let more = "\n\ndef hurry(message):\n    return message.with_priority(9)\n";
    read(&page, &courier(folder.path(), "1.5.0", "lib/", more)).await;
    all_vectors(&page).await;
    let new = total(&page).await;
    let reused = reused(&page).await;
    let embedded = new - reused;
    assert!(reused > new / 2, "{reused} of {new} reused, after {old}");
    assert!(
        embedded > 0,
        "the releases differ, so something was embedded"
    );
    page.close().await;
}

/// The sample's Python files as a version: in a folder, with `more` at the end of one.
fn courier(at: &Path, version: &str, folder: &str, more: &str) -> PathBuf {
    let files = files_below(&paths::root().join("tests/fixtures/sample-repository/src"));
    let files = files.into_iter().map(|(path, mut text)| {
        if path.ends_with("backoff.py") {
            text.extend_from_slice(more.as_bytes());
        }
        (format!("courier-{version}/{folder}{path}"), text)
    });
    let files: Vec<(String, Vec<u8>)> = files.collect();
    let files = files.iter();
    let files: Vec<(&str, &[u8])> = files
        .map(|(path, text)| (path.as_str(), text.as_slice()))
        .collect();
    save(at, &format!("courier-{version}.zip"), &zip(&files))
}

async fn total(page: &Page) -> u64 {
    let script = "return +document.querySelector('[data-vectors-total]').dataset.vectorsTotal";
    page.script(script).await.as_u64().unwrap()
}

/// The number in `N reused` of the last stage.
async fn reused(page: &Page) -> u64 {
    let text = page.text().await.replace(',', "");
    let before = text.split(" reused").next().unwrap_or_default();
    assert!(text.contains(" reused"), "nothing was reused:\n{text}");
    let digits: String = before
        .chars()
        .rev()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.chars().rev().collect::<String>().parse().unwrap()
}

#[tokio::test]
async fn changes_since_a_saved_version_are_listed_with_lines_of_both() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.31.0.tar.gz")).await;
    close_once_saved(&page, "requests-2.31.0").await;

    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    page.wait_for_text("files as in 2.31.0").await;
    let link = page.button("What changed: requests-2.31.0").await;
    link.click().await.unwrap();
    page.element(".changed-file").await;
    let head = page.element(".changes .quiet-line b").await;
    assert_eq!(head.text().await.unwrap(), "2.31.0");

    let question = page.element(".changes-ask input").await;
    let asked = "what changed in HTTPAdapter.get_connection_with_tls_context";
    question.send_keys(asked).await.unwrap();
    let button = page.element(".changes-ask button").await;
    button.click().await.unwrap();
    page.wait_for_text("is in 2.32.5 and not in 2.31.0").await;

    // Lines of the saved version appear in the panel, those of the open one in their file.
    let file = page.element("details.changed-file summary").await;
    file.click().await.unwrap();
    let old = page.element(".changed-place:not(.is-open-version)").await;
    old.click().await.unwrap();
    page.element(".changed-lines .line").await;
    let new = page
        .element(".changes-answer .changed-place.is-open-version")
        .await;
    new.click().await.unwrap();
    let lines = marked_lines(&page).await;
    assert!(!lines.is_empty());
    let path = page.element(".file-head .path").await;
    assert_eq!(path.text().await.unwrap(), "src/requests/adapters.py");
    page.close().await;
}

/// Closes the open repository once it is among the saved ones.
async fn close_once_saved(page: &Page, name: &str) {
    page.element(".bar .repo").await.click().await.unwrap();
    page.wait_for("the repository among the saved ones", async || {
        let script = "return document.querySelector('dialog .saved')?.innerText ?? ''";
        let list = page.script(script).await;
        list.as_str()?.contains(name).then_some(())
    })
    .await;
    page.button("Close repository").await.click().await.unwrap();
    page.element("[data-phase=empty]").await;
}
