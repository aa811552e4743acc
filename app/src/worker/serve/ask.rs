//! Answers questions: at once by words, then again when the question and its best candidates were
//! compared by meaning.

use std::rc::Rc;

use footnote_core::search::Question;

use super::answered::{self, Asked};
use super::cancel::Cancel;
use super::context::Inspector;
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::notices;
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::clock::{next_turn, now_ms, today_ms};
use crate::worker::protocol::{AskRequest, JobId};

/// Answers questions.
pub struct Asker {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    conversations: Rc<Conversations>,
    inspector: Rc<Inspector>,
}

impl Asker {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        conversations: &Rc<Conversations>,
        inspector: &Rc<Inspector>,
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            conversations: Rc::clone(conversations),
            inspector: Rc::clone(inspector),
        })
    }

    pub async fn ask(&self, job: JobId, request: AskRequest, cancel: &Cancel) {
        let AskRequest {
            question: text,
            conversation,
            earlier,
        } = request;
        let question = match Question::new(&text) {
            Ok(question) => question,
            Err(error) => return self.services.fail(job, notices::bad_question(&error)),
        };
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let (started, asked_at) = (now_ms(), today_ms());
        let asked = Asked::new(&open.index, question, &earlier);
        let (mut first, found) = answered::first(&open, &asked, started);
        first.asked_at = asked_at;
        self.services.tell(job, first.clone());
        self.conversations
            .keep_answer(job, &open, conversation, asked_at, &first)
            .await;
        // The page gets the first answer before the encoders are fed.
        next_turn().await;
        let embedding = self.encoders.compare(&open, asked.question(), cancel).await;
        if cancel.asked() {
            return;
        }
        let embedding = embedding.as_ref();
        let mut refined = answered::refined(&open, &asked, embedding, &found, started);
        refined.asked_at = asked_at;
        self.services.end(job, refined.clone());
        self.conversations
            .keep_answer(job, &open, conversation, asked_at, &refined)
            .await;
        self.inspector
            .read_ahead(&open, &asked.question().written());
    }
}
