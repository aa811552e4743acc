//! The seal: whether anything can leave the page, according to the page's own policy, and the
//! ledger of what left it.

use leptos::prelude::*;

use super::connect;
use super::desk;
use super::format::{bytes, count, duration, thousands};
use super::icons::{Draw, Icon};
use crate::platform::{clock, seal};
use crate::state::connection::Stage;
use crate::state::{Effect, Panel, Purpose, State};
use crate::worker::protocol::{ConnectRequest, EgressView};

#[component]
pub fn SealButton() -> impl IntoView {
    let store = desk().store;
    let addresses = seal::open_addresses();
    let is_across = store.select(State::is_across);
    let is_sealed = addresses.as_ref().is_some_and(Vec::is_empty);
    let (word, open_to) = match addresses {
        Some(addresses) if addresses.is_empty() => ("Sealed", String::new()),
        Some(addresses) => {
            let hosts = addresses.iter().map(|address| host(address));
            let hosts = hosts.collect::<Vec<_>>().join(", ");
            ("Open", format!(" to {hosts} only"))
        }
        None => ("Not sealed", ": this page may connect elsewhere".to_owned()),
    };
    let rest = move || match (is_sealed, is_across.get()) {
        (true, true) => ": questions go to this server only".to_owned(),
        (true, false) => ": nothing leaves this page".to_owned(),
        (false, _) => open_to.clone(),
    };
    view! {
        <button
            class="seal"
            class:broken=!is_sealed
            aria-haspopup="dialog"
            on:click=move |_| store.act(|state| state.show(Panel::Seal))
        >
            <span>{word}<span class="wide-only">{rest}</span></span>
        </button>
    }
}

/// An address without its scheme.
fn host(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, host)| host)
}

#[component]
pub fn Seal() -> impl IntoView {
    let addresses = seal::open_addresses();
    let is_across = desk().store.select(State::is_across);
    let text = move || match &addresses {
        Some(addresses) if addresses.is_empty() => {
            let fetched = match is_across.get() {
                true => "",
                false => ", and they only fetch Footnote’s own files from there",
            };
            format!(
                "The browser itself enforces it: this page’s Content-Security-Policy lets the page \
                 and its workers connect to nothing but the address they came from{fetched}. What \
                 you drop is read, indexed, searched and saved in this browser."
            )
        }
        Some(addresses) => format!(
            "You connected a language model. The browser lets this page and its workers connect to {} and, \
             apart from the address the page came from, to nothing else. Reading, indexing, searching and \
             checking still happen in this browser.",
            addresses.join(", ")
        ),
        None => {
            "This page carries no Content-Security-Policy, so the browser does not enforce that \
                 nothing leaves it. Footnote still sends nothing by itself."
                .to_owned()
        }
    };
    let server = move || {
        is_across.get().then(|| {
            view! {
                <p>
                    "All repositories are open: each question goes to the server that this page \
                     came from, and the code of the repositories that it finds comes from there. \
                     Every such request is listed below."
                </p>
            }
        })
    };
    view! {
        <p>{text}</p>
        {server}
        <Limits/>
        <Link/>
        <Ledger/>
    }
    .into_any()
}

/// How far the seal reaches; the comments in `public/seal.js` state the same limits.
#[component]
fn Limits() -> impl IntoView {
    view! {
        <details class="limits">
            <summary>"What the seal covers, and what it does not"</summary>
            <dl>
                <dt>"The browser enforces"</dt>
                <dd>
                    "that the page and its workers send nothing to other addresses, and fetch, \
                     load or frame nothing from them: no requests, sockets, beacons, images, \
                     fonts, styles, scripts, frames or forms."
                </dd>
                <dt>"The page adds"</dt>
                <dd>
                    "what no policy can enforce: nothing in the page takes this tab to another \
                     address or opens a window, and WebRTC is removed from its scripts. A link in \
                     an answer first shows its whole address and opens only if you confirm it."
                </dd>
                <dt>"Not covered"</dt>
                <dd>
                    "where you go yourself, by the address bar or a link you open; browser extensions, which read \
                     and send what they like; the browser itself, which may look up names or open connections ahead \
                     of time; a script that fetches WebRTC back from an empty frame; and everything else on this \
                     computer."
                </dd>
            </dl>
        </details>
    }
    .into_any()
}

