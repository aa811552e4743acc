//! At 400 % of its size the page is used by scrolling down alone.

use footnote_tests::browser::Page;
use serde_json::json;

use crate::story::{ask, open_sample};

/// What is left of a window of 1280 by 760 at 400 %.
const WIDTH: u32 = 320;
const HEIGHT: u32 = 190;

/// Waits until an element is at least partly within the window.
async fn is_in_sight(page: &Page, css: &str) {
    let script = format!(
        "const box = document.querySelector('{css}')?.getBoundingClientRect(); \
         return box && box.height > 0 && box.top < innerHeight && box.bottom > 0"
    );
    page.wait_for(&format!("{css} in sight"), async || {
        let is_seen = page.script(&script).await.as_bool();
        is_seen.filter(|is_seen| *is_seen)
    })
    .await;
}

/// Whether nothing but code and tables, which scroll by themselves, is wider than the window.
async fn fits(page: &Page) -> bool {
    let script = "return ['html', '.shell', '.source', 'dialog[open]'].every(css => { \
                  const box = document.querySelector(css); \
                  return !box || box.scrollWidth <= box.clientWidth; })";
    page.script(script).await == true
}

#[tokio::test]
async fn an_answer_and_its_lines_can_be_read_at_four_hundred_percent() {
    let page = Page::open_without_transformer().await;
    let size = json!({ "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 4, "mobile": false });
    page.devtools("Emulation.setDeviceMetricsOverride", size)
        .await;
    open_sample(&page).await;
    let shown = ask(&page, "how is a message delivered to its handler").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    is_in_sight(&page, ".turn:last-child .question").await;
    assert!(fits(&page).await, "the answer");
    page.screenshot("zoom-answer").await;

    page.script("document.querySelector('.answer button.note-ref').click()")
        .await;
    page.element(".source.is-open .line.cited").await;
    page.script("document.querySelector('.source').scrollTo(0, innerHeight)")
        .await;
    is_in_sight(&page, ".source .line.cited").await;
    assert!(fits(&page).await, "the source");
    page.screenshot("zoom-source").await;

    page.button("Close").await.click().await.unwrap();
    page.button("Settings").await.click().await.unwrap();
    page.element(".kept").await;
    assert!(fits(&page).await, "the settings");
    page.close().await;
}
