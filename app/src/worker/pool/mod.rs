//! The encoder workers. They are all alike, except that the first may use a GPU. Each has one piece
//! of work at a time, because work sent to a busy encoder cannot be taken back when a question
//! arrives. A dead encoder is replaced and its work returned.

mod encoder;
mod model;
mod queue;
mod rate;
mod room;

pub use model::{MODEL, Model, Source, VECTOR_BYTES};
pub use queue::{Queue, Work};
pub use rate::Rate;
pub use room::Room;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use footnote_core::embed::Quantised;
use gloo::timers::callback::{Interval, Timeout};

use self::encoder::{Encoder, Said};
use crate::platform::{device, workers};
use crate::worker::encoder_protocol::{Backend, GpuUse, ModelView};

/// More encoders than this would only share the memory bandwidth.
const MAX_ENCODERS: usize = 4;
/// Deaths in a row, with no work done in between, before the pool gives up.
const MAX_DEATHS: u32 = 6;
/// Milliseconds between two checks of the encoders.
const LOOK_MS: u32 = 10_000;
/// Checks that find an encoder busy with the same work before it counts as dead.
const MAX_BUSY_LOOKS: u32 = 6;
/// Work with its texts, for one encoder.
#[derive(Clone, Debug)]
pub struct Task {
    /// The repository that it belongs to.
    pub generation: u32,
    pub work: Work,
    pub texts: Vec<String>,
}

/// An event from the pool to its owner. After each event, the owner can feed idle encoders.
#[derive(Debug)]
pub enum PoolEvent {
    /// An encoder has nothing to do.
    Idle,
    /// One vector for each text.
    Embedded {
        generation: u32,
        work: Work,
        vectors: Vec<Quantised>,
    },
    /// The result for each text, as bytes.
    Read {
        generation: u32,
        work: Work,
        texts: Vec<Vec<u8>>,
    },
    /// An encoder died during this work.
    Lost { generation: u32, work: Work },
    /// The model failed on this work.
    Refused { generation: u32, work: Work },
    /// The first encoder is ready and runs on this.
    On(Backend),
    /// The GPU failed and is not used any more; holds the reason. No work is lost.
    GpuLost(String),
    /// No encoders are left; holds the reason.
    Unusable(String),
}

/// All encoders.
pub struct Pool {
    inner: Rc<Inner>,
}

struct Inner {
    on_event: Box<dyn Fn(PoolEvent)>,
    encoders: RefCell<Vec<Encoder>>,
    started: Cell<bool>,
    last_id: Cell<u32>,
    /// The encoder that is asked to use the GPU. One encoder keeps a GPU busy, and if the GPU makes
    /// it die, its successor has another number and is not asked.
    on_gpu: Cell<u32>,
    source: RefCell<Source>,
    /// The source of the last model that was loaded.
    working: RefCell<Source>,
    /// The source's model, once it is known.
    model: RefCell<Option<Model>>,
    is_loaded: Cell<bool>,
    deaths: Cell<u32>,
    why_unusable: RefCell<Option<String>>,
    /// Why no encoder may be started.
    off: RefCell<Option<String>>,
    backend: RefCell<Backend>,
    watch: RefCell<Option<Interval>>,
}

impl Pool {
    pub fn new(on_event: impl Fn(PoolEvent) + 'static) -> Self {
        Self {
            inner: Rc::new(Inner {
                on_event: Box::new(on_event),
                encoders: RefCell::default(),
                started: Cell::new(false),
                last_id: Cell::new(0),
                on_gpu: Cell::new(0),
                source: RefCell::default(),
                working: RefCell::default(),
                model: RefCell::new(Model::known_of(&Source::Own)),
                is_loaded: Cell::new(false),
                deaths: Cell::new(0),
                why_unusable: RefCell::default(),
                off: RefCell::default(),
                backend: RefCell::default(),
                watch: RefCell::default(),
            }),
        }
    }

    /// Starts the encoders unless they have been started already. Loading the model takes about a
    /// second; `Idle` says when the first can be fed.
    pub fn start(&self) {
        self.inner.start();
    }

    /// Replaces the encoders with new ones for another model; the work of the old ones is
    /// forgotten.
    pub fn use_model(&self, source: Source) {
        let inner = &self.inner;
        inner.stop();
        inner.model.replace(Model::known_of(&source));
        inner.source.replace(source);
        inner.start();
    }

