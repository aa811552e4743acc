//! The page's side: starts the engine worker, sends requests, passes events on, and replaces the
//! engine if it dies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::{Interval, Timeout};
use js_sys::Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker};

use super::encoder_protocol::PoolingView;
use super::messages;
use super::protocol::{
    CodeModelRequest, ConversationRequest, Event, JobId, LabDescribeRequest, LabRequest,
    LabReviewRequest, LabTeachRequest, LessonRequest, Notice, NoticeKind, OpenRequest, Part,
    Request, Told, VectorsRequest,
};
use crate::platform::files::{Chosen, LocalFile};
use crate::platform::workers;

/// How often the page checks for the engine's signs of life, in milliseconds. The engine sends one
/// a second, between the steps of its work: a busy engine is not silent.
const LOOK_MS: u32 = 1_000;
/// Checks in a row without any message before the page says so. Checks are counted instead of time:
/// after a computer slept, much time has passed but only one check was missed.
const TOLD_SILENT_LOOKS: u32 = 4;
/// Checks in a row without any message before a silent engine with unanswered requests is given up.
const MAX_SILENT_LOOKS: u32 = 30;
/// Milliseconds between an engine's death and its replacement.
const RESTART_MS: u32 = 300;
/// Engines in a row that may die before one is ready.
const MAX_FAILED_STARTS: u32 = 3;

/// What the client calls on the page. The page keeps track of the jobs: it assigns their ids and
/// knows which ones it is waiting for.
pub trait Page {
    fn receive(&self, told: Told);

    /// Whether an answer is expected, so that a silent engine must be dead.
    fn is_waiting(&self) -> bool;

    /// Called when the engine stops giving signs of life, and when it resumes.
    fn engine_silent(&self, is_silent: bool);

    /// Called when the engine died: all unanswered requests are lost. Another engine is about to
    /// start, and requests can already be sent.
    fn engine_died(&self, notice: &Notice);
}

/// A request with its files. The files are passed on unread, so that they take no memory here.
#[derive(Clone, Debug)]
pub struct Parcel {
    request: Request,
    files: JsValue,
}

impl Parcel {
    /// A request to read an archive or folder.
    pub fn open(chosen: Chosen, choose: bool) -> Self {
        match chosen {
            Chosen::Archive(file) => {
                let file_name = file.path;
                let request = OpenRequest::Archive { file_name, choose };
                Self::new(request, file.file.into())
            }
            Chosen::Folder { name, files } => {
                let body: Array = files.iter().map(|file| &file.file).collect();
                let paths = files.into_iter().map(|file| file.path).collect();
                let request = OpenRequest::Folder {
                    name,
                    paths,
                    choose,
                };
                Self::new(request, body.into())
            }
        }
    }

    /// A request to read an exported conversation.
    pub fn import(file: LocalFile) -> Self {
        Self::new(ConversationRequest::Import, file.file.into())
    }

    /// A request to show a saved lesson.
    pub fn lesson(file: LocalFile) -> Self {
        let file_name = file.path;
        Self::new(LessonRequest::Read { file_name }, file.file.into())
    }

    /// A request to evaluate a question set.
    pub fn questions(file: LocalFile, adds: bool) -> Self {
        let file_name = file.path;
        Self::new(LabRequest::Read { file_name, adds }, file.file.into())
    }

    /// A request to read the reviews of the questions, one file per annotator.
    pub fn reviews(files: Vec<LocalFile>) -> Self {
        let body: Array = files.iter().map(|file| &file.file).collect();
        let file_names = files.into_iter().map(|file| file.path).collect();
        let request = LabReviewRequest::Read { file_names };
        Self::new(LabRequest::Review(request), body.into())
    }

    /// A request to read the key that says which pipeline gave which answer.
    pub fn key(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabReviewRequest::ReadKey { file_name };
        Self::new(LabRequest::Review(request), file.file.into())
    }

    /// A request to read what a repository was taught in another browser.
    pub fn teaching(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabTeachRequest::Read { file_name };
        Self::new(LabRequest::Teach(request), file.file.into())
    }

