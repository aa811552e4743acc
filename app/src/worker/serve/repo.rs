//! The open repository: its index, its vectors so far, and the work on the rest.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use footnote_core::chunk::ChunkId;
use footnote_core::describe::Written;
use footnote_core::embed::{Embedding, LineVectors};
use footnote_core::index::file::SavedVectors;
use footnote_core::index::{ContentKey, Index, Vectors};

use super::across::Across;
use super::unsaved::Unsaved;
use crate::worker::encoder_protocol::Backend;
use crate::worker::pool::{Model, Queue, Rate};
use crate::worker::protocol::{EncoderView, JobId, MAX_UNASKED, VectorsView};

/// An index with everything that belongs to an open repository.
pub struct OpenRepo {
    /// Key of the saved repository.
    pub key: String,
    /// The job that opened it, which receives events about vectors.
    pub job: JobId,
    /// Distinguishes it from repositories opened before or after it.
    pub generation: u32,
    /// Shared with the reading of another version of the repository.
    pub index: Arc<Index>,
    pub vectors: RefCell<Vectors>,
    /// The state of the static encoder.
    pub by_table: RefCell<ByTable>,
    pub work: RefCell<Work>,
    /// Whether it came as an index file. Its name, the files that were left out and what commits
    /// say are the word of whoever made that, even once its index was compared with its text.
    pub from_file: Cell<bool>,
    /// Set if it is all repositories of a server. The transformer then reads only what questions
    /// need.
    pub across: RefCell<Option<Across>>,
    /// Another index that has the static encoder's vectors of many of its files, until it has its
    /// own.
    pub before: RefCell<Option<Arc<Index>>>,
    /// The static encoder's vectors that came with an index file, until the encoder is there.
    pub brought: RefCell<Option<SavedVectors>>,
    /// Whether the page is being sent the progress of the vectors.
    pub is_reported: Cell<bool>,
    /// Line vectors of contexts from encoders, latest questions last.
    pub lines: RefCell<Kept>,
    /// What language models wrote about its parts, once it was read from storage.
    pub written: RefCell<Option<Rc<Written>>>,
    /// Whether vectors and answers may be saved: not before the repository itself is saved, and not
    /// after it was deleted.
    pub keep: Cell<bool>,
    /// The parts of its conversations that could not be saved, or are not saved yet.
    pub unsaved: Unsaved,
}

/// The progress of the static encoder on a repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ByTable {
    #[default]
    Waiting,
    /// Every chunk has a vector; holds the time it took.
    Ready { milliseconds: f64 },
    /// No chunk has a vector, and none will have one.
    Failed(String),
}

/// The state of the vectors still to be computed.
#[derive(Default)]
pub struct Work {
    /// The model that computes the vectors; `None` before the encoders start on the repository.
    pub model: Option<Model>,
    pub encoder: EncoderView,
    pub queue: Queue,
    /// Set once `queue`, `keys` and `twins` are filled.
    pub prepared: bool,
    pub keys: Vec<ContentKey>,
    /// Chunks with the same text: only the first is embedded.
    pub twins: BTreeMap<ContentKey, Vec<ChunkId>>,
    pub reused: u32,
    pub computed: u32,
    pub rate: Rate,
    pub failed: Option<String>,
    /// What the first encoder runs on.
    pub backend: Backend,
    /// Vectors that are computed but not saved yet.
    pub unsaved: Vec<(ContentKey, Vec<u8>)>,
    pub questions: Asked<Embedding>,
    /// The last embedded question: its trace and its context need it again.
    embedded: Option<(String, Embedding)>,
    /// As bytes; whoever asks knows what they encode.
    pub readings: Asked<Vec<u8>>,
}

/// Most passages whose line vectors are kept; each takes about ten kilobytes.
const MAX_KEPT: usize = 400;

/// Line vectors by the key of their text, so that a context that is viewed, changed and sent is
/// read only once.
#[derive(Default)]
pub struct Kept(BTreeMap<ContentKey, LineVectors>);

