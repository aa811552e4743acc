//! Who reviews, how far the review is, and the files of all annotators.

use leptos::prelude::*;

use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::ui::pick::PickFile;
use crate::ui::save::SaveAs;
use crate::worker::serve::formats;

#[component]
pub fn Files() -> impl IntoView {
    let store = desk().store;
    let told = store.select(|state| state.lab.review.told.clone());
    let told = move || {
        let lines = told.get().into_iter();
        lines
            .map(|line| view! { <p class="quiet-line">{line}</p> })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="lab-about">
            <Annotator/>
            <Standing/>
            <span class="spacer"></span>
            <Bring/>
            <Save/>
        </div>
        <div role="status">{told}</div>
    }
    .into_any()
}

#[component]
fn Annotator() -> impl IntoView {
    let store = desk().store;
    let annotator = store.select(|state| state.lab.review.annotator.clone());
    view! {
        <label title="Written into the file you save">
            "Your name in the file "
            <input
                type="text"
                class="review-name"
                maxlength="200"
                autocomplete="off"
                prop:value=move || annotator.get()
                on:change=move |event| {
                    let name = event_target_value(&event);
                    store.act(|state| state.name_annotator(&name));
                }
            />
        </label>
    }
    .into_any()
}

/// How far the review is.
#[component]
fn Standing() -> impl IntoView {
    let store = desk().store;
    let total = store.select(|state| state.lab.set.as_ref().map_or(0, |set| set.items.len()));
    let tally = store.select(|state| state.lab.review.tally());
    let rated = move || {
        let (rated, total) = (tally.get().rated, total.get());
        format!(
            "{} of {} rated",
            thousands(rated as u64),
            count(total as u64, "question")
        )
    };
    let dropped = move || match tally.get().dropped {
        0 => None,
        n => Some(format!(
            "{} left out of figures and exports",
            thousands(n as u64)
        )),
    };
    view! {
        <span class="review-rated">{rated}</span>
        <span class="quiet-note">{dropped}</span>
    }
    .into_any()
}

/// Opens the files of other annotators, or one's own again.
#[component]
fn Bring() -> impl IntoView {
    let intake = desk().intake;
    view! {
        <PickFile
            label="Open review files"
            title="One file per person. A file with your name continues your own reviews"
            accept=".jsonl"
            multiple=true
            class="review-files"
            pick=move |input| intake.pick_reviews(input)
        />
    }
    .into_any()
}

#[component]
fn Save() -> impl IntoView {
    let store = desk().store;
    let has_name = store.select(|state| !state.lab.review.annotator.is_empty());
    let is_reviewed = store.select(|state| state.lab.review.tally().reviewed > 0);
    let save = move |format: &str| store.act(|state| state.export_reviews(format));
    move || match (is_reviewed.get(), has_name.get()) {
        (false, _) => ().into_any(),
        (true, false) => view! {
            <span class="quiet-note">"Type your name to save your reviews."</span>
        }
        .into_any(),
        (true, true) => view! { <SaveAs formats=formats::REVIEWS save/> }.into_any(),
    }
}
