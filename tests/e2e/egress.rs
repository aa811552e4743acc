//! What is sent to a language model, when the user is asked again, and how the page reports
//! silence.

use std::time::Duration;

use footnote_tests::browser::{AccessibleName, Page};
use footnote_tests::connecting::{
    allow, connect, connection_made, show_connection, test, use_model, written,
};
use footnote_tests::services::faulty::{End, FaultyServer, Setup};
use footnote_tests::services::script::{Gate, Reply, Script, Step};
use footnote_tests::services::wire::Model;
use thirtyfour::prelude::*;

use crate::story::{ask, open_sample, ready};

/// How long a stream may take to reach a gate.
const PATIENCE: Duration = Duration::from_secs(90);

const QUESTION: &str = "how is a message delivered to its handler";

/// A script whose first answer is for the test of the model.
fn spoken() -> Script {
    Script::new().then(Reply::text("ready"))
}

/// A page with the sample open and the service's only model connected.
async fn connected(service: &FaultyServer) -> Page {
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    page
}

async fn press(page: &Page, button: &str) {
    page.button(button).await.click().await.unwrap();
}

#[tokio::test]
async fn a_silent_model_is_reported_and_continues_by_itself_or_is_stopped() {
    let (first, second) = (Gate::new(), Gate::new());
    let steps = [
        Step::Text("Messages go through the broker. ".into()),
        Step::Stall(first.clone()),
        Step::Text("Handlers are called in turn. ".into()),
        Step::Stall(second.clone()),
        Step::Text("This never comes.".into()),
    ];
    let service = FaultyServer::start(spoken().then(Reply::steps(steps)));
    let page = connected(&service).await;
    show_connection(&page).await;
    let field = page.element(".connect input[name=patience]").await;
    assert_eq!(field.prop("value").await.unwrap().as_deref(), Some("30"));
    field.send_keys(Key::Control + "a").await.unwrap();
    field.send_keys("1" + Key::Tab).await.unwrap();
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    let kept = page
        .script("return localStorage.getItem('footnote.service.patience')")
        .await;
    assert_eq!(kept.as_str(), Some("1"), "the setting is kept");
    ask(&page, QUESTION).await;
    press(&page, "Send").await;
    first.wait_reached(PATIENCE);
    let host = service.url().replace("http://", "");
    let silence = format!("No data from {host} for 1 second");
    page.wait_for_text(&silence).await;
    // The notice is updated while the silence lasts, and withdrawn when data arrives.
    page.wait_for_text(&format!("No data from {host} for 2 seconds"))
        .await;
    first.open();
    page.wait_for_text("Handlers are called in turn.").await;
    second.wait_reached(PATIENCE);
    page.wait_for_text(&silence).await;
    press(&page, "Stop").await;
    page.wait_for_text("stopped by you").await;
    let text = page.text().await;
    assert!(!text.contains("No data from"), "{text}");
    let ended = service.wait_for_end(service.asked().len());
    assert_eq!(ended, End::ClientLeft, "the connection was ended");
    page.close().await;
}

#[tokio::test]
async fn every_attempt_is_a_row_of_the_ledger_and_counts_whole_in_the_answer() {
    let service = FaultyServer::start(
        spoken()
            .then(Reply::rate_limited(0))
            .then(Reply::failure(503, "overloaded"))
            .then(Reply::text("Now it is whole.")),
    );
    let page = connected(&service).await;
    ask(&page, QUESTION).await;
    press(&page, "Send").await;
    page.wait_for_text("Now it is whole.").await;
    page.element(".written[data-written=over]").await;
    let steps = page.element(".tool-steps").await.text().await.unwrap();
    assert!(
        steps.contains("Attempt 1 failed") && steps.contains("Attempt 2 failed"),
        "{steps}"
    );
    let head = page
        .wait_for("what was sent for the answer", async || {
            for line in page.elements(".turn .tally").await {
                let text = line.text().await.ok()?;
                if text.contains(" tokens of ") {
                    return Some(text);
                }
            }
            None
        })
        .await;
    let sent = head.find(" tokens of ").map(|end| &head[..end]);
    let tokens = number(sent.unwrap_or_default());
    assert!(head.contains("in 3 requests"), "{head}");
    page.element(".bar .seal").await.click().await.unwrap();
    page.element(".ledger").await;
    let mut rows = Vec::new();
    for row in page.elements(".ledger li").await {
        let text = row.text().await.unwrap();
        if text.starts_with("answer") {
            rows.push(text);
        }
    }
    assert_eq!(rows.len(), 3, "{rows:?}");
    let of_row = |row: &String| {
        let size = row.split(" · ").nth(1).unwrap_or_default();
        number(size.split(" tokens").next().unwrap_or_default())
    };
    let ledger: u64 = rows.iter().map(of_row).sum();
    assert!(ledger > 0, "{rows:?}");
    assert_eq!(ledger, tokens, "{rows:?} and {head}");
    // The service received three identical requests.
    let asked = service.asked();
    let bodies: Vec<_> = asked.iter().rev().take(3).collect();
    assert_eq!(bodies[0].request.text(), bodies[2].request.text());
    page.close().await;
}

/// The last number in a text, with thousands separators.
fn number(text: &str) -> u64 {
    let last = text.split_whitespace().last().unwrap_or_default();
    last.replace(',', "").parse().unwrap_or_default()
}

