//! What kind of service stands at which address.

use super::address::{Address, AddressError};

/// A family of services that speak the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `/chat/completions` as OpenAI defined it: OpenAI, OpenRouter, vLLM, LM Studio, llama.cpp and
    /// many more.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's `generateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
}

impl Kind {
    /// In the order in which they are offered.
    pub const ALL: [Kind; 4] = [Kind::OpenAi, Kind::Anthropic, Kind::Gemini, Kind::Ollama];

    /// As the user reads it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OpenAi => "OpenAI-compatible",
            Kind::Anthropic => "Anthropic",
            Kind::Gemini => "Gemini",
            Kind::Ollama => "Ollama",
        }
    }

    /// The address that most users of the kind need, to fill in the form with.
    pub fn usual_address(self) -> &'static str {
        match self {
            Kind::OpenAi => "https://api.openai.com/v1",
            Kind::Anthropic => "https://api.anthropic.com",
            Kind::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Kind::Ollama => "http://localhost:11434",
        }
    }

    /// Whether it never answers without a key.
    pub fn needs_key(self) -> bool {
        matches!(self, Kind::Anthropic | Kind::Gemini)
    }
}

/// A service at an address. Make it with [`Service::new`], also when it was stored or sent: its origin
/// is written into a security policy, so nothing else may stand in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Service {
    /// How it is spoken to.
    pub kind: Kind,
    /// Scheme, host, port if unusual, path without a trailing slash; what paths of requests are
    /// appended to.
    pub base: String,
}

impl Service {
    /// Cleans what a person types: a missing scheme, spaces and slashes around, a version present or
    /// not, a whole address of a request pasted.
    ///
    /// # Errors
    /// An [`AddressError`] that says what is wrong with the address and what one looks like.
    pub fn new(kind: Kind, typed: &str) -> Result<Service, AddressError> {
        let address = Address::parse(typed)?;
        let path = base_path(kind, &address.path);
        let base = format!("{}{path}", address.origin());
        Ok(Service { kind, base })
    }

    /// `scheme://host` or `scheme://host:port`, as a Content-Security-Policy wants it.
    pub fn origin(&self) -> String {
        self.address()
            .map_or_else(String::new, |address| address.origin())
    }

    /// Whether the address is this machine, so that what is sent does not leave it.
    pub fn is_local(&self) -> bool {
        self.address().is_some_and(|address| address.is_loopback())
    }

    /// Tokens of context to assume where the service does not tell: what the smallest of its current
    /// models have; for servers of one's own little, since many are started with no more, and what is
    /// too long is refused, or cut without a word.
    pub fn assumed_window(&self) -> u32 {
        match self.kind {
            Kind::OpenAi if self.is_at("openai.com") => 128_000,
            Kind::OpenAi | Kind::Ollama => 8_192,
            Kind::Anthropic => 200_000,
            Kind::Gemini => 128_000,
        }
    }