/// What a connection would add, or the present one.
#[component]
fn Link() -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let is_across = store.select(State::is_across);
    let text = move || match stage.get() {
        Stage::None if is_across.get() => {
            "No language model is connected. With one, on this computer or at a service, the answers \
             also explain; Footnote checks every citation the model makes."
        }
        Stage::None => {
            "There is no account, no key, no server and no language model behind it. Connect a model, on \
             this computer or at a service, and the answers also explain; Footnote checks every citation the \
             model makes."
        }
        Stage::Connected => {
            "Every question goes to the connected model, with the lines found for it."
        }
        _ => "The language model is not in use yet.",
    };
    let label = move || match stage.get() {
        Stage::None => "Connect a language model",
        _ => "Connection settings",
    };
    view! {
        <p class="quiet-line">{text}</p>
        <div class="actions">
            <button
                class="quiet small"
                on:click=move |_| store.act(|state| state.show(Panel::Connect))
            >
                {label}
            </button>
            <Show when=move || stage.get() != Stage::None>
                <connect::Disconnect/>
            </Show>
        </div>
    }
    .into_any()
}

/// The requests that left the page, each with its exact bytes.
#[component]
fn Ledger() -> impl IntoView {
    let store = desk().store;
    let egress = store.select(|state| state.connection.egress.clone());
    let body = move || {
        let requests = egress.get();
        if requests.is_empty() {
            let text = "Nothing has left this page since it was loaded.";
            return view! { <p class="quiet-line">{text}</p> }.into_any();
        }
        let rows: Vec<_> = requests.iter().map(row).collect();
        view! {
            <p class="quiet-line">{total(&requests)}</p>
            <ol class="ledger">{rows}</ol>
            <div class="actions">
                <button
                    class="quiet small"
                    on:click=move |_| {
                        store.act(|_| vec![Effect::send(Purpose::Export, ConnectRequest::ExportEgress)]);
                    }
                >
                    <Draw icon=Icon::Save/>
                    "Save as JSON"
                </button>
            </div>
        }
        .into_any()
    };
    view! {
        <h3>"What left this page"</h3>
        {body}
    }
    .into_any()
}

/// The totals: each attempt is a request and counts in full.
fn total(requests: &[EgressView]) -> String {
    let sent: usize = requests.iter().map(|request| request.body.len()).sum();
    let tokens = requests.iter().map(|request| u64::from(request.tokens));
    format!(
        "{}: {} tokens sent ({})",
        count(requests.len() as u64, "request"),
        thousands(tokens.sum()),
        bytes(sent as f64)
    )
}

fn size(request: &EgressView) -> String {
    let tokens = match request.tokens {
        0 => String::new(),
        tokens => format!("{} tokens, ", thousands(tokens.into())),
    };
    format!(
        "{tokens}{} sent, {} received, {}",
        bytes(request.body.len() as f64),
        bytes(request.received_bytes),
        duration(request.milliseconds / 1000.0)
    )
}

fn row(request: &EgressView) -> AnyView {
    let time = clock::time_of_day(request.at_ms);
    let size = size(request);
    let headers = request.headers.iter();
    let headers: String = headers
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    let exact = format!(
        "{} {}\n{headers}\n{}",
        request.method, request.url, request.body
    );
    view! {
        <li>
            <details>
                <summary>
                    <b>{request.purpose.clone()}</b>
                    " "
                    <span>{request.outcome.clone()}</span>
                    <small>{time}" · "{size}</small>
                </summary>
                <pre tabindex="0" aria-label="The exact request">{exact}</pre>
            </details>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attempt_counts_whole_in_tokens_and_bytes() {
        let attempt = |outcome: &str| EgressView {
            at_ms: 0.0,
            purpose: "answer".into(),
            method: "POST".into(),
            url: "http://localhost:1".into(),
            headers: Vec::new(),
            body: "x".repeat(600),
            tokens: 700,
            outcome: outcome.into(),
            received_bytes: 12.0,
            milliseconds: 5.0,
        };
        let refused = attempt("429, failed");
        assert_eq!(
            size(&refused),
            "700 tokens, 600 bytes sent, 12 bytes received, 5 ms"
        );
        assert_eq!(
            total(&[refused, attempt("200")]),
            "2 requests: 1,400 tokens sent (1 kB)"
        );
    }
}