#[tokio::test]
async fn much_more_than_agreed_or_another_model_is_shown_again() {
    let models = ["alpha-8k", "beta-8k"].map(|id| Model {
        id: id.into(),
        context_tokens: 8192,
    });
    let service = Setup::default()
        .models(models.to_vec())
        .start(Script::new().always(|_| Reply::text("So it is.")));
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    connect(&page, &format!("{}/v1", service.url()), None, "alpha-8k").await;
    ready(&page).await;
    // Nearly everything is taken out of the first request, so that the next one is much larger.
    ask(&page, QUESTION).await;
    take_out_all_but_one(&page).await;
    press(&page, "Send").await;
    written(&page).await;
    let before = service.asked().len();
    ask(&page, "how does the broker retry a failed delivery").await;
    page.wait_for_text("over 50 % more").await;
    assert_eq!(service.asked().len(), before, "nothing was sent");
    press(&page, "Send").await;
    both_written(&page, 2).await;
    // Another one of that size is sent at once.
    ask(&page, "where does the broker keep failed messages").await;
    both_written(&page, 3).await;
    // Another model is another recipient.
    show_connection(&page).await;
    use_model(&page, "beta-8k").await;
    connection_made(&page).await;
    let before = service.asked().len();
    ask(&page, "where are handlers registered").await;
    page.wait_for_text("This goes to a different recipient")
        .await;
    assert_eq!(service.asked().len(), before, "nothing was sent");
    page.close().await;
}

async fn take_out_all_but_one(page: &Page) {
    page.element(".review .parts").await;
    loop {
        let kept = page.elements(".review .parts li:not(.out) input").await;
        let Some(last) = kept.get(1) else { break };
        let out = page.elements(".review .parts li.out").await.len();
        last.click().await.unwrap();
        page.wait_for("the part taken out", async || {
            (page.elements(".review .parts li.out").await.len() > out).then_some(())
        })
        .await;
    }
}

async fn both_written(page: &Page, count: usize) {
    page.wait_for("the answer", async || {
        let over = page.elements(".written[data-written=over]").await;
        (over.len() == count).then_some(())
    })
    .await;
}

#[tokio::test]
async fn models_are_listed_announced_and_searched_after_the_test() {
    let models = (0..120).map(|at| Model {
        id: format!("maker-{}/model-{at}", at % 3),
        context_tokens: 8192,
    });
    let service = Setup::default()
        .models(models.collect())
        .start(Script::new().always(|_| Reply::text("ready")));
    let page = Page::open_without_transformer().await;
    allow(&page, &format!("{}/v1", service.url())).await;
    test(&page, None).await;
    page.wait_for_text("The service answers and offers 120 models.")
        .await;
    assert_eq!(shown_models(&page).await.len(), 120);
    page.wait_for("the keyboard in the field", async || {
        let name = page.script("return document.activeElement.name").await;
        (name.as_str() == Some("model")).then_some(())
    })
    .await;
    let field = page.element(".connect input[name=model]").await;
    field.send_keys("MAKER-2 model-11").await.unwrap();
    page.wait_for("what was searched for", async || {
        let shown = shown_models(&page).await;
        let ids: Vec<_> = shown.iter().map(String::as_str).collect();
        (ids == [
            "maker-2/model-11",
            "maker-2/model-110",
            "maker-2/model-113",
            "maker-2/model-116",
            "maker-2/model-119",
        ])
        .then_some(())
    })
    .await;
    let second = page.elements(".models input").await.remove(1);
    second.click().await.unwrap();
    assert_eq!(shown_models(&page).await.len(), 5, "the list stays");
    press(&page, "Use this model").await;
    connection_made(&page).await;
    let asked = service.asked().pop().unwrap().request.json();
    assert_eq!(asked["model"], "maker-2/model-110");
    // The way back is one click away from the ledger.
    page.element(".bar .seal").await.click().await.unwrap();
    page.element(".ledger").await;
    press(&page, "Disconnect and seal").await;
    page.wait_for_text("Sealed").await;
    page.close().await;
}

async fn shown_models(page: &Page) -> Vec<String> {
    let shown = page
        .script("return [...document.querySelectorAll('.models span')].map(span => span.innerText)")
        .await;
    serde_json::from_value(shown).unwrap()
}

#[tokio::test]
async fn a_link_of_an_answer_shows_its_address_and_opens_only_when_confirmed() {
    let elsewhere = FaultyServer::start(Script::new());
    let address = format!("{}/leak?what=secret", elsewhere.url());
    let text =
        format!("The broker does it, see [the manual]({address}) and [more](javascript:alert(1)).");
    let service = FaultyServer::start(spoken().then(Reply::text(&text)));
    let page = connected(&service).await;
    ask(&page, QUESTION).await;
    press(&page, "Send").await;
    written(&page).await;
    let addresses = page.elements(".written .address .to").await;
    assert_eq!(addresses.len(), 1, "no script can be opened");
    let name = addresses[0].accessible_name().await;
    assert!(name.contains(&address), "{name}");
    addresses[0].click().await.unwrap();
    let shown = page.element(".whole-address").await.text().await.unwrap();
    assert_eq!(shown, address);
    let link = page.element("dialog[open] a[data-leave]").await;
    let rel = link.attr("rel").await.unwrap();
    assert_eq!(rel.as_deref(), Some("noopener noreferrer"));
    assert!(elsewhere.exchanges().is_empty(), "nothing was opened");
    press(&page, "Stay here").await;
    addresses[0].click().await.unwrap();
    press(&page, "Open in a new tab").await;
    elsewhere.wait_until("the new tab", |exchanges| {
        exchanges
            .iter()
            .any(|exchange| exchange.request.path.starts_with("/leak"))
    });
    let exchanges = elsewhere.exchanges();
    assert_eq!(exchanges[0].request.header("referer"), None);
    page.wait_for_text("The broker does it").await;
    page.close().await;
}
