//! The cited lines beside a footnote that the pointer rests on or the keyboard is at. Markers are
//! found by their attributes, so that one pair of listeners serves all of them.

use std::time::Duration;

use leptos::prelude::*;

use super::code::plain;
use super::desk;
use super::footnote::code_in;
use super::format::lines;
use crate::platform::hovered::{self, Hovered};
use crate::state::peek::Peeked;
use crate::state::{By, Mark, Shared, Store, TurnId};
use crate::worker::protocol::{FootnoteView, ShownIn};

/// How long the pointer rests before lines appear, and is away before they disappear: on its way to
/// the lines it leaves the marker for a moment.
const AFTER: Duration = Duration::from_millis(150);

/// What to show and where; each change cancels the pending one.
#[derive(Clone, Copy)]
pub struct Pointer {
    store: Store,
    at: RwSignal<Option<Hovered>>,
    changes: StoredValue<u32>,
}

impl Pointer {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            at: RwSignal::new(None),
            changes: StoredValue::new(0),
        }
    }

    /// The pointer or the keyboard focus has reached the event's target.
    pub fn come(self, event: &leptos::ev::Event) {
        if let Some(hit) = hovered::footnote(event) {
            self.soon(Some(hit));
        }
    }

    /// It has left the event's target.
    pub fn leave(self, event: &leptos::ev::Event) {
        if hovered::is_footnote(event) {
            self.soon(None);
        }
    }

    /// It has reached the lines themselves: keep them.
    fn stay(self) {
        self.changes.update_value(|changes| *changes += 1);
    }

    /// Hides the lines at once.
    pub fn hide(self) {
        self.stay();
        self.set(None);
    }

    fn soon(self, hit: Option<Hovered>) {
        self.stay();
        let change = self.changes.get_value();
        set_timeout(
            move || {
                if self.changes.try_get_value() == Some(change) {
                    self.set(hit);
                }
            },
            AFTER,
        );
    }

    fn set(self, hit: Option<Hovered>) {
        match hit {
            Some(hit) => self
                .store
                .act(|state| state.look_at(TurnId(hit.turn), by(&hit), hit.number)),
            None => {
                if self.store.peek(|state| state.peek.note.is_some()) {
                    self.store.change(|state| state.peek.hide());
                }
            }
        }
        self.at.set(hit);
    }
}

fn by(hit: &Hovered) -> By {
    match hit.is_written {
        true => By::Model,
        false => By::Extract,
    }
}

#[component]
pub fn Peek() -> impl IntoView {
    let desk = desk();
    let (store, pointer) = (desk.store, desk.pointer);
    let shown = store.select(|state| state.peek.shown());
    let note = store.select(|state| state.peek.note.clone());
    let is_hidden = move || match note.with(|note| note.as_ref().map(leads)) {
        // There are no lines to wait for.
        Some(false) => false,
        _ => shown.with(Option::is_none),
    };
    let at = pointer.at;
    let edge = move |read: fn(&Hovered) -> String| {
        move || at.with(|at| at.as_ref().map(read).unwrap_or_default())
    };
    let verdict = move || note.get().as_ref().map(said);
    let body = move || shown.get().map(|peeked| cited(&peeked));
    view! {
        <div
            id="peek"
            class="peek"
            role="tooltip"
            hidden=is_hidden
            style:left=edge(|at| format!("{}px", at.left))
            style:top=edge(|at| if at.is_low { "auto".into() } else { format!("{}px", at.bottom) })
            style:bottom=edge(|at| if at.is_low { format!("{}px", at.above) } else { "auto".into() })
            on:pointerenter=move |_| pointer.stay()
            on:pointerleave=move |_| pointer.soon(None)
        >
            {verdict} {body}
        </div>
    }
    .into_any()
}

fn leads(note: &FootnoteView) -> bool {
    note.check.leads_somewhere()
}

/// The verdict and its explanation.
fn said(note: &FootnoteView) -> AnyView {
    let told = note.told(ShownIn::Page);
    let instead = told
        .instead
        .map(|instead| view! { <span class="instead">{code_in(&instead)}</span> });
    view! {
        <p class="peek-verdict">
            <b class=told.verdict.class>{told.verdict.label}</b>
            " "
            {told.remark}
            {instead}
        </p>
    }
    .into_any()
}

fn cited(peeked: &Shared<Peeked>) -> AnyView {
    let place = &peeked.place;
    view! {
        <p class="path">{format!("{}:{}", place.path, lines(place.start, place.end))}</p>
        {code_of(peeked)}
    }
    .into_any()
}

/// The lines of a place, coloured, and how many more there are.
pub fn code_of(peeked: &Peeked) -> AnyView {
    code_with(peeked, None)
}

/// The same, with some of the lines marked.
pub fn code_with(peeked: &Peeked, mark: Option<Mark>) -> AnyView {
    let place = &peeked.place;
    let rows: Vec<_> = (1..=peeked.text.line_count())
        .map(|row| {
            let (pieces, hidden) = peeked.text.line(row);
            let pieces: Vec<_> = pieces.into_iter().map(plain).collect();
            let rest = (hidden > 0).then_some(" …");
            let number = place.start as usize + row - 1;
            let is_marked = mark.is_some_and(|mark| mark.contains(number));
            view! {
                <div class="line" class:cited=is_marked data-line=number>
                    <code>{pieces}{rest}</code>
                </div>
            }
        })
        .collect();
    let more = (peeked.more > 0).then(|| {
        let text = match peeked.more {
            1 => "1 more line".to_owned(),
            more => format!("{more} more lines"),
        };
        view! { <p>{text}</p> }
    });
    view! {
        <div class="peek-lines" tabindex="0" role="group" aria-label="Lines">{rows}</div>
        {more}
    }
    .into_any()
}
