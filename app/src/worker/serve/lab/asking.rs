//! A run of many requests to the connected model, one at a time: it stays within its budget,
//! reports its progress, and stores all replies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::model::prompt::estimate_tokens;
use footnote_core::model::protocol::{Chat, Failure};

use super::{Laboratory, REPORT_MS, kept};
use crate::worker::protocol::{JobId, LabBudgetView, LabEvent, LabSpendingView};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::{Connection, Letter, Watching};
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::slices::Every;

/// Requests in a row that may fail before a run ends.
pub const FAILURES: u32 = 3;

/// A model's reply.
pub struct Said {
    pub text: String,
    /// Tokens that it wrote, if the service counted them.
    pub tokens: Option<u32>,
    /// Nothing was sent: the reply is from an earlier request.
    pub is_from_earlier: bool,
}

/// Why there is no reply.
pub enum NotSaid {
    /// The run ends: it was stopped, or its budget is used up.
    Over,
    /// This request failed.
    Failed(Failure),
}

pub struct Asking<'l> {
    pub laboratory: &'l Laboratory,
    pub open: Rc<OpenRepo>,
    pub connection: Rc<Connection>,
    pub job: JobId,
    pub cancel: &'l Cancel,
    pub view: RefCell<LabSpendingView>,
    reports: Every,
    /// One more request could exceed the budget.
    is_spent: Cell<bool>,
    /// Why replies are not stored.
    unsaved: RefCell<Option<String>>,
}

impl<'l> Asking<'l> {
    pub fn new(
        laboratory: &'l Laboratory,
        (open, connection): (&Rc<OpenRepo>, &Rc<Connection>),
        (job, cancel): (JobId, &'l Cancel),
        (wanted, most): (u32, LabBudgetView),
    ) -> Self {
        laboratory.asking.set(Some(job));
        let view = LabSpendingView {
            wanted,
            most,
            ..LabSpendingView::default()
        };
        Self {
            laboratory,
            open: Rc::clone(open),
            connection: Rc::clone(connection),
            job,
            cancel,
            view: RefCell::new(view),
            reports: Every::new(REPORT_MS),
            is_spent: Cell::default(),
            unsaved: RefCell::default(),
        }
    }

    /// Whether the budget is used up.
    pub fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// What happens to the replies, as a sentence.
    pub fn kept(&self) -> String {
        match &*self.unsaved.borrow() {
            None => "The model’s replies are saved, so continuing asks nothing twice.".to_owned(),
            Some(why) => format!(
                "The model’s replies could not be saved ({why}), so continuing asks for them again."
            ),
        }
    }

    /// Returns the model's reply to `chat`, sent now or earlier.
    pub async fn said(
        &self,
        key: &str,
        purpose: &'static str,
        chat: Chat,
    ) -> Result<Said, NotSaid> {
        let storage = &self.laboratory.services.storage;
        // Another service may know a different model by the same name.
        let key = format!("{}/{key}", self.connection.service.base);
        if let Some((text, tokens)) = kept::said_before(storage, &self.open, &key).await {
            self.view.borrow_mut().from_earlier += 1;
            return Ok(Said {
                text,
                tokens,
                is_from_earlier: true,
            });
        }
        let connector = &self.laboratory.connector;
        let asking = connector.ask(&self.connection, purpose, chat, self.cancel, self);
        let whole = match asking.await {
            Ok(whole) => whole,
            Err(Failure::Stopped) => return Err(NotSaid::Over),
            Err(failure) => return Err(NotSaid::Failed(failure)),
        };
        let written = whole.tokens.unwrap_or(estimate_tokens(&whole.text) as u32);
        self.view.borrow_mut().tokens += written;
        // A reply that was cut off or is empty is worth another try.
        if !whole.is_cut && !whole.text.trim().is_empty() {
            let said = (whole.text.as_str(), whole.tokens);
            if let Err(why) = kept::keep_said(storage, &self.open, &key, said).await {
                self.unsaved.replace(Some(why));
            }
        }
        Ok(Said {
            text: whole.text,
            tokens: whole.tokens,
            is_from_earlier: false,
        })
    }

    /// Sends the page the run's progress, a few times a second.
    pub fn tell(&self) {
        if self.reports.is_due() {
            self.tell_now();
        }
    }

    fn tell_now(&self) {
        let view = self.view.borrow().clone();
        let services = &self.laboratory.services;
        services.tell(self.job, LabEvent::Spending(view));
    }
}

impl Watching for Asking<'_> {
    fn may_send(&self, letter: &Letter) -> bool {
        let has_room = {
            let view = self.view.borrow();
            let needed = letter.tokens.saturating_add(letter.answer_tokens);
            let tokens = view.tokens.saturating_add(needed);
            view.requests < view.most.requests && tokens <= view.most.tokens
        };
        self.is_spent.set(!has_room);
        let mut view = self.view.borrow_mut();
        view.waiting = None;
        if has_room {
            view.requests += 1;
            view.tokens += letter.tokens;
        }
        drop(view);
        self.tell_now();
        has_room
    }

    fn waits(&self, seconds: u32, why: &str) {
        self.view.borrow_mut().waiting = Some(format!("{why} Retrying in {seconds} s."));
        self.tell_now();
    }
}
