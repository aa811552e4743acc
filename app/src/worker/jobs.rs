//! The page's book of running jobs: which ids were given out, which events are still wanted, what was
//! lost when a worker died.

use std::collections::BTreeMap;

use super::protocol::{Event, JobId, Request};

/// How a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// The repository that it opened is open; only vectors are still reported.
    Opened,
    /// The page no longer wants it; only the confirmation is passed on.
    Cancelling,
}

/// What becomes of the jobs of a dead worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// They will not be answered.
    pub failed: Vec<JobId>,
    /// The repository that was open, and the job that opened it.
    pub reopen: Option<(JobId, String)>,
}

/// Ids, states and the open repository. Job 0 is the engine itself.
#[derive(Debug, Default)]
pub struct Jobs {
    last: u32,
    jobs: BTreeMap<JobId, State>,
    open: Option<(JobId, String)>,
}

impl Jobs {
    /// A new id for `request`.
    pub fn begin(&mut self, request: &Request) -> JobId {
        self.last += 1;
        let job = JobId(self.last);
        match request {
            // The job that it concerns goes on and tells.
            Request::Read { .. } => {}
            // Nothing is sent for the cancelling itself.
            Request::Cancel { job: other } => {
                if let Some(state) = self.jobs.get_mut(other) {
                    *state = State::Cancelling;
                }
            }
            Request::Close => {
                self.open = None;
                self.jobs.retain(|_, state| *state != State::Opened);
                self.jobs.insert(job, State::Running);
            }
            _ => {
                self.jobs.insert(job, State::Running);
            }
        }
        job
    }

    /// Books an event that arrived; false if no one waits for it any more.
    pub fn accept(&mut self, job: JobId, event: &Event) -> bool {
        if job == JobId(0) {
            return true;
        }
        let Some(&state) = self.jobs.get(&job) else {
            return false;
        };
        if state == State::Cancelling && !matches!(event, Event::Cancelled | Event::Failed(_)) {
            return false;
        }
        match event {
            Event::Opened(repo) => {
                self.jobs.retain(|_, state| *state != State::Opened);
                self.jobs.insert(job, State::Opened);
                self.open = Some((job, repo.repo.clone()));
            }
            Event::Progress(_)
            | Event::Scope(_)
            | Event::Files(_)
            | Event::Warning(_)
            | Event::Ready => {}
            Event::Answer(answer) if !answer.refined => {}
            Event::Written(patch) if !patch.view.state.is_over() => {}
            Event::Vectors(_) | Event::Saved(_) if state == State::Opened => {}
            _ => {
                self.jobs.remove(&job);
            }
        }
        true
    }

    /// The worker died: forgets what ran and says what has to be done about it. The job of the open
    /// repository stays, because the repository is opened again under it.
    pub fn lost(&mut self) -> Lost {
        let reopen = self.open.clone();
        let kept = reopen.as_ref().map(|(job, _)| *job);
        let failed = self.jobs.keys().copied().filter(|job| Some(*job) != kept);
        let failed = failed.collect();
        self.jobs.clear();
        if let Some(job) = kept {
            self.jobs.insert(job, State::Running);
        }
        Lost { failed, reopen }
    }

