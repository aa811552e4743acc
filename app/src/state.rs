//! What the page knows: plain data and plain functions from events and intents to new data. Nothing
//! here touches a browser; [`store`] wraps it in signals and carries out the [`Effect`]s.

pub mod code;
pub mod connection;
pub mod context;
pub mod conversation;
pub mod conversations;
pub mod graph;
pub mod loading;
pub mod peek;
pub mod reader;
pub mod scope;
pub mod store;
pub mod trace;
pub mod tree;
pub mod writing;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use code::CodeText;
pub use connection::{Connection, Stage};
pub use context::Choosing;
pub use conversation::{By, Conversation, Focus, Turn, TurnId, TurnState};
pub use conversations::Conversations;
pub use graph::Graph;
pub use loading::{Loading, StageRow, StageState};
pub use peek::Peek;
pub use reader::{Mark, Reader, Tab};
pub use scope::Choice;
pub use store::Store;
pub use trace::Tracing;
pub use tree::Tree;
pub use writing::{Written, WrittenAnswer};

use crate::worker::protocol::{
    Event, ExportView, JobId, Notice, NoticeKind, RepoView, Request, SavedView, SkippedView,
    SnippetAt, SymbolView, UsesView, VectorsView,
};

/// Large data that is passed on without copying; two are equal when they are the same object.
#[derive(Debug)]
pub struct Shared<T> {
    id: u64,
    value: Arc<T>,
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self {
            id: LAST.fetch_add(1, Ordering::Relaxed),
            value: Arc::new(value),
        }
    }

    /// Names the object: no other ever has it, as one could have its address.
    pub fn id(&self) -> u64 {
        self.id
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self {
            id: self.id,
            value: Arc::clone(&self.value),
        }
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<T> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

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

/// How the page looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// What lies over the page; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Commands,
    Repositories,
    Conversations,
    Skipped,
    Settings,
    Seal,
    /// The connection to a language model.
    Connect,
    /// How a question was searched.
    Trace,
    /// Which lines a model is shown.
    Context,
    /// The outline, where the screen is too narrow to show it always.
    Outline,
}

/// A notice that stays until it is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub id: u32,
    pub notice: Notice,
}

/// What a request was for; decides what its events change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The question whether something was open before.
    Resume,
    Open,
    Ask(TurnId),
    /// The connected model's part of a turn.
    Write(TurnId),
    /// Which models a service offers.
    Models,
    /// Whether a model answers.
    Model,
    Egress,
    /// A conversation that is opened or imported.
    Conversation,
    Import,
    /// The list of conversations.
    Conversations,
    /// A search over all conversations.
    Search,
    /// Lines that are looked at in passing.
    Peek,
    File,
    Skipped,
    Symbols,
    Graph,
    Uses,
    Saved,
    Vectors,
    Trace,
    /// Which lines a model is shown.
    Context,
    /// A snippet of them that is chosen anew.
    Recut(SnippetAt),
    /// Which language model reads code.
    CodeModel,
    Export,
    Other,
}

impl Purpose {
    /// Whether it is to open a repository.
    fn is_opening(self) -> bool {
        matches!(self, Purpose::Open | Purpose::Resume)
    }
}

/// What a transition wants done outside of the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(Purpose, Request),
    /// Hand a file to the user.
    Save(ExportView),
    /// Remember the connection for the next visit.
    Remember,
}

/// Everything that the page knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub phase: Phase,
    /// Files of the repository that is being opened, as far as the engine has told them.
    pub arriving: Tree,
    /// The user wants to choose what is read of what is dropped next.
    pub choose_first: bool,
    /// The engine was asked whether something was open before and has not answered.
    pub resuming: bool,
    pub conversation: Conversation,
    pub conversations: Conversations,
    pub peek: Peek,
    pub reader: Reader,
    pub graph: Graph,
    /// Who uses the open file, and what it uses.
    pub uses: Option<Shared<UsesView>>,
    pub symbols: Option<Shared<Vec<SymbolView>>>,
    pub skipped: Option<Shared<Vec<SkippedView>>>,
    pub saved: Option<Shared<SavedView>>,
    pub notices: Vec<Posted>,
    /// Said beside the question box.
    pub hint: Option<Notice>,
    pub theme: Theme,
    pub panel: Option<Panel>,
    pub tracing: Tracing,
    pub choosing: Choosing,
    pub connection: Connection,
    jobs: Vec<(JobId, Purpose)>,
    /// Counts openings, so that a file that is read slowly cannot replace a later choice.
    opening: u32,
    next_notice: u32,
}

/// Names one opening between the user's choice and the sending of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening(u32);

impl State {
    /// What is sent when the page starts.
    pub fn start(&mut self) -> Vec<Effect> {
        self.resuming = true;
        vec![
            Effect::Send(Purpose::Resume, Request::Resume),
            Effect::Send(Purpose::Saved, Request::ListSaved),
        ]
    }

