//! What the page knows: plain data, and plain functions that turn events and intents into new data.
//! Nothing here touches a browser; [`store`] wraps the state in signals and carries out the
//! [`Effect`]s. [`jobs`] keeps track of the requests to the engine; every other module handles the
//! events that answer its own requests.

mod across;
pub mod asking;
mod before;
pub mod changes;
pub mod code;
pub mod comparing;
pub mod connection;
pub mod context;
pub mod conversation;
pub mod conversations;
pub mod editor;
pub mod encoder;
pub mod graph;
mod jobs;
pub mod lab;
pub mod leave;
pub mod lesson;
pub mod loading;
pub mod names;
mod opening;
pub mod peek;
mod purpose;
pub mod reader;
pub mod report;
pub mod scope;
mod shared;
mod source;
pub mod store;
pub mod trace;
pub mod tree;
pub mod writing;

pub use across::Gathering;
use before::Before;
pub use changes::Versions;
pub use code::CodeText;
pub use comparing::Comparing;
pub use connection::{Connection, Stage};
pub use context::Choosing;
pub use conversation::{By, Conversation, Focus, Position, Turn, TurnId, TurnState};
pub use conversations::Conversations;
pub use editor::EditorLinks;
pub use encoder::EncoderChoice;
pub use graph::Graph;
pub use jobs::Jobs;
pub use lab::{Beside, Costed, GoldLines, Judging, Lab, LabStep, Maker, WHICH, Which, Wording};
pub use lesson::Teaching;
pub use loading::{Loading, StageRow, StageState};
pub use names::{Menu, NameAt, Names, Wish};
pub use opening::{Opening, Phase, Summary};
pub use peek::Peek;
pub use purpose::Purpose;
pub use reader::{Mark, Reader, Tab};
pub use report::Report;
pub use scope::Choice;
pub use shared::Shared;
pub use store::Store;
pub use trace::Tracing;
pub use tree::Tree;
pub use writing::{Written, WrittenAnswer};

use crate::worker::protocol::{
    ConnectRequest, Event, ExportView, JobId, KeyView, Notice, OpenRequest, Part, PathsView,
    QueryLeave, Request, SavedRequest, SavedView, SkippedView, SourceRequest, SymbolView, Told,
    UsesView,
};

/// The colour scheme of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// The panel that covers the page; at most one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Commands,
    Repositories,
    Conversations,
    Skipped,
    Settings,
    Seal,
    /// What changed since another version.
    Changes,
    /// What the verdicts mean.
    Verdicts,
    /// The connection to a language model.
    Connect,
    /// An external link, shown in full before it is followed.
    Leave,
    /// How the answers of each model have fared: the report card.
    Report,
    /// The laboratory: question sets made from the repository, and pipelines evaluated on them.
    Lab,
    /// A box to paste unfinished code into.
    Unfinished,
    /// How a question was searched.
    Trace,
    /// One question answered by several pipelines.
    Compare,
    /// A lesson: ways of searching, side by side.
    Lesson,
    /// The context inspector: which lines a model is shown.
    Context,
    /// The outline, on screens too narrow to show it all the time.
    Outline,
}

/// How the footnotes under an answer are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteOrder {
    /// By number.
    #[default]
    Numbers,
    /// The footnotes that support most of the answer first.
    Weight,
}

/// A notice that stays until it is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub id: u32,
    pub notice: Notice,
    /// The purpose of the request that failed, if one was made; when a later request with the same
    /// purpose succeeds, the notice goes.
    purpose: Option<Purpose>,
}

/// What a transition wants done outside the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Send(Purpose, Request),
    /// Sends a request again under the job id that it had before the engine died.
    SendAgain(JobId, Request),
    /// Repeats the request of a job that was to open something, with the files that came with it.
    OpenAgain(Purpose, JobId),
    /// Hands a file to the user.
    Save(ExportView),
    /// Remembers the connection for the next visit.
    Remember,
}

impl Effect {
    pub fn send(purpose: Purpose, request: impl Into<Request>) -> Self {
        Effect::Send(purpose, request.into())
    }

    pub fn cancel(job: JobId) -> Self {
        Effect::Send(Purpose::Other, Request::Cancel { job })
    }
}