    /// Whether an answer is awaited, so that a silent worker must be a dead one.
    pub fn waiting(&self) -> bool {
        self.jobs.values().any(|state| *state != State::Opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{
        AnswerView, ConversationId, ConversationView, MemoryView, RepoView, ScopeView, VectorsView,
    };

    fn opened(repo: &str) -> Event {
        Event::Opened(RepoView {
            repo: repo.into(),
            name: repo.into(),
            files: 0,
            skipped: 0,
            symbols: 0,
            chunks: 0,
            saved: true,
            ready_ms: 0.0,
            conversation: ConversationView::default(),
            suggestions: Vec::new(),
        })
    }

    fn vectors() -> Event {
        Event::Vectors(VectorsView {
            done: 1,
            total: 2,
            reused: 0,
            computed: 1,
            per_second: 1.0,
            seconds_left: None,
            paused: false,
            failed: None,
            gpu: None,
            no_gpu: None,
        })
    }

    fn answer(refined: bool) -> Event {
        Event::Answer(AnswerView {
            question: "q".into(),
            asked_at: 0.0,
            refined,
            nothing: None,
            note: None,
            statements: Vec::new(),
            footnotes: Vec::new(),
            evidence: Vec::new(),
            files: Vec::new(),
            milliseconds: 1.0,
            chunks: 0,
            compared_by_meaning: 0,
            written: None,
        })
    }

    fn ask() -> Request {
        Request::Ask {
            question: "q".into(),
            conversation: ConversationId(1),
        }
    }

    fn open_saved() -> Request {
        Request::OpenSaved { repo: "r".into() }
    }

    #[test]
    fn a_refined_answer_ends_its_job_and_a_first_answer_does_not() {
        let mut jobs = Jobs::default();
        let job = jobs.begin(&ask());
        for (event, accepted) in [
            (answer(false), true),
            (answer(true), true),
            (answer(true), false),
        ] {
            assert_eq!(jobs.accept(job, &event), accepted, "{event:?}");
        }
    }

    #[test]
    fn a_cancelled_job_passes_on_only_its_confirmation() {
        let mut jobs = Jobs::default();
        let job = jobs.begin(&ask());
        jobs.begin(&Request::Cancel { job });
        for (event, accepted) in [
            (answer(false), false),
            (Event::Cancelled, true),
            (Event::Cancelled, false),
        ] {
            assert_eq!(jobs.accept(job, &event), accepted, "{event:?}");
        }
    }

    #[test]
    fn a_job_that_asks_what_to_read_goes_on() {
        let mut jobs = Jobs::default();
        let job = jobs.begin(&open_saved());
        let scope = Event::Scope(ScopeView {
            name: "a".into(),
            folders: Vec::new(),
            skipped: Vec::new(),
            most_bytes: 1,
            ms_per_mb: None,
            memory: MemoryView {
                empty: 1.0,
                per_mb: 1.0,
                per_file: 0.0,
                device: None,
            },
            is_waiting: true,
        });
        assert!(jobs.accept(job, &scope));
        jobs.begin(&Request::Read {
            of: job,
            left_out: Vec::new(),
        });
        assert!(jobs.accept(job, &opened("r")));
        assert!(!jobs.waiting(), "no one waits for an answer to the choice");
    }

    #[test]
    fn vectors_are_reported_until_another_repository_is_open() {
        let mut jobs = Jobs::default();
        let first = jobs.begin(&open_saved());
        assert!(jobs.accept(first, &opened("a")));
        assert!(jobs.accept(first, &vectors()));
        let second = jobs.begin(&open_saved());
        assert!(jobs.accept(second, &opened("b")));
        assert!(!jobs.accept(first, &vectors()));
        assert!(jobs.accept(second, &vectors()));
    }

    #[test]
    fn a_dead_worker_fails_running_jobs_and_reopens_the_open_repository() {
        let mut jobs = Jobs::default();
        let open = jobs.begin(&open_saved());
        assert!(jobs.accept(open, &opened("a")));
        assert!(!jobs.waiting());
        let asked = jobs.begin(&ask());
        assert!(jobs.waiting());
        let lost = jobs.lost();
        assert_eq!(lost.failed, [asked]);
        assert_eq!(lost.reopen, Some((open, "a".to_owned())));
        assert!(!jobs.accept(asked, &answer(true)));
        assert!(jobs.accept(open, &opened("a")), "opened again");
    }

    #[test]
    fn a_closed_repository_is_not_reopened() {
        let mut jobs = Jobs::default();
        let open = jobs.begin(&open_saved());
        assert!(jobs.accept(open, &opened("a")));
        let close = jobs.begin(&Request::Close);
        assert!(!jobs.accept(open, &vectors()));
        assert!(jobs.accept(close, &Event::Done));
        assert_eq!(jobs.lost(), Lost::default());
    }
}
