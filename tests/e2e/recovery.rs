//! Nothing is lost and nothing is blocked: a file that stops the engine, an engine that falls
//! silent, a bad drop, a damaged record.

use std::time::{Duration, Instant};

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::{Page, Setup};
use serde_json::Value;

use crate::story::{
    all_vectors, ask, close, notice, open_sample, read, ready, sample_saved_before, still_saved,
    with_workers,
};

const GOOD: (&str, &[u8]) = (
    "project/good.py",
    b"def greet(name):\n    \"\"\"Return a friendly greeting for a guest.\"\"\"\n    return name\n",
);
const GREETING: &str = "how is a guest greeted";

/// Drops a file on the page; `bytes` is a JavaScript expression.
async fn drop_file(page: &Page, name: &str, bytes: &str) {
    let script = format!(
        "const data = new DataTransfer(); data.items.add(new File([{bytes}], '{name}')); \
         document.querySelector('.shell').dispatchEvent(new DragEvent('drop', \
         {{ dataTransfer: data, bubbles: true, cancelable: true }}));"
    );
    page.script(&script).await;
}

async fn answers(page: &Page, question: &str) {
    let shown = ask(page, question).await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
}

#[tokio::test]
async fn deeply_nested_files_are_skipped_and_the_others_answer() {
    let chain = format!("a{};", "\n.b()".repeat(150_000));
    let rust = format!("fn f() {{ {chain} }}");
    let tags = format!(
        "x = {}{};",
        "<a>\n".repeat(100_000),
        "</a>\n".repeat(100_000)
    );
    let modules = ["module A\n".repeat(5_000), "end\n".repeat(5_000)].concat();
    let files = [
        ("project/a.js", chain.as_bytes()),
        ("project/a.rs", rust.as_bytes()),
        ("project/a.swift", chain.as_bytes()),
        ("project/a.tsx", tags.as_bytes()),
        ("project/a.rb", modules.as_bytes()),
        GOOD,
    ];
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    read(&page, &save(folder.path(), "deep.zip", &zip(&files))).await;
    answers(&page, GREETING).await;
    page.button("5 skipped files").await.click().await.unwrap();
    page.wait_for_text("nested too deeply to read").await;
    page.close().await;
}

/// The engine dies, as if from a trap, whenever it reports that it is about to read `fatal.py`.
const FATAL: &str = "\
    window.deaths = 0;\
    const Original = window.Worker;\
    window.Worker = class extends Original {\
        constructor(url, options) {\
            super(url, options);\
            this.addEventListener('message', message => {\
                const said = message.data instanceof Uint8Array ? message.data : [];\
                const text = String.fromCharCode(...said.subarray?.(0, 24) ?? []);\
                if (said.length > 24 || !text.includes('fatal.py')) return;\
                window.deaths += 1;\
                this.terminate();\
                this.dispatchEvent(new ErrorEvent('error', { message: 'unreachable' }));\
            });\
        }\
    };";

#[tokio::test]
async fn a_file_that_stops_the_engine_is_named_and_the_rest_opens() {
    let setup = Setup {
        before_page: Some(FATAL.to_owned()),
        without_transformer: true,
        ..Setup::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_with(setup).await;
    let bytes = zip(&[("project/fatal.py", b"def fatal(): pass\n"), GOOD]);
    read(&page, &save(folder.path(), "project.zip", &bytes)).await;
    notice(&page, "Reading fatal.py stopped the engine").await;
    assert_eq!(page.script("return window.deaths").await, 1);
    answers(&page, GREETING).await;
    page.button("1 skipped file").await.click().await.unwrap();
    page.wait_for_text("reading it stopped the engine").await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    assert_eq!(page.script("return window.deaths").await, 0, "it is saved");
    page.close().await;
}

#[tokio::test]
async fn an_engine_that_falls_silent_is_reported_and_can_be_restarted() {
    let page = with_workers().await;
    open_sample(&page).await;
    all_vectors(&page).await;
    page.script("window.workers.at(-1).terminate()").await;
    let silent_since = Instant::now();
    notice(&page, "has not responded").await;
    // It takes five; the rest is for a busy machine.
    assert!(silent_since.elapsed() < Duration::from_secs(15));
    let again = page.button("Restart the engine").await;
    again.click().await.unwrap();
    answers(&page, "how is a message delivered to its handler").await;
    page.close().await;
}

#[tokio::test]
async fn a_bad_drop_leaves_the_open_repository_open() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    answers(&page, "how is a message delivered to its handler").await;
    drop_file(&page, "notes.zip", "'just words'").await;
    notice(&page, "not an archive").await;
    ready(&page).await;
    // It begins like a zip, so the open repository is put aside before the file turns out to be
    // none.
    drop_file(
        &page,
        "broken.zip",
        "new Uint8Array([80, 75, 3, 4, 1, 2, 3])",
    )
    .await;
    notice(&page, "broken.zip").await;
    ready(&page).await;
    assert_eq!(page.elements(".turn").await.len(), 1, "the answer is there");
    answers(&page, "how is a message delivered to its handler").await;
    page.close().await;
}

