//! A worker with a code language model.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use footnote_core::code_model::ModelInput;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Worker;

use crate::platform::workers::{self, Listened};
use crate::worker::code_model_protocol::{
    ModelEvent, ModelInputView, ModelRequest, TokenView, WorkId,
};
use crate::worker::encoder_protocol::{Backend, GpuUse};
use crate::worker::model_files::Brought;
use crate::worker::wire;

/// The folder of the model that comes with the page, below `models`.
const OWN: &str = "footnote-code-lm-1";

/// The tokens of each text, or why there are none.
type Answer = Result<Vec<Vec<TokenView>>, String>;

enum State {
    Loading,
    /// The model's id, and where it runs.
    Ready(String, Backend),
    Failed(String),
}

/// Whether a GPU may be used: as the user set it, until one fails.
#[derive(Default)]
pub struct Gpu {
    /// Why it failed. Then no GPU is tried again until the page is reloaded: it would fail for the
    /// same reason.
    lost: RefCell<Option<String>>,
}

impl Gpu {
    fn wanted(&self) -> GpuUse {
        match *self.lost.borrow() {
            Some(_) => GpuUse::Never,
            None => GpuUse::of_query(&workers::query()),
        }
    }

    fn lose(&self, why: &str) {
        self.lost.replace(Some(format!("the GPU was lost ({why})")));
    }
}

/// A running worker; dropping it terminates the worker.
pub struct Running {
    worker: Listened,
    inner: Rc<Inner>,
}

struct Inner {
    state: RefCell<State>,
    gpu: Rc<Gpu>,
    is_own: bool,
    /// Work whose answer is expected.
    asked: RefCell<BTreeSet<WorkId>>,
    answers: RefCell<BTreeMap<WorkId, Answer>>,
    last: Cell<u32>,
    on_change: Box<dyn Fn()>,
}

impl Running {
    /// Starts a worker and tells it to load a model; `on_change` is called for each of its
    /// messages.
    pub fn start(
        brought: Option<Brought>,
        gpu: &Rc<Gpu>,
        on_change: impl Fn() + 'static,
    ) -> Result<Self, String> {
        let inner = Rc::new(Inner {
            state: RefCell::new(State::Loading),
            gpu: Rc::clone(gpu),
            is_own: brought.is_none(),
            asked: RefCell::default(),
            answers: RefCell::default(),
            last: Cell::default(),
            on_change: Box::new(on_change),
        });
        let heard = Rc::clone(&inner);
        let hear = move |worker: &Worker, message: JsValue| {
            heard.hear(worker, brought.as_ref(), &message);
        };
        let failed = Rc::clone(&inner);
        let fail = move |why: String| {
            failed.died(&why);
            failed.fail(format!(
                "it stopped: it does not fit into memory, or its files do not belong together \
                 ({why})"
            ));
        };
        let worker = Listened::start(workers::Role::CodeModel, hear, fail);
        let worker = worker.map_err(|error| error.to_string())?;
        Ok(Self { worker, inner })
    }

    /// The model's id once it is loaded, or why it cannot be used; `None` while it is loading.
    pub fn model(&self) -> Option<Result<String, String>> {
        match &*self.inner.state.borrow() {
            State::Loading => None,
            State::Ready(id, _) => Some(Ok(id.clone())),
            State::Failed(why) => Some(Err(why.clone())),
        }
    }

    /// Where the model runs; the processor if not known.
    pub fn backend(&self) -> Backend {
        let backend = match &*self.inner.state.borrow() {
            State::Ready(_, backend) => backend.clone(),
            State::Loading | State::Failed(_) => Backend::default(),
        };
        match (backend, self.inner.gpu.lost.borrow().clone()) {
            (Backend::Cpu { .. }, Some(lost)) => Backend::Cpu {
                refused: Some(lost),
            },
            (backend, _) => backend,
        }
    }

