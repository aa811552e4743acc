//! The context inspector: kept and dropped lines, the sliders, what is sent.

use footnote_tests::browser::{Page, archive};
use footnote_tests::connecting::{connect, written};
use footnote_tests::services::faulty::FaultyServer;
use footnote_tests::services::http::RecordedRequest;
use footnote_tests::services::script::{Reply, Script};
use serde_json::{Value, json};

use crate::story::{ask, choose, downloaded, open_sample, read, ready, with_downloads};

const QUESTION: &str = "where are redirects followed and how is the method changed";

/// The totals above a side, and the sums of its snippets' numbers.
const TOTALS: &str = "
    const numbers = (text) => text.replace(/,/g, '').match(/(\\d+) → (\\d+)/).slice(1).map(Number);
    const side = document.querySelector('.context:first-child:has(.snippets[aria-busy=false])');
    if (!side) return null;
    const each = [...side.querySelectorAll('.snippet-head small')].map((small) => numbers(small.textContent));
    const sum = (at) => each.map((pair) => pair[at]).reduce((a, b) => a + b, 0);
    return [numbers(side.querySelector('.sum').textContent), [sum(0), sum(1)]];
";

/// Moves the slider of the first partly kept snippet to zero; returns its path and lines.
const SLIDE: &str = "
    const item = document.querySelector('.context .snippets > li:not(.none)');
    const slider = item.querySelector('input[type=range]');
    slider.value = 0;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    return item.querySelector('.path').textContent;
";

/// The text sent of each snippet, according to the page.
const SENT: &str = "return [...document.querySelectorAll('.context:first-child details.sent pre')].map((pre) => pre.textContent)";

#[tokio::test]
async fn a_slider_changes_what_is_sent_and_kept_lines_can_be_cited() {
    let service = FaultyServer::start(
        Script::new()
            .then(Reply::text("ready"))
            .always(citing_what_came),
    );
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    ask(&page, QUESTION).await;
    inspect(&page).await;
    for class in ["kept", "gone"] {
        let lines = page.elements(&format!(".cut .{class}")).await.len();
        assert!(lines > 0, "no line is {class}");
    }
    let before = totals(&page).await;
    assert!(before[1] <= 4_000.0 && before[1] < before[0], "{before:?}");
    let dropped = page.script(SLIDE).await;
    page.wait_for("a smaller context", async || {
        (totals(&page).await[1] < before[1]).then_some(())
    })
    .await;
    let sent: Vec<String> = serde_json::from_value(page.script(SENT).await).unwrap();
    page.button("Ask the model with these lines")
        .await
        .click()
        .await
        .unwrap();
    page.button("Send").await.click().await.unwrap();
    let text = written(&page).await;
    assert!(text.contains("It is decided here"), "{text}");
    let body = last_message(&service.asked().last().unwrap().request);
    assert!(!sent.is_empty());
    for quoted in &sent {
        assert!(body.contains(quoted.as_str()), "{quoted} is not in {body}");
    }
    let dropped = dropped.as_str().unwrap().replace('–', "-");
    assert!(!body.contains(&dropped), "{dropped} was sent: {body}");
    page.element(".written button.note-ref:is(.proven, .supported, .exists)")
        .await;
    page.close().await;
}

#[tokio::test]
async fn two_ways_of_choosing_stand_side_by_side_and_are_saved_with_what_they_keep() {
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    ask(&page, "how is a message delivered to its handler").await;
    inspect(&page).await;
    choose(&page, "compared with", "head").await;
    page.wait_for("two ways", async || {
        (page.elements(".context").await.len() == 2).then_some(())
    })
    .await;
    choose(&page, "within", "2000").await;
    page.wait_for("a smaller context", async || {
        (totals(&page).await[1] <= 2_000.0).then_some(())
    })
    .await;
    choose(&page, "Chosen by", "ami-mmr").await;
    page.wait_for_text("Read by footnote-code-lm-1").await;
    page.button("Save as JSON").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "json").await;
    let saved: Value = serde_json::from_slice(&std::fs::read(saved).unwrap()).unwrap();
    assert_eq!(saved["token_budget"], 2_000);
    assert_eq!(saved["strategies"][0]["name"], "ami-mmr");
    assert_eq!(saved["strategies"][0]["code_model"], "footnote-code-lm-1");
    assert_eq!(saved["strategies"][1]["name"], "head");
    page.button("Save as HTML").await.click().await.unwrap();
    let saved = downloaded(&page, folder.path(), "html").await;
    let address = format!("file://{}", saved.display());
    page.driver.goto(&address).await.unwrap();
    page.element(".context .cut .kept").await;
    let asked = page
        .script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        .await;
    assert_eq!(asked, json!([]));
    page.close().await;
}

