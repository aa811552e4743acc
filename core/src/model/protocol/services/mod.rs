//! The services that Footnote can connect to: how to speak to each family of them, and those that
//! users choose by name.
//!
//! A family with its own protocol is a file with a [`ServiceSpec`], and a row of
//! [`kinds`](Kind::ALL). A service that speaks the protocol of another is a file with a [`Preset`]
//! of that kind, and a row of [`PRESETS`]. A program that people run themselves also has a
//! [`Server`], with advice about it.

mod anthropic;
mod gemini;
mod llama_cpp;
mod lm_studio;
mod ollama;
mod openai;
mod openrouter;
mod other;
mod vllm;

use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::{Value, json};

use super::chat::Chat;
use super::failure::Failure;
use super::framing::Framing;
use super::http::Header;
use super::models::ModelInfo;
use super::service::Service;
use super::turn::Turn;

/// A family of services: a `static` in its own file, and a row of the list.
pub(super) struct ServiceSpec {
    /// Its name in saved connections; it never changes.
    pub name: &'static str,
    /// Its name for the user.
    pub title: &'static str,
    /// The address that most of its users need; the form's default.
    pub usual_address: &'static str,
    /// Whether it never answers without a key.
    pub needs_key: bool,
    /// Tokens of context to assume if the service does not say.
    pub assumed_window: fn(&Service) -> u32,
    /// Turns a typed path into the one that request paths are appended to.
    pub base_path: fn(&str) -> String,
    /// The headers of each request, with the key if there is one.
    pub headers: fn(Option<&str>) -> Vec<Header>,
    /// Address and body of the streaming request for the next message.
    pub chat: fn(&Service, &Chat) -> (String, Value),
    /// How a stream is split into pieces of JSON.
    pub framing: fn() -> Framing,
    /// Reads one piece of a stream, or a whole answer.
    pub read: fn(&mut Turn, &Value),
    /// The address of the list of models, from the one that request paths are appended to.
    pub models_url: fn(&str) -> String,
    /// The models in a list; `None` if it is not a list.
    pub models: fn(&Value) -> Option<Vec<ModelInfo>>,
    /// How to ask what the list does not say about a model, if there is more to ask.
    pub details: Option<Details>,
    /// The failure behind a status and a body that mean something else with this service; `None` if
    /// they have their usual meaning.
    pub own_failure: fn(u16, &[u8]) -> Option<Failure>,
    /// The program that runs at an address of the user's own, if it is known.
    pub server: fn(&Service) -> Option<&'static Server>,
    /// The setting that lets a page of an origin (`*` is any) read the responses, if the program is
    /// not known and the usual header is not the answer.
    pub allow: fn(&Service, &str) -> Option<String>,
    /// What to do if it does not have a model.
    pub unknown_model: &'static str,
}

/// A request about one model.
pub(super) struct Details {
    /// Address and body, from the address that request paths are appended to, and the model.
    pub request: fn(&str, &str) -> (String, Value),
    /// Reads the answer; `None` if it does not describe a model.
    pub read: fn(&str, &Value) -> Option<ModelInfo>,
}

/// A program that serves models on the user's own machine.
pub(super) struct Server {
    /// Its default port.
    pub port: u16,
    /// The setting that lets a page of an origin (`*` is any) read the responses.
    pub allow: fn(&str) -> String,
    /// How to start it.
    pub start: &'static str,
}

/// A service that the user can choose by name; most of them are addresses that speak OpenAI's
/// protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name for the user.
    pub title: &'static str,
    /// How to speak to it.
    pub kind: Kind,
    /// The form's default; empty if the user has to type it.
    pub address: &'static str,
}

/// The services in the form, local ones first.
pub const PRESETS: [Preset; 8] = [
    ollama::PRESET,
    lm_studio::PRESET,
    llama_cpp::PRESET,
    openai::PRESET,
    anthropic::PRESET,
    gemini::PRESET,
    openrouter::PRESET,
    other::PRESET,
];

/// In the order they are listed when it could be any of them.
pub(super) static SERVERS: [&Server; 4] = [
    &ollama::SERVER,
    &lm_studio::SERVER,
    &vllm::SERVER,
    &llama_cpp::SERVER,
];

