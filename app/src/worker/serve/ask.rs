//! Answers questions: at once by words, then again when the question and its best candidates were
//! compared by meaning.

use std::rc::Rc;

use footnote_core::answer;
pub(super) use footnote_core::answer::HITS;
use footnote_core::embed::Embedding;
use footnote_core::search::Question;

use super::cancel::Cancel;
use super::repo::OpenRepo;
use super::views::Measured;
use super::{Engine, notices, views};
use crate::platform::clock::{next_turn, now_ms, today_ms};
use crate::worker::protocol::{AnswerView, AskRequest, JobId};

impl Engine {
    pub(super) async fn ask(self: &Rc<Self>, job: JobId, request: AskRequest, cancel: &Cancel) {
        let AskRequest {
            question: text,
            conversation,
        } = request;
        let question = match Question::new(&text) {
            Ok(question) => question,
            Err(error) => return self.fail(job, notices::bad_question(&error)),
        };
        let Some(open) = self.when_open(job, cancel).await else {
            return;
        };
        let (asked, asked_at) = (now_ms(), today_ms());
        let mut first = answered(&open, &question, None, false, asked);
        first.asked_at = asked_at;
        self.tell(job, first.clone());
        self.keep_answer(job, &open, conversation, asked_at, &first)
            .await;
        // The page gets the first answer before the encoders are fed.
        next_turn().await;
        let embedding = self.compare(&open, &question, cancel).await;
        if cancel.asked() {
            return;
        }
        let resumed = now_ms();
        let mut refined = answered(&open, &question, embedding.as_ref(), true, resumed);
        refined.asked_at = asked_at;
        refined.milliseconds = now_ms() - asked;
        self.end(job, refined.clone());
        self.keep_answer(job, &open, conversation, asked_at, &refined)
            .await;
        self.read_context_ahead(&open, &text);
    }

    /// The open repository, once none is being read any more. Without one the job fails.
    pub(super) async fn when_open(&self, job: JobId, cancel: &Cancel) -> Option<Rc<OpenRepo>> {
        while self.opening.get().is_some() && !cancel.asked() {
            self.changed.changed().await;
        }
        if cancel.asked() {
            return None;
        }
        let open = self.current();
        if open.is_none() {
            self.fail(job, notices::nothing_open());
        }
        open
    }

    /// Has the question and its best candidates embedded; the question's embedding, if the model
    /// works here.
    pub(super) async fn compare(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Embedding> {
        let candidates = answer::candidates(&open.index, question);
        let number = open.work.borrow_mut().ask(question.text());
        self.feed();
        loop {
            let change = self.changed.changed();
            {
                let mut work = open.work.borrow_mut();
                if work.prepared {
                    // Wishes are made again after each change: vectors found in storage need none.
                    work.queue.want_nothing();
                    work.queue.want(&candidates);
                }
                let settled = work.questions.is_settled(number)
                    && work.prepared
                    && !candidates
                        .iter()
                        .any(|&chunk| work.queue.is_expected(chunk));
                if settled || work.failed.is_some() || cancel.asked() || !self.is_current(open) {
                    return work.take_embedding(number);
                }
            }
            self.feed();
            change.await;
        }
    }
}

/// The answer with what is known now; its milliseconds count from `started`.
pub(super) fn answered(
    open: &OpenRepo,
    question: &Question,
    embedding: Option<&Embedding>,
    refined: bool,
    started: f64,
) -> AnswerView {
    let index = &open.index;
    let vectors = open.vectors.borrow();
    let asked = answer::ask(index, &vectors, question, embedding);
    let compared = embedding.map_or(0, |_| vectors.count() as u32);
    let mut view = views::answer(
        index,
        question.text(),
        &asked.answer,
        &asked.hits,
        Measured {
            refined,
            milliseconds: 0.0,
            compared_by_meaning: compared,
        },
    );
    view.milliseconds = now_ms() - started;
    view
}