    /// Sends texts to be read; fetch the answer with [`Running::take`].
    pub fn give(&self, inputs: &[ModelInput<'_>]) -> WorkId {
        let work = WorkId(self.inner.last.get() + 1);
        self.inner.last.set(work.0);
        self.inner.asked.borrow_mut().insert(work);
        let request = ModelRequest::Read {
            work,
            inputs: inputs.iter().map(ModelInputView::from).collect(),
        };
        if let Err(why) = post(self.worker.worker(), &request, &JsValue::UNDEFINED) {
            self.inner.answers.borrow_mut().insert(work, Err(why));
        }
        work
    }

    /// Returns the answer to a piece of work, if there is one yet.
    pub fn take(&self, work: WorkId) -> Option<Answer> {
        let answer = self.inner.answers.borrow_mut().remove(&work);
        let answer = match (answer, self.model()) {
            (None, Some(Err(why))) => Some(Err(why)),
            (answer, _) => answer,
        };
        if answer.is_some() {
            self.inner.asked.borrow_mut().remove(&work);
        }
        answer
    }

    /// Forgets work whose answer is no longer needed.
    pub fn forget(&self, work: WorkId) {
        self.inner.asked.borrow_mut().remove(&work);
        self.inner.answers.borrow_mut().remove(&work);
    }
}

impl Inner {
    fn hear(&self, worker: &Worker, brought: Option<&Brought>, message: &JsValue) {
        let event = message
            .dyn_ref::<Uint8Array>()
            .ok_or_else(|| "a message from it was not bytes".to_owned())
            .and_then(|bytes| wire::decode(&bytes.to_vec()).map_err(|error| error.to_string()));
        let answered = |work: WorkId, answer: Answer| {
            if self.asked.borrow().contains(&work) {
                self.answers.borrow_mut().insert(work, answer);
            }
        };
        match event {
            Ok(ModelEvent::Listening) => {
                if let Err(why) = load(worker, brought, self.gpu.wanted()) {
                    self.state.replace(State::Failed(why));
                }
            }
            Ok(ModelEvent::Ready { model, backend }) => {
                self.state.replace(State::Ready(model, backend));
            }
            Ok(ModelEvent::GpuLost { why }) => self.leave_gpu(&why),
            Ok(ModelEvent::Read { work, tokens }) => answered(work, Ok(tokens)),
            Ok(ModelEvent::Failed {
                work: Some(work),
                what,
            }) => answered(work, Err(what)),
            Ok(ModelEvent::Failed { work: None, what }) | Err(what) => return self.fail(what),
        }
        (self.on_change)();
    }

    /// Handles a dead worker. If it died while it opened a GPU or computed on one, the GPU may be
    /// the cause. With a user's model, the likelier cause is that the model is too large.
    fn died(&self, why: &str) {
        let may_be_the_gpu = match &*self.state.borrow() {
            State::Ready(_, backend) => matches!(backend, Backend::Gpu { .. }),
            State::Loading => self.is_own && self.gpu.wanted() != GpuUse::Never,
            State::Failed(_) => false,
        };
        if may_be_the_gpu {
            self.leave_gpu(why);
        }
    }

    fn leave_gpu(&self, why: &str) {
        self.gpu.lose(why);
        if let State::Ready(_, backend) = &mut *self.state.borrow_mut() {
            *backend = Backend::default();
        }
    }

    fn fail(&self, why: String) {
        self.state.replace(State::Failed(why));
        (self.on_change)();
    }
}

fn load(worker: &Worker, brought: Option<&Brought>, gpu: GpuUse) -> Result<(), String> {
    match brought {
        Some(brought) => {
            let name = brought.name.clone();
            let request = ModelRequest::LoadBrought { name, gpu };
            post(worker, &request, &brought.body())
        }
        None => {
            let base = workers::base_url().map_err(|error| error.to_string())?;
            let folder = format!("{base}models/{OWN}/");
            post(
                worker,
                &ModelRequest::LoadOwn { folder, gpu },
                &JsValue::UNDEFINED,
            )
        }
    }
}

fn post(worker: &Worker, request: &ModelRequest, body: &JsValue) -> Result<(), String> {
    let bytes = wire::encode(request).map_err(|error| error.to_string())?;
    let bytes = Uint8Array::from(bytes.as_slice());
    let transfer = Array::of1(&bytes.buffer());
    let message = Array::of2(&bytes, body);
    worker
        .post_message_with_transfer(&message, &transfer)
        .map_err(|error| workers::describe(&error))
}
