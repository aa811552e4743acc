//! The workers that parse beside the engine while a repository is read. The engine unpacks, indexes
//! words and parses the remaining files; if a worker fails, its files are only handed back.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use footnote_core::index::{ReadFile, format};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Worker;

use super::reading::{BatchId, Beside};
use crate::platform::clock::now_ms;
use crate::platform::device;
use crate::platform::workers::{Listened, Role};
use crate::worker::wire;

/// Batches given to a worker at a time, so that the next one is there when one is done.
const AT_ONCE: usize = 2;
/// More workers gain little, and each takes about 60 MB.
const MOST: usize = 3;
/// A batch takes tens of milliseconds. After this much silence a worker is considered dead.
const SILENCE_MS: f64 = 10_000.0;

/// The workers; dropping this ends them.
pub struct Parsers {
    all: Vec<Parser>,
    /// Number of batches given so far.
    given: Cell<u32>,
}

impl Parsers {
    /// Starts one worker for each core that the engine leaves free.
    pub fn start() -> Rc<Self> {
        let count = device::cores().saturating_sub(1).min(MOST);
        // If the browser starts none, the engine does everything.
        Rc::new(Self {
            all: (0..count).filter_map(|_| Parser::start()).collect(),
            given: Cell::default(),
        })
    }

    /// The worker to give the next batch to: the one with the least work.
    fn free(&self) -> Option<&Parser> {
        let alive = self.all.iter().filter(|parser| !parser.state.is_dead.get());
        let free = alive.filter(|parser| parser.state.waiting.borrow().len() < AT_ONCE);
        free.min_by_key(|parser| parser.state.waiting.borrow().len())
    }
}

impl Beside for Rc<Parsers> {
    fn has_room(&self) -> bool {
        self.free().is_some()
    }

    fn give(&self, files: &[(&str, &str)]) -> BatchId {
        self.given.set(self.given.get() + 1);
        let batch = BatchId(self.given.get());
        if let Some(parser) = self.free() {
            parser.give(batch, files);
        }
        batch
    }

    fn take(&self) -> Option<(BatchId, Vec<Option<ReadFile>>)> {
        self.all.iter().find_map(|parser| parser.state.take())
    }
}
struct Parser {
    worker: Listened,
    state: Rc<State>,
}

struct State {
    /// Batches that were given and not yet answered, with their number of files, oldest first.
    waiting: RefCell<VecDeque<(BatchId, usize)>>,
    /// Messages to send once the worker listens; `None` from then on.
    unsent: RefCell<Option<Vec<Vec<u8>>>>,
    answers: RefCell<VecDeque<Vec<u8>>>,
    /// When it last answered, or was last given work.
    heard: Cell<f64>,
    is_dead: Cell<bool>,
}

impl Parser {
    fn start() -> Option<Self> {
        let state = Rc::new(State {
            waiting: RefCell::default(),
            unsent: RefCell::new(Some(Vec::new())),
            answers: RefCell::default(),
            heard: Cell::new(now_ms()),
            is_dead: Cell::default(),
        });
        let heard = Rc::clone(&state);
        let hear = move |worker: &Worker, message: JsValue| heard.hear(worker, message.dyn_ref());
        let failed = Rc::clone(&state);
        let worker = Listened::start(Role::Parser, hear, move |_| failed.die()).ok()?;
        // The compiled program; see [`crate::platform::workers`].
        let program = wasm_bindgen::module();
        worker.worker().post_message(&program).ok()?;
        Some(Self { worker, state })
    }

    fn give(&self, batch: BatchId, files: &[(&str, &str)]) {
        let state = &self.state;
        if state.waiting.borrow().is_empty() {
            state.heard.set(now_ms());
        }
        state.waiting.borrow_mut().push_back((batch, files.len()));
        let Ok(bytes) = wire::encode(&files) else {
            return state.die();
        };
        match state.unsent.borrow_mut().as_mut() {
            Some(unsent) => unsent.push(bytes),
            None => post(self.worker.worker(), &bytes),
        }
    }
}

impl State {
    fn hear(&self, worker: &Worker, message: Option<&Uint8Array>) {
        // A worker that failed on a batch may answer the next one, which would be mistaken for the
        // failed batch's answer.
        if self.is_dead.get() {
            return;
        }
        self.heard.set(now_ms());
        match message.map(Uint8Array::to_vec) {
            None => self.die(),
            Some(bytes) if bytes.is_empty() => {
                for bytes in self.unsent.take().unwrap_or_default() {
                    post(worker, &bytes);
                }
            }
            Some(bytes) => self.answers.borrow_mut().push_back(bytes),
        }
    }

    fn die(&self) {
        self.is_dead.set(true);
        self.unsent.replace(None);
    }

    /// Takes the next answered batch; without its files if the worker is dead.
    fn take(&self) -> Option<(BatchId, Vec<Option<ReadFile>>)> {
        let answer = self.answers.borrow_mut().pop_front();
        if answer.is_none() {
            let is_late = now_ms() - self.heard.get() > SILENCE_MS;
            if is_late && !self.waiting.borrow().is_empty() {
                self.die();
            }
            if !self.is_dead.get() {
                return None;
            }
        }
        let (batch, count) = self.waiting.borrow_mut().pop_front()?;
        let read = answer.and_then(|bytes| format::carried(&bytes).ok());
        let read = read.filter(|read| read.len() == count);
        let unread = || std::iter::repeat_with(|| None).take(count).collect();
        Some((batch, read.unwrap_or_else(unread)))
    }
}

fn post(worker: &Worker, bytes: &[u8]) {
    let bytes = Uint8Array::from(bytes);
    // A message that does not arrive is never answered, and its files are then handed back.
    let _ = worker.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
}
