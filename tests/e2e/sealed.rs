//! Nothing leaves the page: neither page nor workers can reach another origin.

use footnote_tests::browser::{Page, Setup, archive};
use serde_json::Value;
use xtask::paths;
use xtask::server::StaticServer;

use crate::story::{ask, read};

/// Remembers how the page's workers are started.
const WATCH_WORKERS: &str = "\
    window.startedWorkers = [];\
    const Original = window.Worker;\
    window.Worker = class extends Original {\
        constructor(url, options) { super(url, options); window.startedWorkers.push(String(url)); }\
    };";

#[tokio::test]
async fn page_and_workers_reach_their_own_origin_and_no_other() {
    let elsewhere = StaticServer::start(paths::dist(), 0).unwrap();
    let setup = Setup {
        before_page: Some(WATCH_WORKERS.to_owned()),
        ..Setup::default()
    };
    let page = Page::open_with(setup).await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    ask(&page, "where are redirects followed").await;

    let started = page.script("return window.startedWorkers").await;
    let started: Vec<String> = serde_json::from_value(started).unwrap();
    assert!(!started.is_empty());
    assert!(
        started.iter().all(|url| url.starts_with("blob:")),
        "{started:?}"
    );

    for (target, expected) in [(page.url(), "reached"), (elsewhere.url(), "blocked")] {
        let target = format!("{target}/index.html");
        assert_eq!(
            attempt(&page, FROM_PAGE, &target).await,
            expected,
            "page → {target}"
        );
        assert_eq!(
            attempt(&page, FROM_WORKER, &target).await,
            expected,
            "worker → {target}"
        );
        assert_eq!(
            attempt(&page, FROM_NESTED, &target).await,
            expected,
            "worker's worker → {target}"
        );
    }
    assert_eq!(elsewhere.requests(), 0, "the other server heard something");
    page.close().await;
}

const FROM_PAGE: &str = "fetch(url).then(() => done('reached'), () => done('blocked'));";

/// A worker from a `blob:` address, as the page's own are.
const FROM_WORKER: &str = "\
    const body = `onmessage = e => fetch(e.data).then(() => postMessage('reached'), () => postMessage('blocked'))`;\
    const worker = new Worker(URL.createObjectURL(new Blob([body])));\
    worker.onmessage = e => done(e.data);\
    worker.onerror = e => done('broken: ' + e.message);\
    worker.postMessage(url);";

/// A worker that starts a worker, as the engine starts encoders.
const FROM_NESTED: &str = "\
    const inner = `onmessage = e => fetch(e.data).then(() => postMessage('reached'), () => postMessage('blocked'))`;\
    const outer = 'const w = new Worker(URL.createObjectURL(new Blob([' + JSON.stringify(inner) + ']))); \
                   w.onmessage = e => postMessage(e.data); onmessage = e => w.postMessage(e.data)';\
    const worker = new Worker(URL.createObjectURL(new Blob([outer])));\
    worker.onmessage = e => done(e.data);\
    worker.onerror = e => done('broken: ' + e.message);\
    worker.postMessage(url);";

async fn attempt(page: &Page, script: &str, url: &str) -> String {
    let script =
        format!("const url = arguments[0], done = arguments[arguments.length - 1]; {script}");
    let ran = page
        .driver
        .execute_async(script.as_str(), vec![Value::from(url)])
        .await
        .unwrap();
    ran.json().as_str().unwrap_or_default().to_owned()
}
