//! A lesson: ways of searching side by side, numbers that move, one step at a time, saved as one
//! file that ranks as the page does, and opened again.

use std::path::Path;

use footnote_tests::browser::{Page, archive};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::story::{ask, downloaded, downloads_of, read};

const ARCHIVE: &str = "requests-2.32.5.tar.gz";
const QUESTION: &str = "where are redirects followed and how is the method changed";

/// The places of each way, best first; null until all are there.
const RANKS: &str = "
    const ways = ['words', 'meaning', 'both', 'imports'].map((way) => [...document.querySelectorAll(
        `section[data-way=${way}] .place, ol[data-way=${way}] .place`)].map((it) => it.textContent));
    return ways.every((way) => way.length > 0) ? ways : null";

#[tokio::test]
async fn a_lesson_is_taught_saved_and_ranks_the_same_in_its_file() {
    let page = Page::open().await;
    let folder = downloads_of(&page).await;
    read(&page, &archive(ARCHIVE)).await;
    ask(&page, QUESTION).await;
    page.button("Teach").await.click().await.unwrap();
    let first = ranks(&page).await;
    let marked = "return document.querySelectorAll('.lesson-way li.marked').length";
    assert_ne!(
        page.script(marked).await,
        json!(0),
        "what answers is marked"
    );
    let links = "return document.querySelectorAll('.lesson-links path').length";
    assert_ne!(page.script(links).await, json!(0));
    steps_of_the_projector(&page).await;
    let settings: [&[(&str, &str)]; 3] = [
        &[("share", "1")],
        &[("share", "0.2"), ("gamma", "0.7")],
        &[("b", "0"), ("k", "7"), ("seeds", "1")],
    ];
    let mut expected = vec![first];
    for numbers in settings {
        let moved = set(&page, numbers).await;
        assert_ne!(expected.last(), Some(&moved), "{numbers:?} moves something");
        expected.push(moved);
    }
    page.button("Reset").await.click().await.unwrap();
    page.wait_for("the first ranks", async || {
        (ranks(&page).await == expected[0]).then_some(())
    })
    .await;
    page.button("Save as HTML").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "html").await;
    in_its_file(&page, &saved, &settings, &expected).await;
    page.close().await;
    brought_back(&saved, &expected[0]).await;
}

/// Keys move from step to step; later steps are hidden.
async fn steps_of_the_projector(page: &Page) {
    let seen = "return [...document.querySelectorAll('.lesson-way')]\
                .filter((it) => getComputedStyle(it).visibility === 'visible').length";
    assert_eq!(page.script(seen).await, json!(5));
    page.button("Projector").await.click().await.unwrap();
    for count in [1, 2, 3, 2] {
        page.wait_for("the step", async || {
            (page.script(seen).await == json!(count)).then_some(())
        })
        .await;
        let key = if count == 3 { Key::Left } else { Key::Right };
        let projector = page.button("Projector").await;
        projector.send_keys(key + "").await.unwrap();
    }
    page.button("Projector").await.click().await.unwrap();
    page.wait_for("all of it", async || {
        (page.script(seen).await == json!(5)).then_some(())
    })
    .await;
}

/// The file alone ranks as the page did, for each setting, and requests nothing.
async fn in_its_file(page: &Page, saved: &Path, settings: &[&[(&str, &str)]], expected: &[Value]) {
    let address = format!("file://{}", saved.display());
    page.driver.goto(&address).await.unwrap();
    assert_eq!(ranks(page).await, expected[0]);
    for (numbers, expected) in settings.iter().zip(&expected[1..]) {
        assert_eq!(&set(page, numbers).await, expected, "{numbers:?}");
    }
    let asked = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    assert_eq!(page.script(asked).await, json!([]));
}

/// Dropped on a page without a repository, the lesson opens; a damaged one is refused.
async fn brought_back(saved: &Path, expected: &Value) {
    let page = Page::open_without_transformer().await;
    page.choose_file(saved).await;
    assert_eq!(&ranks(&page).await, expected);
    let text = std::fs::read_to_string(saved).unwrap();
    let damaged = saved.with_file_name("damaged.html");
    std::fs::write(&damaged, text.replace("\"format\":1", "\"format\":9")).unwrap();
    let close = page.element(".lesson-dialog .dialog-head button").await;
    close.click().await.unwrap();
    page.choose_file(&damaged).await;
    page.wait_for_text("another version of Footnote wrote it")
        .await;
    page.close().await;
}

async fn ranks(page: &Page) -> Value {
    let ranks = async || Some(page.script(RANKS).await).filter(|it| !it.is_null());
    page.wait_for("ranks of four ways", ranks).await
}

/// Moves sliders, and returns the resulting ranks.
async fn set(page: &Page, numbers: &[(&str, &str)]) -> Value {
    for (name, value) in numbers {
        let script = format!(
            "const slider = document.querySelector('input[data-number={name}]'); \
             slider.value = '{value}'; \
             slider.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        );
        page.script(&script).await;
        let shown = format!(
            "return document.querySelector('input[data-number={name}]').nextElementSibling.textContent"
        );
        page.wait_for("the number", async || {
            (page.script(&shown).await == json!(value)).then_some(())
        })
        .await;
    }
    ranks(page).await
}