impl Kept {
    pub fn get(&self, key: &ContentKey) -> Option<LineVectors> {
        self.0.get(key).cloned()
    }

    /// Stores vectors; if there are too many, all earlier ones are dropped.
    pub fn keep(&mut self, key: ContentKey, vectors: &LineVectors) {
        if self.0.len() >= MAX_KEPT {
            self.0.clear();
        }
        self.0.insert(key, vectors.clone());
    }
}

/// Texts that wait for an encoder's result: questions for their embedding, a question's candidates
/// for the vectors of their tokens or lines.
pub struct Asked<T> {
    last: u32,
    pub texts: BTreeMap<u32, String>,
    answered: BTreeMap<u32, T>,
    refused: BTreeSet<u32>,
}

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Self {
            last: 0,
            texts: BTreeMap::new(),
            answered: BTreeMap::new(),
            refused: BTreeSet::new(),
        }
    }
}

impl<T> Asked<T> {
    /// Adds a text and returns its number.
    pub fn add(&mut self, text: &str) -> u32 {
        self.last += 1;
        self.texts.insert(self.last, text.to_owned());
        self.last
    }

    /// Stores the result for a text; `None` if the encoder returned none. Dropped if no one waits
    /// for it.
    pub fn answer(&mut self, number: u32, answer: Option<T>) {
        match answer {
            Some(answer) if self.texts.contains_key(&number) => {
                self.answered.insert(number, answer);
            }
            Some(_) => {}
            None => self.refuse(number),
        }
    }

    /// Notes that the text cannot be embedded.
    pub fn refuse(&mut self, number: u32) {
        if self.texts.contains_key(&number) {
            self.refused.insert(number);
        }
    }

    /// Forgets all results, and returns the numbers of the texts that are waited for.
    fn again(&mut self) -> Vec<u32> {
        self.answered.clear();
        self.refused.clear();
        self.texts.keys().copied().collect()
    }

    /// Whether the text has its final result.
    pub fn is_settled(&self, number: u32) -> bool {
        self.answered.contains_key(&number) || self.refused.contains(&number)
    }

    /// Stops waiting for a text, and returns its result, if any.
    pub fn take(&mut self, number: u32) -> Option<T> {
        self.texts.remove(&number);
        self.refused.remove(&number);
        self.answered.remove(&number)
    }
}

impl Work {
    /// Forgets the results of another model. What is waited for is requested again, except for
    /// texts to be read more closely.
    pub fn begin_with(&mut self, model: Model) {
        let paused = self.queue.paused;
        self.queue = Queue::default();
        self.queue.paused = paused;
        self.model = Some(model);
        self.prepared = false;
        self.keys.clear();
        self.twins.clear();
        (self.reused, self.computed) = (0, 0);
        self.rate = Rate::default();
        self.embedded = None;
        for question in self.questions.again() {
            self.queue.ask(question);
        }
        for text in self.readings.again() {
            self.readings.refuse(text);
        }
    }

    /// Number of chunks that these vectors belong to.
    pub fn chunks_of(&self, vectors: &[(ContentKey, Vec<u8>)]) -> usize {
        let twins = vectors.iter().filter_map(|(key, _)| self.twins.get(key));
        twins.map(Vec::len).sum()
    }

    /// Requests the embedding of a question, unless it is the last one that was embedded.
    pub fn ask(&mut self, question: &str) -> u32 {
        let number = self.questions.add(question);
        match &self.embedded {
            Some((last, embedding)) if last == question => {
                self.questions.answer(number, Some(embedding.clone()));
            }
            _ => self.queue.ask(number),
        }
        number
    }

    /// Stops waiting for a question's embedding, and returns it, if any.
    pub fn take_embedding(&mut self, number: u32) -> Option<Embedding> {
        self.queue.forget(number);
        let question = self.questions.texts.get(&number).cloned();
        let embedding = self.questions.take(number)?;
        self.embedded = Some((question?, embedding.clone()));
        Some(embedding)
    }
}

