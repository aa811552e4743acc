//! Several conversations per repository: stored, found, exported, imported and rated.

use std::path::{Path, PathBuf};

use footnote_tests::browser::Page;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::story::{ask, downloaded, marked_lines, notice, open_sample, ready, with_downloads};

const DELIVERY: &str = "how is a message delivered to its handler";
const BACKOFF: &str = "how long is waited before a message is tried again";

#[tokio::test]
async fn two_conversations_survive_a_reload_and_the_shown_one_is_shown_again() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, DELIVERY).await;
    begin(&page).await;
    ask(&page, BACKOFF).await;
    assert_eq!(titles(&page).await, [BACKOFF, DELIVERY]);
    reload(&page).await;
    shows(&page, &[BACKOFF]).await;
    open(&page, DELIVERY).await;
    shows(&page, &[DELIVERY]).await;
    reload(&page).await;
    shows(&page, &[DELIVERY]).await;
    page.close().await;
}

#[tokio::test]
async fn a_conversation_is_renamed_found_and_deleted_only_when_asked_twice() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, DELIVERY).await;
    begin(&page).await;
    ask(&page, BACKOFF).await;
    list(&page).await;
    page.button(&format!("Rename {DELIVERY}"))
        .await
        .click()
        .await
        .unwrap();
    let field = page.element("input[aria-label=Title]").await;
    field.clear().await.unwrap();
    field.send_keys("For the class" + Key::Enter).await.unwrap();
    page.button("Delete For the class").await;

    let search = page
        .element("input[aria-label='Search questions and answers']")
        .await;
    search.send_keys("DELIVERED handler").await.unwrap();
    let hit = page.element(".talk-hit").await;
    assert!(hit.text().await.unwrap().contains("For the class"));
    hit.click().await.unwrap();
    shows(&page, &[DELIVERY]).await;

    list(&page).await;
    page.button("Delete For the class")
        .await
        .click()
        .await
        .unwrap();
    page.button("Delete For the class for good")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for("one conversation", async || {
        (listed(&page).await == [BACKOFF]).then_some(())
    })
    .await;
    reload(&page).await;
    assert_eq!(titles(&page).await, [BACKOFF]);
    page.close().await;
}

#[tokio::test]
async fn a_handed_out_page_opens_by_itself_and_shows_the_cited_lines() {
    let (page, folder) = page_with_downloads().await;
    ask(&page, DELIVERY).await;
    let text = saved(&page, folder.path(), "Save as HTML", "html").await;
    let first = page.element(".notes .path").await.text().await.unwrap();
    let (file, lines) = first.rsplit_once(':').unwrap();
    let start: u32 = lines.split('–').next().unwrap().parse().unwrap();
    page.driver
        .goto(format!("file://{}", text.display()))
        .await
        .unwrap();
    let shown = page.element(".note").await.text().await.unwrap();
    assert!(shown.contains(file) && shown.contains("proven"), "{shown}");
    let source = std::fs::read_to_string(sample().join(file)).unwrap();
    let line = source.lines().nth(start as usize - 1).unwrap().trim();
    assert!(shown.contains(line), "{line} is not in {shown}");
    let facts = "return { \
        outside: performance.getEntriesByType('resource').length, \
        scripts: document.scripts.length, \
        lost: [...document.querySelectorAll('a[href]')].filter(a => !document.querySelector(a.getAttribute('href'))).length, \
        serif: getComputedStyle(document.querySelector('h1')).fontFamily.includes('serif') }";
    let expected = json!({ "outside": 0, "scripts": 0, "lost": 0, "serif": true });
    assert_eq!(page.script(facts).await, expected);
    page.close().await;
}

#[tokio::test]
async fn a_deleted_conversation_is_imported_again_as_it_was() {
    let (page, folder) = page_with_downloads().await;
    let before = ask(&page, DELIVERY).await;
    let file = saved(&page, folder.path(), "Save as JSON", "json").await;
    page.button(&format!("Delete {DELIVERY}"))
        .await
        .click()
        .await
        .unwrap();
    let sure = format!("Delete {DELIVERY} for good");
    page.button(&sure).await.click().await.unwrap();
    page.wait_for_text("You have not asked this repository anything yet")
        .await;
    import(&page, &file).await;
    page.wait_for_text("nothing in it has changed").await;
    shows(&page, &[DELIVERY]).await;
    let after = crate::story::last_answer(&page).await;
    assert_eq!(after.footnotes, before.footnotes);
    assert_eq!(tags(&page).await, vec!["proven"; before.footnotes.len()]);
    page.element(".answer button.note-ref")
        .await
        .click()
        .await
        .unwrap();
    marked_lines(&page).await;
    reload(&page).await;
    shows(&page, &[DELIVERY]).await;
    page.wait_for_text("nothing in it has changed").await;
    page.close().await;
}

