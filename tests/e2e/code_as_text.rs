//! Code as text: a model describes a folder, questions are searched by what a model predicts, and
//! unfinished code gets what it needs. The model's replies are scripted; their processing is real.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use footnote_tests::browser::{Page, archive};
use footnote_tests::connecting::connect;
use footnote_tests::services::faulty::FaultyServer;
use footnote_tests::services::http::RecordedRequest;
use footnote_tests::services::script::{Gate, Reply, Script, Step};

use crate::story::{
    ask, bring, choose, downloaded, press, read, ready, sent_first, with_downloads,
};

const ARCHIVE: &str = "requests-2.32.5.tar.gz";
/// A file of nine chunks: its head and eight functions.
const FILE: &str = "src/requests/api.py";
const PREDICTED: &str = "return self.resolve_redirects(resp, request)";

/// A model's reply about a chunk: it uses the words of the lines, except for one chunk that it
/// describes wrongly.
fn describes(request: &RecordedRequest, n: usize) -> Reply {
    let prompt = request.prompt();
    if !prompt.contains("summarize the code into text for code retrieval") {
        return Reply::text("ready");
    }
    match n {
        2 => Reply::text("Compiles a `QuantumShader` for galaxies by parse_wave_function."),
        _ => Reply::text(
            "Sends a request with the given method, url and kwargs through a session, and returns \
             the response; a humble waiter between kitchen and guest.",
        ),
    }
}

async fn connected(page: &Page, service: &FaultyServer) {
    connect(page, &format!("{}/v1", service.url()), None, "").await;
    ready(page).await;
}

async fn open_describing(page: &Page) {
    press(page, "Laboratory").await;
    press(page, "7 Describe").await;
    page.element(".described").await;
}

/// Has the model describe [`FILE`].
async fn describe(page: &Page) {
    let folder = page.element(".lab-order input[placeholder=src]").await;
    folder.clear().await.unwrap();
    folder.send_keys(FILE).await.unwrap();
    press(page, "Estimate the cost").await;
    page.wait_for_text("goes to scripted-8k at").await;
}

