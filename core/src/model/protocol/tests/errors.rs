use super::*;

/// A failure's name, without the service's message.
fn name(failure: &Failure) -> String {
    match failure {
        Failure::WrongRequest {
            unsupported: Some(option),
            ..
        } => format!("WrongRequest without {option:?}"),
        Failure::RateLimited {
            retry_after_ms: Some(ms),
            ..
        } => format!("RateLimited for {ms} ms"),
        Failure::Overloaded {
            retry_after_ms: Some(ms),
            ..
        } => format!("Overloaded for {ms} ms"),
        failure => {
            let debug = format!("{failure:?}");
            let end = debug.find(|c: char| !c.is_alphanumeric());
            debug[..end.unwrap_or(debug.len())].to_owned()
        }
    }
}

/// Checks each line of a table: status, `Retry-After` or `-`, the failure, the body.
fn check(kind: Kind, table: &str) {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let [status, retry_after, expected, body] = columns.as_slice() else {
            panic!("not four columns: {line}");
        };
        let retry_after = Some(*retry_after).filter(|header| *header != "-");
        let status = status.parse().unwrap();
        let failure = classify(&service(kind), status, retry_after, body.as_bytes());
        assert_eq!(name(&failure), *expected, "{kind:?} {line}");
    }
}

#[test]
fn openai_errors_are_distinguished() {
    check(Kind::OPENAI, include_str!("errors/openai.tsv"));
}

#[test]
fn errors_of_compatible_servers_are_distinguished() {
    check(Kind::OPENAI, include_str!("errors/compatible.tsv"));
}

#[test]
fn anthropic_errors_are_distinguished() {
    check(Kind::ANTHROPIC, include_str!("errors/anthropic.tsv"));
}

#[test]
fn gemini_errors_are_distinguished() {
    check(Kind::GEMINI, include_str!("errors/gemini.tsv"));
}

#[test]
fn ollama_errors_are_distinguished() {
    check(Kind::OLLAMA, include_str!("errors/ollama.tsv"));
}
