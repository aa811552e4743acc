//! Answers of two pipelines side by side: rated without knowing who made them, and judged by a
//! model.

use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;

use super::task::{Ask, Card, Spending};
use super::{WithSet, verdict};
use crate::state::{Shared, Stage, State};
use crate::ui::desk;
use crate::ui::format::thousands;
use crate::worker::protocol::{LabChoice, LabPairsView, LabTask, StrategyView};

/// With fewer of the user's own ratings than this, nothing is said about a judge.
const ENOUGH: usize = 30;

#[component]
pub fn Judge() -> impl IntoView {
    let store = desk().store;
    let pairs = store.select(|state| state.lab.judging.pairs.clone());
    let verdict = store.select(|state| state.lab.judging.verdict.clone());
    view! {
        <WithSet>
            <Choice/>
            <Spending noun="answer"/>
            <super::evaluate::Progress/>
            {move || pairs.get().map(|pairs| both(&pairs))}
            {move || verdict.get().map(|view| verdict::shown(&view))}
        </WithSet>
    }
    .into_any()
}

/// Which answers to compare.
#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let offer = store.select(|state| state.lab.offer.clone());
    let amount = store.select(|state| state.lab.judging.count);
    let by_model = store.select(|state| state.lab.judging.by_model);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let is_connected = store.select(|state| state.connection.stage() == Stage::Connected);
    let set_count = move |event: Event| {
        let wanted = event_target_value(&event).parse().unwrap_or(30);
        store.change(|state| {
            state.lab.judging.count = u32::clamp(wanted, 1, 500);
            state.lab.forget_cost();
        });
    };
    let pipelines = move || offer.get().map(|offer| offer.pipelines.clone());
    let label = move || match by_model.get() {
        true => "Estimate the cost of the answers",
        false => "Make answers",
    };
    view! {
        <form
            class="lab-order"
            on:submit=move |event| {
                event.prevent_default();
                store.act(State::make_pairs);
            }
        >
            <Side at=0 label="Compare " pipelines/>
            <Side at=1 label="with " pipelines/>
            <label>
                "Questions "
                <input
                    type="number"
                    min="1"
                    max="500"
                    prop:value=move || amount.get().to_string()
                    on:change=set_count
                />
            </label>
            <button class="go" type="submit" disabled=move || is_busy.get()>{label}</button>
            <label class="check" hidden=move || !is_connected.get()>
                <input
                    type="checkbox"
                    prop:checked=move || by_model.get()
                    on:change=move |event| {
                        let by_model = event_target_checked(&event);
                        store.change(|state| {
                            state.lab.judging.by_model = by_model;
                            state.lab.forget_cost();
                        });
                    }
                />
                " Have the connected model write the answers"
            </label>
        </form>
        <Card is_it=|task| matches!(task, LabTask::Answer(_))/>
    }
    .into_any()
}

#[component]
fn Side(
    at: usize,
    label: &'static str,
    pipelines: impl Fn() -> Option<Vec<StrategyView>> + Copy + Send + 'static,
) -> impl IntoView {
    let store = desk().store;
    let chosen = store.select(move |state| state.lab.judging.pipelines.get(at).cloned());
    let options = move || {
        let all = pipelines().unwrap_or_default().into_iter();
        let option = |it: StrategyView| {
            let is_chosen = chosen.get().as_deref() == Some(&it.name);
            view! { <option value=it.name.clone() selected=is_chosen>{it.title}</option> }
        };
        all.map(option).collect::<Vec<_>>()
    };
    view! {
        <label>
            {label}
            <select on:change=move |event| {
                let name = event_target_value(&event);
                store.change(|state| {
                    if let Some(chosen) = state.lab.judging.pipelines.get_mut(at) {
                        *chosen = name;
                    }
                    state.lab.forget_cost();
                });
            }>{options}</select>
        </label>
    }
    .into_any()
}

