//! The page's side: starts the engine worker, sends requests, passes events on, and starts another
//! engine when one dies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::{Interval, Timeout};
use js_sys::Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker};

use super::jobs::Jobs;
use super::protocol::{
    CodeModelRequest, ConversationRequest, Event, JobId, Notice, NoticeKind, Request,
};
use super::wire;
use crate::platform::files::{Chosen, LocalFile};
use crate::platform::workers;

/// How often the page looks for the engine's signs of life, in milliseconds.
const LOOK_MS: u32 = 5_000;
/// Looks in a row without any message before the engine is given up. Looks are counted, not time:
/// a computer that slept has missed much time but only one look.
const MAX_SILENT_LOOKS: u32 = 6;
/// How long after its death an engine is replaced, in milliseconds.
const RESTART_MS: u32 = 300;
/// Engines in a row that may die before they are ready.
const MAX_FAILED_STARTS: u32 = 3;

/// Sends requests to the engine. Clones share one engine.
#[derive(Clone)]
pub struct Client {
    inner: Rc<Inner>,
}

struct Inner {
    on_event: Box<dyn Fn(JobId, Event)>,
    jobs: RefCell<Jobs>,
    engine: RefCell<Option<Engine>>,
    /// Requests that wait for `Ready`: messages sent before it are lost.
    queue: RefCell<Vec<(JobId, Request, JsValue)>>,
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
    /// Starts the engine. `on_event` gets each event of a job that is still wanted; `Ready` comes under
    /// job 0, and so does `Failed` if no engine can be started at all.
    ///
    /// When the engine dies, running jobs get `Failed` of kind `WorkerDied`, and the repository that
    /// was open is opened again from storage: `Opened` then comes once more under its job.
    pub fn start(on_event: impl Fn(JobId, Event) + 'static) -> Client {
        let inner = Rc::new(Inner {
            on_event: Box::new(on_event),
            jobs: RefCell::default(),
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
        // Starting a worker takes the page a while; in a task of its own it does not hold up the first view.
        let first = Rc::clone(&inner);
        Timeout::new(0, move || first.spawn()).forget();
        Client { inner }
    }

    /// Sends a request, now or as soon as the engine listens. Requests that need files go through
    /// [`Client::open`].
    pub fn send(&self, request: Request) -> JobId {
        self.inner.send(request, JsValue::UNDEFINED)
    }

    /// Has an archive or folder read. The files are handed over unread, so they take no room here.
    pub fn open(&self, chosen: Chosen, choose: bool) -> JobId {
        match chosen {
            Chosen::Archive(file) => {
                let file_name = file.path;
                let request = Request::OpenArchive { file_name, choose };
                self.inner.send(request, file.file.into())
            }
            Chosen::Folder { name, files } => {
                let body: Array = files.iter().map(|file| &file.file).collect();
                let paths = files.into_iter().map(|file| file.path).collect();
                let request = Request::OpenFolder {
                    name,
                    paths,
                    choose,
                };
                self.inner.send(request, body.into())
            }
        }
    }

    /// Has an exported conversation read. The file is handed over unread.
    pub fn import(&self, file: LocalFile) -> JobId {
        let request = Request::Conversation(ConversationRequest::Import);
        self.inner.send(request, file.file.into())
    }

    /// Has a language model for code read: its ONNX file and its tokeniser's, handed over unread.
    pub fn bring_model(&self, onnx: LocalFile, tokenizer: LocalFile, keep: bool) -> JobId {
        let request = Request::CodeModel(CodeModelRequest::Bring {
            name: onnx.path,
            keep,
        });
        let body = Array::of2(&onnx.file, &tokenizer.file);
        self.inner.send(request, body.into())
    }

    /// Stops a job; `Cancelled` follows, and nothing else of it.
    pub fn cancel(&self, job: JobId) {
        self.send(Request::Cancel { job });
    }
}

impl Inner {
    fn send(&self, request: Request, body: JsValue) -> JobId {
        let job = self.jobs.borrow_mut().begin(&request);
        if self.ready.get() {
            self.post(job, &request, &body);
        } else {
            self.queue.borrow_mut().push((job, request, body));
        }
        job
    }

    fn post(&self, job: JobId, request: &Request, body: &JsValue) {
        if let Err(detail) = self.try_post(job, request, body) {
            self.emit(job, Event::Failed(internal(&detail)));
        }
    }

    fn try_post(&self, job: JobId, request: &Request, body: &JsValue) -> Result<(), String> {
        let (message, transfer) =
            wire::request_message(job, request, body).map_err(|error| error.to_string())?;
        match self.engine.borrow().as_ref() {
            Some(engine) => engine
                .worker
                .post_message_with_transfer(&message, &transfer)
                .map_err(|error| workers::describe(&error)),
            None => Err("the engine is not running".to_owned()),
        }
    }

    /// Passes an event on if its job is still wanted.
    fn emit(&self, job: JobId, event: Event) {
        let wanted = self.jobs.borrow_mut().accept(job, &event);
        if wanted {
            (self.on_event)(job, event);
        }
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
        self.silent_looks.set(0);
        match wire::read_event(message) {
            Ok(None) => {}
            Ok(Some((job, event))) => {
                if event == Event::Ready {
                    self.ready.set(true);
                    self.failed_starts.set(0);
                    for (job, request, body) in self.queue.take() {
                        self.post(job, &request, &body);
                    }
                }
                self.emit(job, event);
            }
            Err(error) => self.emit(JobId(0), Event::Failed(internal(&error.to_string()))),
        }
    }

    /// Counts looks without a sign of life while something is awaited.
    fn look(self: &Rc<Self>) {
        let awaited = self.jobs.borrow().waiting() || !self.ready.get();
        if !awaited || self.engine.borrow().is_none() {
            self.silent_looks.set(0);
            return;
        }
        self.silent_looks.set(self.silent_looks.get() + 1);
        if self.silent_looks.get() > MAX_SILENT_LOOKS {
            self.died("it no longer answers");
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
        let lost = self.jobs.borrow_mut().lost();
        // What was still waiting for `Ready` is lost with the rest: it is among `lost.failed`.
        self.queue.take();
        if self.failed_starts.get() >= MAX_FAILED_STARTS {
            return self.give_up(detail);
        }
        if let Some((job, repo)) = lost.reopen {
            let request = Request::OpenSaved { repo };
            self.queue
                .borrow_mut()
                .push((job, request, JsValue::UNDEFINED));
            (self.on_event)(job, Event::Warning(died_notice(detail)));
        }
        // A moment for the browser to free what the dead engine held.
        let inner = Rc::clone(self);
        Timeout::new(RESTART_MS, move || inner.spawn()).forget();
        for job in lost.failed {
            (self.on_event)(job, Event::Failed(died_notice(detail)));
        }
    }

    fn give_up(&self, detail: &str) {
        let what = format!(
            "The engine could not be started ({}).",
            detail.trim_end_matches('.')
        );
        let next = "Reload the page. If that does not help, use a current browser.".to_owned();
        let kind = NoticeKind::WorkerDied;
        (self.on_event)(JobId(0), Event::Failed(Notice { what, next, kind }));
    }
}

fn died_notice(detail: &str) -> Notice {
    Notice {
        what: format!("The engine stopped unexpectedly ({}). It was started again.", detail.trim_end_matches('.')),
        next: "What was saved is intact. Try again; if it stops at the same point, drop a smaller part of the repository.".to_owned(),
        kind: NoticeKind::WorkerDied,
    }
}

fn internal(detail: &str) -> Notice {
    Notice {
        what: format!("Footnote made a mistake: {detail}."),
        next: "Reload the page. What was saved is intact.".to_owned(),
        kind: NoticeKind::Internal,
    }
}