async fn last_turn(page: &Page) -> String {
    let last = "return [...document.querySelectorAll('.turn')].at(-1).innerText";
    page.script(last)
        .await
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn a_folder_is_described_paused_resumed_after_a_reload_and_then_searched() {
    let gate = Gate::new();
    let held = gate.clone();
    let n = AtomicUsize::new(0);
    let service = FaultyServer::start(Script::new().always(move |request| {
        // The first request is the connection test.
        match n.fetch_add(1, Ordering::SeqCst) {
            4 => Reply::steps([Step::Stall(held.clone())]),
            n => describes(request, n),
        }
    }));
    let (page, folder) = with_downloads().await;
    read(&page, &archive(ARCHIVE)).await;
    connected(&page, &service).await;
    open_describing(&page).await;
    page.wait_for_text("described by code.").await;
    let before = service.asked().len();
    describe(&page).await;
    assert_eq!(service.asked().len(), before, "an estimate sends nothing");
    page.screenshot("describe-cost").await;
    press(&page, "Send and describe").await;
    service.wait_until("the request that hangs", |exchanges| {
        let posts = exchanges.iter().filter(|it| it.request.method == "POST");
        posts.count() >= 5
    });
    let pause = page.element(".lab-progress button").await;
    pause.click().await.unwrap();
    page.wait_for_text("Paused.").await;
    gate.open();

    page.driver.refresh().await.unwrap();
    ready(&page).await;
    open_describing(&page).await;
    page.wait_for_text("described by a language model").await;
    page.wait_for_text("which this repository does not have")
        .await;
    describe(&page).await;
    press(&page, "Send and describe").await;
    page.wait_for_text("9 of 9 parts described.").await;
    page.screenshot("describe").await;
    let prompts: Vec<String> = service
        .asked()
        .iter()
        .map(|it| it.request.prompt())
        .collect();
    let different: BTreeSet<&String> = prompts.iter().collect();
    // Only the request that hung, and the connection test, may be sent a second time.
    assert!(
        prompts.len() - different.len() <= 2,
        "{} prompts",
        prompts.len()
    );

    press(&page, "Save as a file").await;
    let saved = downloaded(&page, folder.path(), "jsonl").await;
    press(&page, "Search the descriptions").await;
    ask(&page, "Who is the humble waiter between kitchen and guest?").await;
    let told = last_turn(&page).await;
    assert!(told.contains("Answered by “Code as text”"), "{told}");
    // The code contains no word of the question: only the description leads there.
    press(&page, "Evidence (20)").await;
    page.wait_for("the described file among the evidence", async || {
        let shown = page.element(".tab-body").await.text().await.ok()?;
        shown.contains("src/requests/api.py").then_some(())
    })
    .await;
    open_describing(&page).await;
    page.element(".described-parts li.by-model button.link")
        .await
        .click()
        .await
        .unwrap();
    let beside = page.element(".described-lines").await.text().await.unwrap();
    assert!(beside.contains("Written by scripted-8k"), "{beside}");
    page.wait_for("the lines below it", async || {
        let script = "return document.querySelector('.file').lastElementChild.clientHeight > 200";
        page.script(script).await.as_bool()?.then_some(())
    })
    .await;
    page.screenshot("described-lines").await;

    open_describing(&page).await;
    press(&page, "Forget the model’s descriptions").await;
    page.wait_for_text("described by code.").await;
    bring(&page, ".lab-dialog input.described-file", &[saved]).await;
    page.wait_for_text("described by a language model").await;
    page.close().await;
}

#[tokio::test]
async fn a_question_is_searched_by_what_the_model_predicts_once_the_user_agrees() {
    let service = FaultyServer::start(Script::new().always(|request| {
        match request.prompt().contains("predict and output") {
            true => Reply::text(&format!(
                "{PREDICTED}\nRedirected responses are followed there."
            )),
            false => Reply::text("ready"),
        }
    }));
    let page = Page::open_without_transformer().await;
    read(&page, &archive(ARCHIVE)).await;
    connected(&page, &service).await;
    choose(&page, "Answered by", "code-as-text-pred-explain").await;
    let before = service.asked().len();
    page.ask("Where do the 3xx ones go?").await;
    page.wait_for_text("Your question goes to").await;
    assert_eq!(service.asked().len(), before, "nothing is sent unasked");
    press(&page, "Search for the question itself").await;
    page.wait_for_text("you chose to search without a language model")
        .await;
    assert_eq!(service.asked().len(), before, "nor after a no");

    page.ask("Where do the 3xx ones go, then?").await;
    let sent = sent_first(&page).await;
    assert!(sent.contains("Where do the 3xx ones go, then?"), "{sent}");
    page.screenshot("asks-first").await;
    press(&page, "Send and search").await;
    page.wait_for_text("The language model wrote the search query")
        .await;
    let told = last_turn(&page).await;
    assert!(told.contains(PREDICTED), "{told}");
    assert!(told.contains("resolve_redirects"), "{told}");
    let predicted = |it: &RecordedRequest| it.prompt().contains("predict and output");
    let asked = |service: &FaultyServer| {
        let all = service.asked();
        all.iter().filter(|it| predicted(&it.request)).count()
    };
    assert_eq!(asked(&service), 1);
    page.script(
        "[...[...document.querySelectorAll('.turn')].at(-1).querySelectorAll('.actions button')]
            .find((it) => it.innerText.includes('How it was found')).click()",
    )
    .await;
    page.wait_for("the trace of what was predicted", async || {
        let shown = page.element("dialog[open]").await.text().await.ok()?;
        (shown.contains(PREDICTED) && shown.contains("descriptions of what each chunk does"))
            .then_some(())
    })
    .await;
    page.screenshot("trace-predicted").await;
    page.close().await;
}

#[tokio::test]
async fn pasted_unfinished_code_gets_what_it_needs_with_footnotes() {
    let page = Page::open_without_transformer().await;
    read(&page, &archive(ARCHIVE)).await;
    press(&page, "Unfinished code").await;
    let code = "from requests.sessions import Session\nfrom requests.utils import get_netrc_auth\n\n\
                def fetch(url):\n    session = Session()\n    auth = get_netrc_auth(url)\n    ";
    let script = format!(
        "const box = document.querySelector('.unfinished textarea');
         box.value = {code:?};
         box.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    page.script(&script).await;
    page.screenshot("unfinished").await;
    press(&page, "Find what it needs").await;
    page.element(".turn .answer .note-ref").await;
    let shown = crate::story::last_answer(&page).await;
    for name in ["Session", "get_netrc_auth"] {
        assert!(shown.text.contains(name), "{name}: {}", shown.text);
    }
    assert!(last_turn(&page).await.contains("src/requests/utils.py"));
    page.screenshot("unfinished-needs").await;
    page.close().await;
}
