//! Nothing leaves the page: neither the page nor its workers can reach another origin.

use std::net::UdpSocket;

use footnote_tests::browser::{Page, Setup, archive};
use serde_json::Value;
use xtask::paths;
use xtask::server::StaticServer;

use crate::story::{ask, read};

/// Records how the page's workers are started.
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

#[tokio::test]
async fn no_way_out_of_the_page_leads_to_another_server() {
    let elsewhere = StaticServer::start(paths::dist(), 0).unwrap();
    let stun = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    stun.set_nonblocking(true).unwrap();
    let page = Page::open().await;
    page.wait_for_text("Sealed").await;
    let here = page.url();
    for (way, script) in WAYS_OUT {
        let outcome = attempt(&page, &format!("{LISTEN} {script}"), &elsewhere.url()).await;
        assert_eq!(outcome, "blocked", "{way}");
    }
    let udp = format!("stun:{}", stun.local_addr().unwrap());
    assert_eq!(attempt(&page, WEBRTC, &udp).await, "blocked", "WebRTC");
    let shown = page.script("return location.origin").await;
    assert_eq!(shown.as_str(), Some(here.as_str()), "the tab stayed");
    assert_eq!(page.driver.windows().await.unwrap().len(), 1);
    assert_eq!(elsewhere.requests(), 0, "the other server heard something");
    assert!(stun.recv(&mut [0; 64]).is_err(), "a packet of WebRTC came");
    page.close().await;
}

#[tokio::test]
async fn the_panel_says_what_the_seal_covers_and_what_not() {
    let page = Page::open_without_transformer().await;
    page.element(".bar .seal").await.click().await.unwrap();
    let limits = page.element(".limits summary").await;
    limits.click().await.unwrap();
    page.wait_for_text("Not covered").await;
    let text = page.element(".limits").await.text().await.unwrap();
    for word in ["address bar", "extensions", "the browser itself", "WebRTC"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    page.close().await;
}

/// The policy reports what it blocked; the page's guards show by suppressing a click or a
/// navigation.
const LISTEN: &str = "\
    document.addEventListener('securitypolicyviolation', () => done('blocked'), { once: true });\
    navigation.addEventListener('navigateerror', () => done('blocked'), { once: true });\
    const add = (name, set) => {\
        try { document.body.append(Object.assign(document.createElement(name), set)); }\
        catch { done('blocked'); }\
    };\
    const click = (set) => {\
        const link = Object.assign(document.createElement('a'), { href: url + '/link', ...set });\
        document.body.append(link);\
        link.addEventListener('click', (event) => done(event.defaultPrevented ? 'blocked' : 'followed'));\
        link.click();\
    };";

/// Each says `blocked`, or `reached` if it got through to the other server.
const WAYS_OUT: [(&str, &str); 16] = [
    ("fetch", "fetch(url).then(() => done('reached'), () => {});"),
    (
        "a form",
        "add('form', { action: url + '/form', method: 'post' }); document.body.lastChild.submit();",
    ),
    (
        "WebSocket",
        "new WebSocket(url.replace('http', 'ws')).onopen = () => done('reached');",
    ),
    (
        "EventSource",
        "new EventSource(url + '/events').onopen = () => done('reached');",
    ),
    ("sendBeacon", "navigator.sendBeacon(url + '/beacon', 'x');"),
    (
        "an image",
        "add('img', { src: url + '/icon.svg', onload: () => done('reached') });",
    ),
    (
        "a font",
        "new FontFace('x', `url(${url}/font.woff2)`).load().then(() => done('reached'), () => {});",
    ),
    (
        "a style",
        "add('link', { rel: 'stylesheet', href: url + '/a.css' });",
    ),
    ("a script", "add('script', { src: url + '/page.js' });"),
    ("a frame", "add('iframe', { src: url + '/index.html' });"),
    ("an object", "add('object', { data: url + '/icon.svg' });"),
    (
        "a ping",
        "const a = document.createElement('a'); a.href = '#x'; a.ping = url; a.click();",
    ),
    (
        "a new window",
        "done(open(url + '/index.html') ? 'reached' : 'blocked');",
    ),
    ("a link", "click({});"),
    ("a link to a new tab", "click({ target: '_blank' });"),
    (
        "the address of the tab",
        "location.href = url + '/index.html';",
    ),
];

/// If the browser has WebRTC, asks a server for this computer's address.
const WEBRTC: &str = "\
    if (!globalThis.RTCPeerConnection) return done('blocked');\
    const to = new RTCPeerConnection({ iceServers: [{ urls: url }] });\
    to.createDataChannel('x');\
    to.onicegatheringstatechange = () => to.iceGatheringState === 'complete' && done('tried');\
    to.createOffer().then((offer) => to.setLocalDescription(offer));";

const FROM_PAGE: &str = "fetch(url).then(() => done('reached'), () => done('blocked'));";

/// A worker from a `blob:` address, like the page's own.
const FROM_WORKER: &str = "\
    const body = `onmessage = e => fetch(e.data).then(() => postMessage('reached'), () => postMessage('blocked'))`;\
    const worker = new Worker(URL.createObjectURL(new Blob([body])));\
    worker.onmessage = e => done(e.data);\
    worker.onerror = e => done('broken: ' + e.message);\
    worker.postMessage(url);";

/// A worker that starts a worker, as the engine starts encoders.
const FROM_NESTED: &str = "\
    const inner = `onmessage = e => fetch(e.data).then(() => postMessage('reached'), () => postMessage('blocked'))`;\
    const outer = 'trustedTypes.createPolicy(\"default\", { createScriptURL: (url) => url });' + \
                  'const w = new Worker(URL.createObjectURL(new Blob([' + JSON.stringify(inner) + ']))); \
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
