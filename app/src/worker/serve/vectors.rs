//! Vectors of the open repository: those found in storage, then the rest, computed by the encoders
//! and saved as they come.

use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::chunk::{Chunk, ChunkId, ChunkKind};
use footnote_core::index::{ContentKey, Index, Quantised};
use footnote_core::lang::Role;
use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;

use super::repo::OpenRepo;
use super::slices::Slice;
use super::{Engine, batch, notices};
use crate::platform::clock::now_ms;
use crate::platform::idb::StorageError;
use crate::worker::pool::{MODEL, PoolEvent, Queue, Task, Work};
use crate::worker::protocol::{JobId, VectorsRequest};

/// Vectors that are saved together.
const BATCH: usize = 256;
/// How long a vector waits at most to be saved, in milliseconds.
const SAVE_MS: u32 = 2_000;
/// Least time between two events about vectors, in milliseconds.
const REPORT_MS: u32 = 250;

impl Engine {
    /// Whether `open` is still the open repository.
    pub(super) fn is_current(&self, open: &OpenRepo) -> bool {
        self.generation.get() == open.generation && self.open.borrow().is_some()
    }

    /// Starts on the vectors of a repository that was just opened.
    pub(super) fn start_vectors(self: &Rc<Self>, open: &Rc<OpenRepo>) {
        let (engine, open) = (Rc::clone(self), Rc::clone(open));
        spawn_local(async move {
            engine.pool.start();
            {
                let mut work = open.work.borrow_mut();
                work.failed = engine.pool.unusable();
                work.backend = engine.pool.backend();
            }
            engine.prepare(&open).await;
            engine.report_vectors(&open);
            engine.changed.notify();
            engine.feed();
            engine.keep_reporting(open);
        });
    }

