//! The graph around an answer, and what uses what.

use std::collections::BTreeSet;

use footnote_tests::browser::{Page, Setup, archive};
use thirtyfour::Key;

use crate::story::{ask, marked_lines, read};

const QUESTION: &str = "how does the application dispatch a request to a view function";

/// Flask, with an answer and its graph shown.
async fn graph_shown() -> Page {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("flask-3.1.1.tar.gz")).await;
    let shown = ask(&page, QUESTION).await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.button("Graph").await.click().await.unwrap();
    page.element(".graph canvas").await;
    page.wait_for("a drawing", async || (ink(&page).await > 500).then_some(()))
        .await;
    page
}

/// How many pixels are drawn on.
async fn ink(page: &Page) -> u64 {
    let script = "const c = document.querySelector('.graph canvas'); \
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
        let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 0) n++; return n";
    page.script(script).await.as_u64().unwrap_or(0)
}

/// All edges as the list shows them: sentence and place.
async fn connections(page: &Page) -> Vec<(String, String)> {
    let script = "return [...document.querySelectorAll('.graph-list li button')] \
        .map(b => [b.children[0].innerText, b.children[1].innerText])";
    serde_json::from_value(page.script(script).await).unwrap_or_default()
}

/// Opens the list below the graph, for all nodes.
async fn open_list(page: &Page) {
    let summary = page.element(".graph-list summary").await;
    summary.click().await.unwrap();
    let all = page.element(".graph-list input").await;
    all.click().await.unwrap();
    page.wait_for("connections", async || {
        (!connections(page).await.is_empty()).then_some(())
    })
    .await;
}

async fn caption(page: &Page) -> String {
    page.element("#graph-caption").await.text().await.unwrap()
}

#[tokio::test]
async fn the_graph_of_an_answer_is_walked_and_grown_with_the_keys() {
    let page = graph_shown().await;
    let canvas = page.element(".graph canvas").await;
    let before = caption(&page).await;
    for key in [Key::Right, Key::Down, Key::Left, Key::Up] {
        canvas.send_keys(key + "").await.unwrap();
        if caption(&page).await != before {
            break;
        }
    }
    assert_ne!(caption(&page).await, before);

    open_list(&page).await;
    for key in [
        Key::Up,
        Key::Left,
        Key::Up,
        Key::Left,
        Key::Down,
        Key::Right,
    ] {
        if can_grow(&page).await {
            break;
        }
        canvas.send_keys(key + "").await.unwrap();
    }
    assert!(
        can_grow(&page).await,
        "a node that has more neighbours is near"
    );
    let before = connections(&page).await.len();
    canvas.send_keys("e").await.unwrap();
    page.wait_for("more connections", async || {
        (connections(&page).await.len() > before).then_some(())
    })
    .await;

    let said = caption(&page).await;
    canvas.send_keys(Key::Enter + "").await.unwrap();
    let marked = marked_lines(&page).await;
    let range = format!(":{}–", marked[0]);
    assert!(said.contains(&range), "{said} has no {range}");
    page.close().await;
}

/// Whether the chosen node has neighbours that are not shown.
async fn can_grow(page: &Page) -> bool {
    let offered = page
        .script("return document.querySelector('.graph-actions').innerText")
        .await;
    offered
        .as_str()
        .is_some_and(|text| text.contains("Add neighbours"))
}

#[tokio::test]
async fn connections_of_several_files_are_listed_hidden_by_kind_and_opened() {
    let page = graph_shown().await;
    open_list(&page).await;
    let all = connections(&page).await;
    let files: BTreeSet<&str> = all
        .iter()
        .filter_map(|(_, place)| place.split(':').next())
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    let calls = all.iter().any(|(said, _)| said.contains(" calls "));
    assert!(calls, "{all:?}");

    let n_calls = async || {
        let all = connections(&page).await;
        all.iter()
            .filter(|(said, _)| said.contains(" call"))
            .count()
    };
    let before = ink(&page).await;
    assert!(n_calls().await > 0);
    let calls = page.element(".legend label input").await;
    calls.click().await.unwrap();
    page.wait_for("no more calls", async || {
        let is_less = ink(&page).await < before;
        (is_less && n_calls().await == 0).then_some(())
    })
    .await;

    calls.click().await.unwrap();
    page.wait_for("the calls again", async || {
        (n_calls().await > 0).then_some(())
    })
    .await;
    let (_, place) = connections(&page).await.remove(0);
    let line: u32 = place.split([':', ' ']).nth(1).unwrap().parse().unwrap();
    let first = page.element(".graph-list li button").await;
    first.click().await.unwrap();
    assert_eq!(marked_lines(&page).await, [line], "{place}");
    page.close().await;
}

#[tokio::test]
async fn the_outline_shows_who_uses_the_open_file_and_what_it_uses() {
    let page = Page::open_with(Setup {
        window: Some((1440, 900)),
        without_transformer: true,
        ..Setup::default()
    })
    .await;
    read(&page, &archive("flask-3.1.1.tar.gz")).await;
    ask(&page, "where is the session cookie signed").await;
    let summaries = page
        .wait_for("the uses of the cited file", async || {
            let script =
                "return [...document.querySelectorAll('.uses summary')].map(s => s.innerText)";
            let all: Vec<String> = serde_json::from_value(page.script(script).await).ok()?;
            (!all.is_empty()).then_some(all)
        })
        .await;
    for word in ["Used by", "Uses"] {
        assert!(
            summaries.iter().any(|said| said.starts_with(word)),
            "{summaries:?}"
        );
    }
    page.element(".uses summary").await.click().await.unwrap();
    let user = page.element(".uses li button").await;
    let place = user.attr("title").await.unwrap().unwrap();
    let line: u32 = place.rsplit(':').next().unwrap().parse().unwrap();
    user.click().await.unwrap();
    page.wait_for("the line that proves it", async || {
        (marked_lines(&page).await == [line]).then_some(())
    })
    .await;
    page.close().await;
}

#[tokio::test]
async fn the_uses_of_a_long_file_come_as_they_are_scrolled_to() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    page.element("input[aria-label='Filter files and symbols']")
        .await
        .send_keys("tests/test_requests.py")
        .await
        .unwrap();
    page.element(".found li button[title='tests/test_requests.py']")
        .await
        .click()
        .await
        .unwrap();
    page.element(".uses-symbol").await;
    let at_first = page.elements(".uses-symbol").await.len();
    assert!(at_first < 100, "{at_first} definitions");
    let to_the_end =
        "const list = document.querySelector('.uses-body'); list.scrollTop = list.scrollHeight";
    // One of the last of the file's more than two hundred.
    page.wait_for("the last definitions", async || {
        page.script(to_the_end).await;
        let last = page.elements(".uses-symbol button[title*='test_']").await;
        (last.len() > 200).then_some(())
    })
    .await;
    page.close().await;
}
