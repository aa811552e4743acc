//! Keys of one character, which speech input can press by accident, can be switched off.

use footnote_tests::browser::Page;

use crate::story::{open_sample, ready};

/// Opens the settings, clicks the checkbox, closes them.
async fn switch_keys(page: &Page) {
    page.button("Settings").await.click().await.unwrap();
    page.element(".character-keys input")
        .await
        .click()
        .await
        .unwrap();
    page.button("Close").await.click().await.unwrap();
    page.wait_for("the settings to close", async || {
        let shown = page.elements(".character-keys").await;
        shown.is_empty().then_some(())
    })
    .await;
    page.script("document.activeElement.blur()").await;
}

/// Presses `/`, then what works in any case; returns whether `/` did anything.
async fn opens_commands(page: &Page) -> bool {
    let body = page.element("body").await;
    body.send_keys("/").await.unwrap();
    // The page handles keys one after the other: once this one has worked, the first had its turn.
    page.script(
        "window.isHeard = false; \
         addEventListener('keyup', () => { window.isHeard = true; }, { once: true })",
    )
    .await;
    body.send_keys("q").await.unwrap();
    page.wait_for("the second key", async || {
        page.script("return window.isHeard")
            .await
            .as_bool()
            .filter(|it| *it)
    })
    .await;
    !page.elements("dialog.commands[open]").await.is_empty()
}

#[tokio::test]
async fn keys_of_one_character_are_switched_off_and_on_again() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    switch_keys(&page).await;
    assert!(!opens_commands(&page).await);
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.script("document.activeElement.blur()").await;
    assert!(!opens_commands(&page).await, "it is remembered");
    switch_keys(&page).await;
    let body = page.element("body").await;
    body.send_keys("/").await.unwrap();
    page.element("dialog.commands[open]").await;
    page.close().await;
}
