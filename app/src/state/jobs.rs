//! The running jobs: which ids were given out, what each job is for, which events are still wanted,
//! and what is lost when an engine dies.

use std::collections::BTreeMap;

use super::Purpose;
use crate::worker::protocol::{Event, JobId, Part, Request};

/// The stage of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Running,
    /// The repository it opened is open; only events about vectors follow.
    Opened,
    /// The page no longer wants it; only the confirmation is passed on.
    Cancelling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Job {
    purpose: Purpose,
    stage: Stage,
}

/// What becomes of the jobs of a dead engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// The purposes that will not be answered.
    pub failed: Vec<Purpose>,
    /// The repository that was open, and the job that opened it.
    pub reopen: Option<(JobId, String)>,
}

/// The job ids with their purposes, and the open repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jobs {
    last: u32,
    all: BTreeMap<JobId, Job>,
    open: Option<(JobId, String)>,
}

impl Jobs {
    /// Registers `request` and returns a new id. For most purposes only the last request counts.
    pub fn begin(&mut self, purpose: Purpose, request: &Request) -> JobId {
        self.last += 1;
        let id = JobId(self.last);
        if purpose.is_single() {
            self.forget(|known| known == purpose);
        }
        if let Request::Cancel { job } = request
            && let Some(job) = self.all.get_mut(job)
        {
            job.stage = Stage::Cancelling;
        }
        if request.is_answered() {
            let stage = Stage::Running;
            self.all.insert(id, Job { purpose, stage });
        }
        id
    }

    /// Registers an event of a job and returns what the job is for; `None` if nothing waits for it
    /// any more.
    pub fn accept(&mut self, id: JobId, part: Part, event: &Event) -> Option<Purpose> {
        if id == JobId::ENGINE {
            return Some(Purpose::Engine);
        }
        let Job { purpose, stage } = *self.all.get(&id)?;
        let is_confirmation = matches!(event, Event::Cancelled | Event::Failed(_));
        if stage == Stage::Cancelling && !is_confirmation {
            return None;
        }
        if part == Part::Last {
            self.all.remove(&id);
        }
        Some(purpose)
    }

    /// The repository that a job was to open is open. From now on this job reports on vectors, and
    /// the reports of earlier ones no longer count.
    pub fn opened(&mut self, id: JobId, repo: &str) {
        self.all.retain(|_, job| job.stage != Stage::Opened);
        self.forget(|known| known == Purpose::Open);
        let (purpose, stage) = (Purpose::Open, Stage::Opened);
        self.all.insert(id, Job { purpose, stage });
        self.open = Some((id, repo.to_owned()));
    }

    /// Leaves the open repository, or the one being opened, and forgets every request about it.
    pub fn leave(&mut self) {
        self.open = None;
        self.all.retain(|_, job| job.stage != Stage::Opened);
        self.forget(Purpose::is_of_repository);
    }

    /// The job that opened the open repository, and the repository's key.
    pub fn open(&self) -> Option<&(JobId, String)> {
        self.open.as_ref()
    }

    /// Shows the open repository again. With `is_lost` the engine still has to open it.
    pub fn put_back(&mut self, open: (JobId, String), is_lost: bool) {
        let stage = if is_lost {
            Stage::Running
        } else {
            Stage::Opened
        };
        let purpose = Purpose::Open;
        self.all.insert(open.0, Job { purpose, stage });
        self.open = Some(open);
    }

    /// The job that is opening a repository.
    pub fn opening(&self) -> Option<(JobId, Purpose)> {
        let is_it = |job: &Job| job.purpose.is_opening() && job.stage == Stage::Running;
        let found = self.all.iter().rev().find(|(_, job)| is_it(job));
        found.map(|(id, job)| (*id, job.purpose))
    }

    /// Ignores later events of these jobs. The engine's answers to them are still due.
    pub fn forget(&mut self, which: impl Fn(Purpose) -> bool) {
        for job in self.all.values_mut() {
            if which(job.purpose) {
                job.purpose = Purpose::Other;
            }
        }
    }

    /// The jobs with such a purpose, oldest first.
    pub fn with(&self, which: impl Fn(Purpose) -> bool) -> Vec<(JobId, Purpose)> {
        let all = self.all.iter().map(|(id, job)| (*id, job.purpose));
        all.filter(|(_, purpose)| which(*purpose)).collect()
    }

    /// The engine died: forgets the running jobs and returns what has to be done about them. The
    /// job of the open repository stays, because the repository is opened again under it.
    pub fn lost(&mut self) -> Lost {
        let reopen = self.open.clone();
        let kept = reopen.as_ref().map(|(id, _)| *id);
        let mut all = std::mem::take(&mut self.all);
        if let Some(id) = kept {
            let (purpose, stage) = (Purpose::Open, Stage::Running);
            all.remove(&id);
            self.all.insert(id, Job { purpose, stage });
        }
        let failed = all.into_values().map(|job| job.purpose).collect();
        Lost { failed, reopen }
    }

