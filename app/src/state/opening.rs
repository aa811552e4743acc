//! What is open or being opened: from choosing an archive, through its reading, to the open
//! repository and its vectors.

use super::{Choice, Effect, Loading, Purpose, Shared, State, Tree};
use crate::worker::protocol::{
    JobId, Notice, NoticeKind, OpenEvent, OpenRequest, QueryLeave, RepoView, SavedRequest,
    VectorsRequest, VectorsView,
};

/// How many files may stop the engine during one reading: more than that is not an accident.
const MAX_UNREAD: usize = 5;

/// The phase that the page is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    #[default]
    Empty,
    Loading(Loading),
    Ready(Summary),
    /// The last archive could not be used; everything else still works.
    Failed(Notice),
}

impl Phase {
    /// The value of `data-phase`.
    pub fn name(&self) -> &'static str {
        match self {
            Phase::Empty => "empty",
            Phase::Loading(_) => "loading",
            Phase::Ready(_) => "ready",
            Phase::Failed(_) => "failed",
        }
    }
}

/// The open repository.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub repo: Shared<RepoView>,
    pub tree: Shared<Tree>,
    /// `None` until the engine first reports.
    pub vectors: Option<VectorsView>,
    /// The stages as they ended, if the repository was read in this visit.
    pub stages: Option<Loading>,
}

/// Identifies one opening, from the user's choice until its request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening(u32);

impl State {
    /// Sends the requests with which the page starts.
    pub fn start(&mut self) -> Vec<Effect> {
        self.resuming = true;
        vec![
            Effect::send(Purpose::Resume, OpenRequest::Resume),
            Effect::send(Purpose::Saved, SavedRequest::List),
        ]
    }

    /// Like [`State::start`], for a page whose address names an index file: opens that file instead
    /// of the repository that was open last.
    pub fn start_with(&mut self, index: &str, now: f64) -> Vec<Effect> {
        let mut effects = self.open_hosted(index, index, now);
        effects.push(Effect::send(Purpose::Saved, SavedRequest::List));
        effects
    }

    /// Opens an index file that lies beside the page.
    pub fn open_hosted(&mut self, file: &str, name: &str, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open(name, now);
        let name = file.to_owned();
        effects.push(Effect::send(Purpose::Open, OpenRequest::Hosted { name }));
        effects
    }

    /// Lists the index files beside the page.
    pub fn look_beside(&mut self) -> Vec<Effect> {
        self.looks_beside = true;
        vec![Effect::send(Purpose::Saved, SavedRequest::LookBeside)]
    }

    /// Saves the open repository as an index file.
    pub fn save_index(&mut self) -> Vec<Effect> {
        match self.summary() {
            Some(_) => vec![Effect::send(Purpose::Export, OpenRequest::SaveIndex)],
            None => Vec::new(),
        }
    }

    /// The open repository, if one is.
    pub fn summary(&self) -> Option<&Summary> {
        match &self.phase {
            Phase::Ready(summary) => Some(summary),
            _ => None,
        }
    }

    fn summary_mut(&mut self) -> Option<&mut Summary> {
        match &mut self.phase {
            Phase::Ready(summary) => Some(summary),
            _ => None,
        }
    }

    /// The user chose something to read; `now` is in milliseconds. A reading in progress is
    /// stopped. If the new one fails, that reading or the open repository comes back.
    pub fn begin_open(&mut self, name: &str, now: f64) -> (Opening, Vec<Effect>) {
        let effects = self.cancel_reading();
        self.put_aside(name, now);
        (Opening(self.opening), effects)
    }

    /// Stops the reading in progress. The job of the open repository is not one: its vectors go on.
    fn cancel_reading(&self) -> Vec<Effect> {
        let reading = self.jobs.opening();
        reading
            .map(|(job, _)| Effect::cancel(job))
            .into_iter()
            .collect()
    }

    /// Whether that choice is still the latest.
    pub fn is_current(&self, opening: Opening) -> bool {
        self.opening == opening.0
    }

    /// What the user chose cannot even be passed to the engine; `now` is in milliseconds.
    pub fn cannot_open(&mut self, opening: Opening, notice: Notice, now: f64) -> Vec<Effect> {
        match self.is_current(opening) {
            true => self.put_back(Some(notice), now),
            false => Vec::new(),
        }
    }

