//! A better answer that arrives while the first is being read waits until the reader asks for it.

use footnote_tests::browser::{Page, Setup};

use crate::story::{last_answer, open_sample};

/// Puts the page's clock forward by more than the second after which an answer counts as read, at
/// the very moment the first answer appears.
const CLOCK: &str = "\
    const now = performance.now.bind(performance); let ahead = 0; \
    performance.now = () => now() + ahead; \
    new MutationObserver(() => { \
        if (document.querySelector('.turn .answer')) { ahead = 1500; } \
    }).observe(document, { childList: true, subtree: true });";

/// A question that words alone do not answer, but meaning does.
const QUESTION: &str = "how long is it until a broken job gets another chance";

#[tokio::test]
async fn a_better_answer_is_offered_and_taken() {
    let page = Page::open_with(Setup {
        before_page: Some(CLOCK.to_owned()),
        ..Setup::default()
    })
    .await;
    open_sample(&page).await;
    page.ask(QUESTION).await;
    page.wait_for_text("A better answer is ready").await;
    let first = last_answer(&page).await;
    page.button("Show it").await.click().await.unwrap();
    page.wait_for("the better answer in place of the first", async || {
        let is_offered = !page.elements(".better").await.is_empty();
        let shown = last_answer(&page).await;
        (!is_offered && shown.text != first.text).then_some(())
    })
    .await;
    // The first answer may cite as much: it depends on how soon the small encoder was there.
    let better = last_answer(&page).await;
    assert!(!better.footnotes.is_empty(), "{}", better.text);
    page.element(".turn .answer[data-refined=true]").await;
    page.close().await;
}
