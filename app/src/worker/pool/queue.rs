//! Decides what is embedded next. Questions come first, then texts to be read more closely for a
//! question, then the candidates of a waiting question, then everything else, best first. The work
//! of a dead encoder returns to the front.

use std::collections::{BTreeMap, VecDeque};

use footnote_core::chunk::ChunkId;

use crate::worker::encoder_protocol::Detail;

use super::Room;

/// Bytes beyond the model's window cost nothing, because they are cut off.
const MAX_TEXT: usize = 1_200;
/// Encoders that may die over a batch before its chunks are given up.
const MAX_DEATHS: u32 = 2;

/// The work that an encoder is given at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// The question with this number.
    Question(u32),
    Chunks(Vec<ChunkId>),
    /// The text with this number, read more closely; one text at a time, so that all encoders share
    /// the work for a question.
    Reading(u32, Detail),
}

/// The state of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Missing,
    InWork,
    /// Its vector is there, or the chunk was given up.
    Settled,
}

/// Chunks and questions that wait for an encoder.
#[derive(Debug, Default)]
pub struct Queue {
    questions: VecDeque<u32>,
    readings: VecDeque<(u32, Detail)>,
    wanted: VecDeque<ChunkId>,
    /// All chunks, best first; those before `next` have been handed out or settled.
    order: Vec<ChunkId>,
    next: usize,
    states: Vec<State>,
    sizes: Vec<u32>,
    deaths: BTreeMap<ChunkId, u32>,
    given_up: u32,
    /// The user has paused the work that no question is waiting for.
    pub paused: bool,
    /// Something that needs the cores for a moment has paused it.
    pub held: bool,
}

impl Queue {
    /// A queue for chunks `0..sizes.len()`, whose texts have `sizes` bytes, to be embedded in
    /// `order`.
    pub fn new(sizes: Vec<u32>, order: Vec<ChunkId>) -> Self {
        Self {
            states: vec![State::Missing; sizes.len()],
            sizes,
            order,
            ..Self::default()
        }
    }

    /// Moves the questions and texts that wait in `old` to this queue.
    pub fn take_over(&mut self, old: Queue) {
        self.questions = old.questions;
        self.readings = old.readings;
        self.paused = old.paused;
    }

    /// Queues a question ahead of everything but earlier questions.
    pub fn ask(&mut self, question: u32) {
        self.questions.push_back(question);
    }

    /// Removes a question that is no longer needed.
    pub fn forget(&mut self, question: u32) {
        self.questions.retain(|&waiting| waiting != question);
    }

    /// Queues a text to be read more closely, behind the questions.
    pub fn ask_reading(&mut self, text: u32, detail: Detail) {
        self.readings.push_back((text, detail));
    }

    /// Removes a text that is no longer needed.
    pub fn forget_reading(&mut self, text: u32) {
        self.readings.retain(|&(waiting, _)| waiting != text);
    }

    /// Moves chunks ahead of the others, skipping those that need no work.
    pub fn want(&mut self, chunks: &[ChunkId]) {
        let missing = chunks
            .iter()
            .copied()
            .filter(|&chunk| self.is_missing(chunk));
        let missing: Vec<_> = missing.collect();
        self.wanted.extend(missing);
    }

    /// Drops all priorities; the chunks keep their place in the order.
    pub fn want_nothing(&mut self) {
        self.wanted.clear();
    }

    /// Notes that `chunk` has its vector.
    pub fn settle(&mut self, chunk: ChunkId) {
        if let Some(state) = self.states.get_mut(chunk.0 as usize) {
            *state = State::Settled;
        }
    }

    /// Notes that `chunk` will never have a vector.
    pub fn give_up(&mut self, chunk: ChunkId) {
        if self.is_expected(chunk) {
            self.given_up += 1;
            self.settle(chunk);
        }
    }

    /// Whether a vector for `chunk` is still to be expected.
    pub fn is_expected(&self, chunk: ChunkId) -> bool {
        let state = self.states.get(chunk.0 as usize);
        state.is_some_and(|&state| state != State::Settled)
    }

    /// Number of chunks without a vector because the model or its encoders failed on them.
    pub fn given_up(&self) -> u32 {
        self.given_up
    }

    /// Takes the next work that fits an encoder with this room; `None` if nothing is waiting.
    pub fn take(&mut self, room: Room) -> Option<Work> {
        if let Some(question) = self.questions.pop_front() {
            return Some(Work::Question(question));
        }
        if let Some((text, detail)) = self.readings.pop_front() {
            return Some(Work::Reading(text, detail));
        }
        let mut batch = Vec::new();
        let mut bytes = 0;
        while let Some(chunk) = self.peek() {
            let size = self.size(chunk);
            // A chunk over which an encoder died is retried alone.
            let alone = self.deaths.contains_key(&chunk);
            let full = batch.len() >= room.chunks() || bytes + size > room.bytes() || alone;
            if full && !batch.is_empty() {
                break;
            }
            bytes += size;
            batch.push(chunk);
            if let Some(state) = self.states.get_mut(chunk.0 as usize) {
                *state = State::InWork;
            }
            if alone {
                break;
            }
        }
        (!batch.is_empty()).then_some(Work::Chunks(batch))
    }

