//! The engine: creates the owners, receives messages, and passes each group of requests to its
//! owner.

use std::rc::Rc;

use gloo::timers::callback::Interval;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::ask::Asker;
use super::cancel::Cancel;
use super::changes::Changer;
use super::code_model::CodeModels;
use super::compare::Comparer;
use super::connect::Connector;
use super::context::{Chooser, Inspector};
use super::conversations::Conversations;
use super::encoders::Encoders;
use super::lab::Laboratory;
use super::lesson::Teacher;
use super::look::Looker;
use super::notices;
use super::open::Opener;
use super::report::Reporter;
use super::runner::Runner;
use super::saved::SavedRepos;
use super::services::Services;
use super::shelf::Shelf;
use super::trace::Tracer;
use super::write::Writer;
use crate::worker::messages;
use crate::worker::protocol::{Event, JobId, Request};

/// Milliseconds between two signs of life of the engine.
const BEAT_MS: u32 = 1_000;

/// Starts the engine in this worker: it listens, announces that it is ready, and gives signs of
/// life.
pub fn run() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let engine = Engine::new(scope.clone());
    let beat = scope.clone();
    Interval::new(BEAT_MS, move || {
        // If a message cannot be sent, there is no one to receive it.
        let _ = beat.post_message(&Uint8Array::new_with_length(0));
    })
    .forget();
    let listener = Rc::clone(&engine);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        listener.hear(&message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    engine.services.tell(JobId::ENGINE, Event::Ready);
}

/// All owners; it has no state of its own.
struct Engine {
    services: Rc<Services>,
    encoders: Rc<Encoders>,
    code_models: Rc<CodeModels>,
    connector: Rc<Connector>,
    looker: Looker,
    changer: Rc<Changer>,
    saved: Rc<SavedRepos>,
    tracer: Rc<Tracer>,
    comparer: Rc<Comparer>,
    teacher: Rc<Teacher>,
    conversations: Rc<Conversations>,
    reporter: Rc<Reporter>,
    laboratory: Rc<Laboratory>,
    inspector: Rc<Inspector>,
    opener: Rc<Opener>,
    asker: Rc<Asker>,
    writer: Rc<Writer>,
}

impl Engine {
    /// Creates the owners; each receives those below it.
    fn new(scope: DedicatedWorkerGlobalScope) -> Rc<Self> {
        let services = Services::new(scope);
        let shelf = Shelf::new(&services);
        let encoders = Encoders::new(&services, &shelf);
        let code_models = CodeModels::new(&services, &shelf);
        let runner = Runner::new(&services, &shelf, &encoders, &code_models);
        let connector = Connector::new(&services);
        let saved = SavedRepos::new(&services, &shelf);
        let conversations = Conversations::new(&services, &shelf, &encoders);
        let chooser = Chooser::new(&encoders, &code_models);
        let inspector = Inspector::new(
            &services,
            &shelf,
            &encoders,
            &code_models,
            &connector,
            &chooser,
        );
        Rc::new(Self {
            looker: Looker::new(&services, &shelf),
            reporter: Reporter::new(&services, &shelf),
            laboratory: Laboratory::new(
                &services,
                &shelf,
                &encoders,
                &runner,
                &connector,
                &conversations,
            ),
            changer: Changer::new(&services, &shelf),
            tracer: Tracer::new(&services, &shelf, &encoders),
            comparer: Comparer::new(&services, &shelf, &runner),
            teacher: Teacher::new(&services, &shelf, &encoders, &code_models),
            opener: Opener::new(&services, &shelf, &encoders, &conversations, &saved),
            asker: Asker::new(
                &services,
                &shelf,
                &encoders,
                &conversations,
                &inspector,
                (&runner, &connector),
            ),
            writer: Writer::new(
                &services,
                &shelf,
                &encoders,
                &connector,
                &chooser,
                &conversations,
            ),
            services,
            encoders,
            code_models,
            connector,
            saved,
            conversations,
            inspector,
        })
    }

    fn hear(&self, message: &JsValue) {
        match messages::read_request(message) {
            Ok((job, request, body)) => self.begin(job, request, body),
            Err(error) => {
                let notice = notices::internal(&error.to_string());
                self.services.fail(JobId::ENGINE, notice);
            }
        }
    }

    /// Passes a request to the owner of its group.
    fn begin(&self, job: JobId, request: Request, body: JsValue) {
        match request {
            Request::Open(request) => self.opener.serve(job, request, body),
            Request::Saved(request) => self.saved.serve(job, request),
            Request::Vectors(request) => {
                self.run(&self.encoders, job, async move |encoders, cancel| {
                    encoders.serve(job, request, &body, &cancel).await;
                });
            }
            Request::Source(request) => self.looker.serve_source(job, request),
            Request::Graph(request) => self.looker.serve_graph(job, request),
            Request::Changes(request) => {
                self.run(&self.changer, job, async move |changer, cancel| {
                    changer.serve(job, request, &cancel).await;
                });
            }
            Request::Ask(request) => self.run(&self.asker, job, async move |asker, cancel| {
                asker.ask(job, request, &cancel).await;
            }),
            Request::Conversation(request) => {
                self.run(&self.conversations, job, async move |owner, cancel| {
                    owner.serve(job, request, body, &cancel).await;
                });
            }
            Request::Trace(request) => self.run(&self.tracer, job, async move |tracer, cancel| {
                tracer.serve(job, request, &cancel).await;
            }),
            Request::Compare(request) => {
                self.run(&self.comparer, job, async move |comparer, cancel| {
                    comparer.serve(job, request, &cancel).await;
                });
            }
            Request::Lesson(request) => {
                self.run(&self.teacher, job, async move |teacher, cancel| {
                    teacher.serve(job, request, body, &cancel).await;
                });
            }
            Request::Report(request) => {
                self.run(&self.reporter, job, async move |reporter, _| {
                    reporter.serve(job, request).await;
                });
            }
            Request::Lab(request) => {
                self.run(&self.laboratory, job, async move |laboratory, cancel| {
                    laboratory.serve(job, request, body, &cancel).await;
                });
            }
            Request::Context(request) => {
                self.run(&self.inspector, job, async move |inspector, cancel| {
                    inspector.serve(job, request, &cancel).await;
                });
            }
            Request::CodeModel(request) => {
                self.run(&self.code_models, job, async move |models, cancel| {
                    models.choose(job, request, &body, &cancel).await;
                });
            }
            Request::Connect(request) => {
                self.run(&self.connector, job, async move |connector, cancel| {
                    connector.serve(job, request, &cancel).await;
                });
            }
            Request::Write(request) => self.run(&self.writer, job, async move |writer, cancel| {
                writer.write(job, request, &cancel).await;
            }),
            Request::Cancel { job } => self.cancel(job),
        }
    }

    /// Runs a job on its owner as a task that can be cancelled.
    fn run<O, T>(&self, owner: &Rc<O>, job: JobId, task: T)
    where
        O: 'static,
        T: AsyncFnOnce(Rc<O>, Cancel) + 'static,
    {
        let (services, owner) = (Rc::clone(&self.services), Rc::clone(owner));
        let cancel = services.jobs.begin(job);
        spawn_local(async move {
            task(owner, cancel).await;
            services.jobs.ended(job);
        });
    }

    /// Stops a job and tells the page at once. The job sends no further events.
    fn cancel(&self, job: JobId) {
        if self.services.jobs.stop(job) {
            self.opener.forget_choice(job);
        } else {
            self.encoders.pause_if_opened_by(job);
        }
        self.services.cancelled(job);
    }
}
