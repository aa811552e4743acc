//! The connected language model: which service, whether the page may reach it, what is still missing.

use footnote_core::model::protocol::Service;

use super::{Effect, Panel, Purpose, State};
use crate::worker::protocol::{
    ConnectEvent, ConnectRequest, ConnectionView, EgressView, KeyView, ModelView, Notice,
    NoticeKind,
};

/// A number of tokens as people type it: `128,000`, `128.000` or `128 000`.
pub fn tokens_typed(text: &str) -> Option<u32> {
    text.trim().replace([',', '.', ' '], "").parse().ok()
}

/// What is remembered between visits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remembered {
    pub service: Option<Service>,
    pub model: String,
    pub window: Option<u32>,
    /// The origin that the user agreed to send to.
    pub consent: String,
    /// Every request is shown before it is sent.
    pub reviews_each: bool,
    /// The key, locked with a passphrase.
    pub locked_key: Option<String>,
}

/// How far a test of the connection is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Trial {
    #[default]
    None,
    Listing,
    /// The models that the service offers are known.
    Listed,
    Trying,
    Failed(Notice),
}

/// What stands between the user and an answer by a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No service is named.
    None,
    /// A service is named, but the page was not loaded with a policy that lets it out.
    Shut,
    /// The key is kept, locked with a passphrase.
    Locked,
    /// Key or model are missing.
    Unfinished,
    Connected,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    pub remembered: Remembered,
    /// The page's policy lets it reach the service.
    pub is_open: bool,
    /// In memory only.
    pub key: Option<KeyView>,
    pub models: Vec<ModelView>,
    pub trial: Trial,
    /// What left the page, newest first.
    pub egress: Vec<EgressView>,
}

impl Connection {
    pub fn stage(&self) -> Stage {
        let Some(service) = &self.remembered.service else {
            return Stage::None;
        };
        let lacks_key = self.key.is_none() && service.kind.needs_key();
        match () {
            () if !self.is_open => Stage::Shut,
            () if self.key.is_none() && self.remembered.locked_key.is_some() => Stage::Locked,
            () if lacks_key || self.remembered.model.is_empty() => Stage::Unfinished,
            () => Stage::Connected,
        }
    }

    /// Scheme, host and port of the service.
    pub fn origin(&self) -> String {
        let service = self.remembered.service.as_ref();
        service.map(Service::origin).unwrap_or_default()
    }

    /// The host alone, as it is shown where there is little room.
    pub fn host(&self) -> String {
        let origin = self.origin();
        origin
            .split_once("://")
            .map_or(origin.as_str(), |(_, host)| host)
            .to_owned()
    }

    /// Whether what is sent needs no further question.
    pub fn has_consent(&self) -> bool {
        !self.remembered.reviews_each && self.remembered.consent == self.origin()
    }

    fn view(&self) -> Option<ConnectionView> {
        Some(ConnectionView {
            service: self.remembered.service.clone()?,
            key: self.key.clone(),
            model: self.remembered.model.clone(),
            window: self.remembered.window,
        })
    }
}

impl State {
    /// Tells the engine which service to use; sent again when an engine is started anew.
    pub fn tell_connection(&self) -> Vec<Effect> {
        let view = match self.connection.stage() {
            Stage::Connected => self.connection.view(),
            _ => None,
        };
        vec![Effect::send(Purpose::Other, ConnectRequest::Use(view))]
    }

    /// The user gave a key, or none, and wants to know whether the service answers.
    pub fn test_connection(&mut self, key: Option<KeyView>) -> Vec<Effect> {
        if key.is_some() {
            self.connection.key = key;
        }
        let Some(view) = self.connection.view() else {
            return Vec::new();
        };
        self.connection.trial = Trial::Listing;
        self.connection.models = Vec::new();
        vec![Effect::send(Purpose::Models, ConnectRequest::Models(view))]
    }

    pub(super) fn connect_event(&mut self, purpose: Purpose, event: ConnectEvent) -> Vec<Effect> {
        match event {
            ConnectEvent::Models(models) if purpose == Purpose::Models => self.listed(models),
            ConnectEvent::Tried(model) if purpose == Purpose::Model => {
                return self.tried(&model);
            }
            ConnectEvent::Egress(requests) => self.connection.egress = requests,
            // Another service is asked by now.
            ConnectEvent::Models(_) | ConnectEvent::Tried(_) => {}
        }
        Vec::new()
    }

    /// The models have come.
    fn listed(&mut self, models: Vec<ModelView>) {
        let chosen = &mut self.connection.remembered;
        let is_known = models.iter().any(|model| model.id == chosen.model);
        if !is_known && let [only] = models.as_slice() {
            chosen.model = only.id.clone();
        }
        self.connection.models = models;
        self.connection.trial = Trial::Listed;
    }

    /// The user chose a model; it is asked for a word before it is used.
    pub fn use_model(&mut self, model: &str, window: Option<u32>) -> Vec<Effect> {
        let told = self
            .connection
            .models
            .iter()
            .find(|known| known.id == model)
            .and_then(|known| known.window);
        self.connection.remembered.model = model.trim().to_owned();
        self.connection.remembered.window = window.or(told);
        match self.connection.view() {
            Some(view) if !view.model.is_empty() => {
                self.connection.trial = Trial::Trying;
                vec![Effect::send(Purpose::Model, ConnectRequest::Try(view))]
            }
            _ => Vec::new(),
        }
    }

