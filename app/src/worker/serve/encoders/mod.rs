//! The encoders. The vectors of the open repository are first loaded from storage; the encoders
//! compute the rest, which is saved as it arrives. Work that something waits for goes first: a
//! question with its candidates ([`compare`]), then texts to be read more closely ([`readings`]);
//! everything else waits while the cores are needed ([`mod@hold`]). [`order`] decides which vectors
//! help most, [`choice`] which model computes them. Before all that, the static encoder gives every
//! chunk a vector in the engine itself ([`mod@table`]).

mod choice;
mod compare;
mod hold;
mod order;
mod readings;
mod table;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use footnote_core::chunk::ChunkId;
use footnote_core::embed::Quantised;
use footnote_core::embed::TableEncoder;
use footnote_core::index::ContentKey;
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use self::order::best_order;
use super::cancel::Cancel;
use super::hook::Hook;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use super::slices::Slice;
use super::{batch, notices};
use crate::platform::clock::now_ms;
use crate::platform::idb::StorageError;
use crate::worker::pool::{Pool, PoolEvent, Queue, Source, Task, Work};
use crate::worker::protocol::{JobId, VectorsRequest};

/// Vectors to save at a time.
const BATCH: usize = 256;
/// Longest time that a vector waits to be saved, in milliseconds.
const SAVE_MS: u32 = 2_000;
/// Shortest time between two events about vectors, in milliseconds.
const REPORT_MS: u32 = 250;

/// The encoders and their current work.
pub struct Encoders {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    pool: Pool,
    /// Number of holds on background vectors.
    holds: Cell<u32>,
    paused: Hook,
    /// The static encoder, once it has been fetched.
    table: RefCell<Option<Arc<TableEncoder>>>,
    /// Whether the user's encoder was saved.
    is_kept: Cell<bool>,
    /// Whether storage was searched for a saved encoder, or another one was chosen.
    is_restored: Cell<bool>,
    /// Counts choices of an encoder: the last one wins.
    choices: Cell<u32>,
}

