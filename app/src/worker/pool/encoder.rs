//! One encoder worker.

use std::rc::Rc;

use footnote_core::embed::Quantised;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Worker;

use super::model::{MODEL, Source};
use super::{Room, Task, Work};
use crate::platform::workers::{self, Listened, Role};
use crate::worker::encoder_protocol::{BatchId, EncoderEvent, EncoderRequest, GpuUse, ModelView};
use crate::worker::wire;

/// An encoder's message, or what became of it.
#[derive(Debug)]
pub(super) enum Said {
    Listening,
    Ready(ModelView),
    Vectors {
        vectors: Vec<Quantised>,
        milliseconds: f64,
    },
    /// It computes without a GPU from now on; holds the reason.
    GpuLost(String),
    /// The result for each text, as bytes.
    Read(Vec<Vec<u8>>),
    /// The model failed on these texts.
    Refused,
    /// The model cannot be loaded.
    NoModel(String),
    Died(String),
}

#[derive(Debug)]
enum State {
    Starting,
    Loading,
    Idle,
    Busy(Task),
}

/// A running encoder worker; dropping it terminates the worker.
pub(super) struct Encoder {
    id: u32,
    worker: Listened,
    state: State,
    /// Checks since its state last changed.
    looks: u32,
    batches: u32,
    room: Room,
    is_on_gpu: bool,
    on_said: Rc<dyn Fn(Said)>,
}

impl Encoder {
    /// Starts a worker; `on_said` is called for each of its messages until it is dropped.
    pub fn spawn(id: u32, on_said: impl Fn(Said) + 'static) -> Result<Self, String> {
        let on_said: Rc<dyn Fn(Said)> = Rc::new(on_said);
        let (heard, failed) = (Rc::clone(&on_said), Rc::clone(&on_said));
        let hear = move |_: &Worker, message: JsValue| heard(read(&message));
        let worker = Listened::start(Role::Encoder, hear, move |why| failed(Said::Died(why)));
        let worker = worker.map_err(|error| error.to_string())?;
        Ok(Self {
            id,
            worker,
            state: State::Starting,
            looks: 0,
            batches: 0,
            room: Room::default(),
            is_on_gpu: false,
            on_said,
        })
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// How much work it is given at a time.
    pub fn room(&self) -> Room {
        self.room
    }

    /// Tells it to load the model, now that it listens.
    pub fn load(&mut self, source: &Source, gpu: GpuUse) {
        self.enter(State::Loading);
        match (source, workers::base_url()) {
            (Source::Own, Ok(base)) => {
                let folder = format!("{base}models/{MODEL}/");
                self.post(&EncoderRequest::Load { folder, gpu }, None);
            }
            (Source::Own, Err(error)) => (self.on_said)(Said::NoModel(error.to_string())),
            (Source::Brought { files, pooling }, _) => {
                let (name, pooling) = (files.name.clone(), *pooling);
                let request = EncoderRequest::LoadBrought { name, pooling };
                self.post(&request, Some(&files.body()));
            }
        }
    }

    /// Notes that the model is loaded.
    pub fn ready(&mut self, is_on_gpu: bool) {
        self.is_on_gpu = is_on_gpu;
        self.enter(State::Idle);
    }

    /// Notes that its GPU is lost.
    pub fn gpu_lost(&mut self) {
        self.is_on_gpu = false;
        self.room = Room::default();
    }

    /// Notes how long it took for its batch. This adapts the room only on a GPU, whose capacity is
    /// not known in advance.
    pub fn took(&mut self, milliseconds: f64) {
        let is_batch =
            matches!(&self.state, State::Busy(task) if matches!(task.work, Work::Chunks(_)));
        if self.is_on_gpu && is_batch {
            self.room = self.room.after(milliseconds);
        }
    }

    /// Gives it a task; it must be idle.
    pub fn give(&mut self, task: Task) {
        self.batches += 1;
        let id = BatchId(self.batches);
        let texts = task.texts.clone();
        let request = match task.work {
            Work::Reading(_, detail) => EncoderRequest::Read { id, detail, texts },
            Work::Question(_) | Work::Chunks(_) => EncoderRequest::Encode { id, texts },
        };
        self.enter(State::Busy(task));
        self.post(&request, None);
    }

    /// Notes that it answered, and returns its task.
    pub fn finish(&mut self) -> Option<Task> {
        self.looks = 0;
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Busy(task) => Some(task),
            other => {
                self.state = other;
                None
            }
        }
    }

    /// Returns the task it was busy with when it died.
    pub fn into_task(mut self) -> Option<Task> {
        self.finish()
    }

    /// Counts a check. Returns the number of checks since it was last idle, answered or changed its
    /// state.
    pub fn look(&mut self) -> u32 {
        if self.is_idle() {
            self.looks = 0;
        } else {
            self.looks += 1;
        }
        self.looks
    }

    fn enter(&mut self, state: State) {
        self.looks = 0;
        self.state = state;
    }

    fn post(&self, request: &EncoderRequest, files: Option<&Array>) {
        let posted = wire::encode(request)
            .map_err(|error| error.to_string())
            .and_then(|bytes| {
                let bytes = Uint8Array::from(bytes.as_slice());
                let transfer = Array::of1(&bytes.buffer());
                let message: JsValue = match files {
                    Some(files) => Array::of2(&bytes, files).into(),
                    None => bytes.into(),
                };
                let worker = self.worker.worker();
                worker
                    .post_message_with_transfer(&message, &transfer)
                    .map_err(|error| workers::describe(&error))
            });
        if let Err(why) = posted {
            (self.on_said)(Said::Died(why));
        }
    }
}

fn read(message: &JsValue) -> Said {
    let event = message
        .dyn_ref::<Uint8Array>()
        .ok_or_else(|| "a message from an encoder was not bytes".to_owned())
        .and_then(|bytes| wire::decode(&bytes.to_vec()).map_err(|error| error.to_string()));
    match event {
        Ok(EncoderEvent::Listening) => Said::Listening,
        Ok(EncoderEvent::Ready(model)) => Said::Ready(model),
        Ok(EncoderEvent::Encoded(batch)) => {
            let vectors = batch.vectors.iter();
            match vectors.map(|bytes| Quantised::from_bytes(bytes)).collect() {
                Some(vectors) => Said::Vectors {
                    vectors,
                    milliseconds: batch.milliseconds,
                },
                None => Said::Refused,
            }
        }
        Ok(EncoderEvent::Read { texts, .. }) => Said::Read(texts),
        Ok(EncoderEvent::GpuLost { why }) => Said::GpuLost(why),
        Ok(EncoderEvent::Failed { batch: None, what }) => Said::NoModel(what),
        Ok(EncoderEvent::Failed { batch: Some(_), .. }) => Said::Refused,
        Err(why) => Said::Died(why),
    }
}
