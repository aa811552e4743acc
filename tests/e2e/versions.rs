//! A new version of a repository re-embeds only what changed.

use footnote_tests::browser::{Page, archive};

use crate::story::{all_vectors, close, read};

#[tokio::test]
async fn vectors_of_equal_chunks_are_reused_in_the_next_version() {
    let page = Page::open().await;
    read(&page, &archive("requests-2.31.0.tar.gz")).await;
    all_vectors(&page).await;
    let old = total(&page).await;
    close(&page).await;

    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    all_vectors(&page).await;
    let new = total(&page).await;
    let reused = reused(&page).await;
    let embedded = new - reused;
    // The two releases share most of their functions, though every file moved to another folder.
    assert!(reused > new / 2, "{reused} of {new} reused, after {old}");
    assert!(
        embedded > 0,
        "the releases differ, so something was embedded"
    );
    page.close().await;
}

async fn total(page: &Page) -> u64 {
    let script = "return +document.querySelector('[data-vectors-total]').dataset.vectorsTotal";
    page.script(script).await.as_u64().unwrap()
}

/// `N found saved` of the last stage.
async fn reused(page: &Page) -> u64 {
    let text = page.text().await.replace(',', "");
    let before = text.split(" found saved").next().unwrap_or_default();
    assert!(text.contains(" found saved"), "nothing was reused:\n{text}");
    let digits: String = before
        .chars()
        .rev()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.chars().rev().collect::<String>().parse().unwrap()
}
