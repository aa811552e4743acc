//! The review in the laboratory: questions are rated, dropped, edited and tagged with the keyboard
//! alone, saved as one person's file, and compared with another's; answers are rated without
//! knowing who made them.

use std::path::Path;

use footnote_tests::browser::Page;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::Key;

use crate::laboratory::{listed, type_number};
use crate::story::{bring, downloaded, open_sample, ready, with_downloads};

const WANTED: usize = 12;
/// The input for review files.
const FILES: &str = ".lab-dialog .review-files";
/// The text of the current question.
const QUESTION: &str = ".review-question textarea";

#[tokio::test]
async fn questions_are_reviewed_by_keyboard_and_compared_with_the_file_of_another() {
    let (page, folder) = reviewing().await;
    let list = page.element(".review-list").await;
    type_name(&page, "Ada").await;
    list.send_keys("8").await.unwrap();
    page.wait_for_text("Good to perfect").await;
    list.send_keys("j").await.unwrap();
    list.send_keys("2x").await.unwrap();
    page.wait_for_text("1 left out of figures and exports")
        .await;
    list.send_keys("j0v").await.unwrap();
    page.wait_for_text("3 of 12 questions rated").await;

    list.send_keys("e").await.unwrap();
    focused(&page, "TEXTAREA").await;
    let question = page.element(QUESTION).await;
    question
        .send_keys(" Say it in a word: v x 1")
        .await
        .unwrap();
    question.send_keys(Key::Control + Key::Enter).await.unwrap();
    focused(&page, "DIV").await;
    page.wait_for_text("Edited.").await;
    // Typing had no other effect.
    assert!(page.text().await.contains("3 of 12 questions rated"));

    list.send_keys("t").await.unwrap();
    focused(&page, "INPUT").await;
    let tag = page.element("[aria-label='Add a tag']").await;
    tag.send_keys("hard").await.unwrap();
    tag.send_keys(Key::Enter + "").await.unwrap();
    badge(&page, "hard").await;
    page.screenshot("laboratory-review").await;

    page.button("Save as my review file")
        .await
        .click()
        .await
        .unwrap();
    let mine = downloaded(&page, folder.path(), "jsonl").await;
    let ids = has_said(&mine);
    let theirs = folder.path().join("ben.jsonl.txt");
    write_other(&mine, &theirs, &ids);
    bring(&page, FILES, &[theirs]).await;
    page.wait_for_text("3 reviews by Ben").await;
    page.wait_for_text("1 line is left out (line 5:").await;

    page.button("Agreement").await.click().await.unwrap();
    let kappa = page.element(".review-kappa tbody").await;
    let text = kappa.text().await.unwrap();
    assert!(text.contains("Ada and Ben"), "{text}");
    // Kept and dropped the other way round: as far below chance as possible.
    assert!(text.contains("−1.00"), "{text}");
    assert!(text.contains("n = 2"), "{text}");
    let disputed = page.element(".review-disputed tbody").await;
    assert!(disputed.text().await.unwrap().contains("keep"));
    page.screenshot("laboratory-agreement").await;
    page.close().await;
}

#[tokio::test]
async fn several_questions_are_selected_dropped_and_left_out_of_the_saved_set() {
    let (page, folder) = reviewing().await;
    let list = page.element(".review-list").await;
    list.send_keys(" j j ").await.unwrap();
    page.wait_for_text("3 selected").await;
    list.send_keys("x").await.unwrap();
    page.wait_for_text("3 left out of figures and exports")
        .await;
    list.send_keys("/").await.unwrap();
    let filter = page.element("[aria-label='Filter questions']").await;
    filter.send_keys("no such words").await.unwrap();
    page.wait_for_text("No question matches the filter.").await;
    // Esc leaves the field, not the dialog.
    filter.send_keys(Key::Escape + "").await.unwrap();
    assert!(!page.elements("dialog[open] .review-list").await.is_empty());

    page.button("1 Questions").await.click().await.unwrap();
    page.wait_for_text("3 dropped in the review").await;
    page.button("Save as a question set")
        .await
        .click()
        .await
        .unwrap();
    let set = downloaded(&page, folder.path(), "jsonl").await;
    let text = std::fs::read_to_string(set).unwrap();
    assert_eq!(text.lines().count(), WANTED - 3);
    page.button("3 Evaluate").await.click().await.unwrap();
    page.button("Evaluate on 9 questions").await;
    page.close().await;
}

