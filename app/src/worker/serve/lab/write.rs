//! Questions written by the connected model.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::eval::set::{digest, write_set};
use footnote_core::lab::questions::{Ask, Budget, Reply, Writing, WrittenOrder};
use footnote_core::model::prompt::answer_tokens;

use super::asking::{Asking, NotSaid};
use super::task::Outlook;
use super::{Laboratory, MOST, views};
use crate::words::count;
use crate::worker::protocol::{JobId, LabBudgetView, LabGrantView, LabOrderView, Notice};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::repo::OpenRepo;

/// The purpose of these requests, as shown in the ledger.
const PURPOSE: &str = "questions for the laboratory";

impl Laboratory {
    pub(super) fn outlook_of_writing(
        open: &OpenRepo,
        connection: &Connection,
        order: &LabOrderView,
    ) -> Outlook {
        let mut writing = writing(open, connection, order);
        let estimate = writing.estimate();
        writing.allow(estimate.with_room());
        let first = writing.request(&connection.model);
        Outlook {
            estimate,
            first: first.map(|ask| ask.chat),
        }
    }

    pub(super) async fn write(
        &self,
        job: JobId,
        (open, connection): (&Rc<OpenRepo>, &Rc<Connection>),
        order: LabOrderView,
        mut grant: LabGrantView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        // The static encoder finds near duplicates.
        self.encoders.table_settled(open, cancel).await;
        let mut writing = writing(open, connection, &order);
        writing.allow(Budget {
            requests: grant.most.requests,
            tokens: grant.most.tokens.into(),
        });
        let run = (order.count.min(MOST), grant.most);
        let asking = Asking::new(self, (open, connection), (job, cancel), run);
        let is_over = self.have_written(&mut writing, &asking).await;
        if !self.is_wanted(open, job) {
            return Ok(());
        }
        let made = writing.made();
        let mut told = views::written(&made);
        let is_spent = asking.is_spent() || writing.is_spent();
        told.is_partial = made.items.len() < order.count as usize && writing.can_go_on();
        if is_over && told.is_partial {
            let view = asking.view.borrow();
            let why = if is_spent {
                "The budget is used up"
            } else {
                "Paused"
            };
            told.note = Some(format!(
                "{why} after {}: {} so far. {}",
                count((view.requests + view.from_earlier).into(), "request"),
                count(made.items.len() as u64, "question"),
                asking.kept()
            ));
        }
        if is_spent {
            // Continuing may cost as much again.
            grant.most = twice(grant.most);
        }
        told.order = Some((order, grant));
        let set = digest(&write_set(&made.items));
        self.take(job, made.items, told, set).await;
        Ok(())
    }

    /// Asks until there are enough questions; returns true if the run ended before that.
    async fn have_written(&self, writing: &mut Writing, asking: &Asking<'_>) -> bool {
        while let Some(Ask { key, chat, .. }) = writing.request(&asking.connection.model) {
            match asking.said(&key, PURPOSE, chat).await {
                Ok(said) => writing.answer(Reply {
                    text: &said.text,
                    answer_tokens: said.tokens,
                    from_cache: said.is_from_earlier,
                }),
                Err(NotSaid::Over) => return true,
                Err(NotSaid::Failed(failure)) => writing.fail(&failure.what()),
            }
            let counts = views::written_counts(&writing.counts());
            {
                let mut view = asking.view.borrow_mut();
                view.done = counts.iter().map(|count| count.kept).sum();
                view.counts = counts;
            }
            asking.tell();
            if asking.cancel.asked() {
                return true;
            }
        }
        false
    }
}

/// Creates a run whose budget is not known yet.
fn writing(open: &OpenRepo, connection: &Connection, order: &LabOrderView) -> Writing {
    let usual = WrittenOrder::new(&open.index.repo.name);
    let window = connection.window;
    let room = window.saturating_sub(answer_tokens(window)) as usize;
    let order = WrittenOrder {
        count: order.count.min(MOST) as usize,
        seed: order.seed.into(),
        strategies: order.strategies.clone(),
        window: usual.window.min(room),
        ..usual
    };
    Writing::new(Arc::clone(&open.index), order)
}

fn twice(most: LabBudgetView) -> LabBudgetView {
    LabBudgetView {
        requests: most.requests.saturating_mul(2),
        tokens: most.tokens.saturating_mul(2),
    }
}