    /// Requeues work whose encoder died.
    pub fn lost(&mut self, work: Work) {
        match work {
            Work::Question(question) => self.questions.push_front(question),
            Work::Reading(text, detail) => self.readings.push_front((text, detail)),
            Work::Chunks(chunks) => {
                for chunk in chunks.into_iter().rev() {
                    if !self.is_expected(chunk) {
                        continue;
                    }
                    let deaths = self.deaths.entry(chunk).or_default();
                    *deaths += 1;
                    if *deaths >= MAX_DEATHS {
                        self.give_up(chunk);
                    } else {
                        self.wanted.push_front(chunk);
                        if let Some(state) = self.states.get_mut(chunk.0 as usize) {
                            *state = State::Missing;
                        }
                    }
                }
            }
        }
    }

    /// Returns the next chunk without a vector; chunks that have one are skipped for good.
    fn peek(&mut self) -> Option<ChunkId> {
        while let Some(&chunk) = self.wanted.front() {
            if self.is_missing(chunk) {
                return Some(chunk);
            }
            self.wanted.pop_front();
        }
        if self.paused || self.held {
            return None;
        }
        while let Some(&chunk) = self.order.get(self.next) {
            if self.is_missing(chunk) {
                return Some(chunk);
            }
            self.next += 1;
        }
        None
    }

    fn is_missing(&self, chunk: ChunkId) -> bool {
        self.states.get(chunk.0 as usize) == Some(&State::Missing)
    }

    fn size(&self, chunk: ChunkId) -> usize {
        let size = self.sizes.get(chunk.0 as usize).copied().unwrap_or(0);
        (size as usize).min(MAX_TEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<ChunkId> {
        numbers.into_iter().map(ChunkId).collect()
    }

    fn queue(count: u32, size: u32) -> Queue {
        Queue::new(vec![size; count as usize], ids(0..count))
    }

    #[test]
    fn questions_come_before_candidates_and_candidates_before_the_rest() {
        let mut queue = queue(40, 1_000);
        queue.want(&ids([30, 31]));
        queue.ask_reading(3, Detail::Tokens);
        queue.ask_reading(4, Detail::Lines);
        queue.forget_reading(3);
        queue.ask(7);
        assert_eq!(queue.take(Room::default()), Some(Work::Question(7)));
        assert_eq!(
            queue.take(Room::default()),
            Some(Work::Reading(4, Detail::Lines))
        );
        assert_eq!(
            queue.take(Room::default()),
            Some(Work::Chunks(ids([30, 31, 0, 1])))
        );
        assert_eq!(queue.take(Room::default()), Some(Work::Chunks(ids(2..6))));
    }

    #[test]
    fn batches_are_limited_in_bytes_and_in_number() {
        for (size, expected) in [(10, 16), (1_000, 4), (4_096, 3), (1_000_000, 3)] {
            match queue(40, size).take(Room::default()) {
                Some(Work::Chunks(batch)) => assert_eq!(batch.len(), expected, "size {size}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_chunk_is_handed_out_once_and_not_at_all_if_its_vector_is_there() {
        let mut queue = queue(3, 2_000);
        queue.settle(ChunkId(1));
        queue.want(&ids([0, 1]));
        assert_eq!(queue.take(Room::default()), Some(Work::Chunks(ids([0, 2]))));
        assert_eq!(queue.take(Room::default()), None);
    }

    #[test]
    fn a_pause_and_a_hold_keep_back_only_what_no_one_waits_for() {
        for (paused, held) in [(true, false), (false, true), (true, true)] {
            let mut queue = queue(3, 100);
            (queue.paused, queue.held) = (paused, held);
            assert_eq!(queue.take(Room::default()), None);
            queue.want(&ids([2]));
            queue.ask(1);
            assert_eq!(queue.take(Room::default()), Some(Work::Question(1)));
            assert_eq!(queue.take(Room::default()), Some(Work::Chunks(ids([2]))));
            assert_eq!(queue.take(Room::default()), None);
            (queue.paused, queue.held) = (false, false);
            assert_eq!(queue.take(Room::default()), Some(Work::Chunks(ids([0, 1]))));
        }
    }

    #[test]
    fn lost_work_is_done_again_alone_and_given_up_after_the_second_death() {
        let mut queue = queue(3, 100);
        let work = queue.take(Room::default()).unwrap();
        assert_eq!(work, Work::Chunks(ids([0, 1, 2])));
        queue.settle(ChunkId(1));
        queue.lost(work);
        let again = queue.take(Room::default()).unwrap();
        assert_eq!(again, Work::Chunks(ids([0])));
        queue.lost(again);
        assert_eq!(queue.given_up(), 1);
        assert!(!queue.is_expected(ChunkId(0)));
        assert_eq!(queue.take(Room::default()), Some(Work::Chunks(ids([2]))));
        assert_eq!(queue.take(Room::default()), None);
    }

    #[test]
    fn a_lost_question_is_next_and_a_forgotten_one_is_not() {
        let mut queue = Queue::default();
        queue.ask(1);
        queue.ask(2);
        let work = queue.take(Room::default()).unwrap();
        queue.lost(work);
        queue.forget(2);
        assert_eq!(queue.take(Room::default()), Some(Work::Question(1)));
        assert_eq!(queue.take(Room::default()), None);
    }
}
