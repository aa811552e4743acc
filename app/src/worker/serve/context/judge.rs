//! Lets the connected language model decide how much of each snippet is kept: it reads everything
//! that was found in a few requests, with a memory from one to the next (RepoDistill, section 2.3).
//! This happens only at the user's request, because it sends whole snippets.

use std::rc::Rc;

use footnote_core::compress::policy::{Answered, Document, Judging, Local};
use footnote_core::compress::{Budget, Scored};
use footnote_core::model::protocol::Failure;

use super::{Inspected, Inspector, Side, doc};
use crate::worker::protocol::{ContextEvent, JobId};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::notices;

impl Inspector {
    /// Asks the connected model how much of each snippet of the first side to keep.
    pub(super) async fn judge_context(&self, job: JobId, cancel: &Cancel) {
        let Some(connection) = self.connector.connection() else {
            return self.services.fail(job, notices::no_connection());
        };
        let begun = self.inspected.borrow().as_ref().and_then(begin);
        let Some((scored, mut judging)) = begun else {
            return self.services.fail(job, notices::no_context());
        };
        let judged = self.judged(&connection, &mut judging, cancel).await;
        match judged {
            Err(Failure::Stopped) => return,
            Err(failure) => {
                let notice = notices::service(&connection.service, &failure);
                return self.services.fail(job, notice);
            }
            Ok(_) if cancel.asked() => return,
            Ok(0) => {}
            // Snippets without a rate from the model keep the rate from the scores.
            Ok(unread) => self.services.warn(job, notices::unread_judgements(unread)),
        }
        let mut inspected = self.inspected.borrow_mut();
        // Another repository may be open by now.
        let current = inspected.as_mut().filter(|inspected| {
            inspected
                .sides
                .first()
                .is_some_and(|side| is_of(side, &scored))
        });
        let Some(inspected) = current else {
            return self.services.fail(job, notices::no_context());
        };
        let tokens = inspected.tokens;
        if let Some(side) = inspected.sides.first_mut() {
            let budget = Budget::Rates {
                rates: judging.rates().to_vec(),
                total: Some(tokens),
            };
            side.compressed = scored.compress(side.compressed.asked, &budget);
            side.judged_by = Some(connection.model.clone());
        }
        let view = doc::view(inspected, self.code_models.view());
        self.services.end(job, ContextEvent::Made(view));
    }

    /// Asks until every snippet has been read; returns the number of replies that could not be read
    /// even after a repeat.
    async fn judged(
        &self,
        connection: &Connection,
        judging: &mut Judging,
        cancel: &Cancel,
    ) -> Result<u32, Failure> {
        let mut unread = 0;
        while let Some(chat) = judging.request(&connection.model) {
            if cancel.asked() {
                return Err(Failure::Stopped);
            }
            let purpose = "how much of each snippet is kept";
            let asking = self.connector.ask(connection, purpose, chat, cancel, &());
            let reply = asking.await?;
            if let Answered::GaveUp(_) = judging.answer(&reply.text) {
                unread += 1;
            }
        }
        Ok(unread)
    }
}

fn is_of(side: &Side, scored: &Rc<Scored>) -> bool {
    Rc::ptr_eq(&side.scored, scored)
}

/// Turns the snippets of the first side into documents.
fn begin(inspected: &Inspected) -> Option<(Rc<Scored>, Judging)> {
    let side = inspected.sides.first()?;
    let snippets = side.compressed.snippets.iter();
    let documents = snippets.map(|it| Document::new(&it.path, it.lines, &it.text));
    let fallback = Local::GRADED.rates(&side.scored);
    let judging = Judging::new(&inspected.question, documents.collect(), &fallback);
    Some((Rc::clone(&side.scored), judging))
}
