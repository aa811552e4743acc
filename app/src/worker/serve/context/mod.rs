//! Which of the lines that were found a model is shown. [`choose`] retrieves, reads and compresses;
//! the rest is the inspector, where people see and change the choice. [`judge`] has the connected
//! model say how much of each snippet is kept, [`doc`] is the content of the inspector, [`html`]
//! its layout.

mod choose;
mod doc;
pub(super) mod formats;
mod html;
mod json;
mod judge;

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::compress::{Compressed, Compressor, Scored};
use wasm_bindgen_futures::spawn_local;

pub use self::choose::{Chooser, Limits};
use self::choose::{Readers, Scorings};
use self::doc::ContextDoc;
use super::cancel::Cancel;
use super::code_model::CodeModels;
use super::connect::Connector;
use super::encoders::Encoders;
use super::export::{self, ExportError};
use super::notices;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use crate::worker::protocol::{ContextEvent, ContextRequest, Event, ExportView, JobId, SnippetAt};

/// Initial token budget of the inspector.
const TOKENS_AHEAD: usize = 4_000;

/// The context that the inspector shows.
pub(super) struct Inspected {
    open: Rc<OpenRepo>,
    question: String,
    tokens: usize,
    sides: Vec<Side>,
}

/// What one strategy chose, and what it chose from.
struct Side {
    scored: Rc<Scored>,
    compressed: Compressed,
    /// The code language model that read the lines, or why it did not; `None` if the strategy needs
    /// none.
    model: Option<Readers>,
    /// The connected model, if it decided how much of each snippet is kept.
    judged_by: Option<String>,
}

/// Creates the context that the user inspects, and changes it on request.
pub struct Inspector {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    code_models: Rc<CodeModels>,
    connector: Rc<Connector>,
    chooser: Rc<Chooser>,
    /// The context on display.
    inspected: RefCell<Option<Inspected>>,
    /// The job that creates or changes it.
    inspecting: Cell<Option<JobId>>,
    /// Cancels the encoders' reading ahead.
    reading_ahead: RefCell<Cancel>,
}