impl Encoders {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        Rc::new_cyclic(|weak: &Weak<Self>| {
            let weak = weak.clone();
            let pool = Pool::new(move |event: PoolEvent| {
                if let Some(encoders) = weak.upgrade() {
                    encoders.pool_event(event);
                }
            });
            Self {
                services: Rc::clone(services),
                shelf: Rc::clone(shelf),
                pool,
                holds: Cell::default(),
                paused: Hook::default(),
                table: RefCell::default(),
                is_kept: Cell::default(),
                is_restored: Cell::default(),
                choices: Cell::default(),
            }
        })
    }

    /// Calls `hear` on `owner` when the user pauses the vectors.
    pub fn on_pause<T: 'static>(&self, owner: &Rc<T>, hear: impl Fn(&T) + 'static) {
        self.paused.add(owner, hear);
    }

    /// Starts on the vectors of a newly opened repository.
    pub fn start(self: &Rc<Self>, open: &Rc<OpenRepo>) {
        self.keep_quiet();
        let (encoders, open) = (Rc::clone(self), Rc::clone(open));
        spawn_local(async move {
            encoders.start_pool().await;
            // A user's encoder is known only once it is loaded, and the table need not wait for
            // that.
            if encoders.pool.model().is_some() {
                encoders.begin(&open).await;
            }
            encoders.add_table(&open).await;
            encoders.begin(&open).await;
            encoders.prepare(&open).await;
            encoders.report(&open);
            encoders.services.changed.notify();
            encoders.feed();
            encoders.keep_reporting(open);
        });
    }

    /// Determines what each chunk needs, and what storage already has.
    async fn prepare(&self, open: &OpenRepo) {
        let mut slice = Slice::default();
        let Some(model) = open.work.borrow().model.clone() else {
            return;
        };
        let count = open.index.chunks.len();
        let mut keys = Vec::with_capacity(count);
        let mut sizes = Vec::with_capacity(count);
        let mut twins: BTreeMap<ContentKey, Vec<ChunkId>> = BTreeMap::new();
        for (id, _) in open.index.chunk_ids() {
            let text = open.index.embedding_text(id);
            let key = ContentKey::of(&model.id, &text);
            keys.push(key);
            sizes.push(text.len() as u32);
            twins.entry(key).or_default().push(id);
            slice.pause().await;
            if !self.shelf.is_current(open) || open.work.borrow().model.as_ref() != Some(&model) {
                return;
            }
        }
        let order = best_order(&open.index, &sizes);
        let has_table = open.index.table().is_some();
        {
            let mut work = open.work.borrow_mut();
            work.queue.paused |= has_table && open.is_read_on_demand();
            let old = std::mem::replace(&mut work.queue, Queue::new(sizes, order));
            work.queue.take_over(old);
            // Another model may have been tried in vain after some vectors were computed.
            let vectors = open.vectors.borrow();
            for (chunk, _) in open.index.chunk_ids() {
                if vectors.has(chunk) {
                    work.queue.settle(chunk);
                }
            }
            // Of several chunks with the same text, only the first is embedded.
            for chunks in twins.values() {
                chunks
                    .iter()
                    .skip(1)
                    .for_each(|&chunk| work.queue.settle(chunk));
            }
            work.keys = keys;
            work.twins = twins;
        }
        self.find_saved(open).await;
        open.work.borrow_mut().prepared = true;
    }

    /// Loads saved vectors, first those of this repository, then those of others.
    async fn find_saved(&self, open: &OpenRepo) {
        // What cannot be read is computed again.
        for bytes in self
            .services
            .storage
            .batches(&open.key)
            .await
            .unwrap_or_default()
        {
            self.take_batch(open, &bytes, false);
        }
        if open.vectors.borrow().is_complete() {
            return;
        }
        let others = self.services.storage.other_batches(&open.key).await;
        for key in others.unwrap_or_default() {
            if !self.shelf.is_current(open) || open.vectors.borrow().is_complete() {
                break;
            }
            if let Ok(Some(bytes)) = self.services.storage.batch(&key).await {
                self.take_batch(open, &bytes, true);
            }
        }
        self.save_vectors(open).await;
    }

    /// Takes the vectors of a saved batch that are missing here. With `copy`, they must also be
    /// saved under this repository.
    fn take_batch(&self, open: &OpenRepo, bytes: &[u8], copy: bool) {
        for (key, vector) in batch::decode(bytes) {
            let Some(quantised) = Quantised::from_bytes(vector) else {
                continue;
            };
            let taken = set(open, key, &quantised);
            let mut work = open.work.borrow_mut();
            work.reused += taken;
            if copy && taken > 0 {
                work.unsaved.push((key, vector.to_vec()));
            }
        }
    }

    /// Gives work to idle encoders.
    pub fn feed(&self) {
        let Some(open) = self.shelf.current() else {
            return;
        };
        let mut work = open.work.borrow_mut();
        // The encoders may have a new model, for which the repository is not prepared yet.
        if work.failed.is_some() || work.model != self.pool.model() {
            return;
        }
        work.queue.held = self.holds.get() > 0;
        self.pool.feed(|room| {
            let next = work.queue.take(room)?;
            let texts = match &next {
                Work::Question(number) => work.questions.texts.get(number).cloned(),
                Work::Reading(number, _) => work.readings.texts.get(number).cloned(),
                Work::Chunks(_) => None,
            };
            let texts = match &next {
                Work::Question(_) | Work::Reading(..) => texts.into_iter().collect(),
                Work::Chunks(chunks) => chunks
                    .iter()
                    .map(|&chunk| open.index.embedding_text(chunk))
                    .collect(),
            };
            Some(Task {
                generation: open.generation,
                work: next,
                texts,
            })
        });
    }

    /// Handles an event of the encoders.
    fn pool_event(self: &Rc<Self>, event: PoolEvent) {
        let current = self.shelf.current();
        let of = |generation: u32| {
            let open = current.clone();
            open.filter(|open| open.generation == generation)
        };
        match event {
            PoolEvent::Idle => {}
            PoolEvent::Embedded {
                generation,
                work,
                vectors,
            } => {
                if let Some(open) = of(generation) {
                    self.embedded(&open, work, vectors);
                }
            }
            PoolEvent::Read {
                generation,
                work,
                texts,
            } => {
                if let (Some(open), Work::Reading(number, _)) = (of(generation), work) {
                    let read = texts.into_iter().next();
                    open.work.borrow_mut().readings.answer(number, read);
                }
            }
            PoolEvent::Lost { generation, work } => {
                if let Some(open) = of(generation) {
                    open.work.borrow_mut().queue.lost(work);
                }
            }
            PoolEvent::Refused {
                generation, work, ..
            } => {
                if let Some(open) = of(generation) {
                    refused(&open, work);
                }
            }
            PoolEvent::On(backend) => {
                if let Some(open) = current {
                    open.work.borrow_mut().backend = backend;
                    self.report(&open);
                }
            }
            PoolEvent::GpuLost(why) => {
                if let Some(open) = current {
                    open.work.borrow_mut().backend = self.pool.backend();
                    self.services.warn(open.job, notices::gpu_lost(&why));
                    self.report(&open);
                }
            }
            PoolEvent::Unusable(why) => {
                if let Some(open) = current {
                    open.work.borrow_mut().failed = Some(why);
                    self.report(&open);
                }
            }
        }
        self.services.changed.notify();
        self.feed();
    }

    fn embedded(self: &Rc<Self>, open: &Rc<OpenRepo>, work: Work, vectors: Vec<Quantised>) {
        match work {
            Work::Question(number) => {
                let embedding = vectors.first().map(Quantised::to_embedding);
                let mut state = open.work.borrow_mut();
                state.questions.answer(number, embedding);
            }
            // The results of readings come as an event of their own.
            Work::Reading(number, _) => open.work.borrow_mut().readings.refuse(number),
            Work::Chunks(chunks) => {
                let mut computed = 0;
                for (chunk, quantised) in chunks.into_iter().zip(vectors) {
                    let Some(key) = open.work.borrow().keys.get(chunk.0 as usize).copied() else {
                        continue;
                    };
                    computed += set(open, key, &quantised);
                    let bytes = quantised.to_bytes();
                    open.work.borrow_mut().unsaved.push((key, bytes));
                }
                let mut state = open.work.borrow_mut();
                state.computed += computed;
                state.rate.note(now_ms(), computed);
                if state.unsaved.len() >= BATCH {
                    drop(state);
                    self.save_soon(open, 0);
                }
            }
        }
    }

    /// Reports the progress of the vectors to the page and saves them, until all are there.
    fn keep_reporting(self: &Rc<Self>, open: Rc<OpenRepo>) {
        if open.is_reported.replace(true) {
            return;
        }
        let encoders = Rc::clone(self);
        let mut told = open.vectors_view();
        let mut since_save = 0;
        spawn_local(async move {
            loop {
                crate::platform::clock::sleep(REPORT_MS).await;
                if !encoders.shelf.is_current(&open) {
                    return;
                }
                let view = open.vectors_view();
                let finished = view.done >= view.total || view.failed.is_some();
                since_save += REPORT_MS;
                if since_save >= SAVE_MS || finished {
                    since_save = 0;
                    encoders.save_vectors(&open).await;
                }
                if view != told {
                    told = view.clone();
                    encoders.services.tell(open.job, view);
                }
                if finished {
                    open.is_reported.set(false);
                    return;
                }
            }
        });
    }

    fn save_soon(self: &Rc<Self>, open: &Rc<OpenRepo>, milliseconds: u32) {
        let (encoders, open) = (Rc::clone(self), Rc::clone(open));
        Timeout::new(milliseconds, move || {
            spawn_local(async move { encoders.save_vectors(&open).await });
        })
        .forget();
    }

    /// Saves what has not been saved yet. If that fails, tells the page once and does nothing more.
    pub async fn save_vectors(&self, open: &OpenRepo) {
        let unsaved = std::mem::take(&mut open.work.borrow_mut().unsaved);
        if unsaved.is_empty() || !open.keep.get() {
            return;
        }
        // If two tabs save at the same moment, this random part makes their keys different.
        let writer = (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
        let chunks = open.work.borrow().chunks_of(&unsaved);
        let saved = self
            .services
            .storage
            .save_batch(&open.key, writer, &unsaved, chunks)
            .await;
        if let Err(error @ (StorageError::Full | StorageError::Failed(_))) = saved {
            open.keep.set(false);
            self.services.warn(open.job, notices::storage(&error));
        }
    }

    fn report(&self, open: &OpenRepo) {
        self.services.tell(open.job, open.vectors_view());
    }

    pub async fn serve(
        self: &Rc<Self>,
        job: JobId,
        request: VectorsRequest,
        body: &JsValue,
        cancel: &Cancel,
    ) {
        match request {
            VectorsRequest::Pause { paused } => self.pause(job, paused),
            VectorsRequest::ReadClosely { on } => self.read_closely(job, on).await,
            VectorsRequest::UseOwn => self.choose(job, Source::Own, false, cancel).await,
            VectorsRequest::Bring {
                name,
                pooling,
                keep,
            } => match Self::brought(name, pooling, body) {
                Some(source) => self.choose(job, source, keep, cancel).await,
                None => {
                    let notice = notices::internal("no files came with an encoder");
                    self.services.fail(job, notice);
                }
            },
        }
    }

    fn pause(&self, job: JobId, paused: bool) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        open.work.borrow_mut().queue.paused = paused;
        if paused {
            self.paused.call();
        }
        self.services.end(job, open.vectors_view());
        self.report(&open);
        self.feed();
    }

    /// Stops computing the vectors of the repository that `job` opened.
    pub fn pause_if_opened_by(&self, job: JobId) {
        if let Some(open) = self.shelf.current().filter(|open| open.job == job) {
            open.work.borrow_mut().queue.paused = true;
            self.paused.call();
        }
    }
}

/// Stores a vector for all chunks with its text; returns how many of them were missing one.
fn set(open: &OpenRepo, key: ContentKey, vector: &Quantised) -> u32 {
    let mut work = open.work.borrow_mut();
    let Some(chunks) = work.twins.get(&key).cloned() else {
        return 0;
    };
    let mut vectors = open.vectors.borrow_mut();
    let missing: Vec<ChunkId> = chunks
        .into_iter()
        .filter(|&chunk| !vectors.has(chunk))
        .collect();
    for &chunk in &missing {
        if vectors.set(chunk, vector) {
            work.queue.settle(chunk);
        }
    }
    missing.len() as u32
}

/// Marks texts that the model cannot embed; they are not tried again.
fn refused(open: &OpenRepo, work: Work) {
    let mut state = open.work.borrow_mut();
    match work {
        Work::Question(number) => state.questions.refuse(number),
        Work::Reading(number, _) => state.readings.refuse(number),
        Work::Chunks(chunks) => chunks
            .into_iter()
            .for_each(|chunk| state.queue.give_up(chunk)),
    }
}
