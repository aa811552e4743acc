//! The page's side: starts the engine worker, sends requests, passes events on, and starts another
//! engine when one dies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::{Interval, Timeout};
use js_sys::Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker};

use super::protocol::{
    CodeModelRequest, ConversationRequest, Event, JobId, LabDescribeRequest, LabRequest,
    LabReviewRequest, LabTeachRequest, LessonRequest, Notice, NoticeKind, OpenRequest, Part,
    PoolingView, Request, Told, VectorsRequest,
};
use super::wire;
use crate::platform::files::{Chosen, LocalFile};
use crate::platform::workers;

/// How often the page looks for the engine's signs of life, in milliseconds. It gives one a second,
/// between the steps of its work: a busy engine is not silent.
const LOOK_MS: u32 = 1_000;
/// Looks in a row without any message before the user is told. Looks are counted, not time: a
/// computer that slept has missed much time but only one look.
const TOLD_SILENT_LOOKS: u32 = 4;
/// Looks in a row without any message before an engine that is waited for is given up.
const MAX_SILENT_LOOKS: u32 = 30;
/// How long after its death an engine is replaced, in milliseconds.
const RESTART_MS: u32 = 300;
/// Engines in a row that may die before they are ready.
const MAX_FAILED_STARTS: u32 = 3;

/// What the client tells the page. The page books the jobs: it gives them their ids and knows what
/// it waits for.
pub trait Page {
    fn receive(&self, told: Told);

    /// Whether an answer is awaited, so that a silent engine must be a dead one.
    fn is_waiting(&self) -> bool;

    /// The engine no longer gives signs of life, or does so again.
    fn engine_silent(&self, is_silent: bool);

    /// All that was sent and not answered is lost; another engine is about to start, and takes
    /// requests already.
    fn engine_died(&self, notice: &Notice);
}

/// A request with the files that travel beside it, which are handed over unread, so that they take
/// no room here.
#[derive(Clone, Debug)]
pub struct Parcel {
    request: Request,
    files: JsValue,
}

impl Parcel {
    /// An archive or folder to be read.
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

    /// An exported conversation to be read.
    pub fn import(file: LocalFile) -> Self {
        Self::new(ConversationRequest::Import, file.file.into())
    }

    /// A saved lesson to be shown.
    pub fn lesson(file: LocalFile) -> Self {
        let file_name = file.path;
        Self::new(LessonRequest::Read { file_name }, file.file.into())
    }

    /// A set of questions to be evaluated.
    pub fn questions(file: LocalFile, adds: bool) -> Self {
        let file_name = file.path;
        Self::new(LabRequest::Read { file_name, adds }, file.file.into())
    }

    /// What annotators said of the questions, one file each.
    pub fn reviews(files: Vec<LocalFile>) -> Self {
        let body: Array = files.iter().map(|file| &file.file).collect();
        let file_names = files.into_iter().map(|file| file.path).collect();
        let request = LabReviewRequest::Read { file_names };
        Self::new(LabRequest::Review(request), body.into())
    }

    /// Which pipeline made which answer.
    pub fn key(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabReviewRequest::ReadKey { file_name };
        Self::new(LabRequest::Review(request), file.file.into())
    }

    /// What a repository was taught in another browser.
    pub fn teaching(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabTeachRequest::Read { file_name };
        Self::new(LabRequest::Teach(request), file.file.into())
    }

    /// Descriptions of a repository's parts.
    pub fn descriptions(file: LocalFile) -> Self {
        let file_name = file.path;
        let request = LabDescribeRequest::Read { file_name };
        Self::new(LabRequest::Describe(request), file.file.into())
    }

    /// A language model for code: its ONNX file and its tokeniser's.
    pub fn code_model(onnx: LocalFile, tokenizer: LocalFile, keep: bool) -> Self {
        let name = onnx.path;
        let files = Array::of2(&onnx.file, &tokenizer.file);
        Self::new(CodeModelRequest::Bring { name, keep }, files.into())
    }

    /// An encoder: its ONNX file and its tokeniser's.
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

/// One engine worker and what listens to it.
struct Engine {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Client {
    /// Starts the engine, and another whenever one dies. If none can be started at all, the page
    /// hears `Failed` of the engine itself.
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
        // Starting a worker takes the page a while; in a task of its own it does not hold up the
        // first view.
        let first = Rc::clone(&inner);
        Timeout::new(0, move || first.spawn()).forget();
        Client { inner }
    }

    /// Sends a request, now or as soon as the engine listens.
    pub fn send(&self, job: JobId, parcel: Parcel) {
        self.inner.send(job, parcel);
    }

    /// Starts another engine in the place of one that does not answer.
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
        let (message, transfer) = wire::request_message(job, &parcel.request, &parcel.files)
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
                // The closure that runs now belongs to the engine that `died` drops.
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
        match wire::read_event(message) {
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

    /// Counts looks without a sign of life.
    fn look(self: &Rc<Self>) {
        if self.engine.borrow().is_none() {
            self.silent_looks.set(0);
            return;
        }
        let looks = self.silent_looks.get() + 1;
        self.silent_looks.set(looks);
        // One that is being started says nothing for as long as the browser compiles it.
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
        // What was still waiting for `Ready` is lost with the rest.
        self.queue.take();
        if self.failed_starts.get() >= MAX_FAILED_STARTS {
            return self.give_up(detail);
        }
        // A moment for the browser to free what the dead engine held.
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
        next: "What was saved is intact. Try again; if it stops at the same point, drop a smaller part of the repository.".to_owned(),
        kind: NoticeKind::WorkerDied,
    }
}

fn internal(detail: &str) -> Notice {
    Notice {
        what: format!("Footnote hit an internal error: {detail}."),
        next: "Reload the page. What was saved is intact.".to_owned(),
        kind: NoticeKind::Internal,
    }
}
