//! The wire's part on the connected service: which one, what is to be sent, what was sent.

use std::fmt;

use footnote_core::model::protocol::Service;
use serde::{Deserialize, Serialize};

use super::{ConversationId, OfferedView, PlaceView, WritingPatch};

/// What is asked about the connected service. Each ends with the [`ConnectEvent`] of its name, or
/// as it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConnectRequest {
    /// From now on questions may be written about by this service, or by none. Ends with `Done`.
    Use(Option<ConnectionView>),
    /// Which models the service offers.
    Models(ConnectionView),
    /// Have the model answer with a word, to see that it does. Ends with `Tried`.
    Try(ConnectionView),
    /// What left the page since it was loaded.
    Egress,
    /// The same as a file. Ends with `Exported`.
    ExportEgress,
}

/// What is told about the connected service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConnectEvent {
    Models(Vec<ModelView>),
    /// The model answers; what it takes in, where the service tells.
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

    /// The key itself: to be made a header, or to be encrypted.
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
    /// Empty while none is chosen.
    pub model: String,
    /// Tokens that the model takes in; `None` if neither service nor user told.
    pub window: Option<u32>,
}

/// A service as kind and address. It is made anew when it is read, which checks it: its origin is
/// written into a security policy.
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

/// A question and its answer, as a follow-up needs them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeView {
    pub question: String,
    pub answer: String,
}

/// What is to be answered by the language model. Ends with [`WriteEvent::Outgoing`] if it is not
/// allowed yet; else `Written`… is told until its state is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteView {
    pub question: String,
    pub conversation: ConversationId,
    /// When it was asked; names the answer that the written one is kept with.
    pub asked_at: f64,
    /// Earlier exchanges of the conversation, oldest first.
    pub history: Vec<ExchangeView>,
    /// What lines are searched for, where the question means more than it says.
    pub asked_as: Option<String>,
    /// The question that stands alone, as the user edited it.
    pub standalone: Option<String>,
    /// Exactly the evidence that the user was shown; without it the best is searched for.
    pub offered: Option<Vec<OfferedView>>,
    /// The pipeline that chose the evidence: it says how the model chooses its words, and whether
    /// it is shown anything.
    pub pipeline: Option<String>,
    /// How lines are chosen of what was found: a name of `footnote_core::compress::Compressor`.
    pub compression: String,
    /// How much of each piece may be kept: as in `ContextRequest::Make`.
    pub policy: String,
    /// Of it, what the user took out.
    pub without: Vec<PlaceView>,
    pub permission: Permission,
    /// What was sent for the answer before the user was asked again.
    pub spent: Tally,
    /// Seconds without data after which it is told.
    pub patience_s: u32,
}

/// Whether the question may leave the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permission {
    /// What would be sent is shown; nothing is.
    Preview,
    /// Each request up to so many bytes; what is larger is shown first.
    UpTo(u32),
    /// The user has seen it.
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

/// What was sent to a service: each attempt counts whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub requests: u32,
    /// Estimated.
    pub tokens: u32,
    pub bytes: u32,
}

/// What is told of an answer by the language model.
// It is encoded where it is made and used up where it is decoded: none is kept or moved around.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WriteEvent {
    Outgoing(OutgoingView),
    Written(WritingPatch),
    /// Nothing has come from the service for so many seconds; `None` once something has come again.
    Silence(Option<u32>),
}

/// What would be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutgoingView {
    pub url: String,
    pub origin: String,
    pub model: String,
    /// Lines of the repository, in order of their worth.
    pub parts: Vec<OutgoingPartView>,
    pub files: u32,
    pub lines: u32,
    /// Estimated, of the whole request.
    pub tokens: u32,
    /// Tokens that the model takes in.
    pub window: u32,
    /// Of the body.
    pub bytes: u32,
    /// Names and values of the headers; a key is not shown.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    /// The question is a follow-up: before all else the service is asked to rewrite it, with the
    /// conversation so far.
    pub rewrites_first: bool,
    /// The follow-up as a question of its own, where that is known.
    pub standalone: Option<String>,
    /// What was sent for the answer already.
    pub spent: Tally,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutgoingPartView {
    pub place: PlaceView,
    /// First and last line of each run of them that is not sent.
    pub left_out: Vec<(u32, u32)>,
    pub tokens: u32,
    /// False if the user took it out.
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
    /// Names and values; a key is not shown.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    /// Of the body, estimated.
    pub tokens: u32,
    /// What came of it, a few words: `200`, `stopped` …; `under way` until it is known.
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
