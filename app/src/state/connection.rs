//! The connected language model: which service, whether the page may reach it, and what is still
//! missing.

use footnote_core::model::protocol::Service;

use super::{Effect, Panel, Purpose, State};
use crate::worker::protocol::{
    ConnectEvent, ConnectRequest, ConnectionView, EgressView, KeyView, ModelView, Notice,
    NoticeKind, OutgoingView, Permission,
};

/// Parses a number of tokens as people type it: `128,000`, `128.000` or `128 000`.
pub fn tokens_typed(text: &str) -> Option<u32> {
    text.trim().replace([',', '.', ' '], "").parse().ok()
}

/// What the user has seen and agreed to send: to whom, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The address of the service, including its path.
    pub address: String,
    pub model: String,
    /// The size of the request that was shown.
    pub bytes: u32,
}

impl Consent {
    /// The largest later request that is sent without being shown: half as large again.
    fn most_bytes(&self) -> u32 {
        self.bytes.saturating_add(self.bytes / 2)
    }

    /// The line that is stored between visits.
    pub fn to_text(&self) -> String {
        format!("{} {} {}", self.bytes, self.address, self.model)
    }

    /// `None` for what earlier versions stored, an address alone: the user is then asked again.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ');
        Some(Self {
            bytes: words.next()?.parse().ok()?,
            address: words.next()?.to_owned(),
            model: words.next()?.to_owned(),
        })
    }
}

/// How many seconds without data pass before the page says so, unless the user chose otherwise.
pub const PATIENCE_S: u32 = 30;

/// Parses a number of seconds as people type it, from one second to ten minutes.
pub fn seconds_typed(text: &str) -> Option<u32> {
    let seconds = text.trim().parse().ok()?;
    (1..=600).contains(&seconds).then_some(seconds)
}

/// What is remembered between visits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remembered {
    pub service: Option<Service>,
    pub model: String,
    pub window: Option<u32>,
    pub consent: Option<Consent>,
    /// Whether every request is shown before it is sent.
    pub reviews_each: bool,
    /// How many seconds without data pass before the page says so, if the user chose a number.
    pub patience_s: Option<u32>,
    /// The key, encrypted with a passphrase.
    pub locked_key: Option<String>,
}

