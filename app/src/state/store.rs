//! [`State`] in signals: views select from it, intents change it, and its effects go to the engine.

use leptos::prelude::*;

use super::connection::Remembered;
use super::{Effect, Opening, Purpose, State};
use crate::worker::client::{Client, Page, Parcel};
use crate::worker::protocol::{ExportView, JobId, Notice, Told};

/// How many openings can be repeated: the one in progress and those that it may give way to.
const KEPT_OPENINGS: usize = 4;

/// The handle that views share. Copying it copies a reference.
#[derive(Clone, Copy)]
pub struct Store {
    state: RwSignal<State>,
    engine: StoredValue<Option<Client>, LocalStorage>,
    /// The requests that opened repositories, newest last, with the files that the state cannot
    /// hold.
    openings: StoredValue<Vec<(JobId, Parcel)>, LocalStorage>,
    now: fn() -> f64,
    save: fn(&ExportView) -> Option<Notice>,
    remember: fn(&Remembered),
}

impl Store {
    /// `now` returns the page's time in milliseconds; `save` hands a file to the user, or returns
    /// why it cannot; `remember` stores the connection for the next visit.
    pub fn new(
        state: State,
        now: fn() -> f64,
        save: fn(&ExportView) -> Option<Notice>,
        remember: fn(&Remembered),
    ) -> Self {
        Self {
            state: RwSignal::new(state),
            engine: StoredValue::new_local(None),
            openings: StoredValue::new_local(Vec::new()),
            now,
            save,
            remember,
        }
    }

    /// Connects the engine and sends the first requests; `index` is the index file to begin with.
    pub fn connect(&self, engine: Client, index: Option<&str>) {
        self.engine.set_value(Some(engine));
        let now = self.now();
        self.act(|state| match index {
            Some(name) => state.start_with(name, now),
            None => state.start(),
        });
    }

    /// Restarts the engine because it does not answer.
    pub fn restart_engine(&self) {
        if let Some(engine) = self.engine.with_value(Clone::clone) {
            engine.restart();
        }
    }

    pub fn now(&self) -> f64 {
        (self.now)()
    }

    /// A value derived from the state. Code that reads it runs again only when the value changes.
    pub fn select<T>(
        &self,
        select: impl Fn(&State) -> T + std::marker::Send + Sync + 'static,
    ) -> Memo<T>
    where
        T: PartialEq + std::marker::Send + Sync + 'static,
    {
        self.selected(Box::new(select))
    }

    /// Compiled once per type instead of once per closure, because memos are a large part of the
    /// page.
    fn selected<T>(&self, select: Box<dyn Fn(&State) -> T + std::marker::Send + Sync>) -> Memo<T>
    where
        T: PartialEq + std::marker::Send + Sync + 'static,
    {
        let state = self.state;
        Memo::new(move |_| state.with(|state| select(state)))
    }

    /// Reads the state without subscribing to it.
    pub fn peek<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with_untracked(read)
    }

    /// Changes the state without effects. Returns `None` once the page is being torn down.
    pub fn change<T>(&self, transition: impl FnOnce(&mut State) -> T) -> Option<T> {
        self.state.try_update(transition)
    }

    /// Changes the state and carries out the effects.
    pub fn act(&self, transition: impl FnOnce(&mut State) -> Vec<Effect>) {
        let mut transition = Some(transition);
        let effects = self.changed(&mut |state| match transition.take() {
            Some(transition) => transition(state),
            None => Vec::new(),
        });
        self.carry_out(effects);
    }

    /// Compiled once instead of once per intent.
    fn changed(&self, transition: &mut dyn FnMut(&mut State) -> Vec<Effect>) -> Vec<Effect> {
        self.change(transition).unwrap_or_default()
    }

    fn carry_out(&self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(purpose, request) => self.hand_over(purpose, request.into()),
                Effect::SendAgain(job, request) => {
                    if let Some(engine) = self.engine.with_value(Clone::clone) {
                        engine.send(job, request.into());
                    }
                }
                Effect::OpenAgain(purpose, job) => self.open_again(purpose, job),
                Effect::Remember => {
                    self.peek(|state| (self.remember)(&state.connection.remembered))
                }
                Effect::Save(file) => {
                    if let Some(notice) = (self.save)(&file) {
                        self.change(|state| state.post(notice));
                    }
                }
            }
        }
    }

    /// Shows that something is about to be read, and returns the id of this opening.
    pub fn begin_open(&self, name: &str) -> Option<Opening> {
        let now = self.now();
        let (opening, effects) = self.change(|state| state.begin_open(name, now))?;
        self.carry_out(effects);
        Some(opening)
    }

    /// Whether the user has chosen nothing else since.
    pub fn is_current(&self, opening: Opening) -> bool {
        self.peek(|state| state.is_current(opening))
    }

    /// Sends the engine a request with the files that travel with it, which the state cannot hold.
    pub fn hand_over(&self, purpose: Purpose, parcel: Parcel) {
        let engine = self.engine.with_value(Clone::clone);
        let job = self
            .state
            .try_update_untracked(|state| state.begin(purpose, parcel.request()));
        if let (Some(engine), Some(job)) = (engine, job) {
            if purpose.is_opening() {
                self.keep_opening(job, &parcel);
            }
            engine.send(job, parcel);
        }
    }

    fn keep_opening(&self, job: JobId, parcel: &Parcel) {
        self.openings.update_value(|openings| {
            openings.push((job, parcel.clone()));
            let old = openings.len().saturating_sub(KEPT_OPENINGS);
            openings.drain(..old);
        });
    }

    /// Repeats the request of a job that was to open something.
    fn open_again(&self, purpose: Purpose, job: JobId) {
        let of = |openings: &Vec<(JobId, Parcel)>| {
            let found = openings.iter().find(|(known, _)| *known == job);
            found.map(|(_, parcel)| parcel.clone())
        };
        if let Some(parcel) = self.openings.with_value(of) {
            self.hand_over(purpose, parcel);
        }
    }
}

impl Page for Store {
    fn receive(&self, told: Told) {
        let now = self.now();
        self.act(|state| state.receive(told, now));
    }

    fn is_waiting(&self) -> bool {
        self.peek(State::is_waiting)
    }

    fn engine_silent(&self, is_silent: bool) {
        self.change(|state| state.engine_silent(is_silent));
    }

    fn engine_died(&self, notice: &Notice) {
        let now = self.now();
        self.act(|state| state.engine_died(notice, now));
    }
}