#[tokio::test]
async fn a_manipulated_import_shows_nothing_false_as_proven() {
    let (page, folder) = page_with_downloads().await;
    ask(&page, DELIVERY).await;
    let file = saved(&page, folder.path(), "Save as JSON", "json").await;
    let mut json: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let answer = &mut json["turns"][0]["answer"];
    for statement in answer["statements"].as_array_mut().unwrap() {
        statement["spans"] =
            json!([{ "Code": "delete_everything" }, { "Text": " is called for each message." }]);
    }
    answer["footnotes"][0]["path"] = json!("src/courier/gone.py");
    let changed = folder.path().join("changed.json");
    std::fs::write(&changed, json.to_string()).unwrap();
    import(&page, &changed).await;
    page.wait_for_text("checked again, against the lines only")
        .await;
    page.wait_for_text("delete_everything").await;
    let tags = tags(&page).await;
    assert!(
        !tags.is_empty() && tags.iter().all(|tag| tag == "rejected"),
        "{tags:?}"
    );
    let tally = page.element(".tally").await.text().await.unwrap();
    assert!(
        tally.contains("imported, not vouched for") && !tally.contains("proven"),
        "{tally}"
    );

    // Changes one word in the saved file.
    let own = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&changed, own.replacen("message", "massage", 1)).unwrap();
    import(&page, &changed).await;
    page.wait_for_text("This browser saved the file, but it has been changed since.")
        .await;

    json["repository"] = json!({ "name": "other.zip", "key": "00", "files": 1 });
    for note in json["turns"][0]["answer"]["footnotes"]
        .as_array_mut()
        .unwrap()
    {
        note["path"] = json!("elsewhere.py");
    }
    std::fs::write(&changed, json.to_string()).unwrap();
    import(&page, &changed).await;
    notice(&page, "another repository, other.zip").await;
    page.close().await;
}

#[tokio::test]
async fn a_dropped_json_file_is_imported_and_leaves_the_repository_open() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    let script = "const data = new DataTransfer(); \
        data.items.add(new File(['{}'], 'talk.json', { type: 'application/json' })); \
        document.querySelector('.shell').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
    page.script(script).await;
    notice(&page, "not a conversation exported by Footnote").await;
    ready(&page).await;
    page.close().await;
}

#[tokio::test]
async fn thumbs_are_kept_over_a_reload_and_saved_as_a_question_set() {
    let (page, folder) = page_with_downloads().await;
    ask(&page, DELIVERY).await;
    ask(&page, BACKOFF).await;
    let thumbs = page.elements("[aria-label='Good answer']").await;
    thumbs[0].click().await.unwrap();
    let thumbs = page.elements("[aria-label='Bad answer']").await;
    thumbs[1].click().await.unwrap();
    thumbs[1].click().await.unwrap();
    assert_eq!(pressed(&page).await, ["Good answer"]);
    reload(&page).await;
    page.wait_for("the thumb of the earlier visit", async || {
        (pressed(&page).await == ["Good answer"]).then_some(())
    })
    .await;
    let set = saved(&page, folder.path(), "Save good answers", "jsonl").await;
    let set = footnote_core::eval::set::parse_set(&std::fs::read_to_string(set).unwrap()).unwrap();
    assert_eq!(set.len(), 1);
    assert_eq!(set[0].query, DELIVERY);
    for file in &set[0].gold_files {
        assert!(sample().join(file).exists(), "{file}");
    }
    page.button("Save bad answers").await.click().await.unwrap();
    notice(&page, "No answer about this repository is rated bad").await;
    page.close().await;
}

#[tokio::test]
async fn cited_lines_are_seen_beside_a_footnote_by_pointer_and_by_keyboard() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, DELIVERY).await;
    let marker = page.element(".answer button.note-ref").await;
    let name = marker.attr("aria-label").await.unwrap().unwrap();
    page.driver
        .action_chain()
        .move_to_element_center(&marker)
        .perform()
        .await
        .unwrap();
    let shown = page.element("#peek .line").await;
    let line = shown.attr("data-line").await.unwrap().unwrap();
    let path = page.element("#peek .path").await.text().await.unwrap();
    assert!(
        path.contains(&format!(":{line}")),
        "{path} begins at {line}"
    );
    assert!(
        name.contains(path.split(':').next().unwrap()),
        "{name} is {path}"
    );
    assert!(page.elements("#peek .line").await.len() <= 12);
    let question = page.element("[aria-label=Question]").await;
    page.driver
        .action_chain()
        .move_to_element_center(&question)
        .perform()
        .await
        .unwrap();
    gone(&page).await;
    page.element("body")
        .await
        .send_keys(Key::Tab + "")
        .await
        .unwrap();
    page.script("document.querySelector('.answer button.note-ref').focus({ focusVisible: true })")
        .await;
    page.element("#peek .line").await;
    page.element("body")
        .await
        .send_keys(Key::Escape + "")
        .await
        .unwrap();
    gone(&page).await;
    page.close().await;
}

