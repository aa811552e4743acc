//! What can go wrong between a question and its answer, and what the user can do about it.

use super::chat::ChatOption;
use super::secret::Secret;
use super::service::Service;

mod advice;

/// Characters of a service's message that are kept.
const MAX_SAID: usize = 400;

/// Why there is no answer, or no more of it. `message` is the service's message, shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nothing came back.
    Unreachable(Unreached),
    /// The service is there, but the browser may not read its response: see
    /// [`Failure::from_probe`].
    CorsRefused,
    /// The service does not accept the key: 401, or another status that it uses for this.
    BadKey {
        /// The service's message.
        message: String,
    },
    /// 403.
    Forbidden {
        /// The service's message.
        message: String,
    },
    /// The service does not have the model.
    UnknownModel {
        /// The service's message.
        message: String,
    },
    /// The service is there, but has nothing at this address.
    WrongAddress {
        /// The service's message.
        message: String,
    },
    /// 400: `unsupported` is what [`super::Chat::without`] can leave out.
    WrongRequest {
        /// The service's message.
        message: String,
        /// The option that the service does not support, if it named one.
        unsupported: Option<ChatOption>,
    },
    /// The request has more tokens than the model's context window.
    ContextTooLong {
        /// The service's message.
        message: String,
    },
    /// 413: the request has more bytes than the service accepts.
    TooLarge {
        /// The service's message.
        message: String,
    },
    /// 429.
    RateLimited {
        /// The service's message.
        message: String,
        /// How long the service asks to wait, in milliseconds, if it said so.
        retry_after_ms: Option<u64>,
    },
    /// The account has no credit left; waiting does not help.
    OutOfCredit {
        /// The service's message.
        message: String,
    },
    /// 5xx.
    Server {
        /// The status of the response.
        status: u16,
        /// The service's message.
        message: String,
        /// How long the service asks to wait, in milliseconds, if it said so.
        retry_after_ms: Option<u64>,
    },
    /// 503 and 529: there are too many requests.
    Overloaded {
        /// The service's message.
        message: String,
        /// How long the service asks to wait, in milliseconds, if it said so.
        retry_after_ms: Option<u64>,
    },
    /// Nothing arrived for too long, or the service reports a timeout itself.
    Timeout,
    /// The connection ended before the answer did.
    CutOff,
    /// The service ended the answer with an error, or sent something unreadable.
    Stream {
        /// The service's message.
        message: String,
    },
    /// Something else answers at the address.
    NotAService {
        /// The beginning of its response.
        found: String,
    },
    /// The user stopped the request.
    Stopped,
}

/// Why nothing came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreached {
    /// Nothing listens at the address, its name is unknown, or its certificate is not accepted.
    NoAnswer,
    /// The browser has no network.
    Offline,
    /// The page was loaded by https, and the browser blocks its request by http.
    Insecure,
}

/// What a page can find out when `fetch` fails without a reason. It fails the same way if nothing
/// listens and if the page may not read the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Whether a request of mode `no-cors` to the same origin succeeded: then something listens
    /// there.
    pub reached: bool,
    /// `navigator.onLine`.
    pub online: bool,
    /// Whether the page itself was loaded by https.
    pub page_is_secure: bool,
}

impl Failure {
    /// The failure behind a failed `fetch`, given what was probed after it.
    pub fn from_probe(service: &Service, probe: Probe) -> Failure {
        if probe.reached {
            Failure::CorsRefused
        } else if probe.page_is_secure && !service.is_encrypted() && !service.is_local() {
            Failure::Unreachable(Unreached::Insecure)
        } else if !probe.online && !service.is_local() {
            Failure::Unreachable(Unreached::Offline)
        } else {
            Failure::Unreachable(Unreached::NoAnswer)
        }
    }

