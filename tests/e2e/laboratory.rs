//! The laboratory: a question set is made from the open repository, looked through, exported and
//! imported again, and pipelines are evaluated on it, with the same figures as on the command line.

use std::path::Path;
use std::process::Command;

use footnote_tests::browser::{Page, archive};
use serde_json::{Value, json};

use crate::story::{
    all_vectors, bring, downloaded, downloads_of, marked_lines, open_sample, read, ready,
    with_downloads,
};

const ARCHIVE: &str = "requests-2.32.5.tar.gz";
/// The input for a question set.
const SET: &str = ".lab-dialog input[type=file]";
const WANTED: usize = 30;

#[tokio::test]
async fn a_set_is_made_reviewed_and_evaluated_with_the_figures_of_the_command_line() {
    let page = Page::open().await;
    let folder = downloads_of(&page).await;
    read(&page, &archive(ARCHIVE)).await;
    page.button("Laboratory").await.click().await.unwrap();
    type_number(&page, WANTED).await;
    page.button("Make questions").await.click().await.unwrap();
    listed(&page, WANTED).await;
    page.screenshot("laboratory-questions").await;
    let kinds = "return [...new Set([...document.querySelectorAll('.lab-items li')]
        .map((it) => it.dataset.kind))].length";
    assert!(page.script(kinds).await.as_u64().unwrap() >= 10);
    page.button("Leave this question out")
        .await
        .click()
        .await
        .unwrap();
    listed(&page, WANTED - 1).await;
    page.button("Save as a question set")
        .await
        .click()
        .await
        .unwrap();
    let set = downloaded(&page, folder.path(), "jsonl").await;
    let text = std::fs::read_to_string(&set).unwrap();
    assert_eq!(text.lines().count(), WANTED - 1);

    page.button("3 Evaluate").await.click().await.unwrap();
    assert_eq!(evaluated(&page, WANTED - 1).await, 2);
    page.screenshot("laboratory-figures").await;
    page.button("Save as JSON").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "json").await;
    same_as_on_the_command_line(&saved, &set, folder.path());

    sorted_and_compared(&page).await;
    // The figures survive a reload.
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    page.button("3 Evaluate").await.click().await.unwrap();
    page.wait_for("the figures of both pipelines", async || {
        (page.elements(".lab-table tbody tr").await.len() == 2).then_some(())
    })
    .await;

    page.button("1 Questions").await.click().await.unwrap();
    page.element(".lab-items .place")
        .await
        .click()
        .await
        .unwrap();
    assert!(!marked_lines(&page).await.is_empty());
    assert!(page.elements("dialog[open]").await.is_empty());
    page.close().await;
}

#[tokio::test]
async fn an_evaluation_that_was_stopped_continues_after_a_reload() {
    let page = Page::open().await;
    open_sample(&page).await;
    all_vectors(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    type_number(&page, 8).await;
    page.button("Make questions").await.click().await.unwrap();
    listed(&page, 8).await;
    page.button("3 Evaluate").await.click().await.unwrap();
    page.element(".lab-dialog .check input")
        .await
        .click()
        .await
        .unwrap();
    page.button("Evaluate on 8 questions")
        .await
        .click()
        .await
        .unwrap();
    answered(&page, 2).await;
    page.button("Stop").await.click().await.unwrap();
    page.wait_for_text("of 16 answers done").await;
    page.element(".lab-dialog button.go")
        .await
        .click()
        .await
        .unwrap();
    // An evaluation is saved every two seconds, for the case that its tab is closed.
    answered(&page, 9).await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    page.button("3 Evaluate").await.click().await.unwrap();
    page.wait_for_text("of 16 answers done").await;
    let go = page.element(".lab-dialog button.go").await;
    let label = go.text().await.unwrap();
    assert!(label.starts_with("Continue ("), "{label}");
    go.click().await.unwrap();
    page.wait_for_long("the figures", async || {
        let rows = page.elements(".lab-table tbody tr").await.len();
        (rows == 2).then_some(())
    })
    .await;
    page.button("Evaluate on 8 questions").await;
    page.close().await;
}

#[tokio::test]
async fn a_set_that_was_saved_is_opened_again_and_a_wrong_file_leaves_it() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    type_number(&page, 12).await;
    page.button("Make questions").await.click().await.unwrap();
    listed(&page, 12).await;
    page.button("Save as a question set")
        .await
        .click()
        .await
        .unwrap();
    let set = downloaded(&page, folder.path(), "jsonl").await;
    for (name, text, told) in [
        (
            "prose.jsonl",
            "Here are some questions:\n",
            "line 1 of the question set",
        ),
        ("empty.jsonl", "\n\n", "the question set is empty"),
        (
            "fields.jsonl",
            "{\"id\": \"a\", \"question\": \"b\"}\n",
            "missing field",
        ),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        bring(&page, SET, &[file]).await;
        page.wait_for_text(told).await;
        listed(&page, 12).await;
    }
    let of_others = folder.path().join("others.jsonl");
    let line = json!({
        "id": "x", "archive": "a", "query": "where is it", "gold_files": ["nowhere/to.be"]
    });
    std::fs::write(&of_others, format!("{line}\n{line}\n")).unwrap();
    bring(&page, SET, &[of_others]).await;
    page.wait_for_text("Files that answer but are not in this repository: 1 of 1")
        .await;
    listed(&page, 1).await;
    bring(&page, SET, &[set]).await;
    listed(&page, 12).await;
    page.close().await;
}

