use super::*;

#[test]
fn a_failed_fetch_is_classified_by_the_probe() {
    let probe = |reached, online, page_is_secure| Probe {
        reached,
        online,
        page_is_secure,
    };
    let none = Failure::Unreachable(Unreached::NoAnswer);
    for (typed, probe, expected) in [
        (
            "localhost:11434",
            probe(true, true, true),
            Failure::CorsRefused,
        ),
        ("localhost:11434", probe(false, true, true), none.clone()),
        ("localhost:11434", probe(false, false, true), none.clone()),
        (
            "http://192.168.1.5:8000",
            probe(false, true, true),
            Failure::Unreachable(Unreached::Insecure),
        ),
        (
            "http://192.168.1.5:8000",
            probe(false, true, false),
            none.clone(),
        ),
        (
            "https://api.example",
            probe(false, false, true),
            Failure::Unreachable(Unreached::Offline),
        ),
        ("https://api.example", probe(false, true, true), none),
    ] {
        let service = Service::new(Kind::OLLAMA, typed).unwrap();
        assert_eq!(
            Failure::from_probe(&service, probe),
            expected,
            "{typed} {probe:?}"
        );
    }
}

#[test]
fn every_failure_says_what_happened_and_what_to_do() {
    let message = || "the words".to_owned();
    let failures = [
        Failure::Unreachable(Unreached::NoAnswer),
        Failure::Unreachable(Unreached::Offline),
        Failure::Unreachable(Unreached::Insecure),
        Failure::CorsRefused,
        Failure::BadKey { message: message() },
        Failure::Forbidden { message: message() },
        Failure::UnknownModel { message: message() },
        Failure::WrongAddress { message: message() },
        Failure::WrongRequest {
            message: message(),
            unsupported: None,
        },
        Failure::ContextTooLong { message: message() },
        Failure::TooLarge { message: message() },
        Failure::RateLimited {
            message: message(),
            retry_after_ms: None,
        },
        Failure::OutOfCredit { message: message() },
        Failure::Server {
            status: 500,
            message: message(),
            retry_after_ms: None,
        },
        Failure::Overloaded {
            message: message(),
            retry_after_ms: None,
        },
        Failure::Timeout,
        Failure::CutOff,
        Failure::Stream { message: message() },
        Failure::NotAService { found: message() },
        Failure::Stopped,
    ];
    let mut all_what = std::collections::BTreeSet::new();
    for failure in &failures {
        let what = failure.what();
        assert!(
            what.ends_with('.') || what.ends_with("It said: the words"),
            "{what}"
        );
        assert_eq!(
            failure.said().is_some(),
            what.contains("the words"),
            "{what}"
        );
        assert!(
            all_what.insert(what.clone()),
            "two failures say the same: {what}"
        );
        for kind in Kind::ALL {
            let next = failure.next(&service(kind), "https://footnote.example");
            assert!(next.len() > 10, "{what}: {next}");
        }
    }
    assert_eq!(all_what.len(), failures.len());
}

#[test]
fn a_key_that_a_service_repeats_is_taken_out() {
    let secret = Secret::new("sk-very-secret").unwrap();
    let body = br#"{"error":"no such key: sk-very-secret"}"#;
    let failure = classify(&service(Kind::OPENAI), 401, None, body).without_secret(&secret);
    assert_eq!(failure.said(), Some("no such key: …"));
}

#[test]
fn the_message_of_a_service_is_kept_short() {
    let body = format!(
        r#"{{"error":"{} \n {}"}}"#,
        "word ".repeat(400),
        "x".repeat(100_000)
    );
    let failure = classify(&service(Kind::OPENAI), 500, None, body.as_bytes());
    let said = failure.said().unwrap();
    assert!(said.chars().count() <= 401, "{}", said.len());
    let body = format!(r#"{{"error":"{}"}}"#, "x".repeat(10_000));
    let failure = classify(&service(Kind::OPENAI), 500, None, body.as_bytes());
    assert!(failure.said().unwrap().chars().count() <= 401);
}