    /// A request to read descriptions of a repository's chunks.
    pub fn descriptions(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabDescribeRequest::Read { file_name };
        Self::new(LabRequest::Describe(request), file.file.into())
    }

    /// A request to use a code language model: its ONNX file and its tokeniser's file.
    pub fn code_model(onnx: LocalFile, tokenizer: LocalFile, keep: bool) -> Self {
        let name = onnx.path;
        let files = Array::of2(&onnx.file, &tokenizer.file);
        Self::new(CodeModelRequest::Bring { name, keep }, files.into())
    }

    /// A request to use an encoder: its ONNX file and its tokeniser's file.
    pub fn encoder(
        onnx: LocalFile,
        tokenizer: LocalFile,
        pooling: PoolingView,
        keep: bool,
    ) -> Self {
        let files = Array::of2(&onnx.file, &tokenizer.file);
        let request = VectorsRequest::Bring {
            name: onnx.path,
            pooling,
            keep,
        };
        Self::new(request, files.into())
    }

    fn new(request: impl Into<Request>, files: JsValue) -> Self {
        let request = request.into();
        Self { request, files }
    }

    pub fn request(&self) -> &Request {
        &self.request
    }
}

impl From<Request> for Parcel {
    fn from(request: Request) -> Self {
        Self::new(request, JsValue::UNDEFINED)
    }
}

/// Sends requests to the engine. Clones share one engine.
#[derive(Clone)]
pub struct Client {
    inner: Rc<Inner>,
}

struct Inner {
    page: Box<dyn Page>,
    engine: RefCell<Option<Engine>>,
    /// Requests that wait for `Ready`: messages sent before it are lost.
    queue: RefCell<Vec<(JobId, Parcel)>>,
    ready: Cell<bool>,
    failed_starts: Cell<u32>,
    silent_looks: Cell<u32>,
    watch: RefCell<Option<Interval>>,
}

/// One engine worker and its listeners.
struct Engine {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Client {
    /// Starts the engine, and a replacement whenever one dies. If none can be started at all, the
    /// page receives `Failed` for the engine's own job.
    pub fn start(page: impl Page + 'static) -> Client {
        let inner = Rc::new(Inner {
            page: Box::new(page),
            engine: RefCell::default(),
            queue: RefCell::default(),
            ready: Cell::new(false),
            failed_starts: Cell::new(0),
            silent_looks: Cell::new(0),
            watch: RefCell::default(),
        });
        let weak = Rc::downgrade(&inner);
        *inner.watch.borrow_mut() = Some(Interval::new(LOOK_MS, move || {
            if let Some(inner) = weak.upgrade() {
                inner.look();
            }
        }));
        // Starting a worker takes a while; in a task of its own, it does not delay the first view.
        let first = Rc::clone(&inner);
        Timeout::new(0, move || first.spawn()).forget();
        Client { inner }
    }

    /// Sends a request, at once or as soon as the engine listens.
    pub fn send(&self, job: JobId, parcel: Parcel) {
        self.inner.send(job, parcel);
    }

    /// Replaces an engine that does not answer.
    pub fn restart(&self) {
        self.inner.died("it stopped responding");
    }
}

impl Inner {
    fn send(&self, job: JobId, parcel: Parcel) {
        if self.ready.get() {
            self.post(job, &parcel);
        } else {
            self.queue.borrow_mut().push((job, parcel));
        }
    }

    fn post(&self, job: JobId, parcel: &Parcel) {
        if let Err(detail) = self.try_post(job, parcel) {
            self.fail(job, internal(&detail));
        }
    }

    fn try_post(&self, job: JobId, parcel: &Parcel) -> Result<(), String> {
        let (message, transfer) = messages::request_message(job, &parcel.request, &parcel.files)
            .map_err(|error| error.to_string())?;
        match self.engine.borrow().as_ref() {
            Some(engine) => engine
                .worker
                .post_message_with_transfer(&message, &transfer)
                .map_err(|error| workers::describe(&error)),
            None => Err("the engine is not running".to_owned()),
        }
    }

