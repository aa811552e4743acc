//! Who may name what: the browser, serialisation, the network, files and clocks.

use super::source::Crate;
use super::violation::Violation;

/// Paths that only some files may name.
pub struct Rule {
    /// Crates, modules or items, including everything below them.
    pub names: &'static [&'static str],
    /// The files and folders in which the rule applies.
    pub within: &'static [&'static str],
    /// Those among them that may name the paths.
    pub allowed: &'static [&'static str],
    pub why: &'static str,
    pub remedy: &'static str,
}

/// The list of invariants in `docs/architecture.md` says the same in words.
pub const RULES: [Rule; 5] = [
    Rule {
        names: &[
            "web_sys",
            "js_sys",
            "wasm_bindgen",
            "wasm_bindgen_futures",
            "gloo",
            "idb",
            "leptos::web_sys",
            "leptos::wasm_bindgen",
        ],
        within: &["core/src", "app/src"],
        allowed: &["app/src/platform", "app/src/worker"],
        why: "the page's state and views are tested without a browser, and another one needs only another platform",
        remedy: "put the call into a function of app/src/platform, one file a browser service",
    },
    Rule {
        names: &["serde", "serde_bytes", "postcard"],
        within: &["core/src", "app/src"],
        allowed: &[
            "core/src/index/file/header.rs",
            "core/src/index/format",
            "core/src/index/taught/record.rs",
            "core/src/embed/manifest.rs",
            "core/src/embed/conformance.rs",
            "core/src/code_model/manifest.rs",
            "core/src/code_model/conformance.rs",
            "core/src/eval/set.rs",
            "core/src/pipeline/record.rs",
            "core/src/lesson/mod.rs",
            "app/src/worker",
        ],
        why: "what is written as bytes must stay readable, so it has types of its own that change on purpose only",
        remedy: "write and read it in one of these places, and convert there; JSON of others is a `serde_json::Value`",
    },
    Rule {
        names: &[
            "crate::platform::http::send",
            "crate::platform::http::is_reachable",
        ],
        within: &["app/src"],
        allowed: &[
            "app/src/worker/serve/connect/send.rs",
            "app/src/platform/http.rs",
        ],
        why: "nothing leaves the page that is not in the ledger first, and that file writes the ledger",
        remedy: "send through `exchange` or `fetch` of app/src/worker/serve/connect/send.rs",
    },
    Rule {
        names: &[
            "web_sys::EventSource",
            "web_sys::RtcDataChannel",
            "web_sys::RtcPeerConnection",
            "web_sys::WebSocket",
            "web_sys::WebTransport",
            "web_sys::XmlHttpRequest",
            "gloo::net",
            "js_sys::Function::new_no_args",
            "js_sys::Function::new_with_args",
            "js_sys::eval",
        ],
        within: &["app/src"],
        allowed: &[],
        why: "requests leave through app/src/platform/http.rs and fetch.rs alone, where they can be watched; \
              no policy of the browser stops WebRTC",
        remedy: "send through app/src/worker/serve/connect/send.rs, load the page's own files with app/src/platform/fetch.rs",
    },
    Rule {
        names: &[
            "std::env",
            "std::fs",
            "std::io::stderr",
            "std::io::stdin",
            "std::io::stdout",
            "std::net::TcpListener",
            "std::net::TcpStream",
            "std::net::UdpSocket",
            "std::process",
            "std::thread",
            "std::time::Instant",
            "std::time::SystemTime",
        ],
        within: &["core/src"],
        allowed: &[],
        why: "core takes values and returns values, so that the same code runs in a worker, a program and a test",
        remedy: "let the caller read or measure, and take the bytes or the time as an argument",
    },
];

/// Finds mentions that no rule allows.
pub fn check(rules: &[Rule], code: &Crate) -> Vec<Violation> {
    let mut violations = Vec::new();
    for module in &code.modules {
        let is_in = |places: &[&str]| places.iter().any(|place| is_at(&module.file, place));
        for rule in rules {
            if !is_in(rule.within) || is_in(rule.allowed) {
                continue;
            }
            for mention in &module.mentions {
                if rule.names.iter().any(|name| mention.is_below(name)) {
                    violations.push(Violation {
                        place: format!("{}:{}", module.file, mention.line),
                        what: format!("`{}` is named here", mention.path.join("::")),
                        why: rule.why.to_owned(),
                        remedy: remedy(rule),
                    });
                }
            }
        }
    }
    violations
}

