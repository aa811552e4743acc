//! The laboratory: question sets made from the open repository, and pipelines evaluated on them.

mod curve;
mod describe;
mod evaluate;
mod export;
mod figures;
mod groups;
mod judge;
mod questions;
mod ranks;
mod review;
mod task;
mod teach;
mod verdict;

use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::icons::{Draw, Icon};
use super::notices::Card;
use crate::state::{LabStep, Panel, State};
use describe::Describe;
use evaluate::Evaluate;
use export::Export;
use judge::Judge;
use questions::Questions;
pub use questions::place;
use review::Review;
use teach::Teach;

#[component]
pub fn Lab() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Lab label="Laboratory" class="dialog lab-dialog">
            <Body/>
        </Dialog>
    }
}

/// Opens the laboratory.
#[component]
pub fn LabButton() -> impl IntoView {
    let store = desk().store;
    view! {
        <button
            class="outline-foot link"
            aria-haspopup="dialog"
            title="Make questions from this repository, and measure pipelines on them"
            on:click=move |_| store.act(State::show_lab)
        >
            <Draw icon=Icon::Chart/>
            "Laboratory"
        </button>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let step = store.select(|state| state.lab.step);
    let trouble = store.select(|state| state.lab.trouble.clone());
    view! {
        <p class="quiet-line">
            "Make questions from this repository, check them, and measure which pipeline answers \
             them. Nothing leaves the page unless you let the connected language model write or \
             judge. You first see what would be sent, where, and how much."
        </p>
        <div class="lab-steps" role="tablist" aria-label="Steps">
            <Step step=LabStep::Questions label="1 Questions"/>
            <Step step=LabStep::Review label="2 Review"/>
            <Step step=LabStep::Evaluate label="3 Evaluate"/>
            <Step step=LabStep::Judge label="4 Judge"/>
            <Step step=LabStep::Export label="5 Export"/>
            <Step step=LabStep::Teach label="6 Teach"/>
            <Step step=LabStep::Describe label="7 Describe"/>
        </div>
        {move || trouble.get().map(|notice| view! { <Card notice/> })}
        {move || match step.get() {
            LabStep::Questions => view! { <Questions/> }.into_any(),
            LabStep::Review => view! { <Review/> }.into_any(),
            LabStep::Evaluate => view! { <Evaluate/> }.into_any(),
            LabStep::Judge => view! { <Judge/> }.into_any(),
            LabStep::Export => view! { <Export/> }.into_any(),
            LabStep::Teach => view! { <Teach/> }.into_any(),
            LabStep::Describe => view! { <Describe/> }.into_any(),
        }}
    }
    .into_any()
}

#[component]
fn Step(step: LabStep, label: &'static str) -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(move |state| state.lab.step == step);
    view! {
        <button
            role="tab"
            aria-selected=move || is_on.get().to_string()
            on:click=move |_| match step {
                LabStep::Teach => store.act(State::show_teaching),
                LabStep::Describe => store.act(State::show_describing),
                _ => {
                    store.change(|state| state.lab.step = step);
                }
            }
        >
            {label}
        </button>
    }
    .into_any()
}

/// Content that needs a question set; without one, a hint.
#[component]
fn WithSet(children: Children) -> impl IntoView {
    let store = desk().store;
    let has_set = store.select(|state| {
        let set = state.lab.set.as_ref();
        set.is_some_and(|set| !set.items.is_empty())
    });
    view! {
        <p class="nothing-yet" hidden=move || has_set.get()>
            "There are no questions yet. Make some, or open a set, under “1 Questions”."
        </p>
        <div hidden=move || !has_set.get()>{children()}</div>
    }
    .into_any()
}
