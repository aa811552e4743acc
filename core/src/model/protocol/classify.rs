//! Statuses and error bodies → [`Failure`]s.
//!
//! Statuses are the same everywhere, but their meanings are not: Gemini reports a wrong key with
//! 400, OpenAI an empty account with 429, gateways an unknown model with 400. So the words of the
//! error are read first, and only from fields that the service itself writes, because some errors
//! repeat the request.

use serde_json::Value;

use super::chat::ChatOption;
use super::failure::{Failure, shorten};
use super::json::{list, number, text};
use super::service::Service;

/// Bytes of an error's body that are read.
const MAX_BODY: usize = 64 << 10;

/// The failure that an unsuccessful response reports. `retry_after` is the header of that name; a
/// date in it is ignored, since there is no clock here.
pub fn classify(service: &Service, status: u16, retry_after: Option<&str>, body: &[u8]) -> Failure {
    let body = body.get(..MAX_BODY).unwrap_or(body);
    let said = Said::of_body(body);
    let wait = retry_after.and_then(seconds).or_else(|| said.wait_ms());
    if let Some(failure) = (service.kind.spec().own_failure)(status, body) {
        return failure;
    }
    by_status(status, wait, &said)
}

/// The failure reported by a stream event, or by a document with a success status; `None` if there
/// is none.
pub(super) fn in_stream(event: &str, value: &Value) -> Option<Failure> {
    let value = match value {
        Value::Array(values) => values.first()?,
        value => value,
    };
    let is_error = event == "error"
        || value.get("error").is_some_and(|error| !error.is_null())
        || text(value, "/type") == Some("error")
        || text(value, "/object") == Some("error");
    if !is_error {
        return None;
    }
    let said = Said::of_value(value);
    let status = ["/error/code", "/error/status_code", "/code", "/status"]
        .iter()
        .find_map(|at| number(value, at))
        .and_then(|status| u16::try_from(status).ok())
        .filter(|status| (400..600).contains(status));
    let status = status.or_else(|| said.status_of_type());
    Some(match status {
        Some(status) => by_status(status, said.wait_ms(), &said),
        None => said.by_words().unwrap_or(Failure::Stream {
            message: said.message,
        }),
    })
}

fn by_status(status: u16, retry_after_ms: Option<u64>, said: &Said) -> Failure {
    if let Some(failure) = said.by_words() {
        return failure;
    }
    let message = said.message.clone();
    match status {
        401 => Failure::BadKey { message },
        402 => Failure::OutOfCredit { message },
        403 => Failure::Forbidden { message },
        404 | 405 | 410 | 421 => Failure::WrongAddress { message },
        408 | 504 | 522 | 524 => Failure::Timeout,
        413 => Failure::TooLarge { message },
        429 => Failure::RateLimited {
            message,
            retry_after_ms,
        },
        503 | 529 => Failure::Overloaded {
            message,
            retry_after_ms,
        },
        500..=599 => Failure::Server {
            status,
            message,
            retry_after_ms,
        },
        400..=499 => Failure::WrongRequest {
            unsupported: None,
            message,
        },
        _ => Failure::NotAService { found: message },
    }
}

/// The content of an error.
struct Said {
    /// The message for the user.
    message: String,
    /// Message, codes and parameter names, in lower case.
    words: String,
    /// The parameter at fault, if there is a field for it.
    parameter: String,
    /// How long to wait, if there is a field for it.
    delay: Option<String>,
}

