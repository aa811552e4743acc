//! What every owner needs and that knows none of them: the way to the page, storage, the book of
//! jobs, and the signal that something changed.

use std::rc::Rc;

use web_sys::DedicatedWorkerGlobalScope;

use super::jobs::Jobs;
use super::signal::Signal;
use super::storage::Storage;
use crate::worker::protocol::{Event, JobId, Notice, Part, Told};
use crate::worker::wire;

/// Shared by all owners.
pub struct Services {
    scope: DedicatedWorkerGlobalScope,
    pub storage: Storage,
    pub jobs: Jobs,
    /// A repository was opened, vectors or a question's embedding came, a job was stopped.
    pub changed: Signal,
}

impl Services {
    pub fn new(scope: DedicatedWorkerGlobalScope) -> Rc<Self> {
        Rc::new(Self {
            scope,
            storage: Storage::default(),
            jobs: Jobs::default(),
            changed: Signal::default(),
        })
    }

    /// Tells the page something of a job, of which more may follow.
    pub fn tell(&self, job: JobId, event: impl Into<Event>) {
        self.post(job, Part::More, event);
    }

    /// Tells the page the last of a job.
    pub fn end(&self, job: JobId, event: impl Into<Event>) {
        self.post(job, Part::Last, event);
    }

    pub fn post(&self, job: JobId, part: Part, event: impl Into<Event>) {
        let event = event.into();
        wire::post(&self.scope, &Told { job, part, event });
    }

    pub fn fail(&self, job: JobId, notice: Notice) {
        self.end(job, Event::Failed(notice));
    }

    pub fn warn(&self, job: JobId, notice: Notice) {
        self.tell(job, Event::Warning(notice));
    }

    /// Tells the page and all who wait that a job was stopped.
    pub fn cancelled(&self, job: JobId) {
        self.end(job, Event::Cancelled);
        self.changed.notify();
    }
}