    /// What the user chose cannot be read at all; nothing was put aside for it.
    pub fn refuse(&mut self, notice: Notice) {
        match self.phase {
            Phase::Empty | Phase::Failed(_) => self.phase = Phase::Failed(notice),
            Phase::Loading(_) | Phase::Ready(_) => self.post(notice),
        }
    }

    pub fn open_saved(&mut self, repo: &str, name: &str, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open(name, now);
        let repo = repo.to_owned();
        effects.push(Effect::send(Purpose::Open, OpenRequest::Saved { repo }));
        effects
    }

    /// Rebuilds the index of a damaged repository.
    pub fn rebuild(&mut self, now: f64) -> Vec<Effect> {
        let Some((repo, name)) = self.damaged.take() else {
            return Vec::new();
        };
        self.notices
            .retain(|posted| posted.notice.kind != NoticeKind::Damaged);
        let (_, mut effects) = self.begin_open(&name, now);
        effects.push(Effect::send(Purpose::Open, OpenRequest::Rebuild { repo }));
        effects
    }

    pub fn open_sample(&mut self, file_name: &str, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open("the sample repository", now);
        let request = OpenRequest::Sample {
            file_name: file_name.to_owned(),
        };
        effects.push(Effect::send(Purpose::Open, request));
        effects
    }

    /// Closes the open repository, which stays saved; or stops a reading and goes back to the
    /// repository that was open before.
    pub fn close(&mut self, now: f64) -> Vec<Effect> {
        let mut effects = self.cancel_reading();
        if self.summary().is_some() {
            effects.push(Effect::send(Purpose::Other, OpenRequest::Close));
            self.leave();
        } else {
            effects.extend(self.put_back(None, now));
        }
        effects.push(Effect::send(Purpose::Saved, SavedRequest::List));
        effects
    }

    pub fn delete_saved(&mut self, repo: &str, now: f64) -> Vec<Effect> {
        let is_open = self.summary().is_some_and(|open| open.repo.repo == repo);
        let mut effects = if is_open { self.close(now) } else { Vec::new() };
        if self
            .damaged
            .as_ref()
            .is_some_and(|(damaged, _)| damaged == repo)
        {
            self.damaged = None;
        }
        let repo = repo.to_owned();
        effects.push(Effect::send(Purpose::Saved, SavedRequest::Delete { repo }));
        effects
    }

    pub fn pause_vectors(&mut self, paused: bool) -> Vec<Effect> {
        let request = VectorsRequest::Pause { paused };
        vec![Effect::send(Purpose::Vectors, request)]
    }

    /// Handles an event of an opening; `now` is in milliseconds.
    pub(super) fn open_event(
        &mut self,
        job: JobId,
        purpose: Purpose,
        event: OpenEvent,
        now: f64,
    ) -> Vec<Effect> {
        if !purpose.is_opening() && !matches!(purpose, Purpose::Gather(_)) {
            return Vec::new();
        }
        match event {
            OpenEvent::Progress(progress) => {
                if let Some(loading) = self.loading(purpose, now) {
                    loading.advance(&progress, now);
                }
            }
            OpenEvent::Reading(view) => {
                if let Some(loading) = self.loading(purpose, now) {
                    loading.reading = (view.files > 0).then_some(view);
                }
            }
            OpenEvent::Damaged { repo, name } => self.damaged = Some((repo, name)),
            OpenEvent::Scope(view) => {
                if view.is_waiting {
                    self.read_anew(&view.name, now);
                }
                if let Some(loading) = self.loading(purpose, now) {
                    loading.choice = Some(Choice::new(view));
                }
            }
            OpenEvent::Files(part) => self.arriving.extend(part),
            OpenEvent::Gathering(line) => self.gathers(purpose, line),
            OpenEvent::Opened(repo) => return self.opened(job, purpose, repo),
            OpenEvent::Checked => self.unchecked = false,
        }
        Vec::new()
    }

    /// An engine died before it saved what it had opened, and the next one asks again what to read.
    fn read_anew(&mut self, name: &str, now: f64) {
        if matches!(self.phase, Phase::Ready(_)) {
            self.phase = Phase::Loading(Loading::new(name, now));
        }
    }

    /// The reading that a job reports on.
    fn loading(&mut self, purpose: Purpose, now: f64) -> Option<&mut Loading> {
        if purpose == Purpose::Resume && matches!(self.phase, Phase::Empty) {
            self.resuming = false;
            self.phase = Phase::Loading(Loading::new("where you left off", now));
        }
        match &mut self.phase {
            Phase::Loading(loading) => Some(loading),
            _ => None,
        }
    }

