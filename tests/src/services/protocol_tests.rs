//! The protocol of core against servers that were written independently of it.

use footnote_core::model::protocol::{
    Chat, Failure, FinishReason, Kind, Message, Secret, Service, StreamEvent, chat_request,
    classify, model_request, models_request, read_model, read_models,
};
use serde_json::json;

use super::client::{Received, read_stream, send, text_of};
use super::faulty::{FaultyServer, MODEL};
use super::script::{Finish, Gate, Reply, Script, Split, Step, ToolCall};

const ANSWER: &str = "Ein Umlaut: ü, a flag: 🇩🇪, a quote \\\" and\n\n[src/a.py:1-2].";

fn service(kind: Kind, port: u16) -> Service {
    Service::new(kind, &format!("http://localhost:{port}")).unwrap()
}

fn ask(kind: Kind, server: &FaultyServer, key: Option<&str>) -> Received {
    let mut chat = Chat::new(MODEL, "Answer briefly.");
    chat.messages.push(Message::User("Where?".to_owned()));
    let key = key.map(|key| Secret::new(key).unwrap());
    let request = chat_request(&service(kind, server.port()), key.as_ref(), &chat);
    send(server.port(), &request)
}

/// The events that the protocol reads from one reply.
fn events(kind: Kind, reply: Reply) -> Vec<StreamEvent> {
    let server = FaultyServer::start(Script::new().then(reply));
    read_stream(kind, &ask(kind, &server, None))
}

#[test]
fn models_and_their_windows_are_read_on_each_wire() {
    for kind in Kind::ALL {
        let server = FaultyServer::with_key("right").start(Script::new());
        let key = Secret::new("right").unwrap();
        let service = service(kind, server.port());
        let listed = send(server.port(), &models_request(&service, Some(&key)));
        let mut models = read_models(kind, &listed.body()).unwrap();
        assert_eq!(models[0].id, MODEL, "{kind:?}");
        if let Some(request) = model_request(&service, Some(&key), MODEL) {
            let described = send(server.port(), &request);
            models = vec![read_model(kind, MODEL, &described.body()).unwrap()];
        }
        assert_eq!(models[0].window, Some(8192), "{kind:?}");
    }
}

#[test]
fn answers_are_read_alike_however_they_are_cut() {
    for kind in Kind::ALL {
        for split in [Split::Steps, Split::Every(1), Split::Every(7)] {
            let found = events(kind, Reply::text(ANSWER).split(split));
            assert_eq!(text_of(&found), ANSWER, "{kind:?} {split:?}");
            assert_eq!(
                found.last(),
                Some(&StreamEvent::Done(FinishReason::End)),
                "{kind:?}"
            );
        }
        let found = events(kind, Reply::text(ANSWER).finish(Finish::Length));
        assert_eq!(
            found.last(),
            Some(&StreamEvent::Done(FinishReason::Length)),
            "{kind:?}"
        );
    }
}

#[test]
fn thoughts_are_kept_apart_and_calls_are_read() {
    let call = ToolCall {
        id: "call_1".to_owned(),
        name: "read_lines".to_owned(),
        arguments: json!({ "path": "src/ü.py", "start": 1 }),
    };
    for kind in Kind::ALL {
        let steps = [
            Step::Reasoning("hm".to_owned()),
            Step::Text("So: ".to_owned()),
            Step::ToolCall(call.clone()),
            Step::ToolCall(call.clone()),
        ];
        let found = events(kind, Reply::steps(steps));
        assert!(
            found.contains(&StreamEvent::Thinking("hm".to_owned())),
            "{kind:?} {found:?}"
        );
        assert_eq!(text_of(&found), "So: ", "{kind:?}");
        let calls: Vec<serde_json::Value> = found
            .iter()
            .filter_map(|event| match event {
                StreamEvent::Call(call) => Some(serde_json::from_str(&call.arguments).unwrap()),
                _ => None,
            })
            .collect();
        assert_eq!(
            calls,
            [call.arguments.clone(), call.arguments.clone()],
            "{kind:?}"
        );
        assert_eq!(
            found.last(),
            Some(&StreamEvent::Done(FinishReason::Tools)),
            "{kind:?}"
        );
    }
}

