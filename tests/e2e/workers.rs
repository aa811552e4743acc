//! What runs beside the engine: workers that parse, and the encoder in its faster build.

use footnote_tests::browser::{Page, Setup, archive};
use serde_json::Value;

use crate::story::{ask, open_sample, read, ready};

const ARCHIVE: &str = "django-5.2.4.tar.gz";

/// Runs `in_engine` in the engine's worker before the engine. What it posts to the channel `beside`
/// goes to `window.beside`. Its `started(text)` is called with the body of each worker that the
/// engine starts and may return another one; its `heard(worker, text, n)` is called with the n-th
/// message of a worker.
async fn page_with(in_engine: &str, without_transformer: bool) -> Page {
    let hooks = "
        const channel = new BroadcastChannel('beside');
        let started = text => text, heard = () => {}, body = '';
        self.Blob = new Proxy(self.Blob, {
            construct(target, [parts, options]) {
                if (options?.type === 'text/javascript') {
                    body = String(parts[0]);
                    parts = [started(body)];
                }
                return new target(parts, options);
            }
        });
        const OriginalWorker = self.Worker;
        self.Worker = class extends OriginalWorker {
            constructor(url, options) {
                super(url, options);
                const text = body;
                let n = 0;
                this.addEventListener('message', () => heard(this, text, n += 1));
            }
        };";
    let before_page = format!(
        "window.beside = [];
        new BroadcastChannel('beside').onmessage = event => window.beside.push(event.data);
        window.Blob = new Proxy(window.Blob, {{
            construct(target, [parts, options]) {{
                const isEngine = options?.type === 'text/javascript'
                    && String(parts[0]).includes('footnoteRole = \"engine\"');
                return new target(isEngine ? [{}, ...parts] : parts, options);
            }}
        }});",
        Value::from(format!("{hooks}\n{in_engine}\n"))
    );
    Page::open_with(Setup {
        before_page: Some(before_page),
        without_transformer,
        ..Setup::default()
    })
    .await
}

/// Reads the archive; returns what the page says about it, and what was posted.
async fn opened(in_engine: &str) -> (String, Vec<Value>) {
    let page = page_with(in_engine, true).await;
    read(&page, &archive(ARCHIVE)).await;
    let counts = "return document.querySelector('.bar .repo').innerText";
    let counts = page.script(counts).await.as_str().unwrap().to_owned();
    let shown = ask(&page, "how is a queryset evaluated").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    let posted = page.script("return window.beside").await;
    page.close().await;
    (counts, posted.as_array().unwrap().clone())
}

/// Counts the messages of parsers, the first of which says that the parser is listening.
const COUNT: &str = "
    const isParser = text => text.includes('footnoteRole = \"parser\"');
    heard = (worker, text, n) => { if (isParser(text)) channel.postMessage(n); };";

#[tokio::test]
async fn files_are_parsed_beside_the_engine_and_by_it_where_a_parser_fails() {
    let (whole, read) = opened(COUNT).await;
    assert!(read.len() > 3, "{read:?}");
    let broken = "started = text => isParser(text) ? 'throw new Error(\"no parser\");' : text;";
    let (alone, read) = opened(&format!("{COUNT}{broken}")).await;
    assert_eq!((alone, read.len()), (whole.clone(), 0));
    let dying = "heard = (worker, text, n) => {
        if (!isParser(text)) return;
        channel.postMessage(n);
        if (n < 3) return;
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent('error', { message: 'unreachable' }));
    };";
    let (half, read) = opened(&format!("{COUNT}{dying}")).await;
    assert_eq!(half, whole);
    assert!(read.contains(&Value::from(3)), "{read:?}");
}

/// Posts the program of each encoder, and how often the loops were timed; one of them is slowed
/// down.
fn timed(slow: &str) -> String {
    format!(
        "started = text => {{
            const program = text.match(/(encoder\\w*)\\.js/)?.[1];
            if (program && text.includes('\"encoder\"')) channel.postMessage(program);
            return text;
        }};
        const OriginalInstance = WebAssembly.Instance;
        WebAssembly.Instance = class {{
            constructor(module, imports) {{
                const exports = new OriginalInstance(module, imports).exports;
                if (!exports.relaxed) return {{ exports }};
                channel.postMessage('timed');
                const wait = milliseconds => {{
                    const end = performance.now() + milliseconds;
                    while (performance.now() < end);
                }};
                const run = name => () => wait(name === '{slow}' ? 4 : 1);
                return {{ exports: {{ relaxed: run('relaxed'), plain: run('plain') }} }};
            }}
        }};"
    )
}

/// What was posted up to the start of an encoder.
async fn encoder_of(page: &Page) -> Vec<String> {
    page.wait_for("an encoder", async || {
        let posted = page.script("return window.beside").await;
        let posted: Vec<String> = serde_json::from_value(posted).ok()?;
        posted
            .iter()
            .any(|it| it.starts_with("encoder"))
            .then_some(posted)
    })
    .await
}

#[tokio::test]
async fn the_encoder_runs_in_the_build_that_was_measured_as_faster_and_is_measured_once() {
    for (slow, program) in [("relaxed", "encoder"), ("plain", "encoder_relaxed")] {
        let page = page_with(&timed(slow), false).await;
        open_sample(&page).await;
        assert_eq!(encoder_of(&page).await, ["timed", program]);
        let shown = ask(&page, "how is a message delivered to its handler").await;
        assert!(!shown.footnotes.is_empty(), "{}", shown.text);
        page.driver.refresh().await.unwrap();
        ready(&page).await;
        assert_eq!(encoder_of(&page).await, [program], "kept");
        page.close().await;
    }
}
