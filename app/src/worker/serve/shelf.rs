//! Knows which repository is open, and which job is opening one. [`super::open`] puts the
//! repository here; the others take it from here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::index::Index;

use super::cancel::Cancel;
use super::hook::Hook;
use super::notices;
use super::repo::OpenRepo;
use super::services::Services;
use crate::worker::protocol::JobId;

/// Holds the open repository.
pub struct Shelf {
    services: Rc<Services>,
    open: RefCell<Option<Rc<OpenRepo>>>,
    /// The job that is opening a repository.
    opening: Cell<Option<JobId>>,
    /// Counts opened repositories, so that late vectors of an earlier one are recognised.
    generation: Cell<u32>,
    replaced: Hook,
}

impl Shelf {
    pub fn new(services: &Rc<Services>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            open: RefCell::default(),
            opening: Cell::default(),
            generation: Cell::default(),
            replaced: Hook::default(),
        })
    }

    /// Calls `hear` on `owner` whenever another repository is open, or none.
    pub fn on_replaced<T: 'static>(&self, owner: &Rc<T>, hear: impl Fn(&T) + 'static) {
        self.replaced.add(owner, hear);
    }

    pub fn current(&self) -> Option<Rc<OpenRepo>> {
        self.open.borrow().clone()
    }

    /// Whether `open` is still the open repository.
    pub fn is_current(&self, open: &OpenRepo) -> bool {
        self.generation.get() == open.generation && self.open.borrow().is_some()
    }

    /// Returns the open repository, once no repository is being read any more. If none is open, the
    /// job fails.
    pub async fn when_open(&self, job: JobId, cancel: &Cancel) -> Option<Rc<OpenRepo>> {
        while self.opening.get().is_some() && !cancel.asked() {
            self.services.changed.changed().await;
        }
        if cancel.asked() {
            return None;
        }
        let open = self.current();
        if open.is_none() {
            self.services.fail(job, notices::nothing_open());
        }
        open
    }

    /// Notes that `job` is opening a repository.
    pub fn begin_opening(&self, job: JobId) {
        self.opening.set(Some(job));
    }

    /// Notes that `job` is no longer opening one.
    pub fn end_opening(&self, job: JobId) {
        if self.opening.get() == Some(job) {
            self.opening.set(None);
        }
    }

    /// Ends the opening of a repository, and returns the job that did it.
    pub fn take_opening(&self) -> Option<JobId> {
        self.opening.take()
    }

    /// Makes a repository the open one; returns it, and the one that was open before.
    pub fn put(
        &self,
        job: JobId,
        key: String,
        index: Index,
    ) -> (Rc<OpenRepo>, Option<Rc<OpenRepo>>) {
        let generation = self.generation.get() + 1;
        self.generation.set(generation);
        let open = Rc::new(OpenRepo::new(key, job, generation, index));
        let before = self.open.replace(Some(Rc::clone(&open)));
        self.replaced.call();
        self.services.changed.notify();
        (open, before)
    }

    /// Closes the open repository.
    pub fn take(&self) -> Option<Rc<OpenRepo>> {
        let open = self.open.take();
        self.replaced.call();
        open
    }
}