/// A family of services with the same protocol: one entry of the list.
#[derive(Clone, Copy)]
pub struct Kind(&'static ServiceSpec);

/// Defines the list, and a constant for each of its rows.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident => $spec:path,)*) => {
        impl Kind {
            $($(#[$doc])* pub const $kind: Kind = Kind(&$spec);)*

            /// In the order they are offered.
            pub const ALL: [Kind; [$(Kind::$kind,)*].len()] = [$(Kind::$kind,)*];
        }
    };
}

kinds! {
    /// `/chat/completions` as OpenAI defined it: OpenAI, OpenRouter, vLLM, LM Studio, llama.cpp and
    /// many more.
    OPENAI => openai::SPEC,
    /// Anthropic's Messages API.
    ANTHROPIC => anthropic::SPEC,
    /// Google's `generateContent`.
    GEMINI => gemini::SPEC,
    /// Ollama's own `/api/chat`.
    OLLAMA => ollama::SPEC,
}

impl Kind {
    /// Its name in saved connections.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name for the user.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// The address that most users of the kind need; the form's default.
    pub fn usual_address(self) -> &'static str {
        self.0.usual_address
    }

    /// Whether it never answers without a key.
    pub fn needs_key(self) -> bool {
        self.0.needs_key
    }

    pub(super) fn spec(self) -> &'static ServiceSpec {
        self.0
    }
}

/// Names are unique.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Kind {}

impl Hash for Kind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// What to do about an unknown model, if there is nothing special to say.
const CHOOSE_A_MODEL: &str = "Choose a model from the service's list.";

/// The key as most services expect it.
fn bearer(key: Option<&str>) -> Vec<Header> {
    let header = key.map(|key| Header::secret("authorization", format!("Bearer {key}")));
    header.into_iter().collect()
}

/// The JSON schema of a list of some of these texts.
fn list_of(choices: &[String]) -> Value {
    json!({"type": "array", "items": {"type": "string", "enum": choices}})
}

/// The same in an object, for services that allow no other answers.
fn object_of(choices: &[String]) -> Value {
    json!({
        "type": "object",
        "properties": {"files": list_of(choices)},
        "required": ["files"],
        "additionalProperties": false,
    })
}

/// Request paths that people paste along with the address, longest first.
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

/// A path without a request path at its end.
fn without_requests(path: &str) -> &str {
    let mut path = path;
    while let Some(before) = PASTED.iter().find_map(|end| path.strip_suffix(end)) {
        path = before.trim_end_matches('/');
    }
    path
}

/// A path with `version` at its end, if it has no version yet.
fn with_version(path: &str, version: &str) -> String {
    match path.split('/').any(is_version) {
        true => path.to_owned(),
        false => format!("{path}{version}"),
    }
}

/// A path without any of `ends` at its end.
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
    use std::collections::BTreeSet;

    use super::*;

    /// These words are stored in browsers.
    #[test]
    fn saved_connections_name_a_kind_as_before() {
        for (name, title, kind) in [
            ("openai", "OpenAI-compatible", Kind::OPENAI),
            ("anthropic", "Anthropic", Kind::ANTHROPIC),
            ("gemini", "Gemini", Kind::GEMINI),
            ("ollama", "Ollama", Kind::OLLAMA),
        ] {
            assert_eq!(Kind::from_name(name), Some(kind));
            assert_eq!((kind.name(), kind.title()), (name, title));
        }
        assert_eq!(Kind::from_name("OpenAI-compatible"), None);
    }

    #[test]
    fn no_two_kinds_share_a_name() {
        let names: BTreeSet<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
        assert_eq!(names.len(), Kind::ALL.len());
    }

    #[test]
    fn every_preset_but_the_open_one_is_an_address() {
        for preset in PRESETS {
            let service = Service::new(preset.kind, preset.address);
            assert_eq!(service.is_ok(), preset != other::PRESET, "{}", preset.title);
        }
    }

    #[test]
    fn every_usual_address_is_one_of_its_kind() {
        for kind in Kind::ALL {
            let service = Service::new(kind, kind.usual_address());
            let base = service.map(|service| service.base);
            assert_eq!(base.as_deref(), Ok(kind.usual_address()));
        }
    }
}