/// The pairs, one at a time, and having them judged.
fn both(pairs: &Shared<LabPairsView>) -> AnyView {
    let note = pairs.note.clone();
    if pairs.pairs.is_empty() {
        let note = note.unwrap_or_else(|| "No question was answered.".to_owned());
        return view! { <p class="nothing-yet">{note}</p> }.into_any();
    }
    let by = match &pairs.written_by {
        Some(model) => format!("Answers written by {model}."),
        None => "Answers made by code.".to_owned(),
    };
    view! {
        <p class="quiet-line">{by} " " {note}</p>
        <Rate/>
        <Ask
            what="judge these answers"
            label="Estimate the cost of judging"
            estimate=State::estimate_judging
            is_it=|task| matches!(task, LabTask::Judge)
        />
    }
    .into_any()
}

/// The pair shown, and the buttons and keys that rate it.
#[component]
fn Rate() -> impl IntoView {
    let store = desk().store;
    let pairs = store.select(|state| state.lab.judging.pairs.clone());
    let at = store.select(|state| state.lab.judging.at);
    let step = move |steps: isize| {
        store.change(|state| state.lab.judging.step(steps));
    };
    let keys = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        match event.key().as_str() {
            "1" => rate(LabChoice::First),
            "2" => rate(LabChoice::Second),
            "0" => rate(LabChoice::Draw),
            "ArrowRight" | "j" => step(1),
            "ArrowLeft" | "k" => step(-1),
            _ => return,
        }
        event.prevent_default();
    };
    let pair = move || {
        let pairs = pairs.get()?;
        let pair = pairs.pairs.get(at.get())?;
        let [first, second] = pair.answers.clone();
        let reference = pair.reference.clone().map(|text| {
            view! {
                <details>
                    <summary>"Reference answer"</summary>
                    <p class="answer-text">{text}</p>
                </details>
            }
        });
        Some(view! {
            <h3>{pair.question.clone()}</h3>
            {reference}
            <div class="lab-pair">
                <Answer text=first heading="Answer 1" choice=LabChoice::First rated=pair.rated/>
                <Answer text=second heading="Answer 2" choice=LabChoice::Second rated=pair.rated/>
            </div>
        })
    };
    let is_draw = move || {
        let pairs = pairs.get();
        let pair = pairs.as_ref().and_then(|pairs| pairs.pairs.get(at.get()));
        pair.is_some_and(|pair| pair.rated == Some(LabChoice::Draw))
    };
    view! {
        <section
            class="lab-rate"
            tabindex="0"
            aria-label="Rate the answers: 1, 2 and 0 choose, arrow keys move"
            on:keydown=keys
        >
            {pair}
            <p class="lab-rate-foot">
                <button class="quiet small" on:click=move |_| step(-1)>"Previous"</button>
                <button
                    class="quiet small"
                    aria-pressed=move || is_draw().to_string()
                    on:click=move |_| rate(LabChoice::Draw)
                >
                    "Neither is better"
                    <kbd>"0"</kbd>
                </button>
                <button class="quiet small" on:click=move |_| step(1)>"Next"</button>
                <Place/>
            </p>
        </section>
    }
    .into_any()
}

/// Which pair is shown, and how many are rated.
#[component]
fn Place() -> impl IntoView {
    let store = desk().store;
    let place = store.select(|state| {
        let judging = &state.lab.judging;
        let n = judging.pairs.as_ref().map_or(0, |it| it.pairs.len());
        format!(
            "Question {} of {}. {} rated; {ENOUGH} are enough to tell how far a judge agrees with \
             you.",
            thousands(judging.at as u64 + 1),
            thousands(n as u64),
            thousands(judging.rated() as u64)
        )
    });
    view! { <span class="quiet-line" role="status">{move || place.get()}</span> }.into_any()
}

fn rate(choice: LabChoice) {
    desk().store.act(|state| state.rate_pair(choice));
}

#[component]
fn Answer(
    text: String,
    heading: &'static str,
    choice: LabChoice,
    rated: Option<LabChoice>,
) -> impl IntoView {
    let is_chosen = rated == Some(choice);
    let key = match choice {
        LabChoice::First => "1",
        _ => "2",
    };
    view! {
        <article class:on=is_chosen>
            <header>
                <b>{heading}</b>
                <button
                    class="quiet small"
                    aria-pressed=is_chosen.to_string()
                    on:click=move |_| rate(choice)
                >
                    "This one is better"
                    <kbd>{key}</kbd>
                </button>
            </header>
            <p class="answer-text">{text}</p>
        </article>
    }
    .into_any()
}
