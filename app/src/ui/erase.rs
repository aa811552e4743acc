//! What the browser keeps for this page, and a way to erase all of it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::desk;
use super::format::bytes;
use crate::platform::erase;

/// All that can be kept.
const KEPT: [&str; 6] = [
    "Repositories you opened: their text, their index, and your conversations about them",
    "Question sets, ratings and results of the laboratory, and what you taught",
    "Models you added",
    "Your settings, and the address and model of a connected service, with its key if you chose to \
     keep it",
    "A key that signs your exports: without it, Footnote no longer recognises them as yours",
    "Footnote’s own files, so that it opens without a network",
];

/// How far erasing has come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Offered,
    /// Pressed once.
    Sure,
    Erasing,
    Failed(String),
}

#[component]
pub fn Kept() -> impl IntoView {
    let step = RwSignal::new(Step::Offered);
    let press = move |_| match step.get_untracked() {
        Step::Sure => {
            step.set(Step::Erasing);
            spawn_local(async move {
                // If nothing fails, the page is left.
                if let Err(why) = erase::everything().await {
                    step.set(Step::Failed(why));
                }
            });
        }
        Step::Offered | Step::Failed(_) => step.set(Step::Sure),
        Step::Erasing => {}
    };
    let calm = move |_| {
        if step.get_untracked() == Step::Sure {
            step.set(Step::Offered);
        }
    };
    let is_available = desk()
        .store
        .select(|state| state.saved.as_ref().is_none_or(|saved| saved.available));
    let kept: Vec<_> = KEPT.into_iter().map(|it| view! { <li>{it}</li> }).collect();
    view! {
        <h3>"What this browser keeps"</h3>
        <p class="quiet-line" hidden=move || is_available.get()>
            "Nothing: this window cannot save anything."
        </p>
        <div hidden=move || !is_available.get()>
            <ul class="kept">{kept}</ul>
            <button
                class="quiet"
                class:danger=move || step.get() == Step::Sure
                disabled=move || step.get() == Step::Erasing
                on:blur=calm
                on:click=press
            >
                <Label step=step/>
            </button>
        </div>
        {move || match step.get() {
            Step::Failed(why) => Some(view! { <p class="trouble" role="alert">{told(&why)}</p> }),
            _ => None,
        }}
    }
    .into_any()
}

#[component]
fn Label(step: RwSignal<Step>) -> impl IntoView {
    let used = desk()
        .store
        .select(|state| state.saved.as_ref().and_then(|saved| saved.used_bytes));
    move || {
        let size = used.get().filter(|used| *used > 0.0);
        let size = size.map_or(String::new(), |used| format!(" ({})", bytes(used)));
        match step.get() {
            Step::Sure => format!("Erase all of it for good{size}"),
            Step::Erasing => "Erasing…".to_owned(),
            Step::Offered | Step::Failed(_) => format!("Erase everything{size}"),
        }
    }
}

fn told(why: &str) -> String {
    format!("Not everything was erased: {why}. Close other tabs with Footnote and try again.")
}
