//! One question answered in several ways: each by a pipeline of `core`, in a column of its own.
//! [`doc`] is the content of the columns, [`html`] their layout.

mod doc;
pub(super) mod formats;
mod html;
mod json;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::answer::{self, Resolved};
use footnote_core::pipeline::{Pipeline, preset};
use footnote_core::search::Question;

use self::doc::{ColumnDoc, CompareDoc};
use super::cancel::Cancel;
use super::export::{self, ExportError};
use super::notices;
use super::repo::OpenRepo;
use super::runner::{self, Ran, Runner};
use super::services::Services;
use super::shelf::Shelf;
use crate::worker::protocol::{
    CompareEvent, CompareRequest, Event, ExportView, JobId, Notice, WayView,
};

/// Answers questions with pipelines and keeps the last comparison.
pub struct Comparer {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    runner: Rc<Runner>,
    last: RefCell<CompareDoc>,
    /// The job of the running comparison.
    comparing: Cell<Option<JobId>>,
}

impl Comparer {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>, runner: &Rc<Runner>) -> Rc<Self> {
        let comparer = Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            runner: Rc::clone(runner),
            last: RefCell::default(),
            comparing: Cell::default(),
        });
        shelf.on_replaced(&comparer, |comparer| {
            comparer.stop();
            comparer.last.take();
        });
        comparer
    }

    pub async fn serve(&self, job: JobId, request: CompareRequest, cancel: &Cancel) {
        match request {
            CompareRequest::Make {
                question,
                total,
                ways,
            } => {
                // The results of an earlier comparison are no longer needed.
                self.stop();
                self.comparing.set(Some(job));
                if let Err(notice) = self.compare(job, &question, total, &ways, cancel).await {
                    self.services.fail(job, notice);
                }
            }
            CompareRequest::Export { format } => self.export_comparison(job, &format),
        }
    }

    fn stop(&self) {
        if let Some(job) = self.comparing.take()
            && self.services.jobs.stop(job)
        {
            self.services.cancelled(job);
        }
    }

    async fn compare(
        &self,
        job: JobId,
        text: &str,
        total: u32,
        ways: &[(u32, WayView)],
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let typed = Question::new(text).map_err(|error| notices::bad_question(&error))?;
        let pipelines: Vec<(u32, Pipeline)> = ways
            .iter()
            .map(|(at, way)| Ok((*at, pipeline(way)?)))
            .collect::<Result<_, Notice>>()?;
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let name = &open.index.repo.name;
        self.last.borrow_mut().begin(name, text, total as usize);
        let offered = CompareEvent::Offered(runner::offered());
        self.services.tell(job, offered);
        let resolved = answer::resolve(&open.index, &typed, &[]);
        let n = pipelines.len();
        for (nth, (at, pipeline)) in pipelines.into_iter().enumerate() {
            let Some(column) = self.column(&open, &pipeline, &resolved, cancel).await else {
                return Ok(());
            };
            let view = self.last.borrow_mut().put(at as usize, column);
            let event = CompareEvent::Made(at, view);
            match nth + 1 == n {
                true => self.services.end(job, event),
                false => self.services.tell(job, event),
            }
        }
        Ok(())
    }

    /// Computes the column of a pipeline; returns `None` if it was stopped.
    async fn column(
        &self,
        open: &Rc<OpenRepo>,
        pipeline: &Pipeline,
        resolved: &Resolved,
        cancel: &Cancel,
    ) -> Option<ColumnDoc> {
        let ran = self.runner.run(open, pipeline, &resolved.question, cancel);
        let Ran { mut made, other } = ran.await?;
        resolved.clone().said_in(&mut made.answer);
        Some(ColumnDoc::new(pipeline, other.index(open), &made))
    }

    fn export_comparison(&self, job: JobId, format: &str) {
        let last = self.last.borrow();
        if last.is_empty() {
            return self.services.fail(job, notices::no_comparison());
        }
        match exported(&last, format) {
            Ok(view) => self.services.end(job, Event::Exported(view)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }
}

/// The pipeline that a request describes.
fn pipeline(way: &WayView) -> Result<Pipeline, Notice> {
    let preset = preset(&way.preset).ok_or_else(|| notices::no_such_pipeline(&way.preset))?;
    let mut pipeline = (preset.make)();
    for (name, value) in &way.changes {
        let set = pipeline.set(name, value);
        set.map_err(|error| notices::wrong_setting(&error))?;
    }
    Ok(pipeline)
}

fn exported(doc: &CompareDoc, format: &str) -> Result<ExportView, ExportError> {
    let stem = export::stem("compared", &doc.question);
    export::file(&formats::ALL, format, &stem, |write| write(doc))
}
