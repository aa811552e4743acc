//! Names in the code: a click or a key chooses one; a small menu offers what to show, or which of
//! several definitions is meant. One pair of listeners on the pane serves all names.

use std::time::Duration;

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;

use super::desk;
use crate::platform::{clicked, focus};
use crate::state::{Menu, NameAt, Shared, Store, Wish};
use crate::worker::protocol::MeantView;

/// The width of the line numbers; must match `app.css`.
const GUTTER: u32 = 72;
/// The height of a line, and how far below the pane's top the first one starts, in pixels.
const LINE_HEIGHT: u32 = 20;

/// Handles a click in the code: on a name it opens the menu, with Ctrl or Cmd it goes to the
/// definition.
pub fn on_click(store: Store, event: &MouseEvent) {
    let Some(name) = clicked::name(event) else {
        return;
    };
    let at = NameAt {
        name: name.text,
        line: name.line,
        column: name.column,
    };
    store.change(|state| state.point_at_name(at));
    if event.ctrl_key() || event.meta_key() {
        store.act(|state| state.want_of_name(Wish::Definition));
    }
}

/// Handles a key while the code has the keyboard; `from` is the first visible line.
pub fn on_key(store: Store, event: &KeyboardEvent, from: u32) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let has_name = store.peek(|state| state.reader.names.at.is_some());
    let want = |wish| store.act(|state| state.want_of_name(wish));
    match event.key().as_str() {
        key @ ("n" | "p") => {
            store.change(|state| state.step_name(key == "p", from));
        }
        _ if !has_name => return,
        "Enter" => {
            store.change(|state| state.open_name_menu());
        }
        "F12" if event.shift_key() => want(Wish::References),
        "r" => want(Wish::References),
        "F12" | "d" => want(Wish::Definition),
        "Escape" => {
            store.change(|state| state.leave_name());
        }
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// Gives the code the keyboard when the state asks for it, after the key press or the closing
/// dialog has been dealt with.
pub fn keep_keyboard(store: Store, pane: NodeRef<html::Div>) {
    let is_due = store.select(|state| {
        let names = &state.reader.names;
        names.takes_keyboard && names.menu.is_none() && state.reader.file.is_some()
    });
    Effect::new(move |_| {
        if !is_due.get() || pane.get().is_none() {
            return;
        }
        let take = move || {
            let is_due = is_due.try_get_untracked() == Some(true);
            let pane = pane.try_get_untracked().flatten();
            if let Some(pane) = pane.filter(|_| is_due) {
                // If the pane cannot take the focus, the focus stays where it is.
                let _ = pane.focus();
                store.change(|state| state.reader.names.takes_keyboard = false);
            }
        };
        set_timeout(take, Duration::ZERO);
    });
}

/// The menu beside the chosen name. It is inside the lines, so that it scrolls with them.
#[component]
pub fn NameMenu() -> impl IntoView {
    let store = desk().store;
    let open = store.select(|state| {
        let names = &state.reader.names;
        let (menu, at) = (names.menu.clone()?, names.at.clone()?);
        let file = state.reader.file.as_ref()?;
        let column = file.columns_before(at.line as usize, at.column as usize);
        Some((menu, at, column))
    });
    move || {
        let (menu, at, column) = open.get()?;
        let (label, entries) = match menu {
            Menu::Wishes => (at.name.clone(), wishes()),
            Menu::Places(wish, view) => (heading(wish, &view), places(wish, &view)),
        };
        let style = (
            format!("{}px", at.line * LINE_HEIGHT),
            format!("calc({column}ch + {GUTTER}px)"),
        );
        Some(view! { <Open label entries style/> })
    }
}

/// An entry of the menu.
#[derive(Clone)]
struct Entry {
    label: String,
    detail: String,
    key: &'static str,
    choice: Choice,
}

#[derive(Clone, Copy)]
enum Choice {
    Wish(Wish),
    Place(usize),
}

fn wishes() -> Vec<Entry> {
    let entry = |label: &str, key, wish| Entry {
        label: label.to_owned(),
        detail: String::new(),
        key,
        choice: Choice::Wish(wish),
    };
    vec![
        entry("Go to definition", "F12", Wish::Definition),
        entry("Find references", "Shift F12", Wish::References),
    ]
}

/// Asks which of several places is meant, or says why there is none.
fn heading(wish: Wish, view: &MeantView) -> String {
    let name = &view.name;
    match (&view.library, view.places.is_empty(), wish) {
        (Some(library), true, _) => {
            format!("{name} comes from the library {library}, which is not in this repository")
        }
        (None, true, _) => format!("{name} is not defined in this repository"),
        (_, false, Wish::Definition) => {
            format!("{name} has {} definitions", view.places.len())
        }
        (_, false, Wish::References) => format!("Find references to which {name}?"),
    }
}

fn places(wish: Wish, view: &Shared<MeantView>) -> Vec<Entry> {
    if view.places.is_empty() {
        return wishes()
            .into_iter()
            .filter(|it| it.is_other_than(wish))
            .collect();
    }
    let places = view.places.iter().enumerate();
    places
        .map(|(number, place)| Entry {
            label: place.title.clone(),
            detail: format!("{}:{}", place.path, place.line),
            key: "",
            choice: Choice::Place(number),
        })
        .collect()
}

impl Entry {
    fn is_other_than(&self, wish: Wish) -> bool {
        !matches!(self.choice, Choice::Wish(own) if own == wish)
    }
}

/// The open menu: the arrow keys walk through it; Escape closes it and returns the keyboard to the
/// code.
#[component]
fn Open(label: String, entries: Vec<Entry>, style: (String, String)) -> impl IntoView {
    let store = desk().store;
    let nodes: Vec<_> = entries
        .iter()
        .map(|_| NodeRef::<html::Button>::new())
        .collect();
    let cursor = StoredValue::new(0);
    let move_to = {
        let nodes = nodes.clone();
        move |at: usize| {
            cursor.set_value(at);
            if let Some(node) = nodes.get(at).and_then(|node| node.get_untracked()) {
                // A visible button can take the focus.
                let _ = node.focus();
            }
        }
    };
    let first = nodes.first().copied();
    Effect::new(move |_| {
        if let Some(node) = first.and_then(|node| node.get()) {
            let _ = node.focus();
        }
    });
    let count = entries.len().max(1);
    let on_key = move |event: KeyboardEvent| {
        let at = cursor.get_value();
        match event.key().as_str() {
            "ArrowDown" => move_to((at + 1) % count),
            "ArrowUp" => move_to((at + count - 1) % count),
            "Escape" => {
                store.change(|state| state.close_name_menu());
            }
            // The button handles it itself.
            "Enter" | " " => return event.stop_propagation(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let on_leave = move |event: FocusEvent| {
        let is_open = store.peek(|state| state.reader.names.menu.is_some());
        if is_open && !focus::stays_inside(&event) {
            store.change(|state| state.reader.names.menu = None);
        }
    };
    let rows: Vec<_> = entries
        .into_iter()
        .zip(nodes)
        .map(|(entry, node)| row(store, entry, node))
        .collect();
    let (top, left) = style;
    let heading = label.clone();
    view! {
        <div
            class="name-menu"
            role="menu"
            aria-label=label
            style:top=top
            style:left=left
            on:keydown=on_key
            on:focusout=on_leave
        >
            <p aria-hidden="true">{heading}</p>
            {rows}
        </div>
    }
    .into_any()
}

fn row(store: Store, entry: Entry, node: NodeRef<html::Button>) -> AnyView {
    let choice = entry.choice;
    let choose = move |event: MouseEvent| {
        // The pane would look for a name under the click.
        event.stop_propagation();
        store.act(|state| match choice {
            Choice::Wish(wish) => state.want_of_name(wish),
            Choice::Place(number) => state.choose_meant(number),
        });
    };
    let key = (!entry.key.is_empty()).then(|| view! { <kbd>{entry.key}</kbd> });
    view! {
        <button role="menuitem" tabindex="-1" node_ref=node on:click=choose>
            <span>{entry.label}</span>
            <small>{entry.detail}</small>
            {key}
        </button>
    }
    .into_any()
}