/// Everything the page knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub phase: Phase,
    /// The files of the repository being opened, as far as the engine has sent them.
    pub arriving: Tree,
    /// Whether the user wants to choose the folders to read before the next archive is read.
    pub choose_first: bool,
    /// Whether the engine has been asked what was open last time and has not answered yet.
    pub resuming: bool,
    pub conversation: Conversation,
    pub conversations: Conversations,
    pub peek: Peek,
    pub reader: Reader,
    pub graph: Graph,
    /// What uses the open file, and what it uses.
    pub uses: Option<Shared<UsesView>>,
    pub symbols: Option<Shared<Vec<SymbolView>>>,
    /// Paths that match what is typed in the question box.
    pub paths: Option<Shared<PathsView>>,
    pub skipped: Option<Shared<Vec<SkippedView>>>,
    pub saved: Option<Shared<SavedView>>,
    pub notices: Vec<Posted>,
    /// A notice shown beside the question box.
    pub hint: Option<Notice>,
    pub theme: Theme,
    pub note_order: NoteOrder,
    /// Whether keys of one character are switched off, except where what they act on has the focus:
    /// speech input can press them by accident.
    pub without_character_keys: bool,
    /// Whether the transformer is switched off.
    pub without_close_reading: bool,
    /// The question to all repositories of a server that is being answered.
    pub gathering: Option<Gathering>,
    /// The access token that the page's server is shown.
    token: Option<KeyView>,
    /// Whether the page was asked to list what its own site has.
    looks_beside: bool,
    /// Whether the open repository is still being compared with the text of its index file.
    pub unchecked: bool,
    /// The pipeline that answers, if it is not the page's own.
    pub pipeline: Option<String>,
    /// Whether questions may be sent to a model before the search.
    pub query_leave: QueryLeave,
    pub panel: Option<Panel>,
    pub tracing: Tracing,
    pub comparing: Comparing,
    pub teaching: Teaching,
    pub report: Report,
    pub lab: Lab,
    pub choosing: Choosing,
    pub encoder: EncoderChoice,
    /// The editor that footnotes open in.
    pub editor: EditorLinks,
    pub versions: Versions,
    pub connection: Connection,
    /// The external link being shown.
    pub leaving: Option<leave::Elsewhere>,
    /// The key and name of a damaged saved repository that can be rebuilt.
    pub damaged: Option<(String, String)>,
    jobs: Jobs,
    before: Before,
    /// Counts openings, so that a file that is slow to read cannot replace a later choice.
    opening: u32,
    next_notice: u32,
}

impl State {
    /// Registers a request that is about to be sent, and returns its job id.
    pub fn begin(&mut self, purpose: Purpose, request: &Request) -> JobId {
        self.jobs.begin(purpose, request)
    }

    /// Whether an answer of the engine is still due.
    pub fn is_waiting(&self) -> bool {
        self.jobs.waiting()
    }

    pub fn show(&mut self, panel: Panel) -> Vec<Effect> {
        self.panel = Some(panel);
        match panel {
            Panel::Connect => {
                self.connection.trial = connection::Trial::None;
                Vec::new()
            }
            Panel::Seal => vec![Effect::send(Purpose::Egress, ConnectRequest::Egress)],
            Panel::Repositories => vec![Effect::send(Purpose::Saved, SavedRequest::List)],
            Panel::Report => self.show_report(),
            Panel::Lab => self.show_lab(),
            Panel::Conversations if self.summary().is_some() => self.list_conversations(),
            Panel::Skipped if self.summary().is_some() => {
                vec![Effect::send(Purpose::Skipped, SourceRequest::Skipped)]
            }
            _ => Vec::new(),
        }
    }

    /// Closes a panel. A comparison opened from the laboratory leads back to the laboratory.
    pub fn hide(&mut self, panel: Panel) {
        if self.panel == Some(panel) {
            let is_of_lab = panel == Panel::Compare && self.comparing.of_lab.is_some();
            self.panel = is_of_lab.then_some(Panel::Lab);
        }
    }

    pub fn dismiss(&mut self, id: u32) {
        self.notices.retain(|posted| posted.id != id);
    }

    pub fn post(&mut self, notice: Notice) {
        self.post_of(None, notice);
    }

    fn post_of(&mut self, purpose: Option<Purpose>, notice: Notice) {
        if self.notices.iter().any(|posted| posted.notice == notice) {
            return;
        }
        self.next_notice += 1;
        let id = self.next_notice;
        self.notices.push(Posted {
            id,
            notice,
            purpose,
        });
    }

