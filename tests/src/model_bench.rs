//! A long answer of a language model on its way to the screen: how long the first token takes, and
//! whether the page stays responsive while ten thousand more arrive, at the pace of a fast service
//! and all at once. The service is scripted; the page and its checks are real.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::browser::{Page, Setup, archive};
use crate::connecting::connect;
use crate::services::faulty::FaultyServer;
use crate::services::script::{Gate, Reply, Script, Step};

/// The tokens of the long answer; each is an event of its own.
const TOKENS: usize = 10_000;
/// How many first tokens are timed.
const ROUNDS: usize = 9;
/// How many tokens a fast service sends at once; the next constant is the milliseconds between two
/// such pieces. Together, a thousand tokens per second.
const PIECE: usize = 10;
const PIECE_MS: u64 = 10;
const PATIENCE: Duration = Duration::from_secs(90);
/// How long the long answer is left alone: each look at the page is work on its thread, and would
/// be measured too.
const UNDISTURBED: Duration = Duration::from_secs(3);

/// Records when text of the newest written answer first appears, and tasks of 50 ms and more.
const STOPWATCH: &str = "
    window.modelBench = { shown: [], tasks: [], changed: 0 };
    new PerformanceObserver((list) => {
        for (const task of list.getEntries()) modelBench.tasks.push([performance.timeOrigin + task.startTime, task.duration]);
    }).observe({ type: 'longtask', buffered: true });
    let answers = 0;
    const isWritten = ({ target }) => (target.closest ? target : target.parentElement)?.closest('.written');
    new MutationObserver((changes) => {
        if (changes.some(isWritten)) modelBench.changed = Date.now();
        const all = document.querySelectorAll('.answer.written');
        const last = all[all.length - 1];
        if (all.length > answers && last.textContent.trim() !== '') {
            answers = all.length;
            // The frame that shows it, not the change of the document.
            requestAnimationFrame(() => modelBench.shown.push(Date.now()));
        }
    }).observe(document, { subtree: true, childList: true, characterData: true });
";

/// Opens requests, connects a scripted model, and watches its answers arrive.
pub async fn measure() -> io::Result<Value> {
    let gates = Gates::new();
    let service = FaultyServer::start(gates.script());
    let page = Page::open_with(Setup {
        before_page: Some(STOPWATCH.to_owned()),
        ..Setup::default()
    })
    .await;
    page.choose_file(&archive("requests-2.32.5.tar.gz")).await;
    page.element("[data-phase=ready]").await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    page.element("[data-phase=ready]").await;
    let mut first_tokens = Vec::new();
    for (round, gate) in gates.first_tokens.iter().enumerate() {
        let opened = ask(&page, round, gate).await?;
        first_tokens.push(shown(&page, round).await - opened);
        over(&page, round).await;
    }
    let paced = long(&page, ROUNDS, &gates.pieces).await?;
    let at_once = long(&page, ROUNDS + 1, std::slice::from_ref(&gates.flood)).await?;
    page.close().await;
    first_tokens.sort_by(f64::total_cmp);
    Ok(json!({
        "first_token_ms_p50": first_tokens[ROUNDS / 2],
        "first_token_ms_max": first_tokens[ROUNDS - 1],
        "long_answer_tokens": TOKENS,
        "long_answer": paced,
        "long_answer_at_once": at_once,
    }))
}

/// Measures a long answer, whose gates are opened one after the other.
async fn long(page: &Page, round: usize, gates: &[Gate]) -> io::Result<Value> {
    let (first, others) = gates.split_first().expect("a gate");
    let began = ask(page, round, first).await?;
    let mut pace = tokio::time::interval(Duration::from_millis(PIECE_MS));
    for gate in others {
        pace.tick().await;
        gate.open();
    }
    tokio::time::sleep(UNDISTURBED).await;
    over(page, round).await;
    drawn(page).await;
    let ended = page.script("return modelBench.changed").await;
    let ended = ended
        .as_f64()
        .ok_or_else(|| io::Error::other("nothing changed on the page"))?;
    let tasks = format!(
        "return modelBench.tasks.filter(([at]) => at >= {began} && at <= {ended}) \
         .map(([, duration]) => duration)"
    );
    let tasks: Vec<f64> =
        serde_json::from_value(page.script(&tasks).await).map_err(io::Error::other)?;
    let footnotes = page
        .elements(".turn:last-child .written button.note-ref")
        .await
        .len();
    Ok(json!({
        "milliseconds": ended - began,
        "footnotes": footnotes,
        "page_tasks_over_50_ms": tasks.iter().filter(|duration| **duration > 50.0).count(),
        "longest_page_task_ms": tasks.iter().copied().fold(0.0, f64::max),
    }))
}

