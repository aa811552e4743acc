//! Advice on each failure, in words that name the setting to change.

use super::{Failure, Unreached};
use crate::model::protocol::service::Service;
use crate::model::protocol::services::Server;

/// The program that runs at an address of the user's own, if it is known.
fn server(service: &Service) -> Option<&'static Server> {
    (service.kind.spec().server)(service)
}

/// See [`Failure::next`].
pub(super) fn next(failure: &Failure, service: &Service, origin: &str) -> String {
    match failure {
        Failure::Unreachable(why) => unreachable(*why, service),
        Failure::CorsRefused => allow(service, origin),
        Failure::BadKey { .. } => bad_key(service),
        Failure::UnknownModel { .. } => service.kind.spec().unknown_model.to_owned(),
        Failure::WrongAddress { .. } | Failure::NotAService { .. } => address(service),
        Failure::RateLimited { retry_after_ms, .. }
        | Failure::Overloaded { retry_after_ms, .. } => wait(*retry_after_ms),
        other => plain(other).to_owned(),
    }
}

/// Advice that is the same for every service.
fn plain(failure: &Failure) -> &'static str {
    match failure {
        Failure::Forbidden { .. } => {
            "Check in your account what the key may do, and whether the model is available to it \
             and in your region."
        }
        Failure::WrongRequest {
            unsupported: Some(_),
            ..
        } => "Ask again without the option that the model does not support.",
        Failure::WrongRequest { .. } => {
            "Try another model, and check that the kind of the service is right."
        }
        Failure::ContextTooLong { .. } => {
            "Remove evidence, begin a new conversation, or choose a model with a larger context."
        }
        Failure::TooLarge { .. } => "Remove evidence, or begin a new conversation.",
        Failure::OutOfCredit { .. } => "Add credit to the account, or connect another service.",
        Failure::Server { .. } => {
            "Ask again later. If it keeps failing, check the service's own log or status page."
        }
        Failure::Timeout => {
            "Ask again. A local model reads a long question slowly: remove evidence, or choose a smaller model."
        }
        Failure::CutOff | Failure::Stream { .. } => {
            "Footnote kept what arrived. Ask again for a complete answer."
        }
        Failure::Stopped => "Footnote kept what arrived. Ask again whenever you like.",
        _ => "Ask again.",
    }
}

fn unreachable(why: Unreached, service: &Service) -> String {
    match why {
        Unreached::Offline => "Connect to the network and ask again.".to_owned(),
        Unreached::Insecure => {
            "Use an address with https://, or open Footnote itself over http or on the machine \
             that runs the service."
                .to_owned()
        }
        Unreached::NoAnswer => match server(service) {
            Some(server) if service.is_local() => format!(
                "{} Check that the port is right, and let the page reach the local network if the browser asks: {}",
                server.start,
                service.origin()
            ),
            _ if service.is_local() => format!(
                "Start the server, check that the port is right, and let the page reach the local network if the browser asks: {}",
                service.origin()
            ),
            _ => format!(
                "Check the address and the network; a firewall, a blocker or an unknown \
                 certificate can block the way: {}",
                service.origin()
            ),
        },
    }
}

fn allow(service: &Service, origin: &str) -> String {
    // A page opened as a file has the origin "null", which only a wildcard allows.
    let any = if origin == "null" { "*" } else { origin };
    if let Some(server) = server(service) {
        return format!("Allow this page: {}", (server.allow)(any));
    }
    (service.kind.spec().allow)(service, any).unwrap_or_else(|| {
        format!(
            "The service must answer with the header “Access-Control-Allow-Origin: {origin}”. If \
             it is not yours, put a proxy that sends it in front of the service, such as \
             LiteLLM's."
        )
    })
}

fn bad_key(service: &Service) -> String {
    if service.is_local() {
        return "Type the key that the server was started with; some servers require one even if \
                they do not check it."
            .to_owned();
    }
    format!(
        "Paste the whole key again, and check that it belongs to this service: {}",
        service.origin()
    )
}

fn address(service: &Service) -> String {
    let usual = service.kind.usual_address();
    let kind = service.kind.title();
    format!(
        "Check the kind of the service ({kind}) and its address; an address of that kind looks \
         like {usual}. Footnote asked {}",
        service.base
    )
}

fn wait(retry_after_ms: Option<u64>) -> String {
    match retry_after_ms {
        Some(ms) => format!("Ask again in {}.", duration(ms)),
        None => "Ask again later.".to_owned(),
    }
}

fn duration(ms: u64) -> String {
    match ms.div_ceil(1000) {
        0 | 1 => "a second".to_owned(),
        seconds @ 2..=90 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::protocol::services::Kind;

    const PAGE: &str = "https://footnote.example";

    fn service(kind: Kind, typed: &str) -> Service {
        Service::new(kind, typed).unwrap()
    }

    #[test]
    fn the_advice_names_the_exact_setting_that_allows_a_refused_page() {
        for (kind, typed, setting) in [
            (
                Kind::OLLAMA,
                "localhost:11434",
                "OLLAMA_ORIGINS=https://footnote.example",
            ),
            (
                Kind::OLLAMA,
                "192.168.1.7:9999",
                "OLLAMA_ORIGINS=https://footnote.example",
            ),
            (
                Kind::OPENAI,
                "localhost:11434/v1",
                "OLLAMA_ORIGINS=https://footnote.example",
            ),
            (Kind::OPENAI, "localhost:1234", "lms server start --cors"),
            (Kind::OPENAI, "localhost:1234", "“Enable CORS”"),
            (
                Kind::OPENAI,
                "localhost:8000",
                "--allowed-origins '[\"https://footnote.example\"]'",
            ),
            (
                Kind::OPENAI,
                "localhost:8080",
                "--cors-origins https://footnote.example",
            ),
            (
                Kind::OPENAI,
                "https://llm.example",
                "Access-Control-Allow-Origin: https://footnote.example",
            ),
        ] {
            let next = Failure::CorsRefused.next(&service(kind, typed), PAGE);
            assert!(next.contains(setting), "{typed}: {next}");
        }
    }

    #[test]
    fn the_advice_for_an_unknown_server_names_all_servers() {
        let next = Failure::CorsRefused.next(&service(Kind::OPENAI, "localhost:5005"), PAGE);
        for name in ["OLLAMA_ORIGINS", "LM Studio", "vLLM", "llama.cpp"] {
            assert!(next.contains(name), "{next}");
        }
    }

    #[test]
    fn a_page_opened_as_a_file_needs_a_wildcard() {
        let next = Failure::CorsRefused.next(&service(Kind::OLLAMA, "localhost:11434"), "null");
        assert!(next.contains("OLLAMA_ORIGINS=* "), "{next}");
    }

    #[test]
    fn waiting_times_use_everyday_units() {
        for (ms, told) in [
            (Some(900), "in a second."),
            (Some(20_000), "in 20 seconds."),
            (Some(3_600_000), "in 60 minutes."),
            (None, "later."),
        ] {
            let failure = Failure::RateLimited {
                message: String::new(),
                retry_after_ms: ms,
            };
            let next = failure.next(&service(Kind::OPENAI, "api.openai.com"), PAGE);
            assert!(next.ends_with(told), "{next}");
        }
    }
}