    /// Ends the encoders and forgets their work. Nothing starts them until the pool is switched on
    /// again; until then it is unusable for the given reason.
    pub fn switch_off(&self, why: &str) {
        self.inner.off.replace(Some(why.to_owned()));
        self.inner.stop();
    }

    /// Lets encoders be started again.
    pub fn switch_on(&self) {
        self.inner.off.replace(None);
        self.inner.stop();
    }

    pub fn is_off(&self) -> bool {
        self.inner.off.borrow().is_some()
    }

    /// Returns to the last model that could be loaded.
    pub fn go_back(&self) {
        let working = self.inner.working.borrow().clone();
        self.use_model(working);
    }

    /// Where the model comes from.
    pub fn source(&self) -> Source {
        self.inner.source.borrow().clone()
    }

    /// The model that computes the vectors; a user's model is known once it is loaded.
    pub fn model(&self) -> Option<Model> {
        self.inner.model.borrow().clone()
    }

    /// Whether the model is loaded, or why it cannot be; `None` while this is not known yet.
    pub fn is_loaded(&self) -> Option<Result<(), String>> {
        match self.unusable() {
            Some(why) => Some(Err(why)),
            None => self.inner.is_loaded.get().then_some(Ok(())),
        }
    }

    /// Why there are no encoders, if the pool gave up.
    pub fn unusable(&self) -> Option<String> {
        self.inner.why_unusable.borrow().clone()
    }

    /// What the first encoder runs on.
    pub fn backend(&self) -> Backend {
        self.inner.backend.borrow().clone()
    }

    /// Gives each idle encoder the next task that fits its room, while there are tasks.
    pub fn feed(&self, mut next: impl FnMut(Room) -> Option<Task>) {
        let mut encoders = self.inner.encoders.borrow_mut();
        for encoder in encoders.iter_mut().filter(|encoder| encoder.is_idle()) {
            let Some(task) = next(encoder.room()) else {
                return;
            };
            encoder.give(task);
        }
    }
}

impl Inner {
    fn stop(&self) {
        self.encoders.borrow_mut().clear();
        self.watch.borrow_mut().take();
        self.deaths.set(0);
        self.is_loaded.set(false);
        self.why_unusable.replace(self.off.borrow().clone());
        self.backend.replace(Backend::default());
        self.started.set(false);
    }

    fn start(self: &Rc<Self>) {
        if self.off.borrow().is_some() || self.started.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        *self.watch.borrow_mut() = Some(Interval::new(LOOK_MS, move || {
            if let Some(inner) = weak.upgrade() {
                inner.look();
            }
        }));
        self.on_gpu.set(match *self.source.borrow() {
            Source::Own => self.last_id.get() + 1,
            // The GPU kernels support only Footnote's own model.
            Source::Brought { .. } => 0,
        });
        // One core is left for the engine and the page.
        let count = device::cores().saturating_sub(1).clamp(1, MAX_ENCODERS);
        for _ in 0..count {
            self.spawn();
        }
    }

    fn spawn(self: &Rc<Self>) {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        let weak = Rc::downgrade(self);
        let on_said = move |said: Said| {
            // Deferred, because handling the event may drop the encoder that sent it.
            let weak = weak.clone();
            Timeout::new(0, move || {
                if let Some(inner) = weak.upgrade() {
                    inner.hear(id, said);
                }
            })
            .forget();
        };
        match Encoder::spawn(id, on_said) {
            Ok(encoder) => self.encoders.borrow_mut().push(encoder),
            Err(why) => self.give_up_if_none(&why),
        }
    }

    fn hear(self: &Rc<Self>, id: u32, said: Said) {
        match said {
            Said::Listening => {
                let (source, gpu) = (self.source.borrow(), self.gpu_use(id));
                self.with(id, |encoder| encoder.load(&source, gpu));
            }
            Said::Ready(model) => self.ready(id, model),
            Said::GpuLost(why) => {
                self.with(id, Encoder::gpu_lost);
                self.leave_gpu(id, &why);
            }
            Said::Vectors {
                vectors,
                milliseconds,
            } => {
                self.deaths.set(0);
                self.with(id, |encoder| encoder.took(milliseconds));
                if let Some(task) = self.finished(id) {
                    let Task {
                        generation, work, ..
                    } = task;
                    (self.on_event)(PoolEvent::Embedded {
                        generation,
                        work,
                        vectors,
                    });
                }
            }
            Said::Read(texts) => {
                self.deaths.set(0);
                if let Some(task) = self.finished(id) {
                    let Task {
                        generation, work, ..
                    } = task;
                    (self.on_event)(PoolEvent::Read {
                        generation,
                        work,
                        texts,
                    });
                }
            }
            Said::Refused => {
                if let Some(task) = self.finished(id) {
                    let Task {
                        generation, work, ..
                    } = task;
                    (self.on_event)(PoolEvent::Refused { generation, work });
                }
            }
            Said::NoModel(why) => {
                drop(self.remove(id));
                self.give_up_if_none(&why);
            }
            Said::Died(why) => self.died(id, &why),
        }
    }