#[tokio::test]
async fn conversations_fit_a_phone() {
    let page = Page::open_without_transformer().await;
    // A window cannot be made that narrow.
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    page.devtools("Emulation.setDeviceMetricsOverride", phone)
        .await;
    open_sample(&page).await;
    ask(&page, DELIVERY).await;
    list(&page).await;
    page.button(&format!("Delete {DELIVERY}")).await;
    let wide = "return [...document.querySelectorAll('.talk-head, dialog[open], dialog[open] *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className)";
    assert_eq!(page.script(wide).await, json!([]));
    assert_eq!(page.script("return innerWidth").await, 390);
    page.screenshot("conversations-phone").await;
    page.close().await;
}

/// A page on the sample, with a folder for its downloads.
async fn page_with_downloads() -> (Page, tempfile::TempDir) {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    (page, folder)
}

/// The sample's files as they are in the project.
fn sample() -> PathBuf {
    xtask::paths::root().join("tests/fixtures/sample-repository")
}

async fn begin(page: &Page) {
    page.button("New").await.click().await.unwrap();
    shows(page, &[]).await;
}

/// Opens the list of conversations, if it is not open.
async fn list(page: &Page) {
    if page.elements("dialog[open] .talks").await.is_empty() {
        page.button("Conversations: ").await.click().await.unwrap();
    }
    page.element("dialog[open] .talks").await;
}

/// The titles in the open list.
async fn listed(page: &Page) -> Vec<String> {
    let script =
        "return [...document.querySelectorAll('dialog[open] .talks b')].map(b => b.innerText)";
    serde_json::from_value(page.script(script).await).unwrap()
}

/// Opens the list and returns its titles, once there are some.
async fn titles(page: &Page) -> Vec<String> {
    list(page).await;
    let titles = page
        .wait_for("titles", async || {
            Some(listed(page).await).filter(|all| !all.is_empty())
        })
        .await;
    page.element("dialog[open] [aria-label=Close]")
        .await
        .click()
        .await
        .unwrap();
    titles
}

async fn open(page: &Page, title: &str) {
    list(page).await;
    let row = page
        .wait_for(&format!("{title} in the list"), async || {
            for row in page.elements("dialog[open] .talks .saved-open").await {
                if row.text().await.ok()?.contains(title) {
                    return Some(row);
                }
            }
            None
        })
        .await;
    row.click().await.unwrap();
}

/// Waits until the thread shows exactly these questions.
async fn shows(page: &Page, questions: &[&str]) {
    page.wait_for(&format!("the questions {questions:?}"), async || {
        let script =
            "return [...document.querySelectorAll('.turn .question')].map(q => q.innerText)";
        let shown: Vec<String> = serde_json::from_value(page.script(script).await).ok()?;
        (shown == questions).then_some(())
    })
    .await;
}

/// Reloads once everything asked is saved.
async fn reload(page: &Page) {
    page.wait_for("the sample to be saved", async || {
        let script = "const open = indexedDB.open('footnote'); \
            return new Promise(done => { open.onsuccess = () => { \
                const all = open.result.transaction('conversations').objectStore('conversations').getAllKeys(); \
                all.onsuccess = () => { open.result.close(); done(all.result.filter(k => k.includes('/turn/')).length); }; }; })";
        let saved = page.script(script).await.as_u64()?;
        (saved > 0).then_some(())
    })
    .await;
    page.driver.goto(page.url()).await.unwrap();
    ready(page).await;
}

async fn tags(page: &Page) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.notes .tag')].map(tag => tag.innerText)";
    serde_json::from_value(page.script(script).await).unwrap()
}

async fn pressed(page: &Page) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.thumb[aria-pressed=true]')].map(thumb => thumb.ariaLabel)";
    serde_json::from_value(page.script(script).await).unwrap()
}

async fn gone(page: &Page) {
    page.wait_for("no lines beside the footnote", async || {
        let hidden = page
            .script("return document.querySelector('#peek').hidden")
            .await;
        hidden.as_bool()?.then_some(())
    })
    .await;
}

async fn import(page: &Page, file: &Path) {
    list(page).await;
    let input = page
        .wait_for("the picker for conversations", async || {
            let css = "input[aria-label='Import conversation']";
            page.driver.find(By::Css(css)).await.ok()
        })
        .await;
    input.send_keys(file.to_string_lossy()).await.unwrap();
}

/// Presses a button of the list; returns the downloaded file, with the list still open.
async fn saved(page: &Page, folder: &Path, button: &str, ending: &str) -> PathBuf {
    list(page).await;
    page.button(button).await.click().await.unwrap();
    downloaded(page, folder, ending).await
}
