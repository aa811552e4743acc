//! Compares a question by meaning: it and its best candidates are embedded before everything else.

use std::rc::Rc;

use footnote_core::answer;
use footnote_core::embed::Embedding;
use footnote_core::search::Question;

use super::Encoders;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::repo::OpenRepo;

impl Encoders {
    /// Has the question and its best candidates embedded; returns the question's embedding, if the
    /// model works here.
    pub async fn compare(
        self: &Rc<Self>,
        open: &Rc<OpenRepo>,
        question: &Question,
        cancel: &Cancel,
    ) -> Option<Embedding> {
        self.keep_quiet();
        let number = open.work.borrow_mut().ask(question.text());
        self.feed();
        self.table_settled(open, cancel).await;
        // These include the static encoder's candidates.
        let candidates = answer::candidates(&open.index, question);
        loop {
            let change = self.services.changed.changed();
            {
                let mut work = open.work.borrow_mut();
                if work.prepared {
                    // Priorities are set again after each change: vectors found in storage need
                    // none.
                    work.queue.want_nothing();
                    work.queue.want(&candidates);
                }
                let settled = work.questions.is_settled(number)
                    && work.prepared
                    && !candidates
                        .iter()
                        .any(|&chunk| work.queue.is_expected(chunk));
                if settled
                    || work.failed.is_some()
                    || cancel.asked()
                    || !self.shelf.is_current(open)
                {
                    return work.take_embedding(number);
                }
            }
            self.feed();
            change.await;
        }
    }
}
