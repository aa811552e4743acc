//! The connected service: which one the engine may use, and whether it answers. [`send`] sends
//! one [`Letter`], and tells a [`Patience`] when nothing arrives.

mod ask;
mod letter;
mod patience;
mod send;

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::model::protocol::{
    Chat, ChatOption, Failure, Message, Secret, Service, model_request, models_request, read_model,
    read_models,
};

pub use self::ask::{Watching, pause};
pub use self::letter::Letter;
pub use self::patience::Patience;
use self::send::Target;
use super::cancel::Cancel;
use super::hook::Hook;
use super::notices;
use super::services::Services;
use crate::worker::protocol::{
    ConnectEvent, ConnectRequest, ConnectionView, Event, ExportView, JobId, ModelView, Notice,
    NoticeKind,
};

/// Tokens that a model may use to show that it works: some think before they answer.
const TRY_TOKENS: u32 = 64;

/// A service with its key and the chosen model.
pub struct Connection {
    pub service: Service,
    key: Option<Secret>,
    pub model: String,
    /// Tokens that fit in the model's context window.
    pub window: u32,
    /// Options that the service refused before, so that they are not tried each time.
    omitted: RefCell<Vec<ChatOption>>,
}

impl Connection {
    fn new(view: &ConnectionView) -> Result<Self, Notice> {
        let key = view.key.as_ref();
        let key = key.map(|key| Secret::new(key.expose())).transpose();
        let key = key.map_err(|error| Notice {
            what: format!("{error}."),
            next: "Paste it again.".into(),
            kind: NoticeKind::Service,
        })?;
        Ok(Self {
            key,
            model: view.model.clone(),
            window: view.window.unwrap_or(view.service.assumed_window()),
            service: view.service.clone(),
            omitted: RefCell::default(),
        })
    }

    pub fn target(&self) -> Target<'_> {
        Target {
            service: &self.service,
            key: self.key.as_ref(),
        }
    }

    pub fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    /// Returns `chat` without the options that the service is known to refuse.
    pub fn adapted(&self, chat: Chat) -> Chat {
        let omitted = self.omitted.borrow();
        omitted.iter().fold(chat, |chat, option| {
            let without = chat.without(*option);
            without.unwrap_or(chat)
        })
    }

    /// Remembers which options the service refuses.
    pub fn learn(&self, chat: &Chat) {
        self.omitted.replace(chat.omitted.clone());
    }

    pub fn notice(&self, failure: &Failure) -> Notice {
        notices::service(&self.service, failure)
    }
}

/// An answer that was not shown as it arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    pub text: String,
    /// Tokens that the model wrote, if the service counted them.
    pub tokens: Option<u32>,
    /// Whether the answer was cut off.
    pub is_cut: bool,
}

/// Tokens of an answer as counted by the service. A count of 0 means that the service did not
/// count.
pub fn counted(tokens: Option<u32>) -> Option<u32> {
    tokens.filter(|tokens| *tokens > 0)
}

/// Which service the engine may use.
pub struct Connector {
    services: Rc<Services>,
    /// The language model that the user connected.
    connection: RefCell<Option<Rc<Connection>>>,
    changes: Hook,
}