    /// Handles a message of the engine; `now` is in milliseconds. Messages of forgotten jobs change
    /// nothing.
    pub fn receive(&mut self, told: Told, now: f64) -> Vec<Effect> {
        let Told { job, part, event } = told;
        let Some(purpose) = self.jobs.accept(job, part, &event) else {
            return Vec::new();
        };
        if part == Part::Last && !matches!(event, Event::Failed(_) | Event::Cancelled) {
            let is_over = |posted: &Posted| posted.purpose == Some(purpose);
            self.notices.retain(|posted| !is_over(posted));
        }
        match event {
            Event::Ready => {
                let mut effects = self.tell_connection();
                effects.extend(self.tell_close_reading());
                return effects;
            }
            Event::Warning(notice) => self.post(notice),
            Event::Done | Event::Cancelled => return self.ended(purpose, now),
            Event::Failed(notice) => return self.failed(purpose, notice, now),
            Event::Exported(file) if purpose == Purpose::Export => return vec![Effect::Save(file)],
            Event::Exported(_) => {}
            Event::Open(event) => return self.open_event(job, purpose, event, now),
            Event::Saved(saved) => self.saved = Some(Shared::new(saved)),
            Event::Vectors(vectors) => self.vectors_event(purpose, vectors),
            Event::Ask(answer) => return self.answer_event(purpose, part, answer, now),
            Event::Conversation(event) => return self.conversation_event(purpose, event),
            Event::Source(event) => return self.source_event(purpose, event),
            Event::Graph(event) => self.graph_event(purpose, event),
            Event::Changes(event) => self.changes_event(purpose, event),
            Event::Trace(trace) => self.trace_event(purpose, trace),
            Event::Compare(event) => self.compare_event(purpose, part, event),
            Event::Lesson(lesson) => self.lesson_event(purpose, lesson),
            Event::Report(view) => self.report_event(purpose, view),
            Event::Lab(event) => self.lab_event(purpose, event),
            Event::Context(event) => self.context_event(purpose, event),
            Event::CodeModel(view) => return self.code_model_event(purpose, view),
            Event::Connect(event) => return self.connect_event(purpose, event),
            Event::Write(event) => return self.write_event(purpose, part, event),
        }
        Vec::new()
    }

    fn ended(&mut self, purpose: Purpose, now: f64) -> Vec<Effect> {
        match purpose {
            Purpose::Resume => self.resuming = false,
            Purpose::Open => return self.opening_ended(now),
            Purpose::Ask(turn) => {
                self.conversation.settle(turn);
                return self.gather_after(turn);
            }
            Purpose::Gather(turn) => return self.gathered(turn),
            Purpose::Write(turn) => self.writing_ended(turn, None),
            Purpose::Lab => self.lab.stopped(),
            _ => {}
        }
        Vec::new()
    }

    fn failed(&mut self, purpose: Purpose, notice: Notice, now: f64) -> Vec<Effect> {
        match purpose {
            Purpose::Open | Purpose::Resume => return self.opening_failed(notice, now),
            Purpose::Ask(turn) => return self.not_gathered(turn, notice),
            Purpose::Gather(turn) => return self.not_gathered(turn, notice),
            Purpose::Write(turn) => self.writing_ended(turn, Some(notice)),
            Purpose::Models | Purpose::Model => self.trial_failed(notice),
            Purpose::File => self.reader.failed(notice),
            Purpose::Trace => self.tracing.failed(notice),
            Purpose::Compare => self.comparing.failed(notice),
            Purpose::Lesson => self.lesson_failed(notice),
            Purpose::Report => self.report.failed(notice),
            Purpose::Lab => self.lab.failed(notice),
            Purpose::LabOffer => self.lab.trouble = Some(notice),
            Purpose::Review | Purpose::Agreement | Purpose::Rate | Purpose::GoldLines => {
                self.lab.review.failed(notice);
            }
            Purpose::Changes | Purpose::AskChanges | Purpose::ChangedLines => {
                self.changes_failed(notice);
            }
            Purpose::Context | Purpose::Recut(_) | Purpose::CodeModel => {
                self.choosing.failed(notice);
            }
            Purpose::Encoder => self.encoder.failed(notice),
            // The pointer only passed over a footnote: no request of the user failed.
            Purpose::Peek => self.peek.hide(),
            // The question can be asked without suggestions.
            Purpose::Paths => self.paths = None,
            Purpose::Graph => {
                self.graph = Graph::default(); // requested again when it is shown again
                self.post(notice);
            }
            Purpose::Other => {}
            Purpose::Engine => {
                self.resuming = false;
                self.post(notice);
            }
            purpose => self.post_of(Some(purpose), notice),
        }
        Vec::new()
    }

    /// The engine died and is being restarted. Running requests fail. The open repository is opened
    /// again from storage, under the job id that it had. A repository that was being read is read
    /// again, without the file that stopped the engine.
    pub fn engine_died(&mut self, notice: &Notice, now: f64) -> Vec<Effect> {
        self.engine_silent(false);
        self.before_is_lost();
        let opening = self.jobs.opening();
        let mut lost = self.jobs.lost();
        let mut effects = Vec::new();
        if let Some(read_on) = opening.and_then(|opening| self.read_on(opening, now)) {
            lost.failed.retain(|purpose| !purpose.is_opening());
            effects.extend(read_on);
        }
        if self.looks_beside {
            // Before anything is loaded from the site again.
            effects.extend(self.tell_token());
        }
        if let Some((job, repo)) = lost.reopen {
            let request = OpenRequest::Saved { repo }.into();
            effects.push(Effect::SendAgain(job, request));
            self.post(notice.clone());
        }
        for purpose in lost.failed {
            effects.extend(self.failed(purpose, notice.clone(), now));
        }
        effects
    }
}

#[cfg(test)]
mod hosted_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trouble_tests;