    /// The model answered: it is used from now on.
    fn tried(&mut self, model: &ModelView) -> Vec<Effect> {
        let window = &mut self.connection.remembered.window;
        *window = window.or(model.window);
        self.connection.trial = Trial::None;
        self.hide(Panel::Connect);
        self.connected();
        let mut effects = vec![Effect::Remember];
        effects.extend(self.tell_connection());
        effects
    }

    pub(super) fn trial_failed(&mut self, notice: Notice) {
        self.connection.trial = Trial::Failed(notice);
    }

    /// The kept key was unlocked.
    pub fn unlocked(&mut self, key: KeyView) -> Vec<Effect> {
        self.connection.key = Some(key);
        self.connection.trial = Trial::None;
        if self.connection.stage() == Stage::Connected {
            self.hide(Panel::Connect);
            self.connected();
        }
        self.tell_connection()
    }

    /// What was said of a missing connection holds no more.
    fn connected(&mut self) {
        let is_stale = |hint: &Notice| hint.kind == NoticeKind::Service;
        self.hint = self.hint.take().filter(|hint| !is_stale(hint));
    }

    /// Why a question is not answered by the model, if one is named but cannot be used.
    pub fn connection_hint(&self) -> Option<Notice> {
        let (what, next) = match self.connection.stage() {
            Stage::None | Stage::Connected => return None,
            Stage::Shut => (
                "The page was not loaded with a policy that lets it reach the language model.",
                "Open the connection’s settings and allow it again.",
            ),
            Stage::Locked => (
                "The key of the language model is locked.",
                "Unlock it with your passphrase in the connection’s settings.",
            ),
            Stage::Unfinished => (
                "The connection to the language model is not finished.",
                "Give the key and choose a model in the connection’s settings.",
            ),
        };
        Some(Notice {
            what: what.into(),
            next: next.into(),
            kind: NoticeKind::Service,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Page;
    use super::*;
    use crate::worker::protocol::Request;
    use footnote_core::model::protocol::Kind;

    fn connection(kind: Kind, model: &str, is_open: bool) -> Connection {
        Connection {
            remembered: Remembered {
                service: Some(Service::new(kind, kind.usual_address()).unwrap()),
                model: model.into(),
                ..Remembered::default()
            },
            is_open,
            ..Connection::default()
        }
    }

    #[test]
    fn tokens_are_read_as_people_type_them() {
        for text in ["128000", " 128,000", "128.000", "128 000 "] {
            assert_eq!(tokens_typed(text), Some(128_000), "{text}");
        }
        assert_eq!(tokens_typed(""), None);
        assert_eq!(tokens_typed("128k"), None);
    }

    #[test]
    fn the_stage_says_what_is_missing() {
        let locked = Connection {
            remembered: Remembered {
                locked_key: Some("00".into()),
                ..connection(Kind::ANTHROPIC, "m", true).remembered
            },
            is_open: true,
            ..Connection::default()
        };
        for (connection, stage) in [
            (Connection::default(), Stage::None),
            (connection(Kind::OLLAMA, "m", false), Stage::Shut),
            (connection(Kind::OLLAMA, "", true), Stage::Unfinished),
            (connection(Kind::OLLAMA, "m", true), Stage::Connected),
            (connection(Kind::ANTHROPIC, "m", true), Stage::Unfinished),
            (locked, Stage::Locked),
        ] {
            assert_eq!(connection.stage(), stage, "{connection:?}");
        }
    }

    #[test]
    fn a_model_is_used_once_it_has_answered() {
        let mut page = Page::new();
        page.state.connection = connection(Kind::OPENAI, "", true);
        let key = Some(KeyView::new("k"));
        let effects = page.state.test_connection(key);
        page.run(effects);
        let (job, _) = page.sent.last().cloned().unwrap();
        let model = ModelView {
            id: "only".into(),
            window: Some(8_000),
        };
        page.event(job, ConnectEvent::Models(vec![model]));
        assert_eq!(page.state.connection.trial, Trial::Listed);
        let effects = page.state.use_model("only", None);
        page.run(effects);
        page.state.hint = Some(Notice {
            what: "The connection is not finished.".into(),
            next: String::new(),
            kind: NoticeKind::Service,
        });
        let (job, _) = page.sent.last().cloned().unwrap();
        let model = ModelView {
            id: "only".into(),
            window: None,
        };
        page.event(job, ConnectEvent::Tried(model));
        assert_eq!(page.state.connection.stage(), Stage::Connected);
        assert_eq!(page.state.hint, None, "it is finished now");
        let connected = page
            .sent
            .iter()
            .rev()
            .find_map(|(_, request)| match request {
                Request::Connect(ConnectRequest::Use(view)) => view.clone(),
                _ => None,
            });
        let connected = connected.unwrap();
        assert_eq!(
            (connected.model.as_str(), connected.window),
            ("only", Some(8_000))
        );
    }

    #[test]
    fn consent_belongs_to_one_origin_and_not_to_those_who_review_each_request() {
        let mut connection = connection(Kind::OLLAMA, "m", true);
        assert!(!connection.has_consent());
        connection.remembered.consent = "http://localhost:11434".into();
        assert!(connection.has_consent());
        connection.remembered.reviews_each = true;
        assert!(!connection.has_consent());
        connection.remembered.reviews_each = false;
        connection.remembered.service =
            Some(Service::new(Kind::OPENAI, "http://localhost:1234").unwrap());
        assert!(!connection.has_consent());
    }
}
