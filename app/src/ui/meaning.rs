//! One quiet line while vectors are being added to an open repository: until the static encoder has
//! read it, and after that only while the transformer reads a large one on request.

use leptos::prelude::*;

use super::desk;
use super::icons::{Draw, Icon};
use super::stages::{Meter, meaning_counts, meaning_fraction};

/// Shows nothing once the vectors are complete.
#[component]
pub fn Meaning() -> impl IntoView {
    let store = desk().store;
    // Before the first question, the welcome shows the same as its last stage.
    let vectors = store.select(|state| {
        if state.conversation.turns.is_empty() {
            return None;
        }
        let vectors = state.summary()?.vectors.clone()?;
        let is_unfinished = vectors.failed.is_some() || vectors.done < vectors.total;
        let is_there = vectors.table_ms.is_some();
        let was_asked_for = vectors.on_demand && !vectors.paused && vectors.failed.is_none();
        (is_unfinished && (!is_there || was_asked_for)).then_some(vectors)
    });
    let is_shown = Memo::new(move |_| vectors.with(Option::is_some));
    let text = move || {
        vectors.with(|vectors| {
            vectors.as_ref().map(|vectors| match &vectors.failed {
                Some(reason) => format!("Answers use words only. {reason}"),
                None => format!("Meaning: {}", meaning_counts(vectors)),
            })
        })
    };
    // If vectors cannot be made here, that alone needs no line.
    let unusable = move || {
        vectors.with(|vectors| {
            let vectors = vectors.as_ref()?;
            let gpu = vectors.no_gpu.as_ref();
            let table = vectors.no_table.as_ref();
            let gpu = gpu.map(|why| format!("Computed on the processor: {why}"));
            let table = table.map(|why| format!("Without the static encoder: {why}"));
            let all: Vec<String> = gpu.into_iter().chain(table).collect();
            (!all.is_empty()).then(|| all.join("\n"))
        })
    };
    let fraction = Memo::new(move |_| {
        vectors.with(|vectors| {
            let vectors = vectors.as_ref().filter(|it| it.failed.is_none())?;
            Some(meaning_fraction(vectors))
        })
    });
    let has_failed =
        Memo::new(move |_| vectors.with(|it| it.as_ref().is_some_and(|it| it.failed.is_some())));
    view! {
        <Show when=move || is_shown.get()>
            <div class="meaning" role="group" aria-label="Adding meaning">
                <Show when=move || !has_failed.get()>
                    <Meter name="Meaning" fraction/>
                </Show>
                <span class="counts" title=unusable>{text}</span>
                <PauseButton/>
            </div>
        </Show>
    }
    .into_any()
}

/// Says that an index file is being compared with its text, while it is.
#[component]
pub fn Unchecked() -> impl IntoView {
    let store = desk().store;
    let is_shown = store.select(|state| state.unchecked && state.summary().is_some());
    view! {
        <Show when=move || is_shown.get()>
            <div class="meaning" role="status">
                <span
                    class="counts"
                    title="Until then, answers rely on what the file’s maker wrote"
                >
                    "Comparing the index file with its own text"
                </span>
            </div>
        </Show>
    }
    .into_any()
}

/// Pauses and resumes; nothing while there is nothing to pause.
#[component]
pub fn PauseButton() -> impl IntoView {
    let store = desk().store;
    let is_paused = store.select(|state| {
        let vectors = state.summary()?.vectors.as_ref()?;
        let is_running = vectors.failed.is_none() && vectors.done < vectors.total;
        is_running.then_some((vectors.paused, vectors.on_demand))
    });
    let button = move || {
        let (is_paused, on_demand) = is_paused.get()?;
        let (label, icon) = match (is_paused, on_demand) {
            (true, true) => ("Read all closely", Icon::Play),
            (true, false) => ("Resume", Icon::Play),
            (false, _) => ("Pause", Icon::Pause),
        };
        Some(view! {
            <button
                class="plain small"
                on:click=move |_| store.act(|state| state.pause_vectors(!is_paused))
            >
                <Draw icon/>
                {label}
            </button>
        })
    };
    view! { {button} }.into_any()
}
