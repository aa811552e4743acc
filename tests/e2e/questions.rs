//! Unusual questions, and questions at unusual moments.

use footnote_tests::browser::{Page, archive};
use serde_json::json;

use crate::story::{ask, last_answer, marked_lines, notice, open_sample, read};

#[tokio::test]
async fn an_empty_question_gets_a_hint() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    page.ask("   ").await;
    notice(&page, "question").await;
    assert!(page.elements(".turn").await.is_empty());
    page.close().await;
}

#[tokio::test]
async fn a_question_of_20_000_characters_is_answered_or_refused_in_a_sentence() {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    // Typing 20,000 characters takes a browser minutes; pasting them does not.
    let script = "const box = document.querySelector('[aria-label=Question]'); \
         box.value = 'how is a message delivered to its handler? '.repeat(500).slice(0, 20000); \
         box.dispatchEvent(new Event('input', { bubbles: true }));";
    page.script(script).await;
    page.ask("").await;
    page.wait_for("an answer or a sentence", async || {
        let done = page
            .elements(".turn .answer[data-refined=true], .turn .notice, .hint")
            .await;
        (!done.is_empty()).then_some(())
    })
    .await;
    let after = ask(&page, "how is a message delivered to its handler").await;
    assert!(
        !after.footnotes.is_empty(),
        "the page still answers: {}",
        after.text
    );
    page.close().await;
}

#[tokio::test]
async fn a_question_asked_before_the_archive_is_dropped_is_answered_when_it_can_be() {
    let page = Page::open_without_transformer().await;
    page.ask("where is a cookie jar merged with a dict of cookies")
        .await;
    page.wait_for_text("Waiting").await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    page.wait_for("an answer", async || {
        let answers = page.elements(".turn .answer button.note-ref").await;
        (!answers.is_empty()).then_some(())
    })
    .await;
    let shown = last_answer(&page).await;
    assert!(
        shown
            .footnotes
            .iter()
            .any(|name| name.contains("cookies.py")),
        "{:?}",
        shown.footnotes
    );
    page.close().await;
}

#[tokio::test]
async fn a_question_that_the_repository_does_not_answer_is_answered_with_nothing() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(
        &page,
        "how are knitting patterns stitched into a woollen jumper",
    )
    .await;
    assert!(
        shown.footnotes.is_empty(),
        "{:?}: {}",
        shown.footnotes,
        shown.text
    );
    page.element(".answer .nothing").await;
    page.close().await;
}

#[tokio::test]
async fn a_dependency_question_is_answered_no_with_all_imports_as_evidence() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(&page, "does src/requests/sessions.py import numpy").await;
    assert!(shown.text.contains("does not import"), "{}", shown.text);
    let in_sessions = |name: &&String| name.contains(": src/requests/sessions.py line");
    let cited = shown.footnotes.iter().filter(in_sessions).count();
    assert!(cited > 0, "{:?}", shown.footnotes);
    page.close().await;
}

#[tokio::test]
async fn the_steps_of_a_long_function_are_an_open_numbered_list_with_footnotes() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(&page, "what does Session.send do step by step?").await;
    let lead = "Session.send does 25 things in the order of its lines:";
    let text = shown.text.replace('\u{2060}', "");
    assert!(text.contains(lead), "{text}");
    let script =
        "return [...document.querySelectorAll('.answer .items ol li')].map(it => it.innerText)";
    let steps: Vec<String> = serde_json::from_value(page.script(script).await).unwrap();
    assert_eq!(steps.len(), 25, "{steps:?}");
    assert!(steps[0].contains("kwargs.setdefault"), "{steps:?}");
    assert!(
        steps[6].contains("raised, if isinstance(request, Request)"),
        "{steps:?}"
    );
    let last = page.element(".answer .items ol li:last-child button.note-ref");
    last.await.click().await.unwrap();
    assert_eq!(marked_lines(&page).await, [748]);
    let hide = page.button("Hide the list").await;
    hide.click().await.unwrap();
    page.wait_for("a closed list", async || {
        let shown = "return document.querySelectorAll('.answer .items ol').length";
        (page.script(shown).await == json!(0)).then_some(())
    })
    .await;
    page.close().await;
}

#[tokio::test]
async fn footnotes_are_walked_through_by_keyboard_alone() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    let shown = ask(
        &page,
        "where are redirects followed and how is the method changed",
    )
    .await;
    assert!(shown.footnotes.len() > 1);
    page.script("document.activeElement.blur()").await;
    let body = page.element("body").await;
    let pressed = async || {
        let script = "return [...document.querySelectorAll('.answer button.note-ref')].findIndex(b => b.ariaPressed === 'true')";
        page.script(script).await.as_i64().unwrap_or(-1)
    };
    body.send_keys("]").await.unwrap();
    page.wait_for("a chosen footnote", async || {
        (pressed().await >= 0).then_some(())
    })
    .await;
    let first = pressed().await;
    body.send_keys("]").await.unwrap();
    page.wait_for("the next footnote", async || {
        (pressed().await != first).then_some(())
    })
    .await;
    page.close().await;
}