    fn opened(&mut self, job: JobId, purpose: Purpose, repo: RepoView) -> Vec<Effect> {
        self.jobs.opened(job, &repo.repo);
        self.before = Default::default();
        self.resuming = false;
        let was_unchecked = std::mem::replace(&mut self.unchecked, repo.unchecked);
        // The engine crashed and opens the same repository again; its answers are already here.
        // Answers from an index file that proved wrong are no longer shown.
        let again = !was_unchecked
            && self
                .summary()
                .is_some_and(|open| open.repo.repo == repo.repo);
        if !again {
            self.conversation.take_in(&repo.conversation);
            // The user agreed to send names of the repository before.
            self.query_leave = QueryLeave::default();
        }
        let stages = match &mut self.phase {
            Phase::Loading(loading) => loading.finish(),
            _ => None,
        };
        self.phase = Phase::Ready(Summary {
            tree: Shared::new(std::mem::take(&mut self.arriving)),
            repo: Shared::new(repo),
            vectors: None,
            stages,
        });
        let mut effects = vec![Effect::send(Purpose::Saved, SavedRequest::List)];
        if let Purpose::Gather(turn) = purpose {
            effects.extend(self.gathered(turn));
            return effects;
        }
        for turn in self.conversation.waiting() {
            effects.extend(self.ask_turn(turn));
        }
        effects
    }

    pub(super) fn vectors_event(&mut self, purpose: Purpose, vectors: VectorsView) {
        self.encoder.arrived(purpose, &vectors.encoder);
        if let Purpose::Open | Purpose::Vectors | Purpose::Encoder = purpose
            && let Some(summary) = self.summary_mut()
        {
            summary.vectors = Some(vectors);
        }
    }

    /// The reading was stopped before it opened a repository.
    pub(super) fn opening_ended(&mut self, now: f64) -> Vec<Effect> {
        if !matches!(self.phase, Phase::Loading(_)) {
            return Vec::new();
        }
        let mut effects = self.put_back(None, now);
        effects.push(Effect::send(Purpose::Saved, SavedRequest::List));
        effects
    }

    pub(super) fn opening_failed(&mut self, notice: Notice, now: f64) -> Vec<Effect> {
        let damaged = self.damaged.take();
        let mut effects = self.put_back(Some(notice), now);
        self.damaged = damaged;
        effects.push(Effect::send(Purpose::Saved, SavedRequest::List));
        effects
    }

    /// An engine died while reading `job`'s repository. If the files it was reading are known, the
    /// next engine either skips the one that stopped it or finds out which of them did.
    pub(super) fn read_on(
        &mut self,
        (job, purpose): (JobId, Purpose),
        now: f64,
    ) -> Option<Vec<Effect>> {
        let Phase::Loading(loading) = &self.phase else {
            return None;
        };
        let reading = loading.reading.clone()?;
        let mut loading = loading.anew(now);
        let mut closely = None;
        match reading.files {
            1 => loading.unread.push(reading.path.clone()),
            _ => closely = Some(reading.clone()),
        }
        if loading.unread.len() > MAX_UNREAD {
            return None;
        }
        let files = loading.unread.clone();
        self.phase = Phase::Loading(loading);
        if closely.is_none() {
            self.post(stopped_by(&reading.path));
        }
        let without = OpenRequest::Without { files, closely };
        Some(vec![
            Effect::send(Purpose::Other, without),
            Effect::OpenAgain(purpose, job),
        ])
    }

    /// The engine has gone silent, or answers again.
    pub fn engine_silent(&mut self, is_silent: bool) {
        match is_silent {
            true => self.post(silent()),
            false => self
                .notices
                .retain(|posted| posted.notice.kind != NoticeKind::Silent),
        }
    }
}

fn stopped_by(path: &str) -> Notice {
    Notice {
        what: format!("Reading {path} stopped the engine, so Footnote restarted it."),
        next: "Footnote is reading all other files and lists this one as skipped.".into(),
        kind: NoticeKind::WorkerDied,
    }
}

fn silent() -> Notice {
    Notice {
        what: "The engine has not responded for several seconds.".into(),
        next: "It may be busy with a long task, or it may have stopped without an error. Restart \
               it if this message stays. Your saved data is intact."
            .into(),
        kind: NoticeKind::Silent,
    }
}
