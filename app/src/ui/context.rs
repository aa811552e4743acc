//! The context inspector: which of the lines found a model is shown, chosen by one strategy or by
//! two side by side, with a slider for each snippet. What it shows as kept is sent byte for byte.
//!
//! As in the trace, the engine writes lines as HTML with all text escaped
//! (`worker/serve/context/html.rs`).

mod choice;
mod code_model;
mod side;

use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::format::thousands;
use super::notices::Card;
use crate::state::context::Side;
use crate::state::{Panel, Stage, State};
use choice::Choice;
use code_model::CodeModel;
use side::OneSide;

#[component]
pub fn Context() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Context label="What a model would see" class="dialog trace-dialog">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let question = store.select(|state| state.choosing.question.clone());
    let trouble = store.select(|state| state.choosing.trouble.clone());
    let is_waiting = store.select(|state| state.choosing.is_waiting);
    let sides = store.select(|state| state.choosing.sides.len());
    let trouble = move || trouble.get().map(|notice| view! { <Card notice/> });
    view! {
        <p class="trace-question">{move || question.get()}</p>
        <Choice/>
        <CodeModel/>
        {trouble}
        <p class="pane-hint" hidden=move || { sides.get() > 0 || !is_waiting.get() }>
            "Finding and reading the lines…"
        </p>
        <div class="contexts" aria-busy=move || is_waiting.get().to_string()>
            <For each=move || 0..sides.get() key=|at| *at let:at>
                <OneSide at/>
            </For>
        </div>
        <Send/>
    }
    .into_any()
}

/// Asks the connected model with the lines of the first side, or how much of each snippet it needs.
#[component]
fn Send() -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let tokens = store.select(|state| {
        let side = state.choosing.sides.first();
        side.map_or((0, 0), Side::tokens)
    });
    let is_waiting = store.select(|state| state.choosing.is_waiting);
    let body = move || {
        let (before, after) = tokens.get();
        (stage.get() == Stage::Connected && after > 0).then(|| {
            let all = format!(
                "Ask the model how much of each to keep (sends all {} tokens)",
                thousands(before.into())
            );
            view! {
                <div class="actions context-send">
                    <button
                        class="plain small"
                        disabled=move || is_waiting.get()
                        on:click=move |_| store.act(State::judge_context)
                    >
                        {all}
                    </button>
                    <button
                        class="go small"
                        on:click=move |_| store.act(State::write_with_context)
                    >
                        "Ask the model with these lines"
                    </button>
                </div>
            }
        })
    };
    view! { {body} }
}
