//! A browser that gives no storage, a full disk, an index of another version, a worker that dies.

use footnote_tests::browser::{Page, Setup, archive};
use serde_json::json;

use crate::story::{
    ask, close, full, notice, open_sample, read, ready, sample_saved_before, sample_still_answers,
    still_saved, with_workers,
};

#[tokio::test]
async fn without_indexed_db_everything_but_saving_works() {
    let setup = Setup {
        // As in a private window or under a strict setting: no storage for any site.
        preferences: Some(json!({ "profile.default_content_setting_values.cookies": 2 })),
        ..Setup::default()
    };
    let page = Page::open_with(setup).await;
    page.wait_for_text("saves nothing here").await;
    open_sample(&page).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.close().await;
}

#[tokio::test]
async fn a_full_storage_is_reported_and_saved_repositories_stay() {
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    let quota = |bytes: u64| json!({ "origin": page.url(), "quotaSize": bytes });
    page.devtools("Storage.overrideQuotaForOrigin", quota(1 << 16))
        .await;
    full(&page).await;
    page.choose_file(&archive("flask-3.1.1.tar.gz")).await;
    notice(&page, "space").await;
    ready(&page).await;
    let shown = ask(&page, "how are request handlers registered for a URL rule").await;
    assert!(
        !shown.footnotes.is_empty(),
        "it answers without being saved: {}",
        shown.text
    );
    page.devtools(
        "Storage.overrideQuotaForOrigin",
        json!({ "origin": page.url() }),
    )
    .await;
    close(&page).await;
    sample_still_answers(&page).await;
    page.close().await;
}

#[tokio::test]
async fn an_index_of_another_version_is_listed_but_not_opened() {
    let page = Page::open().await;
    open_sample(&page).await;
    crate::story::all_vectors(&page).await;
    let script = "
        const done = arguments[arguments.length - 1];
        const open = indexedDB.open('footnote');
        open.onerror = () => done('not opened');
        open.onsuccess = () => {
            const store = open.result.transaction('repos', 'readwrite').objectStore('repos');
            const cursor = store.openCursor();
            cursor.onsuccess = () => {
                const at = cursor.result;
                if (!at) { open.result.close(); return done('no record'); }
                const text = typeof at.value === 'string' ? at.value : new TextDecoder().decode(at.value);
                const record = JSON.parse(text);
                record.format = 9999;
                const changed = JSON.stringify(record);
                at.update(typeof at.value === 'string' ? changed : new TextEncoder().encode(changed));
                store.transaction.oncomplete = () => { open.result.close(); done('changed'); };
            };
        };";
    let ran = page.driver.execute_async(script, Vec::new()).await.unwrap();
    assert_eq!(ran.json().as_str(), Some("changed"));
    page.driver.refresh().await.unwrap();
    page.wait_for_text("another version of Footnote").await;
    open_sample(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_worker_that_dies_is_started_again_with_its_repository() {
    let page = with_workers().await;
    open_sample(&page).await;
    let kill = "const last = window.workers.at(-1); last.terminate(); \
                last.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })); return window.workers.length";
    let before = page.script(kill).await.as_u64().unwrap();
    page.wait_for("another worker", async || {
        let now = page.script("return window.workers.length").await.as_u64()?;
        (now > before).then_some(())
    })
    .await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    close(&page).await;
    still_saved(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_tab_closed_during_reading_resumes_where_it_was() {
    let page = Page::open_without_transformer().await;
    page.choose_file(&archive("django-5.2.4.tar.gz")).await;
    // Files are being parsed: the archive was stored before that.
    page.wait_for_text(" symbols").await;
    page.element("[data-phase=loading]").await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    let text = page.text().await;
    assert!(text.contains("django-5.2.4"), "{text}");
    page.close().await;
}

#[tokio::test]
async fn reading_can_be_cancelled() {
    let page = Page::open_without_transformer().await;
    sample_saved_before(&page).await;
    page.choose_file(&archive("django-5.2.4.tar.gz")).await;
    page.element("[data-phase=loading]").await;
    page.button("Cancel").await.click().await.unwrap();
    page.element("[data-phase=empty]").await;
    sample_still_answers(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_repository_read_twice_is_saved_once_and_can_be_deleted() {
    let page = Page::open_without_transformer().await;
    for _ in 0..2 {
        read(&page, &archive("axum-0.8.8.crate")).await;
        close(&page).await;
    }
    let count = async || {
        page.script("return document.querySelectorAll('.saved li').length")
            .await
            .as_u64()
    };
    page.wait_for("one saved repository", async || {
        (count().await == Some(1)).then_some(())
    })
    .await;
    // The list is drawn anew when the second reading is saved, and a question to delete is then
    // asked again: press until it is answered.
    page.wait_for("no saved repository", async || {
        for button in page
            .elements(".saved li button[aria-label^='Delete axum']")
            .await
        {
            // It may be gone by now.
            let _ = button.click().await;
        }
        (count().await == Some(0)).then_some(())
    })
    .await;
    page.close().await;
}
