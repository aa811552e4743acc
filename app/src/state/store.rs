//! [`State`] in signals: views select from it, intents change it, and its effects go to the engine.

use std::rc::Rc;

use leptos::prelude::*;

use super::connection::Remembered;
use super::{Effect, Opening, Purpose, State};
use crate::worker::client::{Page, Parcel};
use crate::worker::protocol::{ExportView, JobId, Notice, Told};

/// Sends a request to the engine, as the job that it became.
pub type Send = Rc<dyn Fn(JobId, Parcel)>;

/// The handle that views share. Copying it copies a reference.
#[derive(Clone, Copy)]
pub struct Store {
    state: RwSignal<State>,
    send: StoredValue<Option<Send>, LocalStorage>,
    now: fn() -> f64,
    save: fn(&ExportView) -> Option<Notice>,
    remember: fn(&Remembered),
}

impl Store {
    /// `now` tells the page's time in milliseconds; `save` hands a file to the user, or tells why not;
    /// `remember` keeps the connection for the next visit.
    pub fn new(
        state: State,
        now: fn() -> f64,
        save: fn(&ExportView) -> Option<Notice>,
        remember: fn(&Remembered),
    ) -> Self {
        Self {
            state: RwSignal::new(state),
            send: StoredValue::new_local(None),
            now,
            save,
            remember,
        }
    }

    /// Connects the engine and sends what is sent at the start.
    pub fn connect(&self, send: Send) {
        self.send.set_value(Some(send));
        self.act(State::start);
    }

    pub fn now(&self) -> f64 {
        (self.now)()
    }

    /// A value derived from the state; whoever reads it is called again only when it changes.
    pub fn select<T>(
        &self,
        select: impl Fn(&State) -> T + std::marker::Send + Sync + 'static,
    ) -> Memo<T>
    where
        T: PartialEq + std::marker::Send + Sync + 'static,
    {
        self.selected(Box::new(select))
    }

    /// Compiled once for each type instead of once for each closure: memos are a large part of the page.
    fn selected<T>(&self, select: Box<dyn Fn(&State) -> T + std::marker::Send + Sync>) -> Memo<T>
    where
        T: PartialEq + std::marker::Send + Sync + 'static,
    {
        let state = self.state;
        Memo::new(move |_| state.with(|state| select(state)))
    }

    /// Reads once, without being called again.
    pub fn peek<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with_untracked(read)
    }

    /// Changes the state without effects. `None` once the page is being torn down.
    pub fn change<T>(&self, transition: impl FnOnce(&mut State) -> T) -> Option<T> {
        self.state.try_update(transition)
    }

    /// Changes the state and carries out what follows.
    pub fn act(&self, transition: impl FnOnce(&mut State) -> Vec<Effect>) {
        let mut transition = Some(transition);
        let effects = self.changed(&mut |state| match transition.take() {
            Some(transition) => transition(state),
            None => Vec::new(),
        });
        self.carry_out(effects);
    }

    /// Compiled once instead of once for each intent.
    fn changed(&self, transition: &mut dyn FnMut(&mut State) -> Vec<Effect>) -> Vec<Effect> {
        self.change(transition).unwrap_or_default()
    }

    fn carry_out(&self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(purpose, request) => self.hand_over(purpose, request.into()),
                Effect::SendAgain(job, request) => {
                    if let Some(send) = self.send.with_value(Clone::clone) {
                        send(job, request.into());
                    }
                }
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

    /// Shows that something is about to be read, and names this opening.
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

    /// Hands the engine what travels beside its request, as the state cannot.
    pub fn hand_over(&self, purpose: Purpose, parcel: Parcel) {
        let send = self.send.with_value(Clone::clone);
        let job = self
            .state
            .try_update_untracked(|state| state.begin(purpose, parcel.request()));
        if let (Some(send), Some(job)) = (send, job) {
            send(job, parcel);
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

    fn engine_died(&self, notice: &Notice) {
        self.act(|state| state.engine_died(notice));
    }
}