    /// Whether an answer is due, so that silence means that the engine is dead.
    pub fn waiting(&self) -> bool {
        self.all.values().any(|job| job.stage != Stage::Opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::TurnId;
    use crate::worker::protocol::{
        AskRequest, ConversationId, OpenRequest, TraceRequest, VectorsRequest, VectorsView,
    };

    use Part::{Last, More};

    /// An event that any job can send; the tests only look at whether more follow.
    fn event() -> Event {
        Event::Vectors(VectorsView::default())
    }

    fn ask(jobs: &mut Jobs) -> JobId {
        let request = AskRequest {
            question: "q".into(),
            conversation: ConversationId(1),
            earlier: Vec::new(),
            pipeline: None,
            leave: Default::default(),
        };
        jobs.begin(Purpose::Ask(TurnId(1)), &request.into())
    }

    fn open_saved(jobs: &mut Jobs) -> JobId {
        let request = OpenRequest::Saved { repo: "r".into() };
        jobs.begin(Purpose::Open, &request.into())
    }

    fn close(jobs: &mut Jobs) -> JobId {
        jobs.leave();
        jobs.begin(Purpose::Other, &OpenRequest::Close.into())
    }

    /// Whether an event is passed on.
    fn accepts(jobs: &mut Jobs, job: JobId, part: Part, event: &Event) -> bool {
        jobs.accept(job, part, event).is_some()
    }

    #[test]
    fn a_job_streams_until_its_sender_says_that_nothing_follows() {
        let mut jobs = Jobs::default();
        let job = ask(&mut jobs);
        for (part, accepted) in [(More, true), (More, true), (Last, true), (Last, false)] {
            assert_eq!(
                accepts(&mut jobs, job, part, &event()),
                accepted,
                "{part:?}"
            );
        }
    }

    #[test]
    fn a_cancelled_job_passes_on_only_its_confirmation() {
        let mut jobs = Jobs::default();
        let job = ask(&mut jobs);
        jobs.begin(Purpose::Other, &Request::Cancel { job });
        for (part, event, accepted) in [
            (More, event(), false),
            (Last, event(), false),
            (Last, Event::Cancelled, true),
            (Last, Event::Cancelled, false),
        ] {
            assert_eq!(accepts(&mut jobs, job, part, &event), accepted, "{event:?}");
        }
        assert!(!jobs.waiting());
    }

    #[test]
    fn a_job_that_asks_what_to_read_goes_on() {
        let mut jobs = Jobs::default();
        let job = open_saved(&mut jobs);
        assert!(accepts(&mut jobs, job, More, &event()));
        let read = OpenRequest::Read {
            of: job,
            left_out: Vec::new(),
        };
        jobs.begin(Purpose::Other, &read.into());
        assert!(accepts(&mut jobs, job, More, &event()));
        jobs.opened(job, "r");
        assert!(!jobs.waiting(), "no one waits for an answer to the choice");
    }

    #[test]
    fn vectors_are_reported_until_another_repository_is_open() {
        let mut jobs = Jobs::default();
        let first = open_saved(&mut jobs);
        jobs.opened(first, "a");
        assert!(accepts(&mut jobs, first, More, &event()));
        let second = open_saved(&mut jobs);
        jobs.opened(second, "b");
        assert!(!accepts(&mut jobs, first, More, &event()));
        assert!(accepts(&mut jobs, second, More, &event()));
    }

    #[test]
    fn a_dead_engine_fails_running_jobs_and_reopens_the_open_repository() {
        let mut jobs = Jobs::default();
        let open = open_saved(&mut jobs);
        jobs.opened(open, "a");
        assert!(!jobs.waiting());
        let asked = ask(&mut jobs);
        assert!(jobs.waiting());
        let lost = jobs.lost();
        assert_eq!(lost.failed, [Purpose::Ask(TurnId(1))]);
        assert_eq!(lost.reopen, Some((open, "a".to_owned())));
        assert!(!accepts(&mut jobs, asked, Last, &event()));
        assert!(jobs.waiting(), "for the repository");
        assert!(accepts(&mut jobs, open, More, &event()), "opened again");
    }

    #[test]
    fn a_closed_repository_is_not_reopened() {
        let mut jobs = Jobs::default();
        let open = open_saved(&mut jobs);
        jobs.opened(open, "a");
        let close = close(&mut jobs);
        assert!(!accepts(&mut jobs, open, More, &event()));
        assert!(accepts(&mut jobs, close, Last, &Event::Done));
        assert_eq!(jobs.lost(), Lost::default());
    }

    #[test]
    fn for_most_purposes_only_the_last_request_counts_but_all_are_awaited() {
        let mut jobs = Jobs::default();
        let trace = TraceRequest::Make {
            question: "q".into(),
            strategies: Vec::new(),
        };
        let first = jobs.begin(Purpose::Trace, &trace.clone().into());
        let second = jobs.begin(Purpose::Trace, &trace.into());
        assert_eq!(jobs.accept(second, Last, &event()), Some(Purpose::Trace));
        assert!(jobs.waiting());
        assert_eq!(jobs.accept(first, Last, &event()), Some(Purpose::Other));
        assert!(!jobs.waiting());
    }

    #[test]
    fn jobs_that_concern_no_repository_outlive_it() {
        let mut jobs = Jobs::default();
        let asked = ask(&mut jobs);
        let pause = VectorsRequest::Pause { paused: true };
        let egress = jobs.begin(Purpose::Egress, &pause.into());
        jobs.leave();
        assert_eq!(jobs.accept(asked, Last, &event()), Some(Purpose::Other));
        assert_eq!(jobs.accept(egress, Last, &event()), Some(Purpose::Egress));
    }
}
