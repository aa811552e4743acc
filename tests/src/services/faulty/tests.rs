//! The server itself, seen by a client that knows nothing of it but a socket.

use std::io::Read;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::services::client::{self, Received, post, receive, streamed_text};
use crate::services::script::{Finish, Gate, Reply, Script, Split, Step};

const PATIENCE: Duration = Duration::from_secs(30);
const ANSWER: &str = "Ein Umlaut: ü, a flag: 🇩🇪, [src/a.py:1-2]";

fn connect(server: &FaultyServer, request: &str) -> TcpStream {
    client::connect(server.port(), request)
}

fn exchange(server: &FaultyServer, request: &str) -> Received {
    client::exchange(server.port(), request)
}

/// A request for a streamed answer in OpenAI's wire format.
fn chat() -> String {
    post(
        "/v1/chat/completions",
        "",
        &json!({ "model": MODEL, "stream": true }),
    )
}

/// The request for an answer in each wire format, and where the text is in an event.
fn wires(streamed: bool) -> [(Wire, String, &'static str); 4] {
    let ask = json!({ "model": MODEL, "stream": streamed });
    let method = if streamed {
        "streamGenerateContent?alt=sse"
    } else {
        "generateContent"
    };
    let gemini = format!("/v1beta/models/{MODEL}:{method}");
    let version = "anthropic-version: 2023-06-01\r\n";
    let whole = !streamed;
    [
        (
            Wire::OpenAi,
            post("/v1/chat/completions", "", &ask),
            if whole {
                "/choices/0/message/content"
            } else {
                "/choices/0/delta/content"
            },
        ),
        (
            Wire::Anthropic,
            post("/v1/messages", version, &ask),
            if whole {
                "/content/0/text"
            } else {
                "/delta/text"
            },
        ),
        (
            Wire::Gemini,
            post(&gemini, "", &json!({})),
            "/candidates/0/content/parts/0/text",
        ),
        (
            Wire::Ollama,
            post("/api/chat", "", &ask),
            "/message/content",
        ),
    ]
}

#[test]
fn the_same_text_arrives_on_each_wire_streamed_and_whole() {
    for streamed in [true, false] {
        for (wire, request, pointer) in wires(streamed) {
            let server = FaultyServer::start(Script::new().then(Reply::text(ANSWER)));
            let received = exchange(&server, &request);
            assert_eq!(received.status, 200, "{wire:?}");
            assert!(received.complete, "{wire:?}");
            let text = match streamed {
                true => streamed_text(&received.text(), pointer),
                false => received
                    .json()
                    .pointer(pointer)
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .to_owned(),
            };
            assert_eq!(text, ANSWER, "{wire:?} {streamed}");
            assert_eq!(server.wait_for_end(1), End::Finished);
        }
    }
}

#[test]
fn splits_cut_events_and_characters_and_change_no_byte() {
    let server = FaultyServer::start(
        Script::new()
            .then(Reply::text(ANSWER))
            .then(Reply::text(ANSWER).split(Split::Every(3))),
    );
    let whole = exchange(&server, &chat());
    let split = exchange(&server, &chat());
    assert_eq!(whole.body(), split.body());
    assert!(split.chunks.iter().all(|chunk| chunk.len() <= 3));
    assert!(
        split
            .chunks
            .iter()
            .any(|chunk| std::str::from_utf8(chunk).is_err()),
        "no character was cut"
    );
}

#[test]
fn a_stalled_stream_sends_what_came_before_and_goes_on_when_the_gate_opens() {
    let gate = Gate::new();
    let steps = [
        Step::Text("before".into()),
        Step::Stall(gate.clone()),
        Step::Text("after".into()),
    ];
    let server = FaultyServer::start(Script::new().then(Reply::steps(steps)));
    let stream = connect(&server, &chat());
    gate.wait_reached(PATIENCE);
    let mut seen = vec![0; 4096];
    let mut length = 0;
    while !String::from_utf8_lossy(&seen[..length]).contains("before") {
        length += (&stream).read(&mut seen[length..]).unwrap();
    }
    assert!(!String::from_utf8_lossy(&seen[..length]).contains("after"));
    assert_eq!(server.exchanges()[0].end, None);
    gate.open();
    let mut rest = String::new();
    (&stream).read_to_string(&mut rest).unwrap();
    assert!(rest.contains("after") && rest.contains("[DONE]"), "{rest}");
}

#[test]
fn a_client_that_leaves_a_stalled_stream_is_noticed() {
    let gate = Gate::new();
    let stalled = Reply::steps([Step::Stall(gate.clone())]);
    let server = FaultyServer::start(Script::new().then(stalled));
    let stream = connect(&server, &chat());
    gate.wait_reached(PATIENCE);
    drop(stream);
    assert_eq!(server.wait_for_end(1), End::ClientLeft);
}

#[test]
fn a_server_that_is_dropped_ends_its_streams_and_frees_its_port() {
    let gate = Gate::new();
    let stalled = Reply::steps([Step::Text("half".into()), Step::Stall(gate.clone())]);
    let server = FaultyServer::start(Script::new().then(stalled));
    let port = server.port();
    let stream = connect(&server, &chat());
    gate.wait_reached(PATIENCE);
    drop(server);
    let received = receive(stream);
    assert!(received.text().contains("half") && !received.complete);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    let again = Setup::default().port(port).start(Script::new());
    assert_eq!(
        exchange(&again, "GET /v1/models HTTP/1.1\r\n\r\n").status,
        200
    );
}

#[test]
fn a_cut_breaks_the_body_and_an_early_end_only_the_protocol() {
    let half = Step::Text("half".into());
    let server = FaultyServer::start(
        Script::new()
            .then(Reply::steps([half.clone(), Step::Cut]))
            .then(Reply::steps([half.clone(), Step::EndEarly]))
            .then(Reply::steps([half, Step::Error("overloaded".into())])),
    );
    let cut = exchange(&server, &chat());
    let early = exchange(&server, &chat());
    let error = exchange(&server, &chat());
    assert_eq!((cut.complete, early.complete), (false, true));
    for received in [cut, early] {
        assert!(received.text().contains("half") && !received.text().contains("[DONE]"));
    }
    assert!(error.text().contains(r#""message":"overloaded""#));
    assert_eq!(server.wait_for_end(1), End::Cut);
    assert_eq!(server.wait_for_end(2), End::Finished);
}

#[test]
fn each_status_comes_with_the_body_of_its_service() {
    let places = [
        (Wire::OpenAi, "/error/message"),
        (Wire::Anthropic, "/error/message"),
        (Wire::Gemini, "/error/message"),
        (Wire::Ollama, "/error"),
    ];
    for status in [400, 401, 403, 404, 413, 429, 500, 503] {
        for ((wire, request, _), (_, pointer)) in wires(true).into_iter().zip(places) {
            let server = FaultyServer::start(Script::new().then(Reply::failure(status, "no")));
            let received = exchange(&server, &request);
            assert_eq!(received.status, status, "{wire:?}");
            assert_eq!(
                received.json().pointer(pointer),
                Some(&json!("no")),
                "{wire:?}"
            );
        }
    }
}

#[test]
fn a_rate_limit_says_how_long_and_lets_pages_read_it() {
    let server = FaultyServer::start(Script::new().then(Reply::rate_limited(7)));
    let received = exchange(&server, &chat());
    assert_eq!(received.status, 429);
    assert!(received.headers.contains("retry-after: 7"));
    assert!(
        received
            .headers
            .contains("access-control-expose-headers: retry-after")
    );
}

#[test]
fn only_the_right_key_in_the_right_header_is_taken() {
    let cases = [
        ("/v1/models", "Authorization: Bearer right", 200),
        ("/v1/models", "Authorization: Bearer wrong", 401),
        ("/v1/models", "X-Nothing: right", 401),
        (
            "/v1/models",
            "anthropic-version: 1\r\nx-api-key: right",
            200,
        ),
        (
            "/v1/models",
            "anthropic-version: 1\r\nx-api-key: wrong",
            401,
        ),
        ("/v1beta/models", "x-goog-api-key: right", 200),
        ("/v1beta/models?key=right", "X-Nothing: 0", 400),
        ("/api/tags", "Authorization: Bearer right", 200),
        ("/api/tags", "X-Nothing: 0", 401),
    ];
    let server = FaultyServer::with_key("right").start(Script::new());
    for (path, header, expected) in cases {
        let received = exchange(&server, &format!("GET {path} HTTP/1.1\r\n{header}\r\n\r\n"));
        assert_eq!(received.status, expected, "{path} {header}");
    }
}

#[test]
fn models_are_listed_with_their_windows_and_unknown_ones_are_refused() {
    let server = FaultyServer::start(Script::new().then(Reply::text("never")));
    for (path, pointer) in [
        ("/v1/models", "/data/0/id"),
        ("/v1beta/models", "/models/0/name"),
        ("/api/tags", "/models/0/name"),
    ] {
        let received = exchange(&server, &format!("GET {path} HTTP/1.1\r\n\r\n"));
        let name = received
            .json()
            .pointer(pointer)
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned();
        assert!(name.ends_with(MODEL), "{path}: {name}");
    }
    let details = exchange(&server, &post("/api/show", "", &json!({ "model": MODEL })));
    assert_eq!(details.json()["model_info"]["llama.context_length"], 8192);
    let other = post("/v1/chat/completions", "", &json!({ "model": "other" }));
    let received = exchange(&server, &other);
    assert_eq!(received.status, 404);
    assert_eq!(received.json()["error"]["code"], "model_not_found");
}

#[test]
fn pages_are_let_in_unless_they_are_refused() {
    let preflight = "OPTIONS /v1/chat/completions HTTP/1.1\r\nOrigin: http://localhost:1\r\n\
                     Access-Control-Request-Headers: authorization,content-type\r\n\r\n";
    let open = FaultyServer::start(Script::new());
    let received = exchange(&open, preflight);
    assert_eq!(received.status, 204);
    assert!(received.headers.contains("access-control-allow-origin: *"));
    assert!(
        received
            .headers
            .contains("access-control-allow-headers: authorization,content-type")
    );

    let closed = FaultyServer::without_cors().start(Script::new().then(Reply::text("x")));
    for request in [preflight, &chat()] {
        let received = exchange(&closed, request);
        assert!(!received.headers.contains("access-control-allow-origin"));
    }
}

#[test]
fn anthropic_wants_a_version_and_from_browsers_their_consent() {
    let server = FaultyServer::start(Script::new());
    let version = "anthropic-version: 2023-06-01\r\n";
    let origin = "Origin: http://localhost:1\r\n";
    let consent = "anthropic-dangerous-direct-browser-access: true\r\n";
    let ask = json!({ "model": MODEL });
    for (headers, expected) in [
        (String::new(), 400),
        (format!("{version}{origin}"), 401),
        // The request passes these checks and reaches the empty script.
        (format!("{version}{origin}{consent}"), 500),
    ] {
        let received = exchange(&server, &post("/v1/messages", &headers, &ask));
        assert_eq!(received.status, expected, "{headers}");
    }
}

#[test]
fn tool_calls_come_in_pieces_that_join_to_their_arguments() {
    let arguments = json!({ "path": "src/ü.py", "start": 1 });
    let call = Reply::tool_call("call_1", "read_lines", arguments.clone());
    let places = [
        "/choices/0/delta/tool_calls/0/function/arguments",
        "/delta/partial_json",
    ];
    for ((wire, request, _), pointer) in wires(true).into_iter().zip(places) {
        let server = FaultyServer::start(Script::new().then(call.clone()));
        let received = exchange(&server, &request);
        let joined = streamed_text(&received.text(), pointer);
        assert_eq!(joined, arguments.to_string(), "{wire:?}");
    }
    for ((wire, request, _), pointer) in wires(true).into_iter().skip(2).zip([
        r#""args":{"path":"src/ü.py","start":1}"#,
        r#""arguments":{"path":"src/ü.py","start":1}"#,
    ]) {
        let server = FaultyServer::start(Script::new().then(call.clone()));
        let received = exchange(&server, &request);
        assert!(
            received.text().contains(pointer),
            "{wire:?}: {}",
            received.text()
        );
    }
}

#[test]
fn an_answer_can_be_computed_from_the_request_that_is_recorded() {
    let echo = |request: &RecordedRequest| Reply::text(&request.prompt());
    let server = FaultyServer::start(Script::new().always(echo));
    let body = json!({ "model": MODEL, "stream": true, "messages": [
        { "role": "system", "content": "rules" },
        { "role": "user", "content": [{ "type": "text", "text": "question" }] },
    ] });
    let request = post("/v1/chat/completions", "X-Mark: 1\r\n", &body);
    for _ in 0..2 {
        let received = exchange(&server, &request);
        let text = streamed_text(&received.text(), "/choices/0/delta/content");
        assert_eq!(text, "rules\nquestion");
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].request.header("x-mark"), Some("1"));
    assert_eq!(asked[0].request.json(), body);
}

#[test]
fn a_flood_holds_ten_megabytes_of_text() {
    let server = FaultyServer::start(Script::new().then(Reply::flood()));
    let received = exchange(&server, &chat());
    let text = streamed_text(&received.text(), "/choices/0/delta/content");
    assert!(text.len() >= 10_000_000, "{}", text.len());
}

#[test]
fn other_bodies_and_other_ends_are_sent_as_said() {
    let server = FaultyServer::start(
        Script::new()
            .then(Reply::html(200))
            .then(Reply::text("x").finish(Finish::Length))
            .models(Reply::html(404)),
    );
    let page = exchange(&server, &chat());
    assert!(page.headers.contains("content-type: text/html") && page.text().contains("<h1>"));
    assert!(
        exchange(&server, &chat())
            .text()
            .contains(r#""finish_reason":"length""#)
    );
    let unforeseen = exchange(&server, &chat());
    assert_eq!(unforeseen.status, 500);
    assert!(unforeseen.text().contains("no reply left"));
    assert_eq!(
        exchange(&server, "GET /v1/models HTTP/1.1\r\n\r\n").status,
        404
    );
    assert_eq!(
        exchange(&server, "GET /elsewhere HTTP/1.1\r\n\r\n").status,
        404
    );
}
