//! A kind of service at an address.

use super::address::{Address, AddressError};
use super::services::{Kind, PRESETS, Preset};

/// A service at an address. Always make it with [`Service::new`], even if it was stored or sent:
/// its origin is written into a security policy, which must contain nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Service {
    /// How to speak to it.
    pub kind: Kind,
    /// Scheme, host, port if not the default, and path without a trailing slash; the paths of
    /// requests are appended to it.
    pub base: String,
}

impl Service {
    /// Cleans what a person types: a missing scheme, spaces and slashes around it, a version or
    /// none, or the pasted address of a request.
    ///
    /// # Errors
    /// An [`AddressError`] that says what is wrong with the address and what a valid one looks
    /// like.
    pub fn new(kind: Kind, typed: &str) -> Result<Service, AddressError> {
        let address = Address::parse(typed)?;
        let path = (kind.spec().base_path)(address.path.trim_end_matches('/'));
        let base = format!("{}{path}", address.origin());
        Ok(Service { kind, base })
    }

    /// As [`Service::new`], without a kind. Uses that of the [preset](PRESETS) with the same host,
    /// or with the same port if the preset's address is the user's own machine; otherwise OpenAI's,
    /// which most services speak.
    ///
    /// # Errors
    /// As [`Service::new`].
    pub fn guess(typed: &str) -> Result<Service, AddressError> {
        let address = Address::parse(typed)?;
        let is_it = |preset: &&Preset| {
            Address::parse(preset.address).is_ok_and(|known| match known.is_loopback() {
                true => known.port_or_usual() == address.port_or_usual(),
                false => known.host == address.host,
            })
        };
        let kind = PRESETS.iter().find(is_it).map(|preset| preset.kind);
        Service::new(kind.unwrap_or(Kind::OPENAI), typed)
    }

    /// `scheme://host` or `scheme://host:port`, as used in a Content-Security-Policy.
    pub fn origin(&self) -> String {
        self.address()
            .map_or_else(String::new, |address| address.origin())
    }

    /// Whether the address is this machine, so that what is sent does not leave it.
    pub fn is_local(&self) -> bool {
        self.address().is_some_and(|address| address.is_loopback())
    }

    /// Tokens of context to assume if the service does not say: that of its smallest current
    /// models. For local servers it is small, because many are started with no more, and what is
    /// too long is refused or silently cut.
    pub fn assumed_window(&self) -> u32 {
        (self.kind.spec().assumed_window)(self)
    }

    /// Whether requests to it are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.base.starts_with("https://")
    }

    /// The port; the scheme's default if none is written.
    pub(super) fn port(&self) -> Option<u16> {
        Some(self.address()?.port_or_usual())
    }

    /// Whether the host is `domain` or a subdomain of it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_becomes_the_address_of_the_service() {
        for (kind, typed, base) in [
            (Kind::OPENAI, "api.openai.com", "https://api.openai.com/v1"),
            (
                Kind::OPENAI,
                " https://api.openai.com/v1/ ",
                "https://api.openai.com/v1",
            ),
            (
                Kind::OPENAI,
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com/v1",
            ),
            (
                Kind::OPENAI,
                "HTTPS://API.OpenAI.com:443/v1/models",
                "https://api.openai.com/v1",
            ),
            (Kind::OPENAI, "localhost:1234", "http://localhost:1234/v1"),
            (
                Kind::OPENAI,
                "127.0.0.1:8080/v1/",
                "http://127.0.0.1:8080/v1",
            ),
            (Kind::OPENAI, "http://[::1]:8000", "http://[::1]:8000/v1"),
            (Kind::OPENAI, "mybox:8000", "http://mybox:8000/v1"),
            (
                Kind::OPENAI,
                "192.168.1.5:1234",
                "http://192.168.1.5:1234/v1",
            ),
            (
                Kind::OPENAI,
                "https://openrouter.ai/api/v1",
                "https://openrouter.ai/api/v1",
            ),
            (
                Kind::OPENAI,
                "https://openrouter.ai/api",
                "https://openrouter.ai/api/v1",
            ),
            (
                Kind::OPENAI,
                "https://api.groq.com/openai/v1/",
                "https://api.groq.com/openai/v1",
            ),
            (
                Kind::OPENAI,
                "https://generativelanguage.googleapis.com/v1beta/openai/",
                "https://generativelanguage.googleapis.com/v1beta/openai",
            ),
            (
                Kind::OPENAI,
                "\"https://llm.example.org//\"",
                "https://llm.example.org/v1",
            ),
            (
                Kind::ANTHROPIC,
                "api.anthropic.com",
                "https://api.anthropic.com",
            ),
            (
                Kind::ANTHROPIC,
                "https://api.anthropic.com/v1/messages",
                "https://api.anthropic.com",
            ),
            (
                Kind::ANTHROPIC,
                "http://localhost:4000/v1",
                "http://localhost:4000",
            ),
            (
                Kind::GEMINI,
                "generativelanguage.googleapis.com",
                "https://generativelanguage.googleapis.com/v1beta",
            ),
            (
                Kind::GEMINI,
                "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
                "https://generativelanguage.googleapis.com/v1beta",
            ),
            (Kind::OLLAMA, "localhost:11434", "http://localhost:11434"),
            (
                Kind::OLLAMA,
                "http://localhost:11434/api/chat",
                "http://localhost:11434",
            ),
            (
                Kind::OLLAMA,
                "http://localhost:11434/api",
                "http://localhost:11434",
            ),
            (
                Kind::OLLAMA,
                "http://localhost:11434/v1",
                "http://localhost:11434",
            ),
            (
                Kind::OLLAMA,
                "ollama.example.org/ollama/",
                "https://ollama.example.org/ollama",
            ),
        ] {
            let service = Service::new(kind, typed).unwrap();
            assert_eq!(service.base, base, "{kind:?} {typed}");
            // A cleaned address stays as it is.
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
            let service = Service::new(Kind::OPENAI, typed).unwrap();
            assert_eq!(service.origin(), origin);
            assert_eq!(service.is_local(), local, "{typed}");
        }
    }

    #[test]
    fn the_kind_is_guessed_from_host_or_port() {
        for (typed, kind) in [
            ("https://api.anthropic.com/v1", Kind::ANTHROPIC),
            ("generativelanguage.googleapis.com", Kind::GEMINI),
            ("localhost:11434", Kind::OLLAMA),
            ("http://192.168.1.5:11434/api", Kind::OLLAMA),
            ("localhost:1234", Kind::OPENAI),
            ("https://api.openai.com/v1", Kind::OPENAI),
            ("https://anthropic.example.org", Kind::OPENAI),
        ] {
            assert_eq!(Service::guess(typed), Service::new(kind, typed), "{typed}");
        }
        assert_eq!(Service::guess(" "), Err(AddressError::Empty));
    }

    #[test]
    fn a_domain_is_not_found_inside_another() {
        let at = |typed: &str| {
            Service::new(Kind::OPENAI, typed)
                .unwrap()
                .is_at("openai.com")
        };
        assert!(at("https://openai.com") && at("https://eu.api.openai.com"));
        assert!(!at("https://notopenai.com") && !at("https://openai.com.example.org"));
    }
}
