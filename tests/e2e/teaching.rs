//! A repository is taught which files answer its questions: it learns, is asked, and what it was
//! taught is stored and exported.

use std::path::{Path, PathBuf};

use footnote_tests::browser::{Page, archive};
use serde_json::json;

use crate::story::{
    ask, bring, downloaded, notice, open_sample, read, ready, with_downloads, with_workers,
};

const ARCHIVE: &str = "requests-2.32.5.tar.gz";
/// No code is about it, but the list of changes answers such questions.
const QUESTION: &str = "What was changed because of issue #6710?";
const UNTAUGHT: &str = "This repository has not been taught yet.";
/// The input for a teaching file.
const TAUGHT: &str = ".lab-dialog input.taught-file";

/// Opens the laboratory's tab for teaching.
async fn open_teaching(page: &Page) {
    page.button("Laboratory").await.click().await.unwrap();
    page.button("6 Teach").await.click().await.unwrap();
}

async fn begin(page: &Page) {
    let button = page.element(".lab-dialog form .go:not(:disabled)").await;
    button.click().await.unwrap();
}

async fn is_taught(page: &Page) {
    page.wait_for_long("what was taught", async || {
        let text = page.text().await;
        text.contains("Learnt from ").then_some(())
    })
    .await;
}

/// Teaches the open repository and saves what it was taught; the dialog stays open.
async fn teach_and_save(page: &Page, folder: &Path) -> PathBuf {
    open_teaching(page).await;
    page.wait_for_text(UNTAUGHT).await;
    begin(page).await;
    is_taught(page).await;
    page.button("Save as a file").await.click().await.unwrap();
    downloaded(page, folder, "footnote-taught").await
}

async fn close_dialog(page: &Page) {
    page.script("document.querySelector('dialog[open]')?.close()")
        .await;
}

#[tokio::test]
async fn a_taught_repository_answers_what_it_refused_says_why_and_knows_it_after_a_reload() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive(ARCHIVE)).await;
    let before = ask(&page, QUESTION).await;
    assert!(!before.text.contains("HISTORY.md"), "{}", before.text);
    open_teaching(&page).await;
    page.wait_for_text(UNTAUGHT).await;
    // A stopped training teaches nothing.
    begin(&page).await;
    page.element(".lab-progress").await;
    page.button("Stop").await.click().await.unwrap();
    page.wait_for_text(UNTAUGHT).await;
    begin(&page).await;
    is_taught(&page).await;
    page.wait_for_text("It helps: ").await;
    page.screenshot("teaching").await;
    let rows = page.elements(".taught tbody tr").await.len();
    assert_eq!(rows, 4, "untaught, counting only, taught, control");
    page.element(".taught-curve polyline").await;
    page.button("Answer with what was learnt")
        .await
        .click()
        .await
        .unwrap();
    answers_by_the_changes(&page).await;
    // The last one: the teaching did not answer the first turn.
    let last = "[...document.querySelectorAll('.turn')].at(-1)";
    let open = format!(
        "[...{last}.querySelectorAll('.actions button')]
            .find((it) => it.innerText.includes('How it was found')).click()"
    );
    page.script(&open).await;
    page.wait_for_text("Files that taught questions lead to")
        .await;
    page.wait_for_text("Taught question near this one").await;
    close_dialog(&page).await;

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    answers_by_the_changes(&page).await;
    open_teaching(&page).await;
    is_taught(&page).await;
    page.close().await;
}

/// The note is above the answer, so the whole turn is searched.
async fn answers_by_the_changes(page: &Page) {
    ask(page, QUESTION).await;
    let last = "return [...document.querySelectorAll('.turn')].at(-1).innerText";
    let told = page.script(last).await.to_string();
    for part in [
        "Answered by “Taught”",
        "Questions like this one lead to HISTORY.md.",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[tokio::test]
async fn teachings_are_saved_forgotten_and_brought_back_and_a_wrong_file_changes_nothing() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    let saved = teach_and_save(&page, folder.path()).await;
    page.button("Forget it").await.click().await.unwrap();
    page.wait_for_text(UNTAUGHT).await;
    let bytes = std::fs::read(&saved).unwrap();
    for (name, bytes, told) in [
        (
            "prose.footnote-taught",
            b"words".to_vec(),
            "does not contain what a repository was taught",
        ),
        (
            "cut.footnote-taught",
            bytes[..bytes.len() / 2].to_vec(),
            "is damaged",
        ),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        bring(&page, TAUGHT, &[file]).await;
        page.wait_for_text(told).await;
        page.wait_for_text(UNTAUGHT).await;
    }
    bring(&page, TAUGHT, &[saved]).await;
    is_taught(&page).await;
    page.close().await;
}

#[tokio::test]
async fn too_few_questions_teach_nothing_and_say_how_many_are_needed() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    let line = |at: u32| {
        let query = format!("where is part {at}");
        json!({ "id": at.to_string(), "archive": "a", "query": query, "gold_files": ["README.md"] })
    };
    let set = folder.path().join("few.jsonl");
    std::fs::write(&set, format!("{}\n{}\n", line(1), line(2))).unwrap();
    bring(&page, ".lab-dialog input[type=file]", &[set]).await;
    page.wait_for_text("where is part 2").await;
    page.button("6 Teach").await.click().await.unwrap();
    page.wait_for_text("the laboratory’s set (2 questions)")
        .await;
    let choose = "const [made, set] = document.querySelectorAll('.lab-dialog .chips input'); \
                  made.click(); set.click();";
    page.script(choose).await;
    begin(&page).await;
    page.wait_for_text("Teaching needs at least 10 questions")
        .await;
    page.wait_for_text(UNTAUGHT).await;
    page.close().await;
}

#[tokio::test]
async fn an_engine_that_dies_while_it_learns_is_reported_and_can_learn_again() {
    let page = with_workers().await;
    read(&page, &archive(ARCHIVE)).await;
    open_teaching(&page).await;
    page.wait_for_text(UNTAUGHT).await;
    begin(&page).await;
    page.wait_for_text("Learning from ").await;
    let kill = "const last = window.workers.at(-1); last.terminate(); \
                last.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));";
    page.script(kill).await;
    notice(&page, "has been restarted").await;
    begin(&page).await;
    is_taught(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_new_version_keeps_what_still_holds_and_learns_again_what_changed() {
    let (page, folder) = with_downloads().await;
    read(&page, &archive("requests-2.31.0.tar.gz")).await;
    let saved = teach_and_save(&page, folder.path()).await;
    close_dialog(&page).await;

    read(&page, &archive(ARCHIVE)).await;
    open_teaching(&page).await;
    page.wait_for_text(UNTAUGHT).await;
    bring(&page, TAUGHT, &[saved]).await;
    page.wait_for_text("It was taught on another version of this repository.")
        .await;
    page.wait_for_text("files changed since").await;
    page.screenshot("taught-stale").await;
    page.button("Learn again").await.click().await.unwrap();
    page.wait_for_text("With new ones about changed and new files")
        .await;
    page.screenshot("taught-again").await;
    let told = page.text().await;
    assert!(!told.contains("taught on another version"), "{told}");
    page.close().await;
}
