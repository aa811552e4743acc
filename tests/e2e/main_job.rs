//! The main job: drop a published package, ask, follow the footnotes, reload.

use footnote_tests::browser::{Page, archive};

use crate::story::{ask, last_answer, marked_lines, read, ready};

/// Asks an archive, follows the footnote to `definition` and reloads.
async fn story(file: &str, question: &str, path: &str, definition: &str) {
    story_on(Page::open().await, file, question, path, definition).await;
}

/// The same, on a page that is open.
pub async fn story_on(page: Page, file: &str, question: &str, path: &str, definition: &str) {
    read(&page, &archive(file)).await;
    let shown = ask(&page, question).await;
    let wanted = format!(": {path} line");
    let cited = shown
        .footnotes
        .iter()
        .position(|name| name.contains(&wanted));
    let cited = cited.unwrap_or_else(|| panic!("no footnote into {path}: {:?}", shown.footnotes));
    page.elements(".answer button.note-ref").await[cited]
        .click()
        .await
        .unwrap();
    let marked = marked_lines(&page).await;
    let script = "return [...document.querySelectorAll('.code .line.cited')].map(l => l.innerText).join('\\n')";
    let text = page.script(script).await;
    assert!(
        text.as_str().unwrap_or_default().contains(definition),
        "lines {marked:?} do not hold {definition}:\n{text}"
    );

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.wait_for("the saved answer", async || {
        (!page.elements(".turn .answer").await.is_empty()).then_some(())
    })
    .await;
    assert_eq!(
        last_answer(&page).await.footnotes,
        shown.footnotes,
        "the answer is still there"
    );
    let again = ask(&page, question).await;
    assert!(
        again.footnotes.iter().any(|name| name.contains(&wanted)),
        "{:?}",
        again.footnotes
    );
    page.close().await;
}

#[tokio::test]
async fn redirects_of_requests_are_cited_and_a_reload_answers_again() {
    let page = Page::open().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(
        &page,
        "where are redirects followed and how is the method changed",
    )
    .await;
    let sessions = |name: &&String| name.contains(": src/requests/sessions.py line");
    let cited: Vec<&String> = shown.footnotes.iter().filter(sessions).collect();
    assert!(!cited.is_empty(), "{:?}", shown.footnotes);
    for name in ["resolve_redirects", "rebuild_method"] {
        assert!(
            shown.text.contains(name),
            "{name} is not named: {}",
            shown.text
        );
    }

    let mut marked_text = String::new();
    for (at, name) in shown.footnotes.iter().enumerate() {
        if sessions(&name) {
            page.elements(".answer button.note-ref").await[at]
                .click()
                .await
                .unwrap();
            let marked = marked_lines(&page).await;
            let first: u32 = name
                .split("line")
                .nth(1)
                .and_then(first_number)
                .expect("a line");
            page.wait_for("the cited lines to be marked", async || {
                marked_lines(&page).await.contains(&first).then_some(())
            })
            .await;
            let script = "return [...document.querySelectorAll('.code .line.cited')].map(l => l.innerText).join('\\n')";
            marked_text.push_str(page.script(script).await.as_str().unwrap_or_default());
            assert!(!marked.is_empty());
        }
    }
    for definition in ["def resolve_redirects", "def rebuild_method"] {
        assert!(
            marked_text.contains(definition),
            "{definition} is not marked:\n{marked_text}"
        );
    }

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    let again = ask(
        &page,
        "where are redirects followed and how is the method changed",
    )
    .await;
    assert!(again.text.contains("resolve_redirects"), "{}", again.text);
    page.close().await;
}

/// The first whole number in a text.
fn first_number(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[tokio::test]
async fn an_npm_package_is_cited_and_a_reload_answers_again() {
    let question = "how does res.redirect send a redirect to the client";
    story("express-5.1.0.tgz", question, "lib/response.js", "redirect").await;
}

#[tokio::test]
async fn a_crate_is_cited_and_a_reload_answers_again() {
    let question = "how does the Json extractor deserialize a request body";
    story("axum-0.8.8.crate", question, "src/json.rs", "Json").await;
}