/// The progress of a connection test.
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
    /// A service is named, but the policy that the page was loaded with does not let it connect
    /// there.
    Shut,
    /// The key is stored, but still locked with a passphrase.
    Locked,
    /// The key or the model is missing.
    Unfinished,
    Connected,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    pub remembered: Remembered,
    /// Whether the page's policy lets it reach the service.
    pub is_open: bool,
    /// The key, held in memory only.
    pub key: Option<KeyView>,
    pub models: Vec<ModelView>,
    pub trial: Trial,
    /// The requests that left the page, newest first.
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

    /// The scheme, host and port of the service.
    pub fn origin(&self) -> String {
        let service = self.remembered.service.as_ref();
        service.map(Service::origin).unwrap_or_default()
    }

    /// The host and port alone, for places with little room.
    pub fn host(&self) -> String {
        let origin = self.origin();
        origin
            .split_once("://")
            .map_or(origin.as_str(), |(_, host)| host)
            .to_owned()
    }

    /// Whether a question may be sent, and up to what size.
    pub fn permission(&self) -> Permission {
        match &self.remembered.consent {
            Some(consent) if !self.remembered.reviews_each && self.is_recipient(consent) => {
                Permission::UpTo(consent.most_bytes())
            }
            _ => Permission::Preview,
        }
    }

    fn is_recipient(&self, consent: &Consent) -> bool {
        let service = self.remembered.service.as_ref();
        service.is_some_and(|service| service.base == consent.address)
            && self.remembered.model == consent.model
    }

    /// What the user agrees to by sending `outgoing`.
    pub fn consent_to(&self, outgoing: &OutgoingView) -> Option<Consent> {
        Some(Consent {
            address: self.remembered.service.as_ref()?.base.clone(),
            model: self.remembered.model.clone(),
            bytes: outgoing.bytes,
        })
    }

    /// Why a user who agreed before is asked again.
    pub fn why_again(&self, outgoing: &OutgoingView) -> Option<String> {
        let consent = self.remembered.consent.as_ref()?;
        if !self.is_recipient(consent) {
            return Some(format!(
                "You agreed to send to {} at {}. This goes to a different recipient.",
                consent.model, consent.address
            ));
        }
        (outgoing.bytes > consent.most_bytes())
            .then(|| "This is over 50 % more than you last agreed to send.".to_owned())
    }

    /// How many seconds without data pass before the page says so.
    pub fn patience_s(&self) -> u32 {
        self.remembered.patience_s.unwrap_or(PATIENCE_S)
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
    /// Tells the engine which service to use, again after each restart of the engine.
    pub fn tell_connection(&mut self) -> Vec<Effect> {
        self.lab.forget_cost();
        let view = match self.connection.stage() {
            Stage::Connected => self.connection.view(),
            _ => None,
        };
        vec![Effect::send(Purpose::Other, ConnectRequest::Use(view))]
    }

    /// Takes a key, if one was entered, and tests whether the service answers.
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
            // Out of date: another service has been asked since.
            ConnectEvent::Models(_) | ConnectEvent::Tried(_) => {}
        }
        Vec::new()
    }

    /// Takes the list of models.
    fn listed(&mut self, models: Vec<ModelView>) {
        let chosen = &mut self.connection.remembered;
        let is_known = models.iter().any(|model| model.id == chosen.model);
        if !is_known && let [only] = models.as_slice() {
            chosen.model = only.id.clone();
        }
        self.connection.models = models;
        self.connection.trial = Trial::Listed;
    }

    /// Chooses a model. It has to answer a short trial request before it is used.
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

    /// The model answered the trial: it is used from now on.
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

    /// Takes the key that the user unlocked.
    pub fn unlocked(&mut self, key: KeyView) -> Vec<Effect> {
        self.connection.key = Some(key);
        self.connection.trial = Trial::None;
        if self.connection.stage() == Stage::Connected {
            self.hide(Panel::Connect);
            self.connected();
        }
        self.tell_connection()
    }

    /// Drops a hint about a missing connection.
    fn connected(&mut self) {
        let is_stale = |hint: &Notice| hint.kind == NoticeKind::Service;
        self.hint = self.hint.take().filter(|hint| !is_stale(hint));
    }

    /// Why the model cannot answer a question, if a service is named but cannot be used.
    pub fn connection_hint(&self) -> Option<Notice> {
        let (what, next) = match self.connection.stage() {
            Stage::None | Stage::Connected => return None,
            Stage::Shut => (
                "This page was loaded with a policy that blocks the language model.",
                "Open the connection settings and allow the address again.",
            ),
            Stage::Locked => (
                "The key of the language model is locked.",
                "Unlock it with your passphrase in the connection settings.",
            ),
            Stage::Unfinished => (
                "The language model is not fully set up.",
                "Enter the key and choose a model in the connection settings.",
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
    fn consent_is_to_one_model_at_one_address_and_up_to_half_as_much_again() {
        let consent = Consent {
            address: "http://localhost:11434".into(),
            model: "m".into(),
            bytes: 1_001,
        };
        let agreed = || {
            let mut connection = connection(Kind::OLLAMA, "m", true);
            connection.remembered.consent = Some(consent.clone());
            connection
        };
        assert_eq!(agreed().permission(), Permission::UpTo(1_501));
        assert!(Permission::UpTo(1_501).covers(1_501) && !Permission::UpTo(1_501).covers(1_502));
        type Change = fn(&mut Remembered);
        let changes: [(&str, Change); 4] = [
            ("nothing agreed", |remembered| remembered.consent = None),
            ("each is reviewed", |remembered| {
                remembered.reviews_each = true
            }),
            ("another model", |remembered| remembered.model = "n".into()),
            ("another address", |remembered| {
                let base = "http://localhost:11434/proxy";
                remembered.service = Some(Service::new(Kind::OLLAMA, base).unwrap());
            }),
        ];
        for (what, change) in changes {
            let mut connection = agreed();
            change(&mut connection.remembered);
            assert_eq!(connection.permission(), Permission::Preview, "{what}");
        }
    }

    #[test]
    fn consent_is_remembered_whole_or_asked_for_again() {
        let consent = Consent {
            address: "https://a.example/v1".into(),
            model: "a model: 8b".into(),
            bytes: 7,
        };
        assert_eq!(Consent::from_text(&consent.to_text()), Some(consent));
        assert_eq!(Consent::from_text("https://a.example"), None);
        assert_eq!(Consent::from_text(""), None);
    }

    #[test]
    fn seconds_are_read_within_limits() {
        for (text, seconds) in [("30", Some(30)), (" 1 ", Some(1)), ("600", Some(600))] {
            assert_eq!(seconds_typed(text), seconds);
        }
        for text in ["", "0", "601", "-1", "half"] {
            assert_eq!(seconds_typed(text), None, "{text}");
        }
    }
}