impl Said {
    fn of_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::of_value(value.get(0).unwrap_or(&value)),
            Err(_) => Self::of_text(&String::from_utf8_lossy(body)),
        }
    }

    /// Plain text is the service's message; an HTML page is not worth showing.
    fn of_text(text: &str) -> Self {
        let is_page = text.trim_start().starts_with('<');
        let message = if is_page {
            String::new()
        } else {
            shorten(text)
        };
        Self {
            words: message.to_lowercase(),
            message,
            parameter: String::new(),
            delay: None,
        }
    }

    fn of_value(value: &Value) -> Self {
        let first = |pointers: &[&str]| {
            let found = pointers.iter().find_map(|at| text(value, at));
            found.unwrap_or_default().to_owned()
        };
        let mut message = first(&[
            "/error/message",
            "/error",
            "/message",
            "/detail",
            "/detail/0/msg",
            "/detail/error",
            "/errors/0/message",
        ]);
        // OpenRouter's own message only says that the provider failed.
        if let Some(raw) = text(value, "/error/metadata/raw") {
            message = format!("{message}: {raw}");
        }
        let mut location = list(value, "/detail/0/loc")
            .iter()
            .filter_map(Value::as_str);
        let parameter = match location.next_back() {
            Some(name) => name.to_owned(),
            None => first(&["/error/param", "/param"]),
        };
        let details = list(value, "/error/details").iter();
        let reasons = details.clone().filter_map(|detail| text(detail, "/reason"));
        let mut words = vec![message.as_str(), parameter.as_str()];
        words.extend(reasons);
        for at in [
            "/error/code",
            "/error/type",
            "/error/status",
            "/code",
            "/type",
            "/detail/0/type",
        ] {
            words.extend(text(value, at));
        }
        let mut delays = details.filter_map(|detail| text(detail, "/retryDelay"));
        Self {
            words: words.join(" ").to_lowercase(),
            delay: delays.next().map(str::to_owned),
            message: shorten(&message),
            parameter: parameter.to_lowercase(),
        }
    }

    fn has(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.words.contains(words))
    }

    /// The failure, if the words say more than the status.
    fn by_words(&self) -> Option<Failure> {
        let message = self.message.clone();
        if self.has(CORS) {
            return Some(Failure::CorsRefused);
        }
        if self.has(CONTEXT) {
            return Some(Failure::ContextTooLong { message });
        }
        if self.has(CREDIT) {
            return Some(Failure::OutOfCredit { message });
        }
        if self.has(KEY) {
            return Some(Failure::BadKey { message });
        }
        if let Some(option) = self.unsupported() {
            return Some(Failure::WrongRequest {
                message,
                unsupported: Some(option),
            });
        }
        if self.has(ADDRESS) {
            return Some(Failure::WrongAddress { message });
        }
        let names_model = self.words.contains("model") && self.has(MODEL);
        names_model.then_some(Failure::UnknownModel { message })
    }

    /// The status for each of Anthropic's error types, which have none within a stream.
    fn status_of_type(&self) -> Option<u16> {
        let types = [
            ("overloaded_error", 529),
            ("rate_limit_error", 429),
            ("request_too_large", 413),
            ("permission_error", 403),
            ("timeout_error", 504),
            ("api_error", 500),
            ("invalid_request_error", 400),
        ];
        let found = types.iter().find(|(name, _)| self.words.contains(name));
        found.map(|(_, status)| *status)
    }

    /// The option that the service does not support and that a chat can do without.
    fn unsupported(&self) -> Option<ChatOption> {
        if !self.has(UNSUPPORTED) {
            return None;
        }
        let named = OPTIONS.iter().find(|(name, _)| *name == self.parameter);
        if let Some((_, option)) = named {
            return Some(*option);
        }
        // The one named first: the message goes on with what to use instead.
        let positions = OPTIONS
            .iter()
            .filter_map(|(name, option)| Some((self.words.find(name)?, option)));
        positions
            .min_by_key(|(at, _)| *at)
            .map(|(_, option)| *option)
    }

    /// How long to wait, if the body says so: pages of other origins often may not read the header.
    fn wait_ms(&self) -> Option<u64> {
        if let Some(delay) = &self.delay {
            return duration(delay);
        }
        let after = ["try again in ", "retry in ", "retry after "]
            .iter()
            .find_map(|before| Some(self.words.split_once(before)?.1))?;
        duration(after)
    }
}

const CORS: &[&str] = &["cors requests are not allowed", "cors requests must set"];

const CONTEXT: &[&str] = &[
    "context_length_exceeded",
    "maximum context length",
    "context length exceeded",
    "exceed context window",
    "exceeds the available context size",
    "exceed_context_size",
    "contextwindowexceeded",
    "prompt is too long",
    "input token count",
    "input length and `max_tokens` exceed context limit",
    "tokens to keep from the initial prompt is greater than the context length",
    "longer than the context length",
    "string_above_max_length",
];

