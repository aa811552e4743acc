//! Says what will be sent before it is sent, and asks the user to agree.

use std::io::{BufRead, IsTerminal, Write};

use footnote_core::model::protocol::Service;

use crate::Result;

/// Roughly what a run will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub requests: usize,
    /// The tokens that the model reads, rather over- than underestimated.
    pub prompt_tokens: u64,
    /// The tokens that it may write.
    pub answer_tokens: u64,
    /// The limits of the run in requests and tokens, if the numbers above are estimates.
    pub most: Option<(u32, u64)>,
}

/// Prints it, and waits for a yes if `asks`.
pub fn confirm(
    service: &Service,
    has_key: bool,
    model: &str,
    outlook: Outlook,
    asks: bool,
) -> Result<()> {
    let mut err = std::io::stderr().lock();
    writeln!(err, "{}", announced(service, model, outlook))?;
    if has_key && !service.is_encrypted() && !service.is_local() {
        writeln!(
            err,
            "The key goes there unencrypted: use an address with https if there is one."
        )?;
    }
    if !asks {
        return Ok(());
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(
            "nothing was sent, because nobody can answer the prompt here: add --yes to \
             agree"
                .into(),
        );
    }
    write!(err, "Send? [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err("nothing was sent".into()),
    }
}

fn announced(service: &Service, model: &str, outlook: Outlook) -> String {
    let place = match service.is_local() {
        true => "this machine",
        false => "another machine",
    };
    let Outlook {
        requests,
        prompt_tokens,
        answer_tokens,
        most,
    } = outlook;
    let (service, kind) = (&service.base, service.kind.title());
    let to = format!("To be sent to {service} ({kind}, {place}), model {model}:");
    match most {
        None => format!(
            "{to} {requests} requests, about {prompt_tokens} tokens to read and at most \
             {answer_tokens} to write."
        ),
        Some((most_requests, most_tokens)) => format!(
            "{to} about {requests} requests, {prompt_tokens} tokens to read and {answer_tokens} to \
             write; no more than {most_requests} requests and {most_tokens} tokens."
        ),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_announcement_says_where_to_and_how_much() {
        let outlook = Outlook {
            requests: 3,
            prompt_tokens: 700,
            answer_tokens: 90,
            most: None,
        };
        for (typed, place) in [
            (
                "localhost:11434",
                "http://localhost:11434 (Ollama, this machine)",
            ),
            (
                "https://llm.example/v1",
                "https://llm.example/v1 (OpenAI-compatible, another machine)",
            ),
        ] {
            let said = announced(&Service::guess(typed).unwrap(), "m", outlook);
            let rest = ", model m: 3 requests, about 700 tokens to read and at most 90 to write.";
            assert_eq!(said, format!("To be sent to {place}{rest}"));
        }
        let estimated = Outlook {
            most: Some((8, 2_000)),
            ..outlook
        };
        let said = announced(&Service::guess("localhost:11434").unwrap(), "m", estimated);
        assert!(
            said.ends_with("no more than 8 requests and 2000 tokens."),
            "{said}"
        );
    }
}