impl OpenRepo {
    pub fn new(key: String, job: JobId, generation: u32, index: Index) -> Self {
        let chunks = index.chunks.len();
        Self {
            key,
            job,
            generation,
            index: Arc::new(index),
            vectors: RefCell::new(Vectors::new(Model::own().dimension, chunks)),
            by_table: RefCell::default(),
            work: RefCell::default(),
            from_file: Cell::default(),
            across: RefCell::default(),
            before: RefCell::default(),
            brought: RefCell::default(),
            is_reported: Cell::new(false),
            lines: RefCell::default(),
            written: RefCell::default(),
            keep: Cell::new(false),
            unsaved: Unsaved::default(),
        }
    }

    /// Whether the transformer is not to read all chunks without being asked, as long as there is
    /// the static encoder.
    pub fn is_read_on_demand(&self) -> bool {
        self.index.chunks.len() as u32 > MAX_UNASKED || self.across.borrow().is_some()
    }

    /// The progress of the vectors.
    pub fn vectors_view(&self) -> VectorsView {
        let work = self.work.borrow();
        let vectors = self.vectors.borrow();
        let total = (vectors.chunk_count() as u32).saturating_sub(work.queue.given_up());
        let done = vectors.count() as u32;
        let (gpu, no_gpu) = match &work.backend {
            Backend::Gpu { name, tier } => (Some(format!("{name}, {tier}")), None),
            Backend::Cpu { refused } => (None, refused.clone()),
        };
        let working = work.failed.is_none() && !work.queue.paused && done < total;
        let (table_ms, no_table) = match &*self.by_table.borrow() {
            ByTable::Waiting => (None, None),
            ByTable::Ready { milliseconds } => (Some(*milliseconds), None),
            ByTable::Failed(why) => (None, Some(why.clone())),
        };
        VectorsView {
            encoder: Box::new(work.encoder.clone()),
            on_demand: table_ms.is_some() && self.is_read_on_demand(),
            table_ms,
            no_table,
            done,
            total,
            reused: work.reused,
            computed: work.computed,
            per_second: if working { work.rate.per_second() } else { 0.0 },
            seconds_left: match working {
                true => work.rate.seconds_for(total - done),
                false => None,
            },
            paused: work.queue.paused,
            failed: work.failed.clone(),
            gpu,
            no_gpu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::pool::Room;

    #[test]
    fn chunks_of_the_same_text_count_with_their_vector() {
        let mut work = Work::default();
        let [shared, own] = ["def a(): pass", "def b(): pass"]
            .map(|text| ContentKey::of(crate::worker::pool::MODEL, text));
        work.twins.insert(shared, vec![ChunkId(0), ChunkId(2)]);
        work.twins.insert(own, vec![ChunkId(1)]);
        let vectors = [(shared, Vec::new()), (own, Vec::new())];
        assert_eq!(work.chunks_of(&vectors), 3);
    }

    #[test]
    fn the_question_that_was_embedded_last_is_not_embedded_again() {
        let mut work = Work::default();
        let embedding = Embedding::from_raw(vec![0.6, 0.8]);
        let first = work.ask("how is tea brewed");
        assert!(!work.questions.is_settled(first));
        work.questions.answer(first, Some(embedding.clone()));
        assert_eq!(work.take_embedding(first), Some(embedding.clone()));

        let again = work.ask("how is tea brewed");
        assert!(work.questions.is_settled(again));
        assert!(work.queue.take(Room::default()).is_none());
        assert_eq!(work.take_embedding(again), Some(embedding));

        let other = work.ask("how is coffee brewed");
        assert!(!work.questions.is_settled(other));
        assert_eq!(work.take_embedding(other), None);
        assert!(
            work.embedded
                .is_some_and(|(last, _)| last == "how is tea brewed")
        );
    }
}
