//! The laboratory with a connected model: questions that it writes, answers that it judges. The
//! model's replies are scripted; their processing is real.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::laboratory::{evaluated, listed, type_number};
use crate::story::{bring, downloaded, full, open_sample, read, ready, with_downloads};
use footnote_tests::browser::{Page, archive};
use footnote_tests::connecting::connect;
use footnote_tests::services::faulty::FaultyServer;
use footnote_tests::services::http::RecordedRequest;
use footnote_tests::services::script::{Gate, Reply, Script, Step};
use footnote_tests::services::writer::writer;
use serde_json::json;

const ARCHIVE: &str = "requests-2.32.5.tar.gz";
/// The input for a question set.
const SET: &str = ".lab-dialog input[type=file]";

#[tokio::test]
async fn a_model_writes_questions_by_every_strategy_within_its_budget_and_is_asked_nothing_twice() {
    let service = FaultyServer::start(Script::new().always(writer()));
    let page = Page::open_without_transformer().await;
    read(&page, &archive(ARCHIVE)).await;
    connected(&page, &service).await;
    let before = service.asked().len();
    by_the_model(&page).await;
    type_number(&page, 28).await;
    page.button("Estimate the cost")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("goes to scripted-8k at").await;
    assert_eq!(service.asked().len(), before, "an estimate sends nothing");
    page.screenshot("laboratory-cost").await;
    send(&page).await;
    listed(&page, 28).await;
    page.screenshot("laboratory-written").await;
    let kinds = "return [...new Set([...document.querySelectorAll('.lab-items li')]
        .map((it) => it.dataset.kind))].sort().join(' ')";
    let kinds = page.script(kinds).await;
    let all = Some("alignment s1 s2 s3 s4 s5 s6");
    let counts = "return document.querySelector('.lab-counts').textContent";
    let counts = page.script(counts).await;
    assert_eq!(kinds.as_str(), all, "{counts}");
    assert!(
        counts.as_str().unwrap().contains("the path does not exist"),
        "{counts}"
    );

    // The same order again costs nothing.
    let asked = service.asked().len();
    assert!(asked > before + 7, "{asked}");
    page.button("Estimate the cost")
        .await
        .click()
        .await
        .unwrap();
    send(&page).await;
    page.wait_for("the run to end", async || {
        page.elements(".lab-cost, .lab-progress")
            .await
            .is_empty()
            .then_some(())
    })
    .await;
    listed(&page, 28).await;
    assert_eq!(service.asked().len(), asked);

    // It survives a reload.
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    page.button("Laboratory").await.click().await.unwrap();
    listed(&page, 28).await;
    page.close().await;
}

#[tokio::test]
async fn a_paused_run_keeps_its_questions_and_continues_after_a_reload() {
    let gate = Gate::new();
    let service = hanging_once(&gate);
    let page = Page::open_without_transformer().await;
    read(&page, &archive(ARCHIVE)).await;
    connected(&page, &service).await;
    written_by_the_model(&page, 20).await;
    hangs(&service);
    page.element(".lab-progress button")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for_text("Paused after").await;
    gate.open();
    let made = page.elements(".lab-items > li").await.len();
    assert!(made > 0 && made < 20, "{made}");

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    let asked = service.asked().len();
    page.button("Laboratory").await.click().await.unwrap();
    listed(&page, made).await;
    page.wait_for("the connection", async || {
        let script = "return [...document.querySelectorAll('.lab-dialog button')]
            .some((it) => it.innerText === 'Continue' && !it.disabled)";
        page.script(script).await.as_bool()?.then_some(())
    })
    .await;
    page.button("Continue").await.click().await.unwrap();
    listed(&page, 20).await;
    let again: BTreeSet<String> = service
        .asked()
        .iter()
        .map(|it| it.request.prompt())
        .collect();
    let all = service.asked().len();
    assert!(all > asked);
    // Only the request that hung is sent a second time.
    assert!(
        all - again.len() <= 1,
        "{all} requests, {} of them different",
        again.len()
    );
    page.close().await;
}

#[tokio::test]
async fn answers_of_two_pipelines_are_rated_blind_and_a_judge_that_takes_the_first_is_unmasked() {
    let judge = |request: &RecordedRequest| match request.prompt().contains("impartial judge") {
        true => Reply::text("The first one is better.\n[[A]]"),
        false => Reply::text("ready"),
    };
    let service = FaultyServer::start(Script::new().always(judge));
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    connected(&page, &service).await;
    page.button("Laboratory").await.click().await.unwrap();
    type_number(&page, 24).await;
    page.button("Make questions").await.click().await.unwrap();
    listed(&page, 24).await;

    page.button("4 Judge").await.click().await.unwrap();
    page.button("Make answers").await.click().await.unwrap();
    page.wait_for_text("Answers made by code.").await;
    let shown = page.element(".lab-rate").await.text().await.unwrap();
    assert!(
        !shown.contains("Footnote") && !shown.contains("Grounded"),
        "{shown}"
    );
    page.screenshot("laboratory-pairs").await;
    for key in ["1", "2", "0"] {
        page.element(".lab-rate")
            .await
            .send_keys(key)
            .await
            .unwrap();
    }
    page.wait_for_text("3 rated").await;
    page.button("Estimate the cost of judging")
        .await
        .click()
        .await
        .unwrap();
    page.button("Send and have them judged")
        .await
        .click()
        .await
        .unwrap();
    let told = page.element(".lab-verdict").await.text().await.unwrap();
    assert!(told.contains("first"), "{told}");
    assert!(
        !told.to_lowercase().contains("footnote is better"),
        "{told}"
    );
    page.screenshot("laboratory-judged").await;

    page.button("5 Export").await.click().await.unwrap();
    page.button("Save as messages").await.click().await.unwrap();
    let exported = downloaded(&page, folder.path(), "zip").await;
    // A model can be tuned on the user's preferences.
    page.button("Save as preference")
        .await
        .click()
        .await
        .unwrap();
    page.wait_for("the pairs", async || {
        let files = std::fs::read_dir(folder.path()).ok()?.flatten();
        let mut names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        names
            .any(|name| name.ends_with("-preference.zip"))
            .then_some(())
    })
    .await;
    page.button("1 Questions").await.click().await.unwrap();
    bring(&page, SET, &[exported]).await;
    page.wait_for_text("(format messages)").await;
    listed(&page, 24).await;
    page.button("3 Evaluate").await.click().await.unwrap();
    page.script(
        "[...document.querySelectorAll('.lab-dialog .chip')]
            .find((it) => it.innerText.includes('RepoDistill')).click()",
    )
    .await;
    assert_eq!(evaluated(&page, 24).await, 3);
    page.close().await;
}

