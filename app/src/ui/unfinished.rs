//! Unfinished code, pasted: Footnote finds what it needs from the repository.

use footnote_core::search::unfinished;
use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use crate::state::Panel;

/// How many last lines count most (RepoBench takes three).
const LAST_LINES: usize = 3;

/// The most last lines that can be chosen to count most.
const MOST_LINES: usize = 50;

#[component]
pub fn Unfinished() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Unfinished label="Unfinished code" class="dialog unfinished">
            <Body/>
        </Dialog>
    }
}

/// Opens the box, once a repository is open.
#[component]
pub fn UnfinishedButton() -> impl IntoView {
    let store = desk().store;
    let is_open = store.select(|state| state.summary().is_some());
    view! {
        <button
            class="link ask-unfinished"
            aria-haspopup="dialog"
            title="Paste unfinished code, and see what it needs from this repository"
            hidden=move || !is_open.get()
            on:click=move |_| store.act(|state| state.show(Panel::Unfinished))
        >
            "Unfinished code"
        </button>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let code = RwSignal::new(String::new());
    let path = RwSignal::new(String::new());
    let lines = RwSignal::new(LAST_LINES);
    let is_empty = move || code.with(|code| code.trim().is_empty());
    let ask = move || {
        let question = unfinished::question(
            &code.get_untracked(),
            path.get_untracked().trim(),
            lines.get_untracked(),
        );
        store.change(|state| state.hide(Panel::Unfinished));
        store.act(|state| state.ask(&question));
    };
    view! {
        <p class="quiet-line">
            "Paste an unfinished function, with the imports of its file if you have them. Footnote \
             finds what it needs from this repository, and says why. Nothing is sent."
        </p>
        <form on:submit=move |event| {
            event.prevent_default();
            ask();
        }>
            <textarea
                aria-label="Unfinished code"
                spellcheck="false"
                autocomplete="off"
                prop:value=move || code.get()
                on:input=move |event| code.set(event_target_value(&event))
            ></textarea>
            <div class="unfinished-row">
                <label>
                    "Language or path "
                    <input
                        type="text"
                        placeholder="guessed"
                        prop:value=move || path.get()
                        on:input=move |event| path.set(event_target_value(&event))
                    />
                </label>
                <label>
                    "Last lines that count most "
                    <input
                        type="number"
                        min="1"
                        max=MOST_LINES.to_string()
                        prop:value=move || lines.get().to_string()
                        on:change=move |event| {
                            let typed = event_target_value(&event).parse();
                            lines.set(typed.unwrap_or(LAST_LINES).clamp(1, MOST_LINES));
                        }
                    />
                </label>
                <button class="go" type="submit" disabled=is_empty>
                    "Find what it needs"
                </button>
            </div>
        </form>
    }
    .into_any()
}
