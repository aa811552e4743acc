//! Keeps track of the running jobs that can be stopped.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::cancel::Cancel;
use super::hook::Hook;
use crate::worker::protocol::JobId;

/// The running jobs, each with the handle that stops it.
#[derive(Default)]
pub struct Jobs {
    cancels: RefCell<BTreeMap<JobId, Cancel>>,
    begins: Hook,
}

impl Jobs {
    /// Notifies `owner` of each job just before it begins.
    pub fn on_begin<T: 'static>(&self, owner: &Rc<T>, hear: impl Fn(&T) + 'static) {
        self.begins.add(owner, hear);
    }

    /// Registers a job, which can be stopped until [`Jobs::ended`].
    pub fn begin(&self, job: JobId) -> Cancel {
        self.begins.call();
        let cancel = Cancel::default();
        self.cancels.borrow_mut().insert(job, cancel.clone());
        cancel
    }

    pub fn ended(&self, job: JobId) {
        self.cancels.borrow_mut().remove(&job);
    }

    /// Asks a job to stop and forgets it; returns false if it is not running.
    pub fn stop(&self, job: JobId) -> bool {
        let cancel = self.cancels.borrow_mut().remove(&job);
        cancel.inspect(Cancel::ask).is_some()
    }

    /// Asks a job to stop its work, but not to end; returns false if it is not running.
    pub fn interrupt(&self, job: JobId) -> bool {
        let cancels = self.cancels.borrow();
        cancels.get(&job).inspect(|cancel| cancel.ask()).is_some()
    }

    /// Whether a job is running: neither ended nor stopped.
    pub fn is_under_way(&self, job: JobId) -> bool {
        self.cancels.borrow().contains_key(&job)
    }

    /// Number of running jobs.
    pub fn count(&self) -> usize {
        self.cancels.borrow().len()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_job_is_under_way_until_it_ends_or_is_stopped() {
        let jobs = Jobs::default();
        let (first, second) = (jobs.begin(JobId(1)), jobs.begin(JobId(2)));
        assert_eq!(jobs.count(), 2);
        assert!(jobs.is_under_way(JobId(1)));
        assert!(jobs.stop(JobId(1)) && first.asked() && !second.asked());
        assert!(!jobs.stop(JobId(1)) && !jobs.is_under_way(JobId(1)));
        jobs.ended(JobId(2));
        assert!(!jobs.stop(JobId(2)) && !second.asked());
        assert_eq!(jobs.count(), 0);
    }

    #[test]
    fn a_job_that_is_interrupted_is_still_under_way() {
        let jobs = Jobs::default();
        let cancel = jobs.begin(JobId(1));
        assert!(jobs.interrupt(JobId(1)) && cancel.asked());
        assert_eq!(jobs.count(), 1);
        assert!(!jobs.interrupt(JobId(2)));
    }

    #[test]
    fn every_job_that_begins_is_announced() {
        let (jobs, told) = (Jobs::default(), Rc::new(Cell::new(0)));
        jobs.on_begin(&told, |told| told.set(told.get() + 1));
        jobs.begin(JobId(1));
        jobs.begin(JobId(2));
        assert_eq!(told.get(), 2);
    }
}
