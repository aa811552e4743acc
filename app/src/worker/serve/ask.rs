//! Answers questions: at once by words, then again after comparing the question and its best
//! candidates by meaning.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use footnote_core::answer;
use footnote_core::pipeline::{Preset, preset};
use footnote_core::search::Question;
use footnote_core::source::FileId;

use super::answered::{self, Asked};
use super::cancel::Cancel;
use super::connect::Connector;
use super::context::Inspector;
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::notices;
use super::reader::{Consent, Writer};
use super::repo::OpenRepo;
use super::runner::{Ran, Runner};
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::clock::{next_turn, now_ms, today_ms};
use crate::worker::protocol::{AnswerView, AskRequest, JobId, QueryLeave};

/// Answers questions.
pub struct Asker {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    conversations: Rc<Conversations>,
    inspector: Rc<Inspector>,
    runner: Rc<Runner>,
    connector: Rc<Connector>,
    shown: RefCell<Option<Shown>>,
}

/// The files that the user was shown before they go to a model.
struct Shown {
    open: Weak<OpenRepo>,
    question: String,
    files: Vec<FileId>,
}

impl Asker {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        conversations: &Rc<Conversations>,
        inspector: &Rc<Inspector>,
        (runner, connector): (&Rc<Runner>, &Rc<Connector>),
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            conversations: Rc::clone(conversations),
            inspector: Rc::clone(inspector),
            runner: Rc::clone(runner),
            connector: Rc::clone(connector),
            shown: RefCell::default(),
        })
    }

    pub async fn ask(&self, job: JobId, request: AskRequest, cancel: &Cancel) {
        let AskRequest {
            question: text,
            conversation,
            earlier,
            pipeline,
            leave,
        } = request;
        let question = match Question::new(&text) {
            Ok(question) => question,
            Err(error) => return self.services.fail(job, notices::bad_question(&error)),
        };
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let (started, asked_at) = (now_ms(), today_ms());
        let mut asked = Asked::new(&open.index, question, &earlier);
        if let Some(across) = &*open.across.borrow() {
            let written = asked.question().written();
            asked = asked.within_folders(&open.index, across.named(&written));
        }
        if let Some(name) = pipeline {
            let Some(preset) = preset(&name) else {
                return self.services.fail(job, notices::no_such_pipeline(&name));
            };
            let ran = self.by_pipeline(&open, &asked, (preset, &leave), started, cancel);
            let Some(mut view) = ran.await else {
                return;
            };
            view.asked_at = asked_at;
            if view.asks_first.is_some() {
                return self.services.end(job, view);
            }
            note_across(&open, &mut view);
            self.services.end(job, view.clone());
            return self
                .conversations
                .keep_answer(job, &open, conversation, asked_at, &view)
                .await;
        }
        let (mut first, found) = answered::first(&open, &asked, started);
        first.asked_at = asked_at;
        note_across(&open, &mut first);
        self.services.tell(job, first.clone());
        self.conversations
            .keep_answer(job, &open, conversation, asked_at, &first)
            .await;
        // The page gets the first answer before the encoders are given work.
        next_turn().await;
        let embedding = self.encoders.compare(&open, asked.question(), cancel).await;
        if cancel.asked() {
            return;
        }
        let embedding = embedding.as_ref();
        let mut refined = answered::refined(&open, &asked, embedding, &found, started);
        refined.asked_at = asked_at;
        note_across(&open, &mut refined);
        self.services.end(job, refined.clone());
        self.conversations
            .keep_answer(job, &open, conversation, asked_at, &refined)
            .await;
        self.inspector
            .read_ahead(&open, &asked.question().written());
    }

    /// Returns the answer by the chosen pipeline, or what the user must agree to first, if
    /// something is sent before it is made; `None` if it was stopped.
    async fn by_pipeline(
        &self,
        open: &Rc<OpenRepo>,
        asked: &Asked,
        (preset, leave): (&Preset, &QueryLeave),
        started: f64,
        cancel: &Cancel,
    ) -> Option<AnswerView> {
        let pipeline = (preset.make)();
        let question = asked.question();
        let connection = self.connector.connection();
        let consent = connection
            .as_deref()
            .filter(|_| *leave != QueryLeave::Never)
            .map(|connection| {
                let shown = self.shown(open, &question.written());
                Consent::new(&self.connector, connection, leave, shown)
            });
        // Known before the search, so the search need not be made twice.
        let query = pipeline.query.chat(question, &open.index.repo.name);
        let first = query.and_then(|chat| consent.as_ref()?.asks_first(&chat));
        if let Some(first) = first {
            return Some(answered::asking_first(&open.index, asked, first));
        }
        let writer = match (&consent, &connection) {
            (Some(consent), _) => Writer::Consent(consent),
            (None, None) => Writer::Nobody("no language model is connected"),
            (None, Some(_)) => Writer::Nobody("you chose to search without a language model"),
        };
        let ran = self
            .runner
            .run_with(open, &pipeline, question, writer, cancel);
        let Ran { made, other } = ran.await?;
        if let Some(held) = consent.and_then(Consent::held) {
            self.shown.replace(held.shortlist.map(|files| Shown {
                open: Rc::downgrade(open),
                question: question.written(),
                files,
            }));
            return Some(answered::asking_first(&open.index, asked, held.first));
        }
        let index = other.index(open);
        Some(answered::by_pipeline(index, asked, preset, &made, started))
    }

    /// The files that the user was last shown for this question.
    fn shown(&self, open: &Rc<OpenRepo>, question: &str) -> Option<Vec<FileId>> {
        let shown = self.shown.borrow();
        let shown = shown.as_ref().filter(|it| {
            std::ptr::eq(it.open.as_ptr(), Rc::as_ptr(open)) && it.question == question
        });
        shown.map(|it| it.files.clone())
    }
}

/// Says in an answer from all repositories which of them it comes from.
fn note_across(open: &OpenRepo, view: &mut AnswerView) {
    if let Some(across) = &*open.across.borrow() {
        let cited = view.footnotes.iter().map(|note| note.path.as_str());
        let note = across.note(cited);
        view.note = answer::joined(view.note.take(), Some(note));
    }
}
