//! The user erases everything that the browser keeps for the page.

use footnote_tests::browser::{Page, archive};

use crate::story::{open_sample, read, ready};

/// What the browser keeps for the page's origin, by kind.
const KEPT: &str = "
const done = arguments[arguments.length - 1];
const names = async () => ({
    databases: (await indexedDB.databases()).map(it => it.name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    remembered: Object.keys(localStorage),
});
names().then(found => done(JSON.stringify(found)), why => done(String(why)));";

async fn kept(page: &Page) -> String {
    let found = page.driver.execute_async(KEPT, Vec::new()).await.unwrap();
    found.json().as_str().unwrap().to_owned()
}

#[tokio::test]
async fn everything_is_erased_and_the_next_start_is_the_first() {
    let page = Page::open().await;
    read(&page, &archive("flask-3.1.1.tar.gz")).await;
    page.script(
        "navigator.serviceWorker.register('offline.js'); window.isKept = false; \
                 navigator.serviceWorker.ready.then(() => { window.isKept = true; })",
    )
    .await;
    page.wait_for_long("the page's files in the browser", async || {
        let is_kept = page.script("return window.isKept").await.as_bool();
        is_kept.filter(|is_kept| *is_kept)
    })
    .await;
    page.button("Settings").await.click().await.unwrap();
    page.script("document.querySelector('.themes label:last-of-type input').click()")
        .await;
    page.wait_for("all kinds of what is kept", async || {
        let found = kept(&page).await;
        let is_all = [
            "\"footnote\"",
            "footnote-files",
            "\"workers\":1",
            "footnote.theme",
        ];
        is_all.iter().all(|it| found.contains(it)).then_some(())
    })
    .await;
    page.screenshot("erase").await;

    page.button("Erase everything").await.click().await.unwrap();
    page.button("Erase all of it for good")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("Footnote no longer has any data in this browser.")
        .await;
    page.screenshot("erased").await;
    let nothing = "{\"databases\":[],\"caches\":[],\"workers\":0,\"remembered\":[]}";
    page.wait_for("nothing that is kept", async || {
        (kept(&page).await == nothing).then_some(())
    })
    .await;

    page.button("Start Footnote again")
        .await
        .click()
        .await
        .unwrap();
    page.element("[data-phase=empty]").await;
    assert!(page.elements(".saved").await.is_empty());
    open_sample(&page).await;
    ready(&page).await;
    page.close().await;
}