/// Where the answers stop until they are let through.
struct Gates {
    /// Before the first token of a short answer.
    first_tokens: Vec<Gate>,
    /// Before each piece of the long answer that comes at a pace.
    pieces: Vec<Gate>,
    /// Before the long answer that comes all at once.
    flood: Gate,
}

impl Gates {
    fn new() -> Self {
        let gates = |count: usize| (0..count).map(|_| Gate::new()).collect();
        Self {
            first_tokens: gates(ROUNDS),
            pieces: gates(TOKENS.div_ceil(PIECE)),
            flood: Gate::new(),
        }
    }

    fn script(&self) -> Script {
        let mut script = Script::new().then(Reply::text("ready"));
        for gate in &self.first_tokens {
            script = script.then(Reply::steps([
                Step::Stall(gate.clone()),
                Step::Text("Redirects are followed by the session. ".into()),
            ]));
        }
        let tokens = long_answer();
        let mut paced = Vec::new();
        for (gate, piece) in self.pieces.iter().zip(tokens.chunks(PIECE)) {
            paced.push(Step::Stall(gate.clone()));
            paced.extend(piece.iter().cloned().map(Step::Text));
        }
        let mut at_once = vec![Step::Stall(self.flood.clone())];
        at_once.extend(tokens.into_iter().map(Step::Text));
        script.then(Reply::steps(paced)).then(Reply::steps(at_once))
    }
}

/// A list of findings with citations, some of them false, cut into tokens.
fn long_answer() -> Vec<String> {
    let mut tokens = Vec::new();
    let mut finding = 0;
    while tokens.len() < TOKENS {
        finding += 1;
        let line = 100 + finding % 500;
        let text = format!(
            "- Finding {finding}: the session in `sessions.py` keeps what it was given for the next request \
             and hands it on to the adapter that sends it \
             [src/requests/sessions.py:{line}-{}].\n",
            line + 12
        );
        tokens.extend(text.split_inclusive(' ').map(str::to_owned));
    }
    tokens.truncate(TOKENS);
    tokens
}

/// Asks a question, sends what is to be reviewed, and opens the gate; returns when it was opened.
async fn ask(page: &Page, round: usize, gate: &Gate) -> io::Result<f64> {
    page.ask(&format!("where are redirects followed, round {round}"))
        .await;
    if round == 0 {
        let send = page.button("Send").await;
        send.click().await.map_err(io::Error::other)?;
    }
    gate.wait_reached(PATIENCE);
    let opened = now_ms()?;
    gate.open();
    Ok(opened)
}

async fn shown(page: &Page, round: usize) -> f64 {
    page.wait_for("the first token", async || {
        let script = format!("return window.modelBench.shown[{round}]");
        page.script(&script).await.as_f64()
    })
    .await
}

/// Waits until the answer of a round is complete.
async fn over(page: &Page, round: usize) {
    page.wait_for_long("the end of the answer", async || {
        let over = page.elements(".written[data-written=over]").await.len();
        (over > round).then_some(())
    })
    .await;
}

/// Waits until the end of the long answer is shown: the page renders its blocks a few per frame.
async fn drawn(page: &Page) {
    let tokens = long_answer();
    let findings = tokens.iter().filter(|token| *token == "Finding ").count();
    // The last one may be cut off.
    let script = format!(
        "return [...document.querySelectorAll('.written')].at(-1).textContent.includes('Finding {}:')",
        findings - 1
    );
    page.wait_for("the end of the answer on the page", async || {
        page.script(&script).await.as_bool().filter(|drawn| *drawn)
    })
    .await;
}

/// Milliseconds since 1970, which the page's `Date.now()` counts too, on the same machine.
fn now_ms() -> io::Result<f64> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_err(io::Error::other)?;
    Ok(since.as_secs_f64() * 1_000.0)
}
