//! Keys that work wherever the focus is, and text pasted outside a text field.

use leptos::ev::{self, KeyboardEvent};
use leptos::prelude::*;

use super::Desk;
use super::copy::{copy_citation, copy_files};
use crate::platform::focus;
use crate::state::Panel;

pub fn listen(desk: Desk) {
    let keys = window_event_listener(ev::keydown, move |event| on_key(desk, &event));
    let paste = window_event_listener(ev::paste, move |event| {
        if focus::is_in_text_field() {
            return;
        }
        let text = event
            .clipboard_data()
            .and_then(|data| data.get_data("text").ok())
            .filter(|text| !text.trim().is_empty());
        if let Some(text) = text {
            event.prevent_default();
            desk.draft.update(|draft| draft.push_str(&text));
            desk.focus_question();
        }
    });
    on_cleanup(move || {
        keys.remove();
        paste.remove();
    });
}

fn on_key(desk: Desk, event: &KeyboardEvent) {
    let store = desk.store;
    let key = event.key();
    let with_modifier = event.ctrl_key() || event.meta_key();
    if with_modifier && key.eq_ignore_ascii_case("k") {
        event.prevent_default();
        store.act(|state| state.show(Panel::Commands));
        return;
    }
    if key == "Escape" {
        desk.pointer.hide();
        // Dialogs handle Esc themselves; this closes the drawer and the sheet.
        store.change(|state| match state.panel {
            Some(Panel::Outline) => state.hide(Panel::Outline),
            Some(_) => {}
            None => state.close_sheet(),
        });
        return;
    }
    if store.peek(|state| state.panel == Some(Panel::Lesson)) && !focus::is_in_text_field() {
        let forward = match key.as_str() {
            "ArrowRight" | "PageDown" => true,
            "ArrowLeft" | "PageUp" => false,
            _ => return,
        };
        store.change(|state| state.teach(forward));
        return;
    }
    let is_busy = store.peek(|state| state.panel.is_some() || state.without_character_keys);
    let is_busy = is_busy || focus::is_in_text_field();
    if with_modifier || event.alt_key() || is_busy {
        return;
    }
    match key.as_str() {
        "/" => store.act(|state| state.show(Panel::Commands)),
        "[" => store.act(|state| state.step_footnote(-1)),
        "]" => store.act(|state| state.step_footnote(1)),
        "b" => store.act(|state| state.back_from_name()),
        "j" => copy_files(desk),
        "c" => copy_citation(desk),
        _ => return,
    }
    event.prevent_default();
}
