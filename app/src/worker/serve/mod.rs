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
mod document;
mod export;
pub mod formats;
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
use self::repo::OpenRepo;
use self::signal::Signal;
use self::storage::Storage;
use self::trace::TraceDoc;
use self::write::{Connection, Egress};
use super::pool::{Pool, PoolEvent};
use super::protocol::{Event, JobId, Notice, Part, Request, Told};
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
    engine.tell(JobId::ENGINE, Event::Ready);
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

    /// Tells the page something of a job, of which more may follow.
    fn tell(&self, job: JobId, event: impl Into<Event>) {
        self.post(job, Part::More, event);
    }

    /// Tells the page the last of a job.
    fn end(&self, job: JobId, event: impl Into<Event>) {
        self.post(job, Part::Last, event);
    }

    fn post(&self, job: JobId, part: Part, event: impl Into<Event>) {
        let event = event.into();
        wire::post(&self.scope, &Told { job, part, event });
    }

    fn fail(&self, job: JobId, notice: Notice) {
        self.end(job, Event::Failed(notice));
    }

    fn warn(&self, job: JobId, notice: Notice) {
        self.tell(job, Event::Warning(notice));
    }

    fn hear(self: &Rc<Self>, message: &JsValue) {
        match wire::read_request(message) {
            Ok((job, request, body)) => self.begin(job, request, body),
            Err(error) => self.fail(JobId::ENGINE, notices::internal(&error.to_string())),
        }
    }

    /// Each group of requests has its own handler.
    fn begin(self: &Rc<Self>, job: JobId, request: Request, body: JsValue) {
        match request {
            Request::Open(request) => self.serve_open(job, request, body),
            Request::Saved(request) => self.serve_saved(job, request),
            Request::Vectors(request) => self.serve_vectors(job, request),
            Request::Ask(request) => self.run(job, async move |engine, cancel| {
                engine.ask(job, request, &cancel).await;
            }),
            Request::Conversation(request) => self.run(job, async move |engine, cancel| {
                engine.conversation(job, request, body, &cancel).await;
            }),
            Request::Source(request) => self.serve_source(job, request),
            Request::Graph(request) => self.serve_graph(job, request),
            Request::Trace(request) => self.run(job, async move |engine, cancel| {
                engine.serve_trace(job, request, &cancel).await;
            }),
            Request::Context(request) => self.run(job, async move |engine, cancel| {
                engine.context(job, request, &cancel).await;
            }),
            Request::CodeModel(request) => self.run(job, async move |engine, cancel| {
                engine.choose_code_model(job, request, &body, &cancel).await;
            }),
            Request::Connect(request) => self.run(job, async move |engine, cancel| {
                engine.serve_connect(job, request, &cancel).await;
            }),
            Request::Write(request) => self.run(job, async move |engine, cancel| {
                engine.write(job, request, &cancel).await;
            }),
            Request::Cancel { job } => self.cancel(job),
        }
    }

    /// Runs what a job asks for as a task that can be cancelled.
    fn run<T: AsyncFnOnce(Rc<Self>, Cancel) + 'static>(self: &Rc<Self>, job: JobId, task: T) {
        let engine = Rc::clone(self);
        let cancel = self.stoppable(job);
        spawn_local(async move {
            task(Rc::clone(&engine), cancel).await;
            engine.ended(job);
        });
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
        self.end(job, Event::Cancelled);
        self.changed.notify();
    }

    fn current(&self) -> Option<Rc<OpenRepo>> {
        self.open.borrow().clone()
    }
}
