//! The page's updates while an answer is written: one at once for the first word, then a few times
//! a second, each with only the changes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::Interval;

use crate::platform::clock::now_ms;
use crate::worker::protocol::{JobId, Part, StepView, WriteEvent, WritingState, WrittenView};
use crate::worker::serve::connect::Patience;
use crate::worker::serve::draft::Draft;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::services::Services;

/// Shortest time between two messages, in milliseconds: what the eye can follow.
const FLUSH_MS: f64 = 40.0;
/// The time between two messages is at least this multiple of the time that building one takes, so
/// that a very long answer does not keep the engine from everything else.
const REST: f64 = 4.0;
/// Most bytes of text; beyond that the model is assumed to have gone astray.
const MAX_TEXT: usize = 256 << 10;

/// An answer that is being written, and what the page knows of it. Clones share the same answer.
#[derive(Clone)]
pub struct Progress(Rc<Inner>);

struct Inner {
    services: Rc<Services>,
    open: Rc<OpenRepo>,
    job: JobId,
    draft: RefCell<Draft>,
    told: RefCell<WrittenView>,
    is_dirty: Cell<bool>,
    /// Tokens that the model wrote in all requests so far; `None` once one of them was not counted.
    tokens: Cell<Option<u32>>,
    /// When the next message may be sent.
    next: Cell<f64>,
    began: f64,
}

impl Progress {
    pub fn new(services: &Rc<Services>, open: &Rc<OpenRepo>, job: JobId, draft: Draft) -> Self {
        // What was written for the requests of an earlier job is unknown.
        let is_first = draft.view.sent_requests == 0;
        Self(Rc::new(Inner {
            services: Rc::clone(services),
            open: Rc::clone(open),
            job,
            draft: RefCell::new(draft),
            told: RefCell::default(),
            is_dirty: Cell::new(false),
            tokens: Cell::new(is_first.then_some(0)),
            next: Cell::new(0.0),
            began: now_ms(),
        }))
    }

    /// Sends pending changes when nothing new arrives, until the returned interval is dropped.
    pub fn keep_telling(&self) -> Interval {
        let progress = self.clone();
        Interval::new(FLUSH_MS as u32, move || {
            if progress.0.is_dirty.get() {
                progress.tell_if_due();
            }
        })
    }

    /// Tells the page when nothing has arrived for this many seconds.
    pub fn patience(&self, after_s: u32) -> Patience {
        let progress = self.clone();
        Patience::new(after_s, move |seconds| {
            let event = WriteEvent::Silence(seconds);
            progress.0.services.post(progress.0.job, Part::More, event);
        })
    }

    /// Adds text; returns false if there is too much of it.
    pub fn write(&self, text: &str) -> bool {
        let length = {
            let mut draft = self.0.draft.borrow_mut();
            draft.view.state = WritingState::Writing;
            draft.view.text.push_str(text);
            draft.view.text.len()
        };
        self.0.is_dirty.set(true);
        self.tell_if_due();
        length < MAX_TEXT
    }

    /// Changes something other than the text and tells the page at once.
    pub fn change(&self, change: impl FnOnce(&mut Draft)) {
        change(&mut self.0.draft.borrow_mut());
        self.tell();
    }

    pub fn read<T>(&self, read: impl FnOnce(&Draft) -> T) -> T {
        read(&self.0.draft.borrow())
    }

    pub fn step(&self, step: StepView) {
        self.change(|draft| draft.view.steps.push(step));
    }

    /// Counts the tokens that the model wrote for a request; `None` if the service did not count
    /// them.
    pub fn wrote(&self, tokens: Option<u32>) {
        let before = self.0.tokens.get();
        let all = before.zip(tokens);
        let all = all.map(|(before, tokens)| before.saturating_add(tokens));
        self.0.tokens.set(all);
        self.0.draft.borrow_mut().view.written_tokens = all;
    }

    /// Whether there is any text of the answer.
    pub fn has_text(&self) -> bool {
        self.read(|draft| !draft.view.text.is_empty())
    }

    /// Ends the answer: checks all of it, tells the page, and returns what is to be saved.
    pub fn end(&self, state: WritingState) -> WrittenView {
        {
            let mut draft = self.0.draft.borrow_mut();
            draft.view.state = state;
            draft.view.milliseconds = now_ms() - self.0.began;
            draft.refresh(&self.0.open.index);
        }
        self.send(Part::Last);
        self.read(|draft| draft.view.clone())
    }

    fn tell_if_due(&self) {
        if now_ms() >= self.0.next.get() {
            self.tell();
        }
    }

    fn tell(&self) {
        let began = now_ms();
        self.0.draft.borrow_mut().refresh(&self.0.open.index);
        self.send(Part::More);
        let cost = now_ms() - began;
        self.0.next.set(now_ms() + FLUSH_MS.max(cost * REST));
    }

    fn send(&self, part: Part) {
        self.0.is_dirty.set(false);
        let view = self.read(|draft| draft.view.clone());
        let patch = view.since(&self.0.told.borrow());
        let event = WriteEvent::Written(patch);
        self.0.services.post(self.0.job, part, event);
        self.0.told.replace(view);
    }
}