#[test]
fn an_answer_that_breaks_off_is_reported_and_the_text_before_is_kept() {
    for kind in Kind::ALL {
        for (step, expected) in [
            (Step::Cut, Some(Failure::CutOff)),
            (Step::EndEarly, Some(Failure::CutOff)),
            (Step::Error("too busy".to_owned()), None),
        ] {
            let found = events(
                kind,
                Reply::steps([Step::Text("half".to_owned()), step.clone()]),
            );
            assert_eq!(text_of(&found), "half", "{kind:?} {step:?}");
            let Some(StreamEvent::Failed(failure)) = found.last() else {
                panic!("{kind:?} {step:?}: {found:?}");
            };
            assert!(
                expected.is_none_or(|expected| *failure == expected),
                "{kind:?} {step:?}: {failure:?}"
            );
        }
    }
}

#[test]
fn a_server_that_goes_away_in_the_middle_leaves_what_it_sent() {
    let gate = Gate::new();
    let reply = Reply::steps([Step::Text("half".to_owned()), Step::Stall(gate.clone())]);
    let server = FaultyServer::start(Script::new().then(reply));
    let received = std::thread::scope(|scope| {
        let asking = scope.spawn(|| ask(Kind::OPENAI, &server, None));
        gate.wait_reached(std::time::Duration::from_secs(30));
        server.cut_all();
        asking.join().unwrap()
    });
    let found = read_stream(Kind::OPENAI, &received);
    assert_eq!(text_of(&found), "half");
    assert_eq!(found.last(), Some(&StreamEvent::Failed(Failure::CutOff)));
}

#[test]
fn each_status_is_distinguished_on_each_wire() {
    for kind in Kind::ALL {
        for status in [400, 401, 403, 404, 413, 429, 500, 503] {
            let reply = match status {
                429 => Reply::rate_limited(7),
                _ => Reply::failure(status, "No."),
            };
            let server = FaultyServer::start(Script::new().then(reply));
            let received = ask(kind, &server, None);
            let retry = received.header("retry-after");
            let service = service(kind, server.port());
            let failure = classify(
                &service,
                received.status,
                retry.as_deref(),
                &received.body(),
            );
            let is_expected = match (status, &failure) {
                (400, Failure::WrongRequest { .. })
                | (401, Failure::BadKey { .. })
                | (403, Failure::Forbidden { .. })
                | (404, Failure::UnknownModel { .. } | Failure::WrongAddress { .. })
                | (413, Failure::TooLarge { .. } | Failure::ContextTooLong { .. })
                | (503, Failure::Overloaded { .. } | Failure::Server { .. })
                | (500, Failure::Server { .. }) => true,
                (429, Failure::RateLimited { retry_after_ms, .. }) => *retry_after_ms == Some(7000),
                _ => false,
            };
            assert!(is_expected, "{kind:?} {status}: {failure:?}");
        }
    }
}

#[test]
fn a_wrong_key_and_an_unknown_model_are_distinguished_on_each_wire() {
    for kind in Kind::ALL {
        let server = FaultyServer::with_key("right").start(Script::new());
        let wrong = ask(kind, &server, Some("wrong"));
        let failure = classify(
            &service(kind, server.port()),
            wrong.status,
            None,
            &wrong.body(),
        );
        assert!(
            matches!(failure, Failure::BadKey { .. }),
            "{kind:?}: {failure:?}"
        );

        let other = super::faulty::Setup::default().models(Vec::new());
        let server = other.start(Script::new());
        let unknown = ask(kind, &server, None);
        let failure = classify(
            &service(kind, server.port()),
            unknown.status,
            None,
            &unknown.body(),
        );
        assert!(
            matches!(failure, Failure::UnknownModel { .. }),
            "{kind:?}: {failure:?}"
        );
    }
}

#[test]
fn a_web_page_in_place_of_an_answer_is_not_a_service() {
    for kind in Kind::ALL {
        let found = events(kind, Reply::html(200));
        assert!(
            matches!(
                found.as_slice(),
                [StreamEvent::Failed(Failure::NotAService { .. })]
            ),
            "{kind:?}: {found:?}"
        );
    }
}

#[test]
fn ten_megabytes_of_tokens_are_read_to_their_end() {
    let found = events(Kind::OPENAI, Reply::flood());
    assert!(text_of(&found).len() >= 10_000_000);
    assert_eq!(found.last(), Some(&StreamEvent::Done(FinishReason::End)));
}
