//! The connected service on the wire: which one it is, what is to be sent, what was sent.

use std::fmt;

use footnote_core::model::protocol::Service;
use serde::{Deserialize, Serialize};

use super::{ConversationId, OfferedView, PlaceView, WritingPatch};

/// A request about the connected service. Each ends with the [`ConnectEvent`] of the same name, or
/// as stated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConnectRequest {
    /// Let this service write about questions from now on, or none. Ends with `Done`.
    Use(Option<ConnectionView>),
    /// List the models that the service offers.
    Models(ConnectionView),
    /// Test the model by having it answer with one word. Ends with `Tried`.
    Try(ConnectionView),
    /// List the requests that left the page since it was loaded.
    Egress,
    /// Export this list as a file. Ends with `Exported`.
    ExportEgress,
}

/// An event about the connected service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConnectEvent {
    Models(Vec<ModelView>),
    /// The model answers; holds the size of its context window, if the service reports it.
    Tried(ModelView),
    /// Newest first.
    Egress(Vec<EgressView>),
}

/// A key on its way from page to engine. `Debug` does not show it, and no record or export holds
/// one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView(String);

impl KeyView {
    pub fn new(key: &str) -> Self {
        Self(key.to_owned())
    }

    /// The key itself, to be put into a header or encrypted.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for KeyView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyView(…)")
    }
}

/// The service that the user connected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionView {
    #[serde(with = "address")]
    pub service: Service,
    pub key: Option<KeyView>,
    /// Empty until one is chosen.
    pub model: String,
    /// Tokens that fit in the model's context window; `None` if neither service nor user gave the
    /// number.
    pub window: Option<u32>,
}

/// Serializes a service as kind and address. Reading constructs it anew, which validates it: its
/// origin is written into a security policy.
mod address {
    use footnote_core::model::protocol::{Kind, Service};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(service: &Service, to: S) -> Result<S::Ok, S::Error> {
        (service.kind.name(), &service.base).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Service, D::Error> {
        let (name, base) = <(String, String)>::deserialize(from)?;
        let kind = Kind::from_name(&name);
        let kind = kind.ok_or_else(|| D::Error::custom("no such kind of service"))?;
        Service::new(kind, &base).map_err(D::Error::custom)
    }
}

/// A model that the service offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelView {
    pub id: String,
    pub window: Option<u32>,
}

/// A question and its answer, in the form that a follow-up needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeView {
    pub question: String,
    pub answer: String,
}

/// A question for the language model. Ends with [`WriteEvent::Outgoing`] if sending is not allowed
/// yet; otherwise `Written`… follow until the state is final.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteView {
    pub question: String,
    pub conversation: ConversationId,
    /// When it was asked; identifies the answer that the written one is stored with.
    pub asked_at: f64,
    /// Earlier exchanges of the conversation, oldest first.
    pub history: Vec<ExchangeView>,
    /// The query for the search, if the question means more than it says.
    pub asked_as: Option<String>,
    /// The standalone question, as the user edited it.
    pub standalone: Option<String>,
    /// Exactly the evidence that the user was shown; if `None`, the best evidence is searched for.
    pub offered: Option<Vec<OfferedView>>,
    /// The pipeline that chose the evidence: it decides the model's sampling, and whether the model
    /// is shown any lines.
    pub pipeline: Option<String>,
    /// How lines of the evidence are chosen: a name of `footnote_core::compress::Compressor`.
    pub compression: String,
    /// How much of each snippet may be kept: as in `ContextRequest::Make`.
    pub policy: String,
    /// The parts of it that the user removed.
    pub without: Vec<PlaceView>,
    pub permission: Permission,
    /// What was sent for the answer before the user was asked again.
    pub spent: Tally,
    /// Seconds without data before the engine tells the page.
    pub patience_s: u32,
}

/// Whether the question may leave the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permission {
    /// Only show what would be sent.
    Preview,
    /// Send requests of up to this many bytes; show larger ones first.
    UpTo(u32),
    /// The user has reviewed it.
    Reviewed,
}

impl Permission {
    pub fn covers(self, bytes: u32) -> bool {
        match self {
            Permission::Preview => false,
            Permission::UpTo(most) => bytes <= most,
            Permission::Reviewed => true,
        }
    }
}

/// What was sent to a service: each attempt counts in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub requests: u32,
    /// An estimate.
    pub tokens: u32,
    pub bytes: u32,
}

/// An event about the language model's answer.
// An event is encoded where it is created and consumed where it is decoded; none is stored or moved
// around.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WriteEvent {
    Outgoing(OutgoingView),
    Written(WritingPatch),
    /// Nothing has arrived from the service for this many seconds; `None` once data arrives again.
    Silence(Option<u32>),
}

/// What would be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutgoingView {
    pub url: String,
    pub origin: String,
    pub model: String,
    /// Lines of the repository, most valuable first.
    pub parts: Vec<OutgoingPartView>,
    pub files: u32,
    pub lines: u32,
    /// An estimate for the whole request.
    pub tokens: u32,
    /// Tokens that fit in the model's context window.
    pub window: u32,
    /// Size of the body.
    pub bytes: u32,
    /// Names and values of the headers; keys are hidden.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    /// The question is a follow-up: the service is first asked to rewrite it, given the
    /// conversation so far.
    pub rewrites_first: bool,
    /// The follow-up as a standalone question, if known.
    pub standalone: Option<String>,
    /// What has already been sent for the answer.
    pub spent: Tally,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutgoingPartView {
    pub place: PlaceView,
    /// First and last line of each run that is not sent.
    pub left_out: Vec<(u32, u32)>,
    pub tokens: u32,
    /// False if the user removed it.
    pub is_kept: bool,
}

/// A request that left the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EgressView {
    /// Milliseconds since 1970.
    pub at_ms: f64,
    /// What it was for: `list of models`, `answer` …
    pub purpose: String,
    pub method: String,
    pub url: String,
    /// Names and values; keys are hidden.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    /// An estimate for the body.
    pub tokens: u32,
    /// The outcome in a few words: `200`, `stopped` …; `under way` until it is known.
    pub outcome: String,
    pub received_bytes: f64,
    pub milliseconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::model::protocol::Kind;

    fn connection(base: &str) -> ConnectionView {
        let mut service = Service::new(Kind::GEMINI, "https://llm.example").unwrap();
        service.base = base.to_owned();
        ConnectionView {
            service,
            key: Some(KeyView::new("sk-123")),
            model: "m".into(),
            window: None,
        }
    }

    #[test]
    fn a_key_is_never_printed() {
        let connection = connection("https://llm.example/v1");
        assert!(!format!("{connection:?} {connection:#?}").contains("123"));
    }

    #[test]
    fn a_service_is_checked_when_it_is_read() {
        let read = |connection: &ConnectionView| {
            let bytes = postcard::to_stdvec(connection).unwrap();
            postcard::from_bytes::<ConnectionView>(&bytes)
        };
        let real = connection("https://llm.example/v1");
        assert_eq!(read(&real), Ok(real));
        let forged = connection("https://a.example; script-src *");
        assert!(read(&forged).is_err());
    }
}
