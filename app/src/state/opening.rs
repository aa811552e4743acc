//! What is open or being opened: from the choice of an archive, through its reading, to the open repository and its
//! vectors.

use super::{
    Choice, Choosing, Conversations, Effect, Graph, Loading, Peek, Purpose, Reader, Shared, State,
    Tracing, Tree,
};
use crate::worker::protocol::{
    JobId, Notice, OpenEvent, OpenRequest, RepoView, SavedRequest, VectorsRequest, VectorsView,
};

/// Where the page is.
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
    /// The word in `data-phase`.
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
    /// `None` until the engine first tells.
    pub vectors: Option<VectorsView>,
    /// The stages as they ended, if the repository was read in this visit.
    pub stages: Option<Loading>,
}

/// Names one opening between the user's choice and the sending of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening(u32);

impl State {
    /// What is sent when the page starts.
    pub fn start(&mut self) -> Vec<Effect> {
        self.resuming = true;
        vec![
            Effect::send(Purpose::Resume, OpenRequest::Resume),
            Effect::send(Purpose::Saved, SavedRequest::List),
        ]
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

    /// The user chose something to read; `now` in milliseconds. A reading under way is stopped.
    pub fn begin_open(&mut self, name: &str, now: f64) -> (Opening, Vec<Effect>) {
        let effects = self.cancel_reading();
        self.leave();
        self.phase = Phase::Loading(Loading::new(name, now));
        (Opening(self.opening), effects)
    }

    fn cancel_reading(&self) -> Vec<Effect> {
        let openings = self.jobs.with(Purpose::is_opening).into_iter();
        openings.map(|(job, _)| Effect::cancel(job)).collect()
    }

    /// Whether that choice still stands.
    pub fn is_current(&self, opening: Opening) -> bool {
        self.opening == opening.0
    }

    /// What the user chose cannot even be handed to the engine.
    pub fn cannot_open(&mut self, opening: Opening, notice: Notice) {
        if self.is_current(opening) {
            self.phase = Phase::Failed(notice);
        }
    }

    pub fn open_saved(&mut self, repo: &str, name: &str, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open(name, now);
        let repo = repo.to_owned();
        effects.push(Effect::send(Purpose::Open, OpenRequest::Saved { repo }));
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

    /// Closes the open repository, which stays saved, or stops the reading of one.
    pub fn close(&mut self) -> Vec<Effect> {
        let mut effects = self.cancel_reading();
        if self.summary().is_some() {
            effects.push(Effect::send(Purpose::Other, OpenRequest::Close));
        }
        self.leave();
        effects.push(Effect::send(Purpose::Saved, SavedRequest::List));
        effects
    }

    /// Puts away all that belongs to one repository, except questions that still wait.
    fn leave(&mut self) {
        self.jobs.leave();
        self.opening += 1;
        self.arriving = Tree::default();
        self.resuming = false;
        self.phase = Phase::Empty;
        self.conversation.keep_waiting();
        self.conversations = Conversations::default();
        self.peek = Peek::default();
        self.reader = Reader::default();
        self.graph = Graph::default();
        self.uses = None;
        self.symbols = None;
        self.skipped = None;
        self.tracing = Tracing::default();
        self.choosing = Choosing::default();
        self.hint = None;
        self.panel = None;
    }

    pub fn delete_saved(&mut self, repo: &str) -> Vec<Effect> {
        let is_open = self.summary().is_some_and(|open| open.repo.repo == repo);
        let mut effects = if is_open { self.close() } else { Vec::new() };
        let repo = repo.to_owned();
        effects.push(Effect::send(Purpose::Saved, SavedRequest::Delete { repo }));
        effects
    }

    pub fn pause_vectors(&mut self, paused: bool) -> Vec<Effect> {
        let request = VectorsRequest::Pause { paused };
        vec![Effect::send(Purpose::Vectors, request)]
    }

    /// Takes in what is told of an opening; `now` in milliseconds.
    pub(super) fn open_event(
        &mut self,
        job: JobId,
        purpose: Purpose,
        event: OpenEvent,
        now: f64,
    ) -> Vec<Effect> {
        if !purpose.is_opening() {
            return Vec::new();
        }
        match event {
            OpenEvent::Progress(progress) => {
                if let Some(loading) = self.loading(purpose, now) {
                    loading.advance(&progress, now);
                }
            }
            OpenEvent::Scope(view) => {
                if view.is_waiting {
                    self.read_anew(&view.name, now);
                }
                if let Some(loading) = self.loading(purpose, now) {
                    loading.choice = Some(Choice::new(view));
                }
            }
            OpenEvent::Files(part) => self.arriving.extend(part),
            OpenEvent::Opened(repo) => return self.opened(job, repo),
        }
        Vec::new()
    }

    /// An engine died before it saved what it had opened, and its successor asks again what is to be read.
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

    fn opened(&mut self, job: JobId, repo: RepoView) -> Vec<Effect> {
        self.jobs.opened(job, &repo.repo);
        self.resuming = false;
        // After a crash of the engine the same repository is opened again; its answers are here.
        let again = self
            .summary()
            .is_some_and(|open| open.repo.repo == repo.repo);
        if !again {
            self.conversation.take_in(&repo.conversation);
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
        for turn in self.conversation.waiting() {
            effects.extend(self.ask_turn(turn));
        }
        effects
    }

    pub(super) fn vectors_event(&mut self, purpose: Purpose, vectors: VectorsView) {
        if let Purpose::Open | Purpose::Vectors = purpose
            && let Some(summary) = self.summary_mut()
        {
            summary.vectors = Some(vectors);
        }
    }

    /// The reading ended without a repository: it was stopped.
    pub(super) fn opening_ended(&mut self) -> Vec<Effect> {
        if !matches!(self.phase, Phase::Loading(_)) {
            return Vec::new();
        }
        self.leave();
        vec![Effect::send(Purpose::Saved, SavedRequest::List)]
    }

    pub(super) fn opening_failed(&mut self, notice: Notice) -> Vec<Effect> {
        self.leave();
        self.phase = Phase::Failed(notice);
        vec![Effect::send(Purpose::Saved, SavedRequest::List)]
    }
}