impl Inspector {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Encoders,
        code_models: &Rc<CodeModels>,
        connector: &Rc<Connector>,
        chooser: &Rc<Chooser>,
    ) -> Rc<Self> {
        let inspector = Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            code_models: Rc::clone(code_models),
            connector: Rc::clone(connector),
            chooser: Rc::clone(chooser),
            inspected: RefCell::default(),
            inspecting: Cell::default(),
            reading_ahead: RefCell::default(),
        });
        services.jobs.on_begin(&inspector, Self::stop_reading_ahead);
        encoders.on_pause(&inspector, Self::stop_reading_ahead);
        // Work in progress with the earlier model ends with it.
        connector.on_change(&inspector, Self::stop);
        shelf.on_replaced(&inspector, |inspector| {
            inspector.stop();
            inspector.inspected.take();
        });
        inspector
    }

    pub async fn serve(&self, job: JobId, request: ContextRequest, cancel: &Cancel) {
        match request {
            ContextRequest::Make {
                question,
                strategies,
                tokens,
                policy,
            } => {
                self.next(job);
                let limits = Limits::new(tokens, &policy);
                self.make_context(job, &question, &strategies, limits, cancel)
                    .await;
            }
            ContextRequest::Judge => {
                self.next(job);
                self.judge_context(job, cancel).await;
            }
            ContextRequest::Recut { at, percent } => self.recut(job, at, percent),
            ContextRequest::Export { format } => self.export_context(job, &format),
        }
    }

    /// Makes `job` the one that creates the context, and stops an earlier one: its result is no
    /// longer needed, and sliders and exports would act on it.
    fn next(&self, job: JobId) {
        self.stop();
        self.inspecting.set(Some(job));
    }

    /// Stops creating a context, because the repository or the connected model has changed.
    fn stop(&self) {
        if let Some(job) = self.inspecting.take()
            && self.services.jobs.stop(job)
        {
            self.services.cancelled(job);
        }
    }

    async fn make_context(
        &self,
        job: JobId,
        text: &str,
        strategies: &[String],
        limits: Limits,
        cancel: &Cancel,
    ) {
        let chosen: Vec<Compressor> = strategies
            .iter()
            .filter_map(|name| Compressor::from_name(name))
            .collect();
        if chosen.is_empty() {
            return self
                .services
                .fail(job, notices::no_such_strategy(strategies));
        }
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let mut scorings = match self.chooser.found(&open, text, limits.tokens, cancel).await {
            Ok(found) => Scorings::new(found),
            Err(notice) => return self.services.fail(job, notice),
        };
        let mut sides = Vec::new();
        for compressor in chosen {
            let (scored, model) = self
                .chooser
                .scored(&open, &mut scorings, compressor, cancel)
                .await;
            if cancel.asked() || !self.shelf.is_current(&open) {
                return;
            }
            sides.push(Side {
                compressed: scored.compress(compressor, &limits.budget(&scored)),
                scored,
                model,
                judged_by: None,
            });
        }
        let inspected = Inspected {
            question: text.to_owned(),
            tokens: limits.tokens,
            sides,
            open,
        };
        let view = doc::view(&inspected, self.code_models.view());
        self.services.end(job, ContextEvent::Made(view));
        *self.inspected.borrow_mut() = Some(inspected);
    }

    /// Lets the encoders read the lines of an answered question's context in advance, so that the
    /// inspector does not have to wait for them. This takes seconds, ahead of the vectors that no
    /// question is waiting for; pausing those pauses this too. If a model is connected, its
    /// question causes the same reading at once; and while another job waits for the encoders,
    /// nothing is read ahead.
    pub fn read_ahead(&self, open: &Rc<OpenRepo>, text: &str) {
        let can_read = {
            let work = open.work.borrow();
            !work.queue.paused && work.failed.is_none() && self.shelf.is_current(open)
        };
        // The job of the answered question still counts.
        let is_alone = self.services.jobs.count() <= 1;
        if !can_read || !is_alone || self.connector.connection().is_some() {
            return;
        }
        let cancel = Cancel::default();
        self.reading_ahead.replace(cancel.clone()).ask();
        let (chooser, open) = (Rc::clone(&self.chooser), Rc::clone(open));
        let text = text.to_owned();
        spawn_local(async move {
            let found = chooser.found(&open, &text, TOKENS_AHEAD, &cancel).await;
            if let (Ok(found), false) = (found, cancel.asked()) {
                chooser
                    .plain(&open, &mut Scorings::new(found), &cancel)
                    .await;
            }
        });
    }

    /// Called when a job begins that may wait for the encoders. What was read ahead so far is
    /// stored before the job asks for it: the task that this wakes runs before the job's own, which
    /// is spawned later.
    fn stop_reading_ahead(&self) {
        self.reading_ahead.borrow().ask();
        self.services.changed.notify();
    }

    /// Chooses the lines of one snippet again.
    fn recut(&self, job: JobId, at: SnippetAt, percent: u32) {
        let mut inspected = self.inspected.borrow_mut();
        let recut = inspected.as_mut().and_then(|inspected| {
            let side = inspected.sides.get_mut(at.side as usize)?;
            let rate = percent.min(100) as f32 / 100.0;
            let at = at.snippet as usize;
            side.scored.reselect(&mut side.compressed, at, rate);
            let snippet = side.compressed.snippets.get(at)?;
            Some(doc::snippet(&inspected.open.index, snippet))
        });
        match recut {
            Some(snippet) => self.services.end(job, ContextEvent::Recut(at, snippet)),
            None => self.services.fail(job, notices::no_context()),
        }
    }

    fn export_context(&self, job: JobId, format: &str) {
        let inspected = self.inspected.borrow();
        let Some(inspected) = inspected.as_ref() else {
            return self.services.fail(job, notices::no_context());
        };
        match exported(inspected, format) {
            Ok(view) => self.services.end(job, Event::Exported(view)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }
}

fn exported(inspected: &Inspected, format: &str) -> Result<ExportView, ExportError> {
    let doc = ContextDoc::new(inspected);
    let stem = export::stem("context", &inspected.question);
    export::file(&formats::ALL, format, &stem, |write| write(&doc, inspected))
}