    fn ready(self: &Rc<Self>, id: u32, found: ModelView) {
        let model = Model {
            id: found.id,
            dimension: found.dimension as usize,
        };
        let expected = self.model.borrow_mut().get_or_insert(model.clone()).clone();
        if expected != model {
            let why = format!("the model is not {} but {}", expected.id, model.id);
            drop(self.remove(id));
            return self.give_up_if_none(&why);
        }
        self.is_loaded.set(true);
        self.working.replace(self.source.borrow().clone());
        let is_on_gpu = matches!(found.backend, Backend::Gpu { .. });
        self.with(id, |encoder| encoder.ready(is_on_gpu));
        if id == self.on_gpu.get() {
            self.backend.replace(found.backend.clone());
            (self.on_event)(PoolEvent::On(found.backend));
        }
        (self.on_event)(PoolEvent::Idle);
    }

    /// Whether an encoder may use a GPU.
    fn gpu_use(&self, encoder: u32) -> GpuUse {
        match encoder == self.on_gpu.get() {
            true => GpuUse::of_query(&workers::query()),
            false => GpuUse::Never,
        }
    }

    fn died(self: &Rc<Self>, id: u32, why: &str) {
        let Some(encoder) = self.remove(id) else {
            return;
        };
        self.deaths.set(self.deaths.get() + 1);
        self.leave_gpu(id, why);
        if let Some(task) = encoder.into_task() {
            let Task {
                generation, work, ..
            } = task;
            (self.on_event)(PoolEvent::Lost { generation, work });
        }
        // An encoder that dies while loading a model for the first time would die of it again.
        let most = match (&*self.source.borrow(), self.is_loaded.get()) {
            (Source::Brought { .. }, false) => 1,
            _ => MAX_DEATHS,
        };
        if self.deaths.get() < most {
            self.spawn();
        } else {
            self.give_up_if_none(why);
        }
    }

    /// Handles that the encoder on the GPU lost it or died.
    fn leave_gpu(&self, id: u32, why: &str) {
        let was_on_gpu = matches!(*self.backend.borrow(), Backend::Gpu { .. });
        if id == self.on_gpu.get() && was_on_gpu {
            let refused = Some(why.to_owned());
            self.backend.replace(Backend::Cpu { refused });
            (self.on_event)(PoolEvent::GpuLost(why.to_owned()));
        }
    }

    fn give_up_if_none(&self, why: &str) {
        if self.encoders.borrow().is_empty() {
            *self.why_unusable.borrow_mut() = Some(why.to_owned());
            self.watch.take();
            (self.on_event)(PoolEvent::Unusable(why.to_owned()));
        }
    }

    fn look(self: &Rc<Self>) {
        let stuck: Vec<u32> = self
            .encoders
            .borrow_mut()
            .iter_mut()
            .filter_map(|encoder| (encoder.look() > MAX_BUSY_LOOKS).then_some(encoder.id()))
            .collect();
        for id in stuck {
            self.died(id, "an encoder stopped responding");
        }
    }

    fn with(&self, id: u32, act: impl FnOnce(&mut Encoder)) {
        let mut encoders = self.encoders.borrow_mut();
        if let Some(encoder) = encoders.iter_mut().find(|encoder| encoder.id() == id) {
            act(encoder);
        }
    }

    /// Marks an encoder as idle and returns its task.
    fn finished(&self, id: u32) -> Option<Task> {
        let mut encoders = self.encoders.borrow_mut();
        let encoder = encoders.iter_mut().find(|encoder| encoder.id() == id)?;
        encoder.finish()
    }

    fn remove(&self, id: u32) -> Option<Encoder> {
        let mut encoders = self.encoders.borrow_mut();
        let at = encoders.iter().position(|encoder| encoder.id() == id)?;
        Some(encoders.swap_remove(at))
    }
}
