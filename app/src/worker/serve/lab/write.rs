//! Questions that the connected model writes.

use std::sync::Arc;

use footnote_core::eval::set::{digest, write_set};
use footnote_core::lab::questions::{Ask, Budget, Estimate, Reply, Writing, WrittenOrder};
use footnote_core::model::protocol::{Chat, Message};

use super::asking::{Asking, NotSaid};
use super::{Laboratory, MOST, views};
use crate::worker::protocol::{
    JobId, LabBudgetView, LabEstimateView, LabEvent, LabOrderView, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::repo::OpenRepo;

/// What these requests are for, as the ledger says it.
const PURPOSE: &str = "questions for the laboratory";

impl Laboratory {
    /// What a run would cost, and what its first request says. Nothing is sent.
    pub(super) async fn estimate(
        &self,
        job: JobId,
        order: LabOrderView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some((open, connection)) = self.connected(job, cancel).await? else {
            return Ok(());
        };
        let mut writing = writing(&open, &connection, &order);
        let Estimate {
            requests,
            prompt_tokens,
            answer_tokens,
        } = writing.estimate();
        let first = writing.request(&connection.model);
        let sent_tokens = small(prompt_tokens);
        let written_tokens = small(answer_tokens);
        let estimate = LabEstimateView {
            requests,
            sent_tokens,
            written_tokens,
            model: connection.model.clone(),
            address: connection.service.base.clone(),
            first: first.map_or_else(String::new, |ask| said(&ask.chat)),
            most: order
                .most
                .unwrap_or(with_room(requests, sent_tokens, written_tokens)),
        };
        self.services.end(job, LabEvent::Estimated(estimate));
        Ok(())
    }

    pub(super) async fn write(
        &self,
        job: JobId,
        order: LabOrderView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.begin(job);
        let Some((open, connection)) = self.connected(job, cancel).await? else {
            return Ok(());
        };
        // Near duplicates are found by the static encoder.
        self.encoders.table_settled(&open, cancel).await;
        let mut writing = writing(&open, &connection, &order);
        let most = order.most.unwrap_or_default();
        let run = (order.count.min(MOST), most);
        let asking = Asking::new(self, (&open, &connection), (job, cancel), run);
        let is_over = self.have_written(&mut writing, &asking).await;
        if !self.shelf.is_current(&open) || self.working.get() != Some(job) {
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
                "{why} after {}: {} so far. What the model said is kept, so going on asks nothing \
                 twice.",
                plural(view.requests + view.from_earlier, "request"),
                plural(made.items.len() as u32, "question")
            ));
        }
        // Going on is worth as much again.
        let most = if is_spent { twice(most) } else { most };
        told.order = Some(LabOrderView {
            most: Some(most),
            ..order
        });
        let set = digest(&write_set(&made.items));
        self.take(job, made.items, told, set).await;
        if let Some(why) = asking.unsaved.take() {
            self.bench.borrow_mut().told.unsaved = Some(why);
        }
        Ok(())
    }

    /// Asks until there is enough; true if the run ended before.
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

fn writing(open: &OpenRepo, connection: &Connection, order: &LabOrderView) -> Writing {
    let most = order.most.unwrap_or(LabBudgetView {
        requests: u32::MAX,
        tokens: u32::MAX,
    });
    let order = WrittenOrder {
        count: order.count.min(MOST) as usize,
        seed: order.seed.into(),
        strategies: order.strategies.clone(),
        budget: Budget {
            requests: most.requests,
            tokens: most.tokens.into(),
        },
        window: connection.window as usize,
        ..WrittenOrder::new(&open.index.repo.name)
    };
    Writing::new(Arc::clone(&open.index), order)
}

fn plural(n: u32, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

fn twice(most: LabBudgetView) -> LabBudgetView {
    LabBudgetView {
        requests: most.requests.saturating_mul(2),
        tokens: most.tokens.saturating_mul(2),
    }
}

/// Twice the estimate, for requests that are asked twice and questions that are dropped.
pub fn with_room(requests: u32, sent: u32, written: u32) -> LabBudgetView {
    let estimated = LabBudgetView {
        requests: requests.saturating_add(1),
        tokens: sent.saturating_add(written).saturating_add(1),
    };
    twice(estimated)
}

fn small(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// All that a request says.
pub fn said(chat: &Chat) -> String {
    let users = chat.messages.iter().filter_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        _ => None,
    });
    let all = std::iter::once(chat.system.as_str()).chain(users);
    all.collect::<Vec<_>>().join("\n\n")
}