#[tokio::test]
async fn a_storage_that_fills_up_in_the_middle_of_a_run_loses_nothing_that_was_made() {
    let gate = Gate::new();
    let service = hanging_once(&gate);
    let (page, folder) = with_downloads().await;
    open_sample(&page).await;
    connected(&page, &service).await;
    written_by_the_model(&page, 60).await;
    hangs(&service);
    let quota = json!({ "origin": page.url(), "quotaSize": 1 });
    page.devtools("Storage.overrideQuotaForOrigin", quota).await;
    full(&page).await;
    gate.open();
    page.wait_for_long("the run to end", async || {
        let progress = page.elements(".lab-progress").await;
        let made = page.elements(".lab-items > li").await;
        (progress.is_empty() && !made.is_empty()).then_some(())
    })
    .await;
    page.wait_for_text("Save it as a file").await;
    let made = page.elements(".lab-items > li").await.len();
    page.button("Save as a question set")
        .await
        .click()
        .await
        .unwrap();
    let set = downloaded(&page, folder.path(), "jsonl").await;
    let text = std::fs::read_to_string(set).unwrap();
    assert_eq!(text.lines().count(), made);
    page.close().await;
}

#[tokio::test]
async fn a_service_that_fails_costs_nothing_that_was_made() {
    let n = AtomicUsize::new(0);
    let write = writer();
    let service = FaultyServer::start(Script::new().always(move |request| {
        match n.fetch_add(1, Ordering::SeqCst) {
            0..=4 => write(request),
            5 => Reply::rate_limited(1),
            6 => Reply::text("Here are some thoughts, and no JSON at all."),
            7 => Reply::text(""),
            8 => Reply::flood(),
            9 => Reply::steps([Step::Text("[{\"question\":".into()), Step::Cut]),
            _ => Reply::failure(500, "overloaded"),
        }
    }));
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    connected(&page, &service).await;
    written_by_the_model(&page, 200).await;
    page.wait_for_long("the run to give up", async || {
        let text = page.text().await;
        text.contains("several requests in a row failed")
            .then_some(())
    })
    .await;
    assert!(!page.elements(".lab-items > li").await.is_empty());
    page.close().await;
}

/// A service that writes questions, and whose fifth request hangs at the gate. The first request is
/// the connection test.
fn hanging_once(gate: &Gate) -> FaultyServer {
    let held = gate.clone();
    let n = AtomicUsize::new(0);
    let write = writer();
    FaultyServer::start(Script::new().always(
        move |request| match n.fetch_add(1, Ordering::SeqCst) {
            4 => Reply::steps([Step::Stall(held.clone())]),
            _ => write(request),
        },
    ))
}

/// Waits for the request that hangs.
fn hangs(service: &FaultyServer) {
    service.wait_until("the request that hangs", |exchanges| {
        let posted = exchanges.iter().filter(|it| it.request.method == "POST");
        posted.count() >= 5
    });
}

/// Connects the scripted service.
async fn connected(page: &Page, service: &FaultyServer) {
    connect(page, &format!("{}/v1", service.url()), None, "").await;
    ready(page).await;
}

/// Has the model write this many questions, whatever it costs.
async fn written_by_the_model(page: &Page, n: usize) {
    by_the_model(page).await;
    type_number(page, n).await;
    page.button("Estimate the cost")
        .await
        .click()
        .await
        .unwrap();
    send(page).await;
}

/// Grants the model all that it needs, and sends.
async fn send(page: &Page) {
    page.element(".lab-budget input").await;
    let script = "for (const input of document.querySelectorAll('.lab-budget input')) {
        input.value = 5000000;
        input.dispatchEvent(new Event('change', { bubbles: true }));
    }";
    page.script(script).await;
    let button = page.button("Send and write questions").await;
    button.click().await.unwrap();
}

/// Shows the laboratory with the model as the maker of questions.
async fn by_the_model(page: &Page) {
    page.button("Laboratory").await.click().await.unwrap();
    page.element(".lab-makers .chip:nth-of-type(2)")
        .await
        .click()
        .await
        .unwrap();
}