    fn fail(&self, job: JobId, notice: Notice) {
        self.page.receive(Told {
            job,
            part: Part::Last,
            event: Event::Failed(notice),
        });
    }

    fn spawn(self: &Rc<Self>) {
        self.silent_looks.set(0);
        let worker = match workers::spawn(workers::Role::Engine) {
            Ok(worker) => worker,
            Err(error) => return self.give_up(&error.to_string()),
        };
        let weak = Rc::downgrade(self);
        let on_message = Closure::new(move |message: MessageEvent| {
            if let Some(inner) = weak.upgrade() {
                inner.hear(&message.data());
            }
        });
        let weak = Rc::downgrade(self);
        let on_error = Closure::new(move |event: web_sys::Event| {
            if let Some(inner) = weak.upgrade() {
                let detail = workers::describe(&event);
                // The closure that is running belongs to the engine that `died` drops.
                Timeout::new(0, move || inner.died(&detail)).forget();
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        *self.engine.borrow_mut() = Some(Engine {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        });
    }

    fn hear(&self, message: &JsValue) {
        if self.silent_looks.replace(0) >= TOLD_SILENT_LOOKS {
            self.page.engine_silent(false);
        }
        match messages::read_event(message) {
            Ok(None) => {}
            Ok(Some(told)) => {
                if told.event == Event::Ready {
                    self.ready.set(true);
                    self.failed_starts.set(0);
                    for (job, parcel) in self.queue.take() {
                        self.post(job, &parcel);
                    }
                }
                self.page.receive(told);
            }
            Err(error) => self.fail(JobId::ENGINE, internal(&error.to_string())),
        }
    }

    /// Counts checks without a sign of life.
    fn look(self: &Rc<Self>) {
        if self.engine.borrow().is_none() {
            self.silent_looks.set(0);
            return;
        }
        let looks = self.silent_looks.get() + 1;
        self.silent_looks.set(looks);
        // An engine that is starting is silent for as long as the browser compiles it.
        if looks == TOLD_SILENT_LOOKS && self.ready.get() {
            self.page.engine_silent(true);
        }
        let awaited = self.page.is_waiting() || !self.ready.get();
        if awaited && looks > MAX_SILENT_LOOKS {
            self.died("it stopped responding");
        }
    }

    fn died(self: &Rc<Self>, detail: &str) {
        let Some(engine) = self.engine.take() else {
            return;
        };
        engine.worker.terminate();
        drop(engine);
        if !self.ready.get() {
            self.failed_starts.set(self.failed_starts.get() + 1);
        }
        self.ready.set(false);
        // Requests still waiting for `Ready` are lost with the rest.
        self.queue.take();
        if self.failed_starts.get() >= MAX_FAILED_STARTS {
            return self.give_up(detail);
        }
        // Gives the browser a moment to free the dead engine's memory.
        let inner = Rc::clone(self);
        Timeout::new(RESTART_MS, move || inner.spawn()).forget();
        self.page.engine_died(&died_notice(detail));
    }

    fn give_up(&self, detail: &str) {
        let what = format!(
            "The engine could not be started ({}).",
            detail.trim_end_matches('.')
        );
        let next = "Reload the page. If that does not help, use a current browser.".to_owned();
        let kind = NoticeKind::WorkerDied;
        self.fail(JobId::ENGINE, Notice { what, next, kind });
    }
}

fn died_notice(detail: &str) -> Notice {
    Notice {
        what: format!("The engine stopped unexpectedly ({}). It has been restarted.", detail.trim_end_matches('.')),
        next: "Your saved data is intact. Try again; if it stops at the same point, drop a smaller part of the repository.".to_owned(),
        kind: NoticeKind::WorkerDied,
    }
}

fn internal(detail: &str) -> Notice {
    Notice {
        what: format!("Footnote hit an internal error: {detail}."),
        next: "Reload the page. Your saved data is intact.".to_owned(),
        kind: NoticeKind::Internal,
    }
}
