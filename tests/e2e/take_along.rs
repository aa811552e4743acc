//! Exports of an answer: its files as JSON, and how it was found as a file.

use footnote_tests::browser::{Page, archive};
use serde_json::{Value, json};

use crate::story::{ask, choose, downloaded, marked_lines, open_sample, read, with_downloads};

#[tokio::test]
async fn the_files_that_answer_are_copied_as_a_json_list_with_one_key() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    page.devtools("Browser.grantPermissions", permissions).await;
    ask(&page, "where is a cookie jar merged with a dict of cookies").await;
    page.script("document.activeElement.blur()").await;
    page.element("body").await.send_keys("j").await.unwrap();
    let copied = page
        .wait_for("the copied list", async || {
            let script = "return navigator.clipboard.readText()";
            let text = page.script(script).await;
            serde_json::from_str::<Vec<String>>(text.as_str()?).ok()
        })
        .await;
    assert!(
        copied.contains(&"src/requests/cookies.py".to_owned()),
        "{copied:?}"
    );
    let shown = page.script("return document.body.innerText").await;
    assert!(shown.as_str().unwrap().contains("Copied"), "{shown}");
    page.close().await;
}

#[tokio::test]
async fn two_strategies_are_compared_and_a_place_opens_its_lines() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask(&page, "how is a message delivered to its handler").await;
    page.button("How it was found").await.click().await.unwrap();
    page.element(".trace .run .rank-chart").await;
    choose(&page, "compared with", "bm25").await;
    page.wait_for("two strategies", async || {
        (page.elements(".trace .run").await.len() == 2).then_some(())
    })
    .await;
    // Each line gives its rank under the other strategy.
    page.element(".trace[aria-busy=false] .lines small").await;
    let place = page.element(".trace .lines button.path").await;
    let name = place.text().await.unwrap();
    place.click().await.unwrap();
    let lines = marked_lines(&page).await;
    let first = lines.first().copied().unwrap();
    assert!(
        name.contains(&format!(":{first}")),
        "{name} opened lines {lines:?}"
    );
    page.close().await;
}

#[tokio::test]
async fn an_exported_trace_opens_by_itself_and_asks_no_address() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    ask(&page, "how is a message delivered to its handler").await;
    page.button("How it was found").await.click().await.unwrap();
    page.element(".trace .run .rank-chart").await;
    page.button("Save as JSON").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "json").await;
    let json: Value = serde_json::from_slice(&std::fs::read(saved).unwrap()).unwrap();
    let best = &json["strategies"][0]["lines"][0]["place"]["path"];
    page.button("Save as HTML").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "html").await;
    let address = format!("file://{}", saved.display());
    page.driver.goto(&address).await.unwrap();
    page.element(".trace .run .rank-chart").await;
    let text = page.text().await;
    assert!(text.contains("how is a message delivered"), "{text}");
    assert!(text.contains(best.as_str().unwrap()), "{best}: {text}");
    let asked = page
        .script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        .await;
    assert_eq!(asked, json!([]));
    let serif = "return getComputedStyle(document.querySelector('h1')).fontFamily";
    let font = page.script(serif).await;
    assert!(
        font.as_str().unwrap().contains("serif"),
        "{font}: has its style"
    );
    page.close().await;
}