    /// What happened, in sentences for the user.
    pub fn what(&self) -> String {
        let sentence = match self {
            Failure::Unreachable(Unreached::NoAnswer) => "The service did not answer.",
            Failure::Unreachable(Unreached::Offline) => "This browser is offline.",
            Failure::Unreachable(Unreached::Insecure) => {
                "The browser does not let a page loaded over https ask a service over http."
            }
            Failure::CorsRefused => {
                "The service responds, but does not allow this page to read its answers (CORS)."
            }
            Failure::BadKey { .. } => "The service does not accept the key.",
            Failure::Forbidden { .. } => "The service does not allow this.",
            Failure::UnknownModel { .. } => "The service does not have this model.",
            Failure::WrongAddress { .. } => "The service has nothing at this address.",
            Failure::WrongRequest { .. } => "The service did not understand the request.",
            Failure::ContextTooLong { .. } => {
                "The question and its evidence are more than the model can read at once."
            }
            Failure::TooLarge { .. } => "The request is larger than the service accepts.",
            Failure::RateLimited { .. } => "The service limits how often you may ask.",
            Failure::OutOfCredit { .. } => "The account with the service has no credit left.",
            Failure::Server { status, .. } => {
                return with_said(
                    &format!("The service failed with an error of its own (status {status})."),
                    self.said(),
                );
            }
            Failure::Overloaded { .. } => "The service is overloaded.",
            Failure::Timeout => "The service took too long to answer.",
            Failure::CutOff => "The connection ended before the answer did.",
            Failure::Stream { .. } => "The service cut the answer off.",
            Failure::NotAService { .. } => {
                "The server at this address is not a language model service of this kind."
            }
            Failure::Stopped => "You stopped the answer.",
        };
        with_said(sentence, self.said())
    }

    /// What the user can do, in sentences. `page_origin` is the origin of the page, such as
    /// `https://footnote.example`, which the settings of local servers must name.
    pub fn next(&self, service: &Service, page_origin: &str) -> String {
        advice::next(self, service, page_origin)
    }

    /// Whether the same request may succeed if it is sent again unchanged.
    pub fn is_retryable(&self) -> bool {
        match self {
            Failure::Server { status, .. } => *status != 501,
            Failure::RateLimited { .. }
            | Failure::Overloaded { .. }
            | Failure::Unreachable(Unreached::NoAnswer)
            | Failure::Timeout
            | Failure::CutOff => true,
            _ => false,
        }
    }

    /// How long the service asks to wait, in milliseconds.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Failure::RateLimited { retry_after_ms, .. }
            | Failure::Server { retry_after_ms, .. }
            | Failure::Overloaded { retry_after_ms, .. } => *retry_after_ms,
            _ => None,
        }
    }

    /// The option that the chat could leave out to be accepted: see [`super::Chat::instead`].
    pub fn unsupported(&self) -> Option<ChatOption> {
        match self {
            Failure::WrongRequest { unsupported, .. } => *unsupported,
            _ => None,
        }
    }

    /// The service's message.
    pub fn said(&self) -> Option<&str> {
        match self {
            Failure::BadKey { message }
            | Failure::Forbidden { message }
            | Failure::UnknownModel { message }
            | Failure::WrongAddress { message }
            | Failure::WrongRequest { message, .. }
            | Failure::ContextTooLong { message }
            | Failure::TooLarge { message }
            | Failure::RateLimited { message, .. }
            | Failure::OutOfCredit { message }
            | Failure::Server { message, .. }
            | Failure::Overloaded { message, .. }
            | Failure::Stream { message }
            | Failure::NotAService { found: message } => Some(message),
            _ => None,
        }
        .filter(|said| !said.is_empty())
        .map(String::as_str)
    }

    /// The same failure without the key in the service's message, because some services repeat it.
    #[must_use]
    pub fn without_secret(mut self, secret: &Secret) -> Failure {
        if let Some(said) = self.said_mut()
            && said.contains(secret.expose())
        {
            *said = said.replace(secret.expose(), "…");
        }
        self
    }

    fn said_mut(&mut self) -> Option<&mut String> {
        match self {
            Failure::BadKey { message }
            | Failure::Forbidden { message }
            | Failure::UnknownModel { message }
            | Failure::WrongAddress { message }
            | Failure::WrongRequest { message, .. }
            | Failure::ContextTooLong { message }
            | Failure::TooLarge { message }
            | Failure::RateLimited { message, .. }
            | Failure::OutOfCredit { message }
            | Failure::Server { message, .. }
            | Failure::Overloaded { message, .. }
            | Failure::Stream { message }
            | Failure::NotAService { found: message } => Some(message),
            _ => None,
        }
    }

    /// The failure if something other than the service answers.
    pub(super) fn not_a_service(text: &str) -> Failure {
        Failure::NotAService {
            found: shorten(text),
        }
    }

    pub(super) fn stream(said: &str) -> Failure {
        Failure::Stream {
            message: shorten(said),
        }
    }
}

fn with_said(sentence: &str, said: Option<&str>) -> String {
    match said {
        Some(said) => format!("{sentence} It said: {said}"),
        None => sentence.to_owned(),
    }
}

/// One line of at most [`MAX_SAID`] characters, without control characters.
pub(super) fn shorten(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()).take(MAX_SAID));
        if line.chars().count() > MAX_SAID {
            let kept: String = line.chars().take(MAX_SAID).collect();
            return format!("{kept}…");
        }
    }
    line
}