    /// Notes the job that a request became.
    pub fn sent(&mut self, purpose: Purpose, job: JobId) {
        let replaces = !matches!(purpose, Purpose::Ask(_) | Purpose::Other);
        if replaces {
            self.forget(purpose);
        }
        if purpose != Purpose::Other {
            self.jobs.push((job, purpose));
        }
    }

    fn forget(&mut self, purpose: Purpose) {
        self.jobs.retain(|(_, known)| *known != purpose);
    }

    fn purpose(&self, job: JobId) -> Option<Purpose> {
        let (_, purpose) = self.jobs.iter().find(|(known, _)| *known == job)?;
        Some(*purpose)
    }

    fn end(&mut self, job: JobId) {
        self.jobs.retain(|(known, _)| *known != job);
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

    // --- intents -------------------------------------------------------------------------------

    /// The user chose something to read; `now` in milliseconds. A reading under way is stopped.
    pub fn begin_open(&mut self, name: &str, now: f64) -> (Opening, Vec<Effect>) {
        let effects = self.cancel_reading();
        self.leave();
        self.phase = Phase::Loading(Loading::new(name, now));
        (Opening(self.opening), effects)
    }

    fn cancel_reading(&self) -> Vec<Effect> {
        self.jobs
            .iter()
            .filter(|(_, purpose)| purpose.is_opening())
            .map(|(job, _)| Effect::Send(Purpose::Other, Request::Cancel { job: *job }))
            .collect()
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
        effects.push(Effect::Send(Purpose::Open, Request::OpenSaved { repo }));
        effects
    }

    pub fn open_sample(&mut self, file_name: &str, now: f64) -> Vec<Effect> {
        let (_, mut effects) = self.begin_open("the sample repository", now);
        let request = Request::OpenSample {
            file_name: file_name.to_owned(),
        };
        effects.push(Effect::Send(Purpose::Open, request));
        effects
    }

    /// Closes the open repository, which stays saved, or stops the reading of one.
    pub fn close(&mut self) -> Vec<Effect> {
        let mut effects = self.cancel_reading();
        if self.summary().is_some() {
            effects.push(Effect::Send(Purpose::Other, Request::Close));
        }
        self.leave();
        effects.push(Effect::Send(Purpose::Saved, Request::ListSaved));
        effects
    }

    /// Puts away all that belongs to one repository, except questions that still wait.
    fn leave(&mut self) {
        for purpose in [
            Purpose::Open,
            Purpose::Resume,
            Purpose::Conversation,
            Purpose::Conversations,
            Purpose::Import,
            Purpose::Search,
            Purpose::Peek,
            Purpose::File,
            Purpose::Skipped,
            Purpose::Symbols,
            Purpose::Graph,
            Purpose::Uses,
            Purpose::Vectors,
            Purpose::Trace,
            Purpose::Context,
            Purpose::CodeModel,
            Purpose::Export,
        ] {
            self.forget(purpose);
        }
        self.jobs.retain(|(_, purpose)| {
            !matches!(
                purpose,
                Purpose::Ask(_) | Purpose::Write(_) | Purpose::Recut(_)
            )
        });
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
        effects.push(Effect::Send(Purpose::Saved, Request::DeleteSaved { repo }));
        effects
    }

    /// Asks now, or as soon as a repository can answer. False effects nothing: an empty question is
    /// answered by a hint.
    pub fn ask(&mut self, question: &str) -> Vec<Effect> {
        let question = question.trim();
        if question.is_empty() {
            self.hint = Some(Notice {
                what: "The question is empty.".into(),
                next: "Write what you want to know, such as “where are redirects followed”.".into(),
                kind: NoticeKind::BadQuestion,
            });
            return Vec::new();
        }
        self.hint = None;
        let turn = self.conversation.push(question);
        if self.summary().is_none() {
            return Vec::new();
        }
        self.ask_turn(turn)
    }

    fn ask_turn(&mut self, id: TurnId) -> Vec<Effect> {
        let Some(turn) = self.conversation.get_mut(id) else {
            return Vec::new();
        };
        turn.state = TurnState::Asked;
        let question = turn.question.clone();
        let conversation = self.conversation.id;
        let request = Request::Ask {
            question,
            conversation,
        };
        vec![Effect::Send(Purpose::Ask(id), request)]
    }

    /// Takes a waiting question back.
    pub fn withdraw(&mut self, id: TurnId) {
        self.conversation.remove(id);
    }

    pub fn pause_vectors(&mut self, paused: bool) -> Vec<Effect> {
        vec![Effect::Send(
            Purpose::Vectors,
            Request::PauseVectors { paused },
        )]
    }

    pub fn find_symbols(&mut self, query: &str, limit: u32) -> Vec<Effect> {
        let query = query.trim();
        if query.is_empty() || self.summary().is_none() {
            self.forget(Purpose::Symbols);
            self.symbols = None;
            return Vec::new();
        }
        let query = query.to_owned();
        vec![Effect::Send(
            Purpose::Symbols,
            Request::FindSymbols { query, limit },
        )]
    }

    pub fn show(&mut self, panel: Panel) -> Vec<Effect> {
        self.panel = Some(panel);
        match panel {
            Panel::Connect => {
                self.connection.trial = connection::Trial::None;
                Vec::new()
            }
            Panel::Seal => vec![Effect::Send(Purpose::Egress, Request::Egress)],
            Panel::Repositories => vec![Effect::Send(Purpose::Saved, Request::ListSaved)],
            Panel::Conversations if self.summary().is_some() => self.list_conversations(),
            Panel::Skipped if self.summary().is_some() => {
                vec![Effect::Send(Purpose::Skipped, Request::Skipped)]
            }
            _ => Vec::new(),
        }
    }

    pub fn hide(&mut self, panel: Panel) {
        if self.panel == Some(panel) {
            self.panel = None;
        }
    }

    pub fn dismiss(&mut self, id: u32) {
        self.notices.retain(|posted| posted.id != id);
    }

    pub fn post(&mut self, notice: Notice) {
        if self.notices.iter().any(|posted| posted.notice == notice) {
            return;
        }
        self.next_notice += 1;
        let id = self.next_notice;
        self.notices.push(Posted { id, notice });
    }

    // --- events --------------------------------------------------------------------------------

    /// Takes in what the engine says; `now` in milliseconds. Events of forgotten jobs change nothing.
    pub fn receive(&mut self, job: JobId, event: Event, now: f64) -> Vec<Effect> {
        let purpose = self.purpose(job);
        match event {
            Event::Ready => return self.tell_connection(),
            Event::Warning(notice) => self.post(notice),
            Event::Failed(notice) => return self.failed(job, purpose, notice),
            Event::Saved(saved) => self.saved = Some(Shared::new(saved)),
            Event::Progress(progress) => {
                if let Some(loading) = self.loading(purpose, now) {
                    loading.advance(&progress, now);
                }
            }
            Event::Scope(view) => {
                if view.is_waiting && purpose.is_some_and(Purpose::is_opening) {
                    self.read_anew(&view.name, now);
                }
                if let Some(loading) = self.loading(purpose, now) {
                    loading.choice = Some(Choice::new(view));
                }
            }
            Event::Files(part) => {
                if purpose.is_some_and(Purpose::is_opening) {
                    self.arriving.extend(part);
                }
            }
            Event::Opened(repo) => return self.opened(job, purpose, repo),
            Event::Vectors(vectors) => self.vectors(purpose, vectors),
            Event::Peek(view) => {
                if purpose == Some(Purpose::Peek) {
                    self.end(job);
                    self.peek.arrived(view);
                }
            }
            Event::Conversation(event) => return self.conversation_event(job, purpose, event),
            Event::Answer(answer) => {
                if let Some(Purpose::Ask(turn)) = purpose {
                    let is_final = answer.refined;
                    if is_final {
                        self.end(job);
                    }
                    self.conversation.answered(turn, Shared::new(answer));
                    let mut effects = self.show_first_footnote(turn);
                    if is_final {
                        effects.extend(self.answered_elsewhere(turn));
                    }
                    effects.extend(self.refresh_graph());
                    if is_final {
                        effects.extend(self.write_next(turn));
                    }
                    return effects;
                }
            }
            Event::Models(models) => {
                if purpose == Some(Purpose::Models) {
                    self.end(job);
                    self.listed(models);
                }
            }
            Event::Tried(model) => {
                if purpose == Some(Purpose::Model) {
                    self.end(job);
                    return self.tried(&model);
                }
            }
            Event::Outgoing(view) => {
                if let Some(Purpose::Write(turn)) = purpose {
                    self.end(job);
                    self.outgoing(turn, view);
                }
            }
            Event::Written(patch) => {
                if let Some(Purpose::Write(turn)) = purpose {
                    let is_over = patch.view.state.is_over();
                    if is_over {
                        self.end(job);
                    }
                    let mut effects = self.written_on(turn, patch);
                    if is_over {
                        effects.extend(self.answered_elsewhere(turn));
                    }
                    return effects;
                }
            }
            Event::Egress(requests) => self.connection.egress = requests,
            Event::File(file) => {
                if purpose == Some(Purpose::File) {
                    self.end(job);
                    self.reader.loaded(Shared::new(CodeText::new(file)));
                }
            }
            Event::Trace(trace) => {
                if purpose == Some(Purpose::Trace) {
                    self.end(job);
                    self.tracing.arrived(trace);
                }
            }
            Event::Context(view) => {
                if purpose == Some(Purpose::Context) {
                    self.end(job);
                    self.choosing.arrived(view);
                }
            }
            Event::CodeModel(view) => {
                if purpose == Some(Purpose::CodeModel) {
                    self.end(job);
                    return self.choosing.reads_with(view);
                }
            }
            Event::Recut(at, snippet) => {
                if purpose == Some(Purpose::Recut(at)) {
                    self.end(job);
                    self.choosing.recut(at, snippet);
                }
            }
            Event::Exported(file) => {
                if purpose == Some(Purpose::Export) {
                    self.end(job);
                    return vec![Effect::Save(file)];
                }
            }
            Event::Skipped(skipped) => {
                if purpose == Some(Purpose::Skipped) {
                    self.skipped = Some(Shared::new(skipped));
                }
            }
            Event::Symbols(symbols) => {
                if purpose == Some(Purpose::Symbols) {
                    self.symbols = Some(Shared::new(symbols));
                }
            }
            Event::Graph(view) => {
                if purpose == Some(Purpose::Graph) {
                    self.end(job);
                    self.graph.loaded(view);
                }
            }
            Event::Uses(uses) => {
                if purpose == Some(Purpose::Uses) {
                    self.end(job);
                    self.uses = Some(Shared::new(uses));
                }
            }
            Event::Done | Event::Cancelled => return self.ended(job, purpose),
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
    fn loading(&mut self, purpose: Option<Purpose>, now: f64) -> Option<&mut Loading> {
        if purpose == Some(Purpose::Resume) && matches!(self.phase, Phase::Empty) {
            self.resuming = false;
            self.phase = Phase::Loading(Loading::new("where you left off", now));
        }
        match &mut self.phase {
            Phase::Loading(loading) if purpose.is_some_and(Purpose::is_opening) => Some(loading),
            _ => None,
        }
    }

    fn opened(&mut self, job: JobId, purpose: Option<Purpose>, repo: RepoView) -> Vec<Effect> {
        if !purpose.is_some_and(Purpose::is_opening) {
            return Vec::new();
        }
        // From here on the job brings vectors, whatever it was at first.
        self.end(job);
        self.sent(Purpose::Open, job);
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
        let mut effects = vec![Effect::Send(Purpose::Saved, Request::ListSaved)];
        for turn in self.conversation.waiting() {
            effects.extend(self.ask_turn(turn));
        }
        effects
    }

    fn vectors(&mut self, purpose: Option<Purpose>, vectors: VectorsView) {
        if let Some(Purpose::Open | Purpose::Vectors) = purpose
            && let Some(summary) = self.summary_mut()
        {
            summary.vectors = Some(vectors);
        }
    }

    fn ended(&mut self, job: JobId, purpose: Option<Purpose>) -> Vec<Effect> {
        match purpose {
            Some(Purpose::Resume) => self.resuming = false,
            Some(Purpose::Open) if matches!(self.phase, Phase::Loading(_)) => {
                self.leave();
                return vec![Effect::Send(Purpose::Saved, Request::ListSaved)];
            }
            Some(Purpose::Ask(turn)) => self.conversation.settle(turn),
            Some(Purpose::Write(turn)) => self.writing_ended(turn, None),
            _ => {}
        }
        if purpose != Some(Purpose::Open) {
            self.end(job);
        }
        Vec::new()
    }

    fn failed(&mut self, job: JobId, purpose: Option<Purpose>, notice: Notice) -> Vec<Effect> {
        self.end(job);
        match purpose {
            Some(Purpose::Open | Purpose::Resume) => {
                self.leave();
                self.phase = Phase::Failed(notice);
                return vec![Effect::Send(Purpose::Saved, Request::ListSaved)];
            }
            Some(Purpose::Ask(turn)) => self.conversation.failed(turn, notice),
            Some(Purpose::Write(turn)) => self.writing_ended(turn, Some(notice)),
            Some(Purpose::Models | Purpose::Model) => self.trial_failed(notice),
            Some(Purpose::File) => self.reader.failed(notice),
            Some(Purpose::Trace) => self.tracing.failed(notice),
            Some(Purpose::Context | Purpose::Recut(_) | Purpose::CodeModel) => {
                self.choosing.failed(notice);
            }
            // Who only passes over a footnote asked for nothing.
            Some(Purpose::Peek) => self.peek.hide(),
            Some(Purpose::Graph) => {
                self.graph = Graph::default(); // shown again, it is asked for again
                self.post(notice);
            }
            Some(_) => self.post(notice),
            // Job 0 is the engine itself; of jobs that were put away nothing is told.
            None if job == JobId(0) => {
                self.resuming = false;
                self.post(notice);
            }
            None => {}
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
