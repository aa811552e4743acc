//! What is put aside while something else is read, and comes back if that fails or is stopped: the
//! open repository, which the engine keeps open meanwhile, or a reading that was in progress.

use super::{
    Choosing, Conversation, Conversations, Effect, Graph, Lab, Loading, Peek, Phase, Purpose,
    Reader, Report, State, Teaching, Tracing, Tree, TurnState, Versions,
};
use crate::worker::protocol::{GraphRequest, JobId, Notice, OpenRequest, SourceRequest};

/// The contents of the page before the user chose something else to read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Before {
    desk: Option<Box<Desk>>,
    /// The interrupted reading: its job, and the name that the user knows it by.
    reading: Option<(JobId, String)>,
}

/// The open repository with the user's work in it.
#[derive(Clone, Debug, PartialEq)]
struct Desk {
    phase: Phase,
    conversation: Conversation,
    reader: Reader,
    /// The job that opened the repository, and the repository's key.
    open: (JobId, String),
    /// Whether the engine that had it open died; the new engine has not opened it yet.
    is_lost: bool,
}

impl State {
    /// Puts aside what is on the page, so that it can come back, and shows the reading of something
    /// else.
    pub(super) fn put_aside(&mut self, name: &str, now: f64) {
        let mut before = std::mem::take(&mut self.before);
        if let Some(desk) = self.take_desk() {
            before.desk = Some(Box::new(desk));
        }
        if let (Phase::Loading(loading), Some((job, _))) = (&self.phase, self.jobs.opening()) {
            before.reading = Some((job, loading.name.clone()));
        }
        self.leave();
        self.before = before;
        self.phase = Phase::Loading(Loading::new(name, now));
    }

    fn take_desk(&mut self) -> Option<Desk> {
        let open = self.jobs.open().cloned()?;
        self.summary()?;
        for (_, purpose) in self.jobs.with(|_| true) {
            if let Purpose::Write(turn) = purpose {
                self.writing_ended(turn, None);
            }
        }
        let mut conversation = self.conversation.clone();
        for turn in &mut conversation.turns {
            // Unanswered questions are asked again later.
            if turn.state == TurnState::Asked {
                turn.state = TurnState::Waiting;
            }
        }
        let answered: Vec<_> = conversation.turns.iter().map(|turn| turn.id).collect();
        answered
            .into_iter()
            .for_each(|turn| conversation.settle(turn));
        let reopening = self.jobs.opening().map(|(job, _)| job);
        Some(Desk {
            is_lost: reopening == Some(open.0),
            phase: self.phase.clone(),
            conversation,
            reader: self.reader.clone(),
            open,
        })
    }

    /// The reading ended without a repository, so what was there before comes back. `notice` says
    /// why, if the user does not know. If there is nothing to bring back, only the notice is shown.
    pub(super) fn put_back(&mut self, notice: Option<Notice>, now: f64) -> Vec<Effect> {
        let Before { desk, reading } = std::mem::take(&mut self.before);
        let asked = std::mem::take(&mut self.conversation.turns);
        if let (Some(notice), Some((job, name))) = (&notice, reading) {
            self.leave();
            self.conversation.turns = asked;
            self.before.desk = desk;
            self.phase = Phase::Loading(Loading::new(&name, now));
            self.post(notice.clone());
            return vec![Effect::OpenAgain(Purpose::Open, job)];
        }
        let Some(desk) = desk else {
            self.conversation.turns = asked;
            self.leave();
            self.phase = notice.map_or(Phase::Empty, Phase::Failed);
            return Vec::new();
        };
        self.leave();
        let Desk {
            phase,
            mut conversation,
            reader,
            open,
            is_lost,
        } = *desk;
        for mut turn in asked {
            // It was asked about a repository that could not be read.
            if let Some(notice) = &notice {
                turn.state = TurnState::Failed(notice.clone());
                conversation.take_over(turn);
            }
        }
        (self.phase, self.conversation, self.reader) = (phase, conversation, reader);
        if let Some(notice) = notice {
            self.post(notice);
        }
        let mut effects = Vec::new();
        let (job, repo) = open.clone();
        self.jobs.put_back(open, is_lost);
        if is_lost {
            let request = OpenRequest::Saved { repo }.into();
            effects.push(Effect::SendAgain(job, request));
        }
        effects.extend(self.look_again());
        if !is_lost {
            for turn in self.conversation.waiting() {
                effects.extend(self.ask_turn(turn));
            }
        }
        effects
    }

    /// Repeats the requests that the source pane waits for.
    fn look_again(&self) -> Vec<Effect> {
        let path = self.reader.path.clone();
        if path.is_empty() {
            return Vec::new();
        }
        let mut effects = Vec::new();
        if self.reader.file.is_none() {
            let path = path.clone();
            effects.push(Effect::send(Purpose::File, SourceRequest::File { path }));
        }
        effects.push(Effect::send(Purpose::Uses, GraphRequest::Uses { path }));
        effects
    }

    /// An engine died: the next one has to open again what comes back.
    pub(super) fn before_is_lost(&mut self) {
        if let Some(desk) = &mut self.before.desk {
            desk.is_lost = true;
        }
    }

    /// Drops everything that belongs to one repository, except questions that are still waiting.
    pub(super) fn leave(&mut self) {
        if self.is_across() {
            // What waits here was asked of all repositories, and not of what opens next.
            self.conversation.turns.clear();
        }
        self.jobs.leave();
        self.opening += 1;
        self.before = Before::default();
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
        self.comparing.forget();
        self.teaching = Teaching::default();
        self.report = Report::default();
        self.lab = Lab::default();
        self.choosing = Choosing::default();
        self.versions = Versions::default();
        self.hint = None;
        self.gathering = None;
        self.panel = None;
        self.damaged = None;
    }
}
