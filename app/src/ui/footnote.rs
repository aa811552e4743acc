//! A footnote in the page: the raised number in the text, and its row under the answer.

use leptos::prelude::*;

use super::copy::CopyCitation;
use super::desk;
use super::format::{lines, split_path, spoken_lines};
use crate::platform::marked;
use crate::state::{By, Store, TurnId};
use crate::worker::protocol::{FootnoteView, ShownIn};

/// Footnotes that are listed under an answer before the reader asks for all: a model can cite hundreds of
/// places, and making their rows would hold up the page.
const NOTES_AT_ONCE: usize = 40;

/// The raised number in the text.
pub fn marker(id: TurnId, by: By, number: u32, note: Option<&FootnoteView>) -> AnyView {
    let store = desk().store;
    let (name, is_on) = mark(id, by, number);
    let verdict = note.map(|note| note.check.class()).unwrap_or_default();
    let label = note.map(label).unwrap_or_default();
    let class = format!("note-ref {verdict}{}", if is_on { " on" } else { "" });
    view! {
        // Joined to the word before it, so that no line begins with a footnote.
        "\u{2060}"
        <button
            class=class
            data-turn=id.0
            data-by=by.name()
            data-number=number
            data-note=name
            aria-label=label
            aria-pressed=is_on.to_string()
            on:click=move |_| store.act(|state| state.choose_footnote(id, by, number))
        >
            {number}
        </button>
    }
    .into_any()
}

/// What a screen reader says of a footnote.
fn label(note: &FootnoteView) -> String {
    let told = note.told(ShownIn::Written);
    let number = note.number;
    if told.place.is_none() {
        return format!("Footnote {number}, {}: {}", told.word, told.remark);
    }
    let word = match told.is_verified {
        true => String::new(),
        false => format!(", {}", told.word),
    };
    let lines = spoken_lines(note.start, note.end);
    format!("Footnote {number}{word}: {} {lines}", note.path)
}

/// The footnotes under an answer.
pub fn note_list(id: TurnId, by: By, notes: &[FootnoteView]) -> AnyView {
    let first = notes.get(..NOTES_AT_ONCE).unwrap_or(notes);
    let rows: Vec<_> = first.iter().map(|note| row(id, by, note)).collect();
    let rest: Vec<FootnoteView> = notes.get(first.len()..).unwrap_or_default().to_vec();
    let is_open = RwSignal::new(false);
    let more = move || {
        let rest = &rest;
        match (rest.is_empty(), is_open.get()) {
            (true, _) => ().into_any(),
            (false, true) => {
                let rows = rest.iter().map(|note| row(id, by, note));
                rows.collect::<Vec<_>>().into_any()
            }
            (false, false) => view! {
                <li>
                    <button class="link small" on:click=move |_| is_open.set(true)>
                        {format!("Show {} more", rest.len())}
                    </button>
                </li>
            }
            .into_any(),
        }
    };
    view! { <ol class="notes" aria-label="Footnotes">{rows}{more}</ol> }.into_any()
}

fn row(id: TurnId, by: By, note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let (name, is_on) = mark(id, by, number);
    let told = note.told(match by {
        By::Extract => ShownIn::Found,
        By::Model => ShownIn::Written,
    });
    let place = told.place.is_some().then(|| {
        let (folder, name) = split_path(&note.path);
        view! {
            <span class="path">
                <span class="folder">{folder.to_owned()}</span>
                {name.to_owned()}":"{lines(note.start, note.end)}
            </span>
            " "
        }
    });
    let copy = told
        .place
        .map(|place| view! { <CopyCitation turn=id by number place/> });
    view! {
        <li data-note=name class:on=is_on>
            <button
                class=told.class
                on:click=move |_| store.act(|state| state.choose_footnote(id, by, number))
            >
                <span class="n">{number}</span>
                <span>{place} <span class="why">{told.remark}</span></span>
                <span class="tag">{told.word}</span>
            </button>
            {copy}
        </li>
    }
    .into_any()
}

/// What stands for a footnote carries this name, and is shown as chosen if it is now; [`keep_marked`] sees to later choices.
fn mark(id: TurnId, by: By, number: u32) -> (String, bool) {
    let focus = desk().store.peek(|state| state.conversation.focus);
    let is_on =
        focus.is_some_and(|focus| focus.turn == id && focus.by == by && focus.number == number);
    (marked::name(id.0, by.name(), number), is_on)
}

/// Shows the chosen footnote wherever it stands, from now on.
pub fn keep_marked(store: Store) {
    let focus = store.select(|state| state.conversation.focus);
    Effect::new(move |_| {
        let focus = focus.get();
        let name = focus.map(|focus| marked::name(focus.turn.0, focus.by.name(), focus.number));
        marked::show(name.as_deref());
    });
}
