//! What a first-time visitor sees.

use footnote_tests::browser::Page;

#[tokio::test]
async fn the_empty_page_offers_to_drop_an_archive_and_a_sample() {
    let page = Page::open().await;
    page.wait_for_text("Ask a repository").await;
    // The input itself is invisible: its label looks like a button.
    assert!(!page.elements("input[type=file]").await.is_empty());
    page.button("Try a sample repository").await;
    page.close().await;
}