impl Connector {
    pub fn new(services: &Rc<Services>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            connection: RefCell::default(),
            changes: Hook::default(),
        })
    }

    /// Calls `hear` on `owner` whenever another model is connected, or none.
    pub fn on_change<T: 'static>(&self, owner: &Rc<T>, hear: impl Fn(&T) + 'static) {
        self.changes.add(owner, hear);
    }

    pub fn connection(&self) -> Option<Rc<Connection>> {
        self.connection.borrow().clone()
    }

    pub async fn serve(&self, job: JobId, request: ConnectRequest, cancel: &Cancel) {
        match request {
            ConnectRequest::Use(view) => self.connect(job, view),
            ConnectRequest::Models(view) => self.list_models(job, &view, cancel).await,
            ConnectRequest::Try(view) => self.try_model(job, &view, cancel).await,
            ConnectRequest::Egress => self.send_egress(job),
            ConnectRequest::ExportEgress => self.export_egress(job),
        }
    }

    /// Sets the service, or that there is none.
    fn connect(&self, job: JobId, view: Option<ConnectionView>) {
        let connection = view.as_ref().map(Connection::new).transpose();
        match connection {
            Ok(connection) => {
                // Work in progress with the earlier service ends with it.
                self.changes.call();
                self.connection.replace(connection.map(Rc::new));
                self.services.end(job, Event::Done);
            }
            Err(notice) => self.services.fail(job, notice),
        }
    }

    /// Lists the models, which succeeds only if address, permission and key are right.
    async fn list_models(&self, job: JobId, view: &ConnectionView, cancel: &Cancel) {
        let connection = match Connection::new(view) {
            Ok(connection) => connection,
            Err(notice) => return self.services.fail(job, notice),
        };
        let request = models_request(&connection.service, connection.key());
        let letter = Letter::plain("list of models", request);
        let listed = self.fetch(connection.target(), &letter, cancel).await;
        let listed = listed.and_then(|body| read_models(connection.service.kind, &body));
        match listed {
            Ok(models) => {
                let views = models.into_iter().map(|model| ModelView {
                    id: model.id,
                    window: model.window,
                });
                self.services
                    .end(job, ConnectEvent::Models(views.collect()));
            }
            Err(failure) => self.services.fail(job, connection.notice(&failure)),
        }
    }

    /// Has the model say a word.
    async fn try_model(&self, job: JobId, view: &ConnectionView, cancel: &Cancel) {
        let connection = match Connection::new(view) {
            Ok(connection) => connection,
            Err(notice) => return self.services.fail(job, notice),
        };
        let mut chat = Chat::new(&connection.model, "You are being tested for a connection.");
        chat.messages = vec![Message::User("Answer with the word: ready".into())];
        chat.max_tokens = TRY_TOKENS;
        match self.first_word(&connection, chat, cancel).await {
            Ok(()) => {
                let window = match view.window {
                    Some(window) => Some(window),
                    None => self.window_of(&connection, cancel).await,
                };
                let id = connection.model.clone();
                self.services
                    .end(job, ConnectEvent::Tried(ModelView { id, window }));
            }
            Err(failure) => self.services.fail(job, connection.notice(&failure)),
        }
    }

    async fn first_word(
        &self,
        connection: &Connection,
        mut chat: Chat,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        loop {
            match self.try_once(connection, &chat, cancel).await {
                Ok(()) => return Ok(()),
                Err(failure) => match chat.instead(&failure) {
                    Some(other) => chat = other,
                    None => return Err(failure),
                },
            }
        }
    }

    async fn try_once(
        &self,
        connection: &Connection,
        chat: &Chat,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let letter = Letter::chat("test of the model", connection, chat);
        self.one_answer(connection, &letter, cancel, None)
            .await
            .map(|_| ())
    }

    /// Returns the size of the model's context window, if it takes a separate request to find out.
    async fn window_of(&self, connection: &Connection, cancel: &Cancel) -> Option<u32> {
        let request = model_request(&connection.service, connection.key(), &connection.model)?;
        let letter = Letter::plain("size of the model", request);
        let body = self.fetch(connection.target(), &letter, cancel).await;
        let info = read_model(connection.service.kind, &connection.model, &body.ok()?).ok()?;
        info.window
    }

    fn send_egress(&self, job: JobId) {
        self.services
            .end(job, ConnectEvent::Egress(self.services.egress.views()));
    }

    fn export_egress(&self, job: JobId) {
        match serde_json::to_string_pretty(&self.services.egress.views()) {
            Ok(text) => self.services.end(
                job,
                Event::Exported(ExportView {
                    file_name: "footnote-what-left.json".to_owned(),
                    media_type: "application/json".to_owned(),
                    bytes: text.into_bytes(),
                }),
            ),
            Err(error) => self
                .services
                .fail(job, notices::internal(&error.to_string())),
        }
    }
}
