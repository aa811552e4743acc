//! The engine's side. One [`Engine`] owns the open repository; each request runs as a task of its
//! own, and long work lets others run every few milliseconds, so that a question, a file or a
//! cancel is heard while an archive is read.
//!
//! [`open`] reads archives and opens what is saved, [`vectors`] computes what is missing in the
//! background, [`ask`] answers, [`mod@trace`] tells how a question was searched, [`conversations`] are
//! what was asked before, [`storage`] keeps.

mod ask;
mod batch;
mod cancel;
mod code_model;
mod context;
mod conversations;
mod graph;
mod look;
mod notices;
mod open;
mod readings;
mod records;
mod repo;
mod saved;
mod scope;
mod signal;
mod slices;
mod source;
mod storage;
mod trace;
mod uses;
mod vectors;
mod views;
mod write;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use gloo::timers::callback::Interval;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use self::cancel::Cancel;
use self::code_model::CodeModels;
use self::open::What;
use self::repo::OpenRepo;
use self::signal::Signal;
use self::storage::Storage;
use self::trace::TraceDoc;
use self::write::{Connection, Egress};
use super::pool::{Pool, PoolEvent};
use super::protocol::{Event, JobId, Notice, Request};
use super::wire;

/// How often the engine gives a sign of life, in milliseconds.
const BEAT_MS: u32 = 1_000;

/// Starts the engine in this worker: it listens, says that it is ready, and gives signs of life.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let engine = Engine::new(scope.clone());
    let beat = scope.clone();
    Interval::new(BEAT_MS, move || {
        // A message that cannot be sent has no receiver.
        let _ = beat.post_message(&Uint8Array::new_with_length(0));
    })
    .forget();
    let listener = Rc::clone(&engine);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        listener.hear(&message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    engine.post(JobId(0), &Event::Ready);
}

/// The state of the engine worker.
pub(crate) struct Engine {
    scope: DedicatedWorkerGlobalScope,
    storage: Storage,
    open: RefCell<Option<Rc<OpenRepo>>>,
    /// The job that is opening a repository.
    opening: Cell<Option<JobId>>,
    /// The job whose user chose what is read, and the folders left out.
    chosen: Cell<Option<(JobId, Vec<usize>)>>,
    cancels: RefCell<BTreeMap<JobId, Cancel>>,
    pool: Pool,
    /// How many hold background vectors back.
    holds: Cell<u32>,
    /// The language model that the user connected.
    connection: RefCell<Option<Rc<Connection>>>,
    /// What left the page.
    egress: Egress,
    /// The trace made last, for its export.
    last_trace: RefCell<Option<TraceDoc>>,
    /// The language model that reads code.
    code_models: CodeModels,
    /// The context that is looked at.
    inspected: RefCell<Option<context::Inspected>>,
    /// The job that makes or changes it.
    inspecting: RefCell<Option<(JobId, Cancel)>>,
    /// Ends what the encoders read ahead for the inspector.
    reading_ahead: RefCell<Cancel>,
    /// Counts opened repositories, so that late vectors of an earlier one are recognised.
    generation: Cell<u32>,
    /// Something changed: a repository was opened, vectors or a question's embedding came.
    changed: Signal,
}

impl Engine {
    fn new(scope: DedicatedWorkerGlobalScope) -> Rc<Self> {
        Rc::new_cyclic(|weak: &std::rc::Weak<Self>| {
            let weak = weak.clone();
            let pool = Pool::new(move |event: PoolEvent| {
                if let Some(engine) = weak.upgrade() {
                    engine.pool_event(event);
                }
            });
            Self {
                scope,
                storage: Storage::default(),
                open: RefCell::default(),
                opening: Cell::default(),
                chosen: Cell::default(),
                cancels: RefCell::default(),
                pool,
                holds: Cell::default(),
                connection: RefCell::default(),
                egress: Egress::default(),
                last_trace: RefCell::default(),
                code_models: CodeModels::default(),
                inspected: RefCell::default(),
                inspecting: RefCell::default(),
                reading_ahead: RefCell::default(),
                generation: Cell::default(),
                changed: Signal::default(),
            }
        })
    }

    /// Sends an event to the page; its bytes are handed over.
    fn post(&self, job: JobId, event: &Event) {
        wire::post(&self.scope, &(job, event));
    }

