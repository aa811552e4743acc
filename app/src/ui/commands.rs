//! The command bar: commands and files in one list, filtered while typing, operated with the
//! keyboard.

mod entries;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::conversations::begin;
use super::dialog::Dialog;
use super::drop::open_sample;
use super::{Desk, desk};
use crate::state::Panel;
use entries::{Action, Entry, entries};

#[component]
pub fn Commands() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Commands label="Commands" class="dialog commands" is_bare=true>
            <Palette/>
        </Dialog>
    }
}

/// The list and its cursor.
#[derive(Clone, Copy)]
struct List {
    desk: Desk,
    filter: RwSignal<String>,
    entries: Memo<Vec<Entry>>,
    cursor: RwSignal<usize>,
    rows: NodeRef<html::Ul>,
}

impl List {
    fn new(desk: Desk) -> Self {
        let filter = RwSignal::new(String::new());
        let found = move |filter: &String| desk.store.peek(|state| entries(state, filter));
        Self {
            desk,
            filter,
            entries: Memo::new(move |_| filter.with(found)),
            cursor: RwSignal::new(0),
            rows: NodeRef::new(),
        }
    }

    fn search(self, text: String) {
        self.filter.set(text);
        self.cursor.set(0);
    }

    fn choose(self, at: usize) {
        let entry = self
            .entries
            .with_untracked(|entries| entries.get(at).cloned());
        if let Some(entry) = entry {
            self.desk.store.change(|state| state.hide(Panel::Commands));
            carry_out(self.desk, entry.action);
        }
    }

    fn on_key(self, event: &KeyboardEvent) {
        let count = self.entries.with_untracked(Vec::len).max(1);
        let at = self.cursor.get_untracked();
        let next = match event.key().as_str() {
            "ArrowDown" => (at + 1) % count,
            "ArrowUp" => (at + count - 1) % count,
            "Enter" => {
                event.prevent_default();
                self.choose(at);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        self.cursor.set(next);
        let row = self
            .rows
            .get_untracked()
            .and_then(|rows| rows.children().item(next as u32));
        if let Some(row) = row {
            row.scroll_into_view_with_bool(false);
        }
    }
}

#[component]
fn Palette() -> impl IntoView {
    let list = List::new(desk());
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // The field was just created; if it cannot take the focus, a click still can.
            let _ = input.focus();
        }
    });
    let rows = move || {
        let entries = list.entries.get().into_iter().enumerate();
        entries
            .map(|(at, entry)| row(list, at, entry))
            .collect::<Vec<_>>()
    };
    view! {
        <input
            type="text"
            role="combobox"
            aria-label="Command or file"
            aria-expanded="true"
            aria-controls="command-list"
            aria-activedescendant=move || format!("command-{}", list.cursor.get())
            placeholder="Command or file"
            autocomplete="off"
            spellcheck="false"
            node_ref=input
            on:input=move |event| list.search(event_target_value(&event))
            on:keydown=move |event| list.on_key(&event)
        />
        <ul id="command-list" role="listbox" aria-label="Commands and files" node_ref=list.rows>
            {rows}
        </ul>
    }
    .into_any()
}

fn row(list: List, at: usize, entry: Entry) -> AnyView {
    view! {
        <li
            id=format!("command-{at}")
            role="option"
            aria-selected=move || (list.cursor.get() == at).to_string()
            on:click=move |_| list.choose(at)
        >
            <span>{entry.label}</span>
            <small>{entry.detail}</small>
        </li>
    }
    .into_any()
}

fn carry_out(desk: Desk, action: Action) {
    let store = desk.store;
    match action {
        Action::Ask(question) => store.act(|state| state.ask(&question)),
        Action::Open(path) => store.act(|state| state.open_file(&path, None)),
        Action::Show(panel) => store.act(|state| state.show(panel)),
        Action::Changes(repo) => store.act(|state| state.show_changes(&repo)),
        Action::Trace(turn) => store.act(|state| state.show_trace(turn)),
        Action::Compare(turn) => store.act(|state| state.show_comparison(turn)),
        Action::Lesson(turn) => store.act(|state| state.show_lesson(turn)),
        Action::Context(turn) => store.act(|state| state.show_context(turn)),
        Action::Name(wish) => store.act(|state| state.want_of_name(wish)),
        Action::WalkNames => {
            store.change(|state| state.walk_names());
        }
        Action::BackFromName => store.act(|state| state.back_from_name()),
        Action::Question => desk.focus_question(),
        Action::Sample => open_sample(store),
        Action::PauseVectors(paused) => store.act(|state| state.pause_vectors(paused)),
        Action::NewConversation => begin(desk),
        Action::SaveConversation(format) => store.act(|state| state.export_conversation(format)),
        Action::TeachRepository => store.act(crate::state::State::show_teaching),
        Action::DescribeRepository => store.act(crate::state::State::show_describing),
        Action::SaveIndex => store.act(crate::state::State::save_index),
        Action::Close => super::saved::close(store),
        Action::Theme(theme) => {
            store.change(|state| state.theme = theme);
        }
        Action::Tab(tab) => store.act(|state| {
            state.reader.is_sheet_open = true;
            state.show_tab(tab)
        }),
    }
}
