//! What every owner needs, and which knows none of the owners: the way to the page, storage, the
//! list of running jobs, the signal that something changed, the ledger of what left the page, and
//! the page's own site.

use std::rc::Rc;

use web_sys::DedicatedWorkerGlobalScope;

use super::egress::Egress;
use super::jobs::Jobs;
use super::server::Server;
use super::signal::Signal;
use super::storage::Storage;
use crate::worker::protocol::{Event, JobId, Notice, Part, Told};
use crate::worker::wire;

/// Shared by all owners.
pub struct Services {
    scope: DedicatedWorkerGlobalScope,
    pub storage: Storage,
    pub jobs: Jobs,
    /// Fires when a repository was opened, when vectors or a question's embedding arrived, and when
    /// a job was stopped.
    pub changed: Signal,
    pub egress: Rc<Egress>,
    pub server: Server,
}

impl Services {
    pub fn new(scope: DedicatedWorkerGlobalScope) -> Rc<Self> {
        let egress = Rc::new(Egress::default());
        Rc::new(Self {
            scope,
            storage: Storage::default(),
            jobs: Jobs::default(),
            changed: Signal::default(),
            server: Server::new(&egress),
            egress,
        })
    }

    /// Sends the page an event of a job; more may follow.
    pub fn tell(&self, job: JobId, event: impl Into<Event>) {
        self.post(job, Part::More, event);
    }

    /// Sends the page the last event of a job.
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

    /// Tells the page and all waiting tasks that a job was stopped.
    pub fn cancelled(&self, job: JobId) {
        self.end(job, Event::Cancelled);
        self.changed.notify();
    }
}