    /// Whether requests to it are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.base.starts_with("https://")
    }

    /// The port, that of the scheme if none is written.
    pub(super) fn port(&self) -> Option<u16> {
        Some(self.address()?.port_or_usual())
    }

    /// Whether the host is `domain` or below it.
    pub(super) fn is_at(&self, domain: &str) -> bool {
        let host = self.address().map(|address| address.host);
        host.is_some_and(|host| {
            host.strip_suffix(domain)
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
    }

    fn address(&self) -> Option<Address> {
        Address::parse(&self.base).ok()
    }
}

/// Paths of requests that people paste along with the address, longest first.
const PASTED: [&str; 12] = [
    "/chat/completions",
    "/count_tokens",
    "/completions",
    "/embeddings",
    "/responses",
    "/generate",
    "/messages",
    "/models",
    "/tags",
    "/chat",
    "/show",
    "/version",
];

/// The path that a kind's requests are appended to.
fn base_path(kind: Kind, typed: &str) -> String {
    let mut path = typed.trim_end_matches('/');
    if kind == Kind::Gemini
        && let Some((before, _)) = path.split_once("/models")
    {
        path = before;
    }
    while let Some(before) = PASTED.iter().find_map(|end| path.strip_suffix(end)) {
        path = before.trim_end_matches('/');
    }
    let has_version = path.split('/').any(is_version);
    match kind {
        Kind::OpenAi if has_version => path.to_owned(),
        Kind::OpenAi => format!("{path}/v1"),
        Kind::Gemini if has_version => path.to_owned(),
        Kind::Gemini => format!("{path}/v1beta"),
        Kind::Anthropic => without_end(path, &["/v1"]),
        Kind::Ollama => without_end(path, &["/api", "/v1"]),
    }
}

fn without_end(path: &str, ends: &[&str]) -> String {
    let found = ends.iter().find_map(|end| path.strip_suffix(end));
    found.unwrap_or(path).trim_end_matches('/').to_owned()
}

/// `v1`, `v1beta`, `v4`.
fn is_version(part: &str) -> bool {
    let digits = part.strip_prefix('v').unwrap_or_default();
    digits.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_becomes_the_address_of_the_service() {
        use Kind::*;
        for (kind, typed, base) in [
            (OpenAi, "api.openai.com", "https://api.openai.com/v1"),
            (
                OpenAi,
                " https://api.openai.com/v1/ ",
                "https://api.openai.com/v1",
            ),
            (
                OpenAi,
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com/v1",
            ),
            (
                OpenAi,
                "HTTPS://API.OpenAI.com:443/v1/models",
                "https://api.openai.com/v1",
            ),
            (OpenAi, "localhost:1234", "http://localhost:1234/v1"),
            (OpenAi, "127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
            (OpenAi, "http://[::1]:8000", "http://[::1]:8000/v1"),
            (OpenAi, "mybox:8000", "http://mybox:8000/v1"),
            (OpenAi, "192.168.1.5:1234", "http://192.168.1.5:1234/v1"),
            (
                OpenAi,
                "https://openrouter.ai/api/v1",
                "https://openrouter.ai/api/v1",
            ),
            (
                OpenAi,
                "https://openrouter.ai/api",
                "https://openrouter.ai/api/v1",
            ),
            (
                OpenAi,
                "https://api.groq.com/openai/v1/",
                "https://api.groq.com/openai/v1",
            ),
            (
                OpenAi,
                "https://generativelanguage.googleapis.com/v1beta/openai/",
                "https://generativelanguage.googleapis.com/v1beta/openai",
            ),
            (
                OpenAi,
                "\"https://llm.example.org//\"",
                "https://llm.example.org/v1",
            ),
            (Anthropic, "api.anthropic.com", "https://api.anthropic.com"),
            (
                Anthropic,
                "https://api.anthropic.com/v1/messages",
                "https://api.anthropic.com",
            ),
            (
                Anthropic,
                "http://localhost:4000/v1",
                "http://localhost:4000",
            ),
            (
                Gemini,
                "generativelanguage.googleapis.com",
                "https://generativelanguage.googleapis.com/v1beta",
            ),
            (
                Gemini,
                "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
                "https://generativelanguage.googleapis.com/v1beta",
            ),
            (Ollama, "localhost:11434", "http://localhost:11434"),
            (
                Ollama,
                "http://localhost:11434/api/chat",
                "http://localhost:11434",
            ),
            (
                Ollama,
                "http://localhost:11434/api",
                "http://localhost:11434",
            ),
            (
                Ollama,
                "http://localhost:11434/v1",
                "http://localhost:11434",
            ),
            (
                Ollama,
                "ollama.example.org/ollama/",
                "https://ollama.example.org/ollama",
            ),
        ] {
            let service = Service::new(kind, typed).unwrap();
            assert_eq!(service.base, base, "{kind:?} {typed}");
            // What was cleaned stays as it is.
            assert_eq!(
                Service::new(kind, base).unwrap(),
                service,
                "{kind:?} {base}"
            );
        }
    }

    #[test]
    fn the_origin_is_what_a_policy_may_name() {
        for (typed, origin, local) in [
            ("https://api.openai.com/v1", "https://api.openai.com", false),
            ("http://LOCALHOST:80/v1", "http://localhost", true),
            ("http://127.0.0.1:1234", "http://127.0.0.1:1234", true),
            ("http://[::1]:1234/v1", "http://[::1]:1234", true),
            ("http://192.168.1.5:1234", "http://192.168.1.5:1234", false),
            (
                "http://localhost.example.org",
                "http://localhost.example.org",
                false,
            ),
        ] {
            let service = Service::new(Kind::OpenAi, typed).unwrap();
            assert_eq!(service.origin(), origin);
            assert_eq!(service.is_local(), local, "{typed}");
        }
    }

    #[test]
    fn a_domain_is_not_found_inside_another() {
        let at = |typed: &str| {
            Service::new(Kind::OpenAi, typed)
                .unwrap()
                .is_at("openai.com")
        };
        assert!(at("https://openai.com") && at("https://eu.api.openai.com"));
        assert!(!at("https://notopenai.com") && !at("https://openai.com.example.org"));
    }
}