    /// Finds out what each chunk needs and what storage already has of it.
    async fn prepare(&self, open: &OpenRepo) {
        let mut slice = Slice::default();
        let count = open.index.chunks.len();
        let mut keys = Vec::with_capacity(count);
        let mut sizes = Vec::with_capacity(count);
        let mut twins: BTreeMap<ContentKey, Vec<ChunkId>> = BTreeMap::new();
        for (id, _) in open.index.chunk_ids() {
            let text = open.index.embedding_text(id);
            let key = ContentKey::of(MODEL, &text);
            keys.push(key);
            sizes.push(text.len() as u32);
            twins.entry(key).or_default().push(id);
            slice.pause().await;
            if !self.is_current(open) {
                return;
            }
        }
        let order = best_order(&open.index, &sizes);
        {
            let mut work = open.work.borrow_mut();
            let old = std::mem::replace(&mut work.queue, Queue::new(sizes, order));
            work.queue.take_over(old);
            // Only the first of several chunks of the same text is embedded.
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

    /// Takes what was saved, first of this repository, then of others.
    async fn find_saved(&self, open: &OpenRepo) {
        // What cannot be read is computed again.
        for bytes in self.storage.batches(&open.key).await.unwrap_or_default() {
            self.take_batch(open, &bytes, false);
        }
        if open.vectors.borrow().is_complete() {
            return;
        }
        let others = self.storage.other_batches(&open.key).await;
        for key in others.unwrap_or_default() {
            if !self.is_current(open) || open.vectors.borrow().is_complete() {
                break;
            }
            if let Ok(Some(bytes)) = self.storage.batch(&key).await {
                self.take_batch(open, &bytes, true);
            }
        }
        self.save_vectors(open).await;
    }

    /// Takes the vectors of a saved batch that are missing here; `copy` if they have to be saved under
    /// this repository too.
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

    /// Gives idle encoders work.
    pub(super) fn feed(&self) {
        let Some(open) = self.current() else {
            return;
        };
        let mut work = open.work.borrow_mut();
        if work.failed.is_some() {
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

    /// Computes no vectors that no one waits for until the result is dropped: what is on screen while they are
    /// computed beside gets a core less.
    pub(super) fn hold_vectors(self: &Rc<Self>) -> Hold {
        self.holds.set(self.holds.get() + 1);
        Hold(Rc::clone(self))
    }

    /// What the encoders tell.
    pub(super) fn pool_event(self: &Rc<Self>, event: PoolEvent) {
        let current = self.current();
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
                    self.report_vectors(&open);
                }
            }
            PoolEvent::GpuLost(why) => {
                if let Some(open) = current {
                    open.work.borrow_mut().backend = self.pool.backend();
                    self.warn(open.job, notices::gpu_lost(&why));
                    self.report_vectors(&open);
                }
            }
            PoolEvent::Unusable(why) => {
                if let Some(open) = current {
                    open.work.borrow_mut().failed = Some(why);
                    self.report_vectors(&open);
                }
            }
        }
        self.changed.notify();
        self.feed();
    }

    fn embedded(self: &Rc<Self>, open: &Rc<OpenRepo>, work: Work, vectors: Vec<Quantised>) {
        match work {
            Work::Question(number) => {
                let embedding = vectors.first().map(Quantised::to_embedding);
                let mut state = open.work.borrow_mut();
                state.questions.answer(number, embedding);
            }
            // Readings come as an event of their own.
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

    /// Tells the page how far the vectors are and saves them, until all are there.
    fn keep_reporting(self: &Rc<Self>, open: Rc<OpenRepo>) {
        let engine = Rc::clone(self);
        let mut told = open.vectors_view();
        let mut since_save = 0;
        spawn_local(async move {
            loop {
                crate::platform::clock::sleep(REPORT_MS).await;
                if !engine.is_current(&open) {
                    return;
                }
                let view = open.vectors_view();
                let finished = view.done >= view.total || view.failed.is_some();
                since_save += REPORT_MS;
                if since_save >= SAVE_MS || finished {
                    since_save = 0;
                    engine.save_vectors(&open).await;
                }
                if view != told {
                    told = view.clone();
                    engine.tell(open.job, view);
                }
                if finished {
                    return;
                }
            }
        });
    }

    fn save_soon(self: &Rc<Self>, open: &Rc<OpenRepo>, milliseconds: u32) {
        let (engine, open) = (Rc::clone(self), Rc::clone(open));
        Timeout::new(milliseconds, move || {
            spawn_local(async move { engine.save_vectors(&open).await });
        })
        .forget();
    }

    /// Saves what was not saved yet. If that fails nothing more is tried; the page is told once.
    pub(super) async fn save_vectors(&self, open: &OpenRepo) {
        let unsaved = std::mem::take(&mut open.work.borrow_mut().unsaved);
        if unsaved.is_empty() || !open.keep.get() {
            return;
        }
        // Two tabs that save at the same moment differ in their generations' random part.
        let writer = (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
        let saved = self.storage.save_batch(&open.key, writer, &unsaved).await;
        if let Err(error @ (StorageError::Full | StorageError::Failed(_))) = saved {
            open.keep.set(false);
            self.warn(open.job, notices::storage(&error));
        }
    }

    pub(super) fn report_vectors(&self, open: &OpenRepo) {
        self.tell(open.job, open.vectors_view());
    }

    pub(super) fn serve_vectors(&self, job: JobId, request: VectorsRequest) {
        let VectorsRequest::Pause { paused } = request;
        let Some(open) = self.current() else {
            return self.fail(job, notices::nothing_open());
        };
        open.work.borrow_mut().queue.paused = paused;
        if paused {
            self.stop_reading_ahead();
        }
        self.end(job, open.vectors_view());
        self.report_vectors(&open);
        self.feed();
    }

    /// Stops computing the vectors of the repository that `job` opened.
    pub(super) fn pause_if_opened_by(&self, job: JobId) {
        if let Some(open) = self.current().filter(|open| open.job == job) {
            open.work.borrow_mut().queue.paused = true;
            self.stop_reading_ahead();
        }
    }
}

/// Holds background vectors back.
pub(super) struct Hold(Rc<Engine>);

impl Drop for Hold {
    fn drop(&mut self) {
        let Self(engine) = self;
        engine.holds.set(engine.holds.get() - 1);
        engine.feed();
    }
}

/// Stores a vector for all chunks of its text; how many of them were missing.
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

/// The model cannot embed these texts; they are not tried again.
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

/// Chunks in the order in which their vectors help most: definitions and the README first, tests
/// last; within each, texts of like length together, because a batch is as slow as its longest.
fn best_order(index: &Index, sizes: &[u32]) -> Vec<ChunkId> {
    let roles: Vec<Role> = index
        .repo
        .files
        .iter()
        .map(|file| Role::of(&file.path))
        .collect();
    let mut order: Vec<((u8, u32), ChunkId)> = index
        .chunk_ids()
        .map(|(id, chunk)| {
            let role = roles
                .get(chunk.file.0 as usize)
                .copied()
                .unwrap_or(Role::Source);
            let path = index.path_of(id).unwrap_or_default();
            let size = sizes.get(id.0 as usize).copied().unwrap_or(0);
            ((rank(chunk, role, path), size / 100), id)
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, id)| id).collect()
}

fn rank(chunk: &Chunk, role: Role, path: &str) -> u8 {
    let definition = matches!(chunk.kind, ChunkKind::Symbol | ChunkKind::Head);
    let readme = path.to_ascii_lowercase().starts_with("readme");
    match role {
        _ if readme => 0,
        Role::Source if definition => 1,
        Role::Source => 2,
        Role::Docs | Role::Manifest => 3,
        Role::Example | Role::Config => 4,
        Role::Test => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::job::run_to_end;
    use footnote_core::source::{Repo, SourceFile};

    #[test]
    fn the_readme_comes_first_and_tests_come_last() {
        let files = [
            ("README.md", "# Tea\n\nTea is a drink.\n"),
            ("src/tea.py", "import os\n\ndef brew():\n    return 1\n"),
            ("tests/test_tea.py", "def test_brew():\n    assert 1\n"),
        ];
        let repo = Repo {
            name: "tea".into(),
            files: files
                .map(|(path, text)| SourceFile {
                    path: path.into(),
                    text: text.into(),
                })
                .into(),
            ..Repo::default()
        };
        let builder =
            footnote_core::index::IndexBuilder::new(repo, footnote_core::chunk::Chunking::FUNCTION);
        let index = run_to_end(builder).unwrap();
        let sizes = vec![50; index.chunks.len()];
        let order = best_order(&index, &sizes);
        assert_eq!(order.len(), index.chunks.len());
        let paths: Vec<_> = order.iter().filter_map(|&id| index.path_of(id)).collect();
        assert_eq!(paths.first(), Some(&"README.md"));
        assert_eq!(paths.last(), Some(&"tests/test_tea.py"));
    }
}
