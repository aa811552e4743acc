//! Theme, keys, and what is stored.

use leptos::prelude::*;

use super::desk;
use super::editor::EditorSetting;
use super::encoder::EncoderChoice;
use super::erase::Kept;
use super::switch::Switch;
use crate::platform::remembered::{self, Item};
use crate::platform::{clock, theme};
use crate::state::{NoteOrder, Store, Theme};

const KEYS: [(&str, &str); 21] = [
    ("/", "commands and files"),
    ("Ctrl K", "the same, from anywhere"),
    ("Enter", "ask"),
    ("Shift Enter", "a new line in the question"),
    ("@", "in the question, limit it to a file or a folder"),
    ("[ and ]", "go to the previous or next footnote"),
    ("j", "copy the files of the answer as JSON"),
    ("c", "copy the citation of the open footnote"),
    ("n, p", "in the code, go to the next or previous name"),
    ("Enter", "in the code, open the menu of the name"),
    ("F12, d", "in the code, go to the definition of the name"),
    ("Shift F12, r", "in the code, find its references"),
    ("b", "back to the name you followed"),
    (
        "Arrows",
        "in the graph, go to the next node in that direction",
    ),
    (
        "Enter, E",
        "in the graph, open the node or add its neighbours",
    ),
    ("+, -, 0", "in the graph, zoom in, zoom out or show all"),
    ("j, k", "in the review, go to the next or previous question"),
    ("1 to 9, 0", "in the review, rate the question; 0 means 10"),
    ("v, x", "in the review, keep or drop the question"),
    (
        "e, t, /, Space",
        "in the review, edit, tag, filter or select",
    ),
    ("Esc", "close whatever is on top"),
];

/// Applies and remembers the theme whenever it changes.
pub fn keep_theme(store: Store) {
    let chosen = store.select(|state| state.theme);
    Effect::new(move |_| {
        theme::apply(match chosen.get() {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        });
    });
}

/// The stored word for ordering footnotes by weight.
const BY_WEIGHT: &str = "weight";

/// The remembered order of footnotes.
pub fn note_order() -> NoteOrder {
    match remembered::load(Item::NoteOrder).as_deref() {
        Some(BY_WEIGHT) => NoteOrder::Weight,
        _ => NoteOrder::Numbers,
    }
}

/// Remembers the order of footnotes whenever it changes.
pub fn keep_note_order(store: Store) {
    let chosen = store.select(|state| state.note_order);
    Effect::new(move |_| {
        let word = match chosen.get() {
            NoteOrder::Numbers => None,
            NoteOrder::Weight => Some(BY_WEIGHT),
        };
        // Without storage the choice lasts only as long as the page.
        remembered::keep(Item::NoteOrder, word);
    });
}

/// The stored word for what is switched off.
const OFF: &str = "off";

/// Whether keys of one character were switched off.
pub fn without_character_keys() -> bool {
    is_off(Item::CharacterKeys)
}

/// Remembers whether keys of one character are switched off whenever that changes.
pub fn keep_character_keys(store: Store) {
    let is_off = store.select(|state| state.without_character_keys);
    keep_off(Item::CharacterKeys, is_off);
}

/// Whether the transformer was switched off.
pub fn without_close_reading() -> bool {
    is_off(Item::CloseReading)
}

/// Remembers whether the transformer is switched off whenever that changes.
pub fn keep_close_reading(store: Store) {
    let is_off = store.select(|state| state.without_close_reading);
    keep_off(Item::CloseReading, is_off);
}

fn is_off(item: Item) -> bool {
    remembered::load(item).as_deref() == Some(OFF)
}

fn keep_off(item: Item, is_off: Memo<bool>) {
    Effect::new(move |_| {
        // Without storage the choice lasts only as long as the page.
        remembered::keep(item, is_off.get().then_some(OFF));
    });
}

/// The remembered pipeline; connecting a model reloads the page.
pub fn pipeline() -> Option<String> {
    remembered::load(Item::Pipeline)
}

/// Remembers the pipeline whenever another is chosen.
pub fn keep_pipeline(store: Store) {
    let chosen = store.select(|state| state.pipeline.clone());
    Effect::new(move |_| {
        // Without storage the choice lasts only as long as the page.
        remembered::keep(Item::Pipeline, chosen.get().as_deref());
    });
}

#[component]
pub fn Settings() -> impl IntoView {
    let store = desk().store;
    let is_ready = store.select(|state| state.summary().is_some());
    let is_sure = RwSignal::new(false);
    let keys: Vec<_> = KEYS
        .into_iter()
        .map(|(key, what)| view! { <dt><kbd>{key}</kbd></dt><dd>{what}</dd> })
        .collect();
    view! {
        <fieldset class="themes">
            <legend>"Theme"</legend>
            <Choice theme=Theme::System label="Same as system"/>
            <Choice theme=Theme::Light label="Light"/>
            <Choice theme=Theme::Dark label="Dark"/>
        </fieldset>
        <EncoderChoice/>
        <EditorSetting/>
        <h3>"Keyboard shortcuts"</h3>
        <CharacterKeys/>
        <dl class="keys">{keys}</dl>
        <Show when=move || is_ready.get()>
            <h3>"This repository"</h3>
            <button
                class="quiet"
                class:danger=move || is_sure.get()
                on:blur=move |_| is_sure.set(false)
                on:click=move |_| {
                    if !is_sure.get_untracked() {
                        return is_sure.set(true);
                    }
                    store.act(|state| state.clear_answers(clock::today_ms()));
                    store.change(|state| state.panel = None);
                }
            >
                {move || match is_sure.get() {
                    true => "Delete all its conversations for good",
                    false => "Delete its conversations",
                }}
            </button>
        </Show>
        <Kept/>
    }
    .into_any()
}

#[component]
fn CharacterKeys() -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(|state| !state.without_character_keys);
    let switch = move |is_on: bool| {
        store.change(|state| state.without_character_keys = !is_on);
    };
    let label = "Single-key shortcuts work anywhere on the page. When off, they work only while the code \
                 or the graph has focus.";
    view! { <Switch label is_on switch class="character-keys"/> }
}

#[component]
fn Choice(theme: Theme, label: &'static str) -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(move |state| state.theme == theme);
    view! {
        <label>
            <input
                type="radio"
                name="theme"
                prop:checked=move || is_on.get()
                on:change=move |_| {
                    store.change(|state| state.theme = theme);
                }
            />
            {label}
        </label>
    }
}
