//! The connected service: which one the engine may ask, and whether it answers.

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::model::protocol::{
    Chat, ChatOption, Failure, Message, Secret, Service, StreamEvent, StreamReader, chat_request,
    model_request, models_request, read_model, read_models,
};

use super::send::Target;
use crate::worker::protocol::{
    ConnectEvent, ConnectRequest, ConnectionView, Event, JobId, ModelView, Notice, NoticeKind,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::{Engine, notices};

/// Tokens that a model may spend on saying that it works: some think before they speak.
const TRY_TOKENS: u32 = 64;

/// A service with its key and the chosen model.
pub struct Connection {
    pub service: Service,
    key: Option<Secret>,
    pub model: String,
    /// Tokens that the model takes in.
    pub window: u32,
    /// What the service refused before, so that it is not tried each time.
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

    /// `chat` without what the service is known to refuse.
    pub fn adapted(&self, chat: Chat) -> Chat {
        let omitted = self.omitted.borrow();
        omitted.iter().fold(chat, |chat, option| {
            let without = chat.without(*option);
            without.unwrap_or(chat)
        })
    }

    /// Remembers what the service refuses.
    pub fn learn(&self, chat: &Chat) {
        self.omitted.replace(chat.omitted.clone());
    }

    pub fn notice(&self, failure: &Failure) -> Notice {
        notices::service(&self.service, failure)
    }
}

impl Engine {
    pub(in crate::worker::serve) async fn serve_connect(
        &self,
        job: JobId,
        request: ConnectRequest,
        cancel: &Cancel,
    ) {
        match request {
            ConnectRequest::Use(view) => self.connect(job, view),
            ConnectRequest::Models(view) => self.list_models(job, &view, cancel).await,
            ConnectRequest::Try(view) => self.try_model(job, &view, cancel).await,
            ConnectRequest::Egress => self.send_egress(job),
            ConnectRequest::ExportEgress => self.export_egress(job),
        }
    }

    /// Takes note of the service, or that there is none.
    fn connect(&self, job: JobId, view: Option<ConnectionView>) {
        let connection = view.as_ref().map(Connection::new).transpose();
        match connection {
            Ok(connection) => {
                // What goes on with the earlier one ends with it.
                self.stop_inspecting();
                self.connection.replace(connection.map(Rc::new));
                self.end(job, Event::Done);
            }
            Err(notice) => self.fail(job, notice),
        }
    }

    /// Which models there are; this needs address, permission and key to be right.
    async fn list_models(&self, job: JobId, view: &ConnectionView, cancel: &Cancel) {
        let connection = match Connection::new(view) {
            Ok(connection) => connection,
            Err(notice) => return self.fail(job, notice),
        };
        let request = models_request(&connection.service, connection.key());
        let target = connection.target();
        let listed = self.fetch(target, "list of models", &request, cancel).await;
        let listed = listed.and_then(|body| read_models(connection.service.kind, &body));
        match listed {
            Ok(models) => {
                let views = models.into_iter().map(|model| ModelView {
                    id: model.id,
                    window: model.window,
                });
                self.end(job, ConnectEvent::Models(views.collect()));
            }
            Err(failure) => self.fail(job, connection.notice(&failure)),
        }
    }

    /// Has the model say a word.
    async fn try_model(&self, job: JobId, view: &ConnectionView, cancel: &Cancel) {
        let connection = match Connection::new(view) {
            Ok(connection) => connection,
            Err(notice) => return self.fail(job, notice),
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
                self.end(job, ConnectEvent::Tried(ModelView { id, window }));
            }
            Err(failure) => self.fail(job, connection.notice(&failure)),
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
        let request = chat_request(&connection.service, connection.key(), chat);
        let mut reader = StreamReader::new(connection.service.kind);
        let mut events = Vec::new();
        let hear = |piece: &[u8]| {
            events.extend(reader.push(piece));
            true
        };
        let target = connection.target();
        self.exchange(target, "test of the model", &request, cancel, hear)
            .await?;
        events.extend(reader.finish());
        let failure = events.into_iter().find_map(|event| match event {
            StreamEvent::Failed(failure) => Some(failure),
            _ => None,
        });
        failure.map_or(Ok(()), Err)
    }

    /// How much the model takes in, where only a question of its own tells.
    async fn window_of(&self, connection: &Connection, cancel: &Cancel) -> Option<u32> {
        let request = model_request(&connection.service, connection.key(), &connection.model)?;
        let target = connection.target();
        let body = self
            .fetch(target, "size of the model", &request, cancel)
            .await;
        let info = read_model(connection.service.kind, &connection.model, &body.ok()?).ok()?;
        info.window
    }
}