#[tokio::test]
async fn a_conversation_is_recognised_in_the_file_picker_of_the_drop_zone() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    let talk = save(folder.path(), "talk.json", b"{}");
    page.choose_file(&talk).await;
    notice(&page, "No repository is open").await;
    still_saved(&page).await;
    open_sample(&page).await;
    page.element(".bar .repo").await.click().await.unwrap();
    page.element(".pickers").await;
    page.choose_file(&talk).await;
    notice(&page, "not a conversation exported by Footnote").await;
    ready(&page).await;
    page.close().await;
}

/// Overwrites the saved section of that name, or the record of the repository.
async fn damage(page: &Page, store: &str, ending: &str) {
    let script = format!(
        "const done = arguments[arguments.length - 1]; \
         const open = indexedDB.open('footnote'); \
         open.onerror = () => done('not opened'); \
         open.onsuccess = () => {{ \
             const store = open.result.transaction('{store}', 'readwrite').objectStore('{store}'); \
             const cursor = store.openCursor(); \
             let changed = 0; \
             cursor.onsuccess = () => {{ \
                 const at = cursor.result; \
                 if (!at) return; \
                 if (at.key.endsWith('{ending}')) {{ \
                     const isText = typeof at.value === 'string'; \
                     at.update(isText ? 'not JSON' : at.value.map(byte => byte ^ 1)); \
                     changed += 1; \
                 }} \
                 at.continue(); \
             }}; \
             store.transaction.oncomplete = () => {{ open.result.close(); done(changed); }}; \
         }};"
    );
    let ran = page.driver.execute_async(script, Vec::new()).await.unwrap();
    assert_eq!(ran.json(), &Value::from(1), "{store} {ending}");
}

#[tokio::test]
async fn a_damaged_index_is_reported_and_rebuilt_from_its_files() {
    let page = Page::open().await;
    open_sample(&page).await;
    all_vectors(&page).await;
    damage(&page, "sections", "/words").await;
    page.driver.refresh().await.unwrap();
    notice(&page, "courier-1.4.0 is damaged in this browser").await;
    let text = page.text().await;
    assert!(!text.contains("another version"), "{text}");
    page.button("Rebuild it").await.click().await.unwrap();
    ready(&page).await;
    answers(&page, "how is a message delivered to its handler").await;
    close(&page).await;
    still_saved(&page).await;
    page.driver.refresh().await.unwrap();
    page.button("courier").await.click().await.unwrap();
    ready(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_damaged_entry_of_the_list_still_opens_its_repository() {
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    damage(&page, "repos", "").await;
    page.driver.refresh().await.unwrap();
    page.wait_for_text("its entry in this list is damaged")
        .await;
    page.element(".saved-open").await.click().await.unwrap();
    ready(&page).await;
    answers(&page, "how is a message delivered to its handler").await;
    page.element(".bar .repo").await.click().await.unwrap();
    page.wait_for("a whole entry", async || {
        let list = page
            .script("return document.querySelector('.saved')?.innerText ?? ''")
            .await;
        list.as_str()?.contains("courier").then_some(())
    })
    .await;
    page.close().await;
}

#[tokio::test]
async fn a_repository_whose_files_have_twins_is_listed_as_complete() {
    let twin: &[u8] = b"def twice(number):\n    return 2 * number\n";
    let files = [
        ("project/a/twin.py", twin),
        ("project/b/twin.py", twin),
        GOOD,
    ];
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open().await;
    read(&page, &save(folder.path(), "twins.zip", &zip(&files))).await;
    all_vectors(&page).await;
    close(&page).await;
    page.wait_for("the repository in the list, complete", async || {
        let list = page
            .script("return document.querySelector('.saved')?.innerText ?? ''")
            .await;
        let list = list.as_str()?;
        (list.contains("project") && !list.contains("meaning")).then_some(())
    })
    .await;
    page.close().await;
}