#[tokio::test]
async fn answers_are_rated_without_names_and_then_revealed() {
    let (page, folder) = reviewing().await;
    page.button("Rate answers blind")
        .await
        .click()
        .await
        .unwrap();
    page.button("Make answers to rate")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("of 24 questions rated").await;
    let list = page.element(".review-list").await;
    let shown = page.element(".lab-review").await.text().await.unwrap();
    assert!(!shown.contains("Grounded"), "{shown}");
    list.send_keys("8j6").await.unwrap();
    page.wait_for_text("2 of 24 questions rated").await;
    page.button("Rate answers blind")
        .await
        .click()
        .await
        .unwrap();
    page.button("Save as the key").await.click().await.unwrap();
    let key = downloaded(&page, folder.path(), "json").await;
    let key: Value = serde_json::from_slice(&std::fs::read(key).unwrap()).unwrap();
    assert_eq!(key["makers"].as_object().unwrap().len(), 24);
    // Answers and ratings survive a reload, still without names.
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    page.button("2 Review").await.click().await.unwrap();
    page.wait_for_text("2 of 24 questions rated").await;
    let shown = page.element(".lab-review").await.text().await.unwrap();
    assert!(!shown.contains("Grounded"), "{shown}");
    page.button("Rate answers blind")
        .await
        .click()
        .await
        .unwrap();
    page.button("Reveal").await.click().await.unwrap();
    let table = page.element(".review-revealed tbody").await;
    let text = table.text().await.unwrap();
    assert!(text.contains("Grounded") && text.contains("8.0"), "{text}");
    assert!(text.contains("6.0"), "{text}");
    page.button("Back to the questions")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("0 of 12 questions rated").await;
    page.close().await;
}

/// The sample with twelve questions, in the review; downloads go to the folder.
async fn reviewing() -> (Page, TempDir) {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    type_number(&page, WANTED).await;
    page.button("Make questions").await.click().await.unwrap();
    listed(&page, WANTED).await;
    page.button("2 Review").await.click().await.unwrap();
    page.wait_for_text("0 of 12 questions rated").await;
    // The keyboard is in the list from the start.
    focused(&page, "DIV").await;
    (page, folder)
}

async fn type_name(page: &Page, name: &str) {
    let field = page.element(".review-name").await;
    field.send_keys(name).await.unwrap();
    field.send_keys(Key::Enter + "").await.unwrap();
}

/// Waits until an element of that kind has the focus.
async fn focused(page: &Page, tag: &str) {
    page.wait_for(&format!("the focus on a {tag}"), async || {
        let found = page.script("return document.activeElement.tagName").await;
        (found == tag).then_some(())
    })
    .await;
}

/// Waits until a row shows `text`.
async fn badge(page: &Page, text: &str) {
    page.wait_for(&format!("a row with {text}"), async || {
        let script = "return document.querySelector('.review-rows').innerText";
        let shown = page.script(script).await;
        shown.as_str()?.contains(text).then_some(())
    })
    .await;
}

/// Checks Ada's file: three questions, rated 8, 2 and 10, the second dropped, the third kept,
/// edited and tagged. Returns its ids.
fn has_said(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["annotator"], "Ada");
    assert_eq!(lines.len(), 4);
    let find = |rating: u8| {
        let line = lines.iter().find(|line| line["rating"] == rating);
        line.unwrap_or_else(|| panic!("nothing is rated {rating}"))
    };
    assert!(find(8)["keep"].is_null());
    assert_eq!(find(2)["keep"], false);
    let last = find(10);
    assert_eq!(last["keep"], true);
    assert_eq!(last["tags"], json!(["hard"]));
    let question = last["question"].as_str().unwrap();
    assert!(question.ends_with("Say it in a word: v x 1"), "{question}");
    let id = |rating: u8| find(rating)["id"].as_str().unwrap().to_owned();
    vec![id(8), id(2), id(10)]
}

/// Writes the file of Ben, who decides the other way round; one line is wrong, and one id occurs
/// twice.
fn write_other(mine: &Path, theirs: &Path, ids: &[String]) {
    let header = std::fs::read_to_string(mine).unwrap();
    let mut header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    header["annotator"] = "Ben".into();
    let lines = [
        header,
        json!({ "id": ids[0], "rating": 7 }),
        json!({ "id": ids[1], "rating": 9, "keep": true }),
        json!({ "id": ids[2], "rating": 4, "keep": false }),
        json!({ "id": ids[2], "rating": 40 }),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(theirs, text).unwrap();
}
