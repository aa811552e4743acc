//! Once the page has been open for a while, it opens without a network too.

use footnote_tests::browser::{Page, Setup};
use xtask::paths;

use crate::story::{all_vectors, ask, copy, open_sample, read, ready, sample_archive};

/// Waits until the page's files are in the browser.
async fn kept_for_offline_use(page: &Page) {
    page.element("[data-phase=empty]").await;
    page.script("navigator.serviceWorker.ready.then(() => { window.isKept = true; })")
        .await;
    page.wait_for_long("the page's files in the browser", async || {
        page.script("return window.isKept").await.as_bool()
    })
    .await;
}

#[tokio::test]
async fn without_its_server_the_page_opens_reads_and_compares_by_meaning() {
    let page = Page::open().await;
    kept_for_offline_use(&page).await;
    page.stop_server().await;

    page.driver.refresh().await.unwrap();
    page.element("[data-phase=empty]").await;
    read(&page, &sample_archive()).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    // The model comes from the browser as well.
    page.element(".answer[data-refined=true]").await;

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    all_vectors(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_file_that_was_changed_on_its_way_is_not_kept_and_the_page_still_works() {
    let folder = tempfile::tempdir().unwrap();
    copy(&paths::dist(), folder.path());
    std::fs::write(folder.path().join("icon.svg"), "<svg/>").unwrap();
    let page = Page::open_with(Setup {
        folder: Some(folder.path().to_owned()),
        ..Setup::default()
    })
    .await;
    page.element("[data-phase=empty]").await;
    let register = "navigator.serviceWorker.register('offline.js').then(({ installing }) => { \
                    const note = () => { window.keeping = installing.state; }; \
                    installing.addEventListener('statechange', note); note(); })";
    page.script(register).await;
    page.wait_for_long("the end of the attempt", async || {
        let state = page.script("return window.keeping").await;
        assert_ne!(state.as_str(), Some("installed"));
        (state.as_str() == Some("redundant")).then_some(())
    })
    .await;
    open_sample(&page).await;
    page.close().await;
}

#[tokio::test]
async fn a_tab_that_stays_open_learns_of_a_new_version() {
    let folder = tempfile::tempdir().unwrap();
    copy(&paths::dist(), folder.path());
    let page = Page::open_with(Setup {
        folder: Some(folder.path().to_owned()),
        without_transformer: true,
        ..Setup::default()
    })
    .await;
    kept_for_offline_use(&page).await;
    page.driver.refresh().await.unwrap();
    page.wait_for("a page that its service worker answers", async || {
        let is_controlled = "return navigator.serviceWorker.controller !== null";
        page.script(is_controlled).await.as_bool().filter(|it| *it)
    })
    .await;
    open_sample(&page).await;
    assert!(page.elements(".toast").await.is_empty());

    let worker = folder.path().join("offline.js");
    let text = std::fs::read_to_string(&worker).unwrap();
    std::fs::write(&worker, format!("{text}\n// Of the next version.\n")).unwrap();
    page.script("navigator.serviceWorker.ready.then((it) => it.update())")
        .await;
    page.wait_for_text("A new version of Footnote is ready.")
        .await;
    page.button("Reload").await.click().await.unwrap();
    ready(&page).await;
    page.wait_for("no notice", async || {
        page.elements(".toast").await.is_empty().then_some(())
    })
    .await;
    page.close().await;
}
