//! Answers questions: at once by words, then again when the question and its best candidates were
//! compared by meaning.

use std::rc::Rc;

use footnote_core::pipeline::{Preset, preset};
use footnote_core::search::Question;

use super::answered::{self, Asked};
use super::cancel::Cancel;
use super::context::Inspector;
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::notices;
use super::repo::OpenRepo;
use super::runner::{Ran, Runner};
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::clock::{next_turn, now_ms, today_ms};
use crate::worker::protocol::{AnswerView, AskRequest, JobId};

/// Answers questions.
pub struct Asker {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    conversations: Rc<Conversations>,
    inspector: Rc<Inspector>,
    runner: Rc<Runner>,
}

impl Asker {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        conversations: &Rc<Conversations>,
        inspector: &Rc<Inspector>,
        runner: &Rc<Runner>,
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            conversations: Rc::clone(conversations),
            inspector: Rc::clone(inspector),
            runner: Rc::clone(runner),
        })
    }

    pub async fn ask(&self, job: JobId, request: AskRequest, cancel: &Cancel) {
        let AskRequest {
            question: text,
            conversation,
            earlier,
            pipeline,
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
        if let Some(name) = pipeline {
            let Some(preset) = preset(&name) else {
                return self.services.fail(job, notices::no_such_pipeline(&name));
            };
            let ran = self.by_pipeline(&open, &asked, preset, started, cancel);
            let Some(mut view) = ran.await else {
                return;
            };
            view.asked_at = asked_at;
            self.services.end(job, view.clone());
            return self
                .conversations
                .keep_answer(job, &open, conversation, asked_at, &view)
                .await;
        }
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

    /// The answer by a pipeline that was chosen; `None` if that was stopped.
    async fn by_pipeline(
        &self,
        open: &Rc<OpenRepo>,
        asked: &Asked,
        preset: &Preset,
        started: f64,
        cancel: &Cancel,
    ) -> Option<AnswerView> {
        let pipeline = (preset.make)();
        let ran = self.runner.run(open, &pipeline, asked.question(), cancel);
        let Ran { made, other } = ran.await?;
        let index = other.index(open);
        Some(answered::by_pipeline(index, asked, preset, &made, started))
    }
}