/// Opens the inspector; returns once it shows snippets and their sums are right.
async fn inspect(page: &Page) {
    page.button("What a model sees")
        .await
        .click()
        .await
        .unwrap();
    page.element(".context .snippets > li").await;
    let _ = totals(page).await;
}

/// The tokens before and after, which must equal the sums of the snippets.
async fn totals(page: &Page) -> [f64; 2] {
    let both = page
        .wait_for("all snippets", async || {
            serde_json::from_value::<Option<[[f64; 2]; 2]>>(page.script(TOTALS).await).unwrap()
        })
        .await;
    let [told, summed] = both;
    assert_eq!(told, summed);
    told
}

/// Cites the last line of evidence that came with the question.
fn citing_what_came(request: &RecordedRequest) -> Reply {
    let message = last_message(request);
    let mut place = None;
    let mut path = "";
    for line in message.lines() {
        if let Some((named, _)) = line
            .strip_prefix('[')
            .and_then(|rest| rest.rsplit_once(':'))
        {
            path = named;
        } else if let Some((number, _)) = line.split_once("| ")
            && number.parse::<u32>().is_ok()
        {
            place = Some(format!("[{path}:{number}-{number}]"));
        }
    }
    Reply::text(&format!(
        "It is decided here {}.",
        place.unwrap_or_default()
    ))
}

/// The text of the last message in a request for an answer.
fn last_message(request: &RecordedRequest) -> String {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let content = &messages.last().unwrap()["content"];
    content.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_connected_model_says_how_much_of_each_snippet_is_kept() {
    let service = FaultyServer::start(
        Script::new()
            .then(Reply::text("ready"))
            .then(Reply::text("I would keep all of them."))
            .always(keeps_the_first),
    );
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    ask(&page, "how is a message delivered to its handler").await;
    inspect(&page).await;
    let all = page.elements(".context .snippets > li").await.len();
    assert!(all > 1, "{all} snippets");
    // All, some or nothing of each snippet: a rule that asks no model.
    choose(&page, "from each snippet, keep", "keep-or-drop").await;
    // The model cannot be asked about the snippets before they are there.
    page.element(".contexts[aria-busy=false]").await;
    page.wait_for("a snippet that is dropped", async || {
        (!page
            .elements(".context .snippets > li.none")
            .await
            .is_empty())
        .then_some(())
    })
    .await;
    assert_eq!(service.asked().len(), 1, "nothing was sent for it");
    page.button("Ask the model how much of each to keep")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text(" said how much of each to keep.").await;
    let kept = page.elements(".context .snippets > li:not(.none)").await;
    assert_eq!(kept.len(), 1);
    // The first reply was not JSON, so it was asked for once more.
    assert_eq!(service.asked().len(), 3);
    let _ = totals(&page).await;
    page.close().await;
}

/// Keeps the first document and nothing else.
fn keeps_the_first(request: &RecordedRequest) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let asked = body["messages"].to_string();
    let levels = (0..).take_while(|at| asked.contains(&format!("Document_{at}:")));
    let levels = levels.map(|at| {
        (
            format!("Document_{at}"),
            json!(if at == 0 { 1.0 } else { 0.0 }),
        )
    });
    let levels: serde_json::Map<String, Value> = levels.collect();
    Reply::text(&json!({ "compressed_documents": levels, "updated_summary": "found" }).to_string())
}