    fn fail(&self, job: JobId, notice: Notice) {
        self.post(job, &Event::Failed(notice));
    }

    fn warn(&self, job: JobId, notice: Notice) {
        self.post(job, &Event::Warning(notice));
    }

    fn hear(self: &Rc<Self>, message: &JsValue) {
        match wire::read_request(message) {
            Ok((job, request, body)) => self.begin(job, request, body),
            Err(error) => self.fail(JobId(0), notices::internal(&error.to_string())),
        }
    }

    fn begin(self: &Rc<Self>, job: JobId, request: Request, body: JsValue) {
        let engine = Rc::clone(self);
        match request {
            Request::Resume => engine.start_opening(job, What::Resume),
            Request::OpenArchive { file_name, choose } => {
                let what = What::Archive {
                    file_name,
                    body,
                    choose,
                };
                engine.start_opening(job, what);
            }
            Request::OpenFolder {
                name,
                paths,
                choose,
            } => {
                let what = What::Folder {
                    name,
                    paths,
                    body,
                    choose,
                };
                engine.start_opening(job, what);
            }
            Request::Read { of, left_out } => engine.choose_scope(of, &left_out),
            Request::OpenSample { file_name } => {
                engine.start_opening(job, What::Sample { file_name });
            }
            Request::OpenSaved { repo } => engine.start_opening(job, What::Saved { repo }),
            Request::Close => spawn_local(async move { engine.close(job).await }),
            Request::ListSaved => spawn_local(async move { engine.list_saved(job).await }),
            Request::DeleteSaved { repo } => {
                spawn_local(async move { engine.delete_saved(job, &repo).await });
            }
            Request::Ask {
                question,
                conversation,
            } => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.ask(job, &question, conversation, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::ClearAnswers => spawn_local(async move { engine.clear_answers(job).await }),
            Request::Conversation(request) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.conversation(job, request, body, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::Peek(place) => engine.send_peek(job, place),
            Request::File { path } => engine.send_file(job, &path),
            Request::Skipped => engine.send_skipped(job),
            Request::FindSymbols { query, limit } => engine.send_symbols(job, &query, limit),
            Request::Trace {
                question,
                strategies,
            } => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.trace(job, &question, &strategies, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::Context(request) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.context(job, request, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::CodeModel(request) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.choose_code_model(job, request, &body, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::ExportTrace { format } => engine.export_trace(job, format),
            Request::Graph {
                seeds,
                expanded,
                placed,
            } => engine.send_graph(job, &seeds, &expanded, &placed),
            Request::Uses { path } => engine.send_uses(job, &path),
            Request::Connect(view) => engine.connect(job, view),
            Request::ListModels(view) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.list_models(job, &view, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::TryModel(view) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.try_model(job, &view, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::Write(write) => {
                let cancel = engine.stoppable(job);
                spawn_local(async move {
                    engine.write(job, write, &cancel).await;
                    engine.ended(job);
                });
            }
            Request::Egress => engine.send_egress(job),
            Request::ExportEgress => engine.export_egress(job),
            Request::PauseVectors { paused } => engine.pause_vectors(job, paused),
            Request::Cancel { job } => engine.cancel(job),
        }
    }

    /// A job that can be stopped from now on, until [`Engine::ended`].
    fn stoppable(&self, job: JobId) -> Cancel {
        self.stop_reading_ahead();
        let cancel = Cancel::default();
        self.cancels.borrow_mut().insert(job, cancel.clone());
        cancel
    }

    fn ended(&self, job: JobId) {
        self.cancels.borrow_mut().remove(&job);
    }

    /// Stops a job. It says no more; the page is told at once.
    fn cancel(self: &Rc<Self>, job: JobId) {
        let cancel = self.cancels.borrow_mut().remove(&job);
        match cancel {
            Some(cancel) => {
                // It is not begun anew either.
                self.take_chosen(job);
                cancel.ask();
            }
            None => self.pause_if_opened_by(job),
        }
        self.post(job, &Event::Cancelled);
        self.changed.notify();
    }

    fn current(&self) -> Option<Rc<OpenRepo>> {
        self.open.borrow().clone()
    }
}