const CREDIT: &[&str] = &[
    "insufficient_quota",
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "billing_error",
    "billing_not_active",
];

const KEY: &[&str] = &[
    "api_key_invalid",
    "api key not valid",
    "invalid_api_key",
    "invalid api key",
    "invalid x-api-key",
    "incorrect api key",
    "authentication_error",
    "unregistered callers",
    "api key expired",
    "api key was reported as leaked",
    // LiteLLM's proxy, which looks up an unknown key in a database.
    "no_db_connection",
];

const ADDRESS: &[&str] = &["invalid url (", "unexpected endpoint or method"];

const MODEL: &[&str] = &[
    "model_not_found",
    "not_found_error",
    "not found",
    "not_found",
    "does not exist",
    "not exist",
    "invalid model",
    "unknown model",
    "no such model",
    "not a valid model",
    "is not found",
    "no models loaded",
    "not a chat model",
];

const UNSUPPORTED: &[&str] = &[
    "unsupported",
    "not supported",
    "not support",
    "does not support",
    "that support tool",
    "not enabled",
    "deprecated",
    "unrecognized",
    "unknown name",
    "unexpected keyword",
    "extra_forbidden",
    "extra inputs are not permitted",
    "cannot both be specified",
    "requires --enable-auto-tool-choice",
    "requires --jinja",
];

/// The names that services use for what a chat can do without.
const OPTIONS: &[(&str, ChatOption)] = &[
    ("max_tokens", ChatOption::MaxTokens),
    ("max_completion_tokens", ChatOption::MaxCompletionTokens),
    ("temperature", ChatOption::Temperature),
    ("top_p", ChatOption::TopP),
    ("top_k", ChatOption::TopK),
    ("repetition_penalty", ChatOption::RepetitionPenalty),
    ("repeat_penalty", ChatOption::RepetitionPenalty),
    ("stop_sequences", ChatOption::Stop),
    ("stopsequences", ChatOption::Stop),
    ("stream_options", ChatOption::StreamOptions),
    ("response_format", ChatOption::Choices),
    ("json_schema", ChatOption::Choices),
    ("output_config", ChatOption::Choices),
    ("output_format", ChatOption::Choices),
    ("responseschema", ChatOption::Choices),
    ("response_schema", ChatOption::Choices),
    ("structured output", ChatOption::Choices),
    ("tools", ChatOption::Tools),
    ("tool", ChatOption::Tools),
    ("function calling", ChatOption::Tools),
    ("stop", ChatOption::Stop),
];

/// `Retry-After` in seconds.
fn seconds(header: &str) -> Option<u64> {
    let seconds: f64 = header.trim().parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds * 1000.0).ceil() as u64)
}

/// `20s`, `1.5s`, `120ms`, `1m30s`, `7 seconds` at the start of a text, in milliseconds.
fn duration(text: &str) -> Option<u64> {
    let mut rest = text.trim_start();
    let mut total = None;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
        // A full stop ends the sentence, not the number.
        let Ok(number) = digits.trim_end_matches('.').parse::<f64>() else {
            return total;
        };
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        let factor = match unit {
            "ms" => 1.0,
            "s" | "sec" | "second" | "seconds" => 1_000.0,
            "m" | "min" | "minute" | "minutes" => 60_000.0,
            "h" | "hour" | "hours" => 3_600_000.0,
            _ => return total,
        };
        total = Some(total.unwrap_or(0) + (number * factor).ceil() as u64);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_times_are_read_as_services_write_them() {
        for (text, ms) in [
            ("20s. Visit", Some(20_000)),
            ("1.5s", Some(1_500)),
            ("120ms", Some(120)),
            ("1m30s", Some(90_000)),
            ("7 seconds.", Some(7_000)),
            ("34.074824224s", Some(34_075)),
            ("a while", None),
            ("", None),
        ] {
            assert_eq!(duration(text), ms, "{text}");
        }
        for (header, ms) in [
            ("20", Some(20_000)),
            (" 0.5 ", Some(500)),
            ("-1", None),
            ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ] {
            assert_eq!(seconds(header), ms, "{header}");
        }
    }
}
