//! Answers of several pipelines, rated without knowing who made them.

use footnote_core::lab::agreement::{RATING, SCORES};
use leptos::prelude::*;

use crate::state::State;
use crate::ui::desk;
use crate::ui::lab::evaluate::{Pipelines, Progress};
use crate::ui::pick::PickFile;
use crate::ui::save::SaveAs;
use crate::worker::protocol::{LabRatedView, LabRevealedView};
use crate::worker::serve::formats;

/// The number of questions suggested: rating two answers to each takes a person half an hour.
const WANTED: u32 = 20;

#[component]
pub fn Blind() -> impl IntoView {
    let store = desk().store;
    let has_key = store.select(|state| state.lab.review.has_key);
    view! {
        <section class="review-blind" aria-label="Rate answers blind">
            {move || match has_key.get() {
                true => view! { <Hidden/> }.into_any(),
                false => view! { <Order/> }.into_any(),
            }}
        </section>
    }
    .into_any()
}

/// Which answers to make.
#[component]
fn Order() -> impl IntoView {
    let store = desk().store;
    let wanted = RwSignal::new(WANTED);
    let can_make = store.select(|state| state.lab.pipelines.len() > 1 && !state.lab.is_waiting);
    view! {
        <p>
            "Each pipeline you tick answers some of the questions. The answers replace the questions, \
             in random order and without names. Rate them here, or save them with “Save as a question \
             set” under “1 Questions” and hand them out. You get the questions back afterwards."
        </p>
        <Pipelines legend="Pipelines that answer (at least two)"/>
        <p class="lab-order">
            <label>
                "Questions "
                <input
                    type="number"
                    min="1"
                    max="5000"
                    prop:value=move || wanted.get().to_string()
                    on:change=move |event| {
                        let number = event_target_value(&event).parse().unwrap_or(WANTED);
                        wanted.set(number.clamp(1, 5_000));
                    }
                />
            </label>
            <button
                class="go"
                disabled=move || !can_make.get()
                on:click=move |_| store.act(|state| state.hide_makers(wanted.get_untracked()))
            >
                "Make answers to rate"
            </button>
        </p>
        <Progress/>
        <p class="quiet-line">"Have you opened a set of answers made elsewhere?"</p>
        <BringKey/>
    }
    .into_any()
}

#[component]
fn BringKey() -> impl IntoView {
    let intake = desk().intake;
    view! {
        <PickFile
            label="Open the key and reveal"
            accept=".json"
            pick=move |input| intake.pick_key(input)
        />
    }
    .into_any()
}

/// The set holds blind answers, and the key to them is here.
#[component]
fn Hidden() -> impl IntoView {
    let store = desk().store;
    let is_covering = store.select(|state| state.lab.review.is_covering);
    let revealed = store.select(|state| state.lab.review.revealed.clone());
    let save = move |format: &str| store.act(|state| state.export_key(format));
    let back = move || {
        is_covering.get().then(|| {
            view! {
                <button class="quiet" on:click=move |_| store.act(State::unhide_questions)>
                    "Back to the questions"
                </button>
            }
        })
    };
    let label = move || match revealed.with(Option::is_some) {
        true => "Count again",
        false => "Reveal",
    };
    view! {
        <p>
            "The set hides which pipeline made each answer. Rate first: once revealed, you know \
             which is which. The set you hand out hides it too. Save the key: you need it when the \
             others’ files come back."
        </p>
        <p class="review-decision">
            <SaveAs formats=formats::KEY save/>
            <button class="go" on:click=move |_| store.act(State::reveal)>{label}</button>
            {back}
        </p>
        {move || revealed.get().map(|revealed| table(&revealed))}
    }
    .into_any()
}

fn table(revealed: &[LabRevealedView]) -> AnyView {
    let heads: Vec<_> = [&RATING]
        .into_iter()
        .chain(&SCORES)
        .map(|scale| view! { <th scope="col">{scale.title}</th> })
        .collect();
    let row = |it: &LabRevealedView| {
        let cells: Vec<_> = it.scales.iter().map(cell).collect();
        view! {
            <tr>
                <th scope="row">{it.title.clone()}</th>
                <td>{it.ratings}</td>
                {cells}
            </tr>
        }
    };
    let rows: Vec<_> = revealed.iter().map(row).collect();
    view! {
        <div class="lab-table" tabindex="0" role="region" aria-label="Ratings by pipeline">
            <table class="review-revealed">
                <thead>
                    <tr>
                        <th scope="col">"pipeline"</th>
                        <th scope="col">"ratings"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="quiet-line">
            "Means over answers, with their 95 % interval (bootstrap over answers). An answer \
             that several people rated counts once, with the mean of their ratings."
        </p>
    }
    .into_any()
}

fn cell(rated: &Option<LabRatedView>) -> AnyView {
    match rated {
        None => view! { <td>"–"</td> }.into_any(),
        Some(it) => {
            let interval = format!("{:.1}–{:.1}, n = {}", it.low, it.high, it.n);
            view! { <td><b>{format!("{:.1}", it.mean)}</b> <small>{interval}</small></td> }
                .into_any()
        }
    }
}