/// Waits until an evaluation has made `n` answers.
async fn answered(page: &Page, n: u32) {
    page.wait_for_long(&format!("{n} answers"), async || {
        let bar = page.elements(".lab-progress progress").await;
        let done = bar.first()?.attr("value").await.ok()??;
        (done.parse::<u32>().ok()? >= n).then_some(())
    })
    .await;
}

/// Sorts the figures, and follows a question to both answers and back.
async fn sorted_and_compared(page: &Page) {
    let heading = ".lab-table th:nth-child(2)";
    let click = format!("document.querySelector('{heading} button').click()");
    page.script(&click).await;
    let sorted = page.element(heading).await.attr("aria-sort").await.unwrap();
    assert_eq!(sorted.as_deref(), Some("descending"));
    let choose = "const list = document.querySelector('.lab-ranks select');
        list.value = list.options.length - 1;
        list.dispatchEvent(new Event('change', { bubbles: true }));";
    page.script(choose).await;
    page.wait_for("all questions", async || {
        let n = page.elements(".lab-ranks li").await.len();
        (n == WANTED - 1).then_some(())
    })
    .await;
    page.button("Compare the answers")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_long("both answers", async || {
        let made = page
            .elements(".compare-dialog .column[aria-busy=false]")
            .await;
        (made.len() == 2).then_some(())
    })
    .await;
    assert!(!page.elements(".compare-dialog p .place").await.is_empty());
    page.screenshot("laboratory-compared").await;
    page.button("Close").await.click().await.unwrap();
    page.element(".lab-dialog[open] .lab-ranks").await;
}

/// Evaluates the ticked pipelines on `n` questions; returns how many pipelines the table then has.
pub async fn evaluated(page: &Page, n: usize) -> usize {
    let label = format!("Evaluate on {n} questions");
    page.button(&label).await.click().await.unwrap();
    page.wait_for_long("the figures", async || {
        let rows = page.elements(".lab-table tbody tr").await.len();
        (rows > 0).then_some(rows)
    })
    .await
}

/// Enters how many questions to make.
pub async fn type_number(page: &Page, wanted: usize) {
    page.element(".lab-order input[type=number]").await;
    let script = format!(
        "const input = document.querySelector('.lab-order input[type=number]');
         input.value = {wanted};
         input.dispatchEvent(new Event('change', {{ bubbles: true }}));"
    );
    page.script(&script).await;
}

pub async fn listed(page: &Page, expected: usize) {
    page.wait_for(&format!("{expected} questions"), async || {
        let shown = page.elements(".lab-items > li").await.len();
        (shown == expected).then_some(())
    })
    .await;
}

/// Compares the figures that the page saved with those of `footnote evaluate` on the same set.
fn same_as_on_the_command_line(saved: &Path, set: &Path, folder: &Path) {
    let doc: Value = serde_json::from_slice(&std::fs::read(saved).unwrap()).unwrap();
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().parent().unwrap().join("footnote");
    let run = folder.join("native.run");
    let mut command = Command::new(program);
    command.arg("evaluate").arg(set);
    command.arg("--archive").arg(archive(ARCHIVE));
    command.args(["--pipeline", "footnote,grounded"]);
    command.args(["--vectors-from", "table"]);
    command.arg("--json").arg(&run);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let native: Value = serde_json::from_slice(&std::fs::read(run).unwrap()).unwrap();
    for (at, name) in ["footnote", "grounded"].into_iter().enumerate() {
        let (here, there) = (&doc["comparison"][at], &native[at]);
        assert_eq!(there["pipeline"], name);
        for key in [
            "n",
            "missing",
            "em",
            "micro_recall",
            "acc@1",
            "mrr@10",
            "ndcg@10",
            "recall@10",
            "cross_file",
            "gold_lines",
            "files",
            "tokens",
        ] {
            assert!(!here[key].is_null(), "{name} {key}");
            assert_eq!(here[key], there[key], "{name} {key}");
        }
        assert_eq!(here["run_meta"]["set"], there["run_meta"]["set"]);
    }
}
