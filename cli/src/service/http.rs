//! Core's requests → bytes of the service, over a blocking HTTP client.

use std::io::Read;
use std::time::Duration;

use footnote_core::model::protocol::{
    Chat, Failure, HttpRequest, Secret, Service, Unreached, chat_request, classify,
};
use ureq::http::{HeaderValue, Request};
use ureq::{Agent, Error, RequestExt};

/// The most bytes read of an error's body.
const MAX_ERROR_BYTES: u64 = 64 << 10;
/// The bytes read at once.
const PIECE: usize = 16 << 10;

/// The connection to one service.
pub struct Line {
    agent: Agent,
    pub service: Service,
    pub key: Option<Secret>,
}

/// What went wrong with a request.
#[derive(Debug)]
pub struct Fault {
    pub failure: Failure,
    /// What the network reported, which is more precise than the failure.
    pub detail: Option<String>,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let detail = None;
        Self { failure, detail }
    }
}

impl Fault {
    /// What happened, in sentences.
    pub fn what(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail})", self.failure.what()),
            None => self.failure.what(),
        }
    }
}

impl Line {
    pub fn new(service: Service, key: Option<Secret>, limit: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A request to a model is never redirected: a key must not go elsewhere.
            .max_redirects(0)
            .timeout_global(Some(limit))
            .user_agent(concat!("footnote/", env!("CARGO_PKG_VERSION")));
        let config = match service.is_local() {
            // A proxy would ask its own machine.
            true => config.proxy(None),
            false => config,
        };
        Self {
            agent: config.build().new_agent(),
            service,
            key,
        }
    }

    /// Sends `chat` and passes the body of a successful reply to `hear` piece by piece, until it
    /// wants no more.
    pub fn send(&self, chat: &Chat, hear: impl FnMut(&[u8]) -> bool) -> Result<(), Fault> {
        let request = chat_request(&self.service, self.key.as_ref(), chat);
        self.exchange(&request, hear)
    }

    /// A failure that is safe to show: some services repeat the key.
    pub fn without_key(&self, failure: Failure) -> Failure {
        match &self.key {
            Some(key) => failure.without_secret(key),
            None => failure,
        }
    }

    fn exchange(
        &self,
        request: &HttpRequest,
        mut hear: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Fault> {
        let mut builder = Request::builder()
            .method(request.method)
            .uri(request.url.as_str());
        for header in &request.headers {
            let mut value = HeaderValue::from_str(&header.value).map_err(unsendable)?;
            value.set_sensitive(header.secret);
            builder = builder.header(header.name, value);
        }
        let body = request.body.clone().unwrap_or_default();
        let request = builder.body(body).map_err(unsendable)?;
        let response = request.with_agent(&self.agent).run();
        let mut response = response.map_err(|error| unanswered(&error))?;
        let status = response.status().as_u16();
        let header = |name: &str| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        if (300..400).contains(&status) {
            return Err(redirected(header("location").as_deref()).into());
        }
        let retry_after = header("retry-after");
        let mut body = response.body_mut().as_reader();
        if !(200..300).contains(&status) {
            let mut said = Vec::new();
            // An error whose body breaks off is still that error.
            let _ = body.take(MAX_ERROR_BYTES).read_to_end(&mut said);
            return Err(classify(&self.service, status, retry_after.as_deref(), &said).into());
        }
        let mut piece = vec![0; PIECE];
        loop {
            let n = body
                .read(&mut piece)
                .map_err(|error| broken(error.into()))?;
            let heard = piece.get(..n).unwrap_or_default();
            if heard.is_empty() || !hear(heard) {
                return Ok(());
            }
        }
    }
}

/// Core checks addresses and keys, so this is a request that the client does not know how to send.
fn unsendable(error: impl std::fmt::Display) -> Fault {
    Fault {
        failure: Failure::WrongAddress {
            message: String::new(),
        },
        detail: Some(error.to_string()),
    }
}

fn redirected(location: Option<&str>) -> Failure {
    // An address may contain more than should appear on a screen.
    let place = location.and_then(|it| it.split(['?', '#']).next());
    let message = match place {
        Some(place) => format!("a redirect to {}, which is not followed", shown(place)),
        None => "a redirect to nowhere".to_owned(),
    };
    Failure::WrongAddress { message }
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// Nothing came back.
fn unanswered(error: &Error) -> Fault {
    let failure = match error {
        Error::Timeout(_) => Failure::Timeout,
        Error::Protocol(_) | Error::LargeResponseHeader(..) => Failure::NotAService {
            found: String::new(),
        },
        // The connection was open, and was closed instead of answered.
        Error::Io(error) if is_cut(error) => Failure::CutOff,
        _ => Failure::Unreachable(Unreached::NoAnswer),
    };
    Fault {
        failure,
        detail: detail(error),
    }
}

fn is_cut(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let cuts = [
        BrokenPipe,
        ConnectionAborted,
        ConnectionReset,
        UnexpectedEof,
    ];
    cuts.contains(&error.kind())
}

/// The answer had begun.
fn broken(error: Error) -> Fault {
    let failure = match error {
        Error::Timeout(_) => Failure::Timeout,
        _ => Failure::CutOff,
    };
    Fault {
        failure,
        detail: detail(&error),
    }
}

/// The error without the client's names for kinds of errors; `None` if the failure says everything.
fn detail(error: &Error) -> Option<String> {
    match error {
        Error::Timeout(_) => None,
        Error::Io(error) => Some(error.to_string()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_reported_with_its_target_but_without_the_query() {
        for (location, said) in [
            (
                Some("https://login.example/start?token=sk-1#x"),
                "a redirect to https://login.example/start, which is not followed",
            ),
            (None, "a redirect to nowhere"),
        ] {
            assert_eq!(redirected(location).said(), Some(said));
        }
    }

    #[test]
    fn a_closed_connection_is_distinguished_from_one_that_never_opened() {
        use std::io::ErrorKind;
        for (kind, failure) in [
            (ErrorKind::UnexpectedEof, Failure::CutOff),
            (ErrorKind::ConnectionReset, Failure::CutOff),
            (
                ErrorKind::ConnectionRefused,
                Failure::Unreachable(Unreached::NoAnswer),
            ),
        ] {
            assert_eq!(unanswered(&Error::Io(kind.into())).failure, failure);
        }
    }
}