fn remedy(rule: &Rule) -> String {
    match rule.allowed {
        [] => rule.remedy.to_owned(),
        allowed => format!("{} (allowed: {})", rule.remedy, allowed.join(", ")),
    }
}

/// Whether a file is `place` or inside it.
fn is_at(file: &str, place: &str) -> bool {
    let rest = file.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::*;

    fn check_one(path: &str, text: &str) -> Vec<String> {
        let folder = if path.starts_with("core") {
            "core/src"
        } else {
            "app/src"
        };
        let source = Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let code = Crate::read(folder, &[source]).unwrap();
        let violations = check(&RULES, &code).into_iter();
        violations
            .map(|found| format!("{} {}", found.place, found.what))
            .collect()
    }

    #[test]
    fn a_name_in_the_wrong_place_is_reported() {
        for (path, text, name) in [
            (
                "app/src/ui/uses.rs",
                "use web_sys::Element;",
                "web_sys::Element",
            ),
            (
                "app/src/state.rs",
                "use leptos::web_sys::Event;",
                "leptos::web_sys::Event",
            ),
            (
                "app/src/ui.rs",
                "fn f() { view! { <p>{js_sys::global()}</p> } }",
                "js_sys::global",
            ),
            (
                "core/src/model/protocol/service.rs",
                "use serde::Serialize;",
                "serde::Serialize",
            ),
            (
                "core/src/index/mod.rs",
                "#[derive(serde::Deserialize)] struct S;",
                "serde::Deserialize",
            ),
            (
                "core/src/search/mod.rs",
                "fn f() { postcard::to_stdvec(&1); }",
                "postcard::to_stdvec",
            ),
            (
                "app/src/worker/serve/open/mod.rs",
                "use crate::platform::http; async fn f() { http::send(&o, &a).await; }",
                "crate::platform::http::send",
            ),
            (
                "app/src/worker/client.rs",
                "fn f(s: web_sys::WebSocket) {}",
                "web_sys::WebSocket",
            ),
            (
                "app/src/platform/http.rs",
                "use web_sys::RtcPeerConnection;",
                "web_sys::RtcPeerConnection",
            ),
            (
                "app/src/worker/serve/jobs.rs",
                "fn f() { js_sys::eval(\"new RTCPeerConnection\"); }",
                "js_sys::eval",
            ),
            (
                "core/src/source/mod.rs",
                "fn f() { std::fs::read(p); }",
                "std::fs::read",
            ),
            (
                "core/src/job.rs",
                "use std::time::{Duration, Instant};",
                "std::time::Instant",
            ),
        ] {
            assert_eq!(
                check_one(path, text),
                [format!("{path}:1 `{name}` is named here")]
            );
        }
    }

    #[test]
    fn a_name_in_its_place_is_allowed() {
        for (path, text) in [
            (
                "app/src/platform/idb.rs",
                "use web_sys::Blob;\nuse idb::Database;",
            ),
            ("app/src/worker/wire.rs", "use serde::Serialize;"),
            ("core/src/index/format/records.rs", "use serde::Serialize;"),
            ("core/src/model/protocol/json.rs", "use serde_json::Value;"),
            (
                "app/src/ui/connect/memory.rs",
                "use crate::platform::http; fn f() { http::own_origin(); }",
            ),
            (
                "app/src/worker/serve/connect/send.rs",
                "use crate::platform::http::send;",
            ),
            (
                "core/src/model/protocol/address.rs",
                "use std::net::Ipv4Addr;",
            ),
            ("core/src/job.rs", "#[cfg(test)] mod tests { use std::fs; }"),
        ] {
            assert_eq!(check_one(path, text), [""; 0], "{path}");
        }
    }

    #[test]
    fn a_folder_is_not_taken_for_another_that_starts_like_it() {
        assert!(is_at("app/src/worker/wire.rs", "app/src/worker"));
        assert!(!is_at("app/src/workers.rs", "app/src/worker"));
    }
}
