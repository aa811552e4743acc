//! Which pipelines are evaluated, the progress, and the results.

use leptos::prelude::*;

use super::{WithSet, figures};
use crate::state::State;
use crate::ui::desk;
use crate::ui::format::{count, duration, thousands};
use crate::ui::save::SaveAs;
use crate::worker::serve::formats;

#[component]
pub fn Evaluate() -> impl IntoView {
    let store = desk().store;
    let comparison = store.select(|state| state.lab.comparison.clone());
    let set = store.select(|state| state.lab.set.clone());
    let figures = move || {
        let comparison = comparison.get()?;
        Some(figures::all(&comparison, set.get().as_ref()))
    };
    view! {
        <WithSet>
            <Choice/>
            <Progress/>
            {move || comparison.with(Option::is_some).then(|| view! { <Save/> })}
            {figures}
        </WithSet>
    }
    .into_any()
}

/// The pipelines, with checkboxes.
#[component]
pub fn Pipelines(
    legend: &'static str,
    /// A remark on what the first ticked one is used for.
    #[prop(optional)]
    first: Option<&'static str>,
) -> impl IntoView {
    let store = desk().store;
    let offer = store.select(|state| state.lab.offer.clone());
    let ticked = store.select(|state| state.lab.pipelines.clone());
    let chip = move |name: String, title: String| {
        let known = name.clone();
        let place = Memo::new(move |_| ticked.with(|it| it.iter().position(|it| *it == known)));
        let role = move || match place.get() {
            Some(0) => first.map(|role| view! { <small>{role}</small> }),
            _ => None,
        };
        view! {
            <label class="chip" class:on=move || place.get().is_some()>
                <input
                    type="checkbox"
                    prop:checked=move || place.get().is_some()
                    on:change=move |_| {
                        store.change(|state| state.tick_pipeline(&name));
                    }
                />
                {title}
                {role}
            </label>
        }
    };
    let chips = move || {
        let offer = offer.get()?;
        let all = offer.pipelines.iter();
        Some(
            all.map(|it| chip(it.name.clone(), it.title.clone()))
                .collect::<Vec<_>>(),
        )
    };
    view! {
        <fieldset class="chips">
            <legend>{legend}</legend>
            {chips}
        </fieldset>
    }
    .into_any()
}

#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let is_ticked = store.select(|state| !state.lab.pipelines.is_empty());
    let closely = store.select(|state| state.lab.closely);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let can_run = move || !is_busy.get() && is_ticked.get();
    let n = store.select(|state| state.lab.kept());
    let stopped = store.select(|state| state.lab.continues().cloned());
    let label = move || match stopped.get() {
        Some(it) => format!(
            "Continue ({} of {} done)",
            thousands(it.done.into()),
            count(it.total.into(), "answer")
        ),
        None => format!("Evaluate on {}", count(n.get() as u64, "question")),
    };
    view! {
        <Pipelines
            legend="Pipelines. The first one you tick is the baseline"
            first="baseline"
        />
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || closely.get()
                on:change=move |event| {
                    let closely = event_target_checked(&event);
                    store.change(|state| state.lab.closely = closely);
                }
            />
            " Read closely with the transformer, as for real answers (a second or more per question)"
        </label>
        <p>
            <button
                class="go"
                disabled=move || !can_run()
                on:click=move |_| store.act(State::evaluate)
            >
                {label}
            </button>
        </p>
    }
    .into_any()
}

#[component]
pub fn Progress() -> impl IntoView {
    let store = desk().store;
    let progress = store.select(|state| state.lab.progress.clone());
    let bar = move |done: u32, total: u32, pipeline: String| {
        let told = match total {
            0 => "Starting…".to_owned(),
            _ => format!(
                "{pipeline}: {} of {}",
                thousands(done.into()),
                count(total.into(), "answer")
            ),
        };
        view! {
            <div class="lab-progress" role="status">
                <progress max=total.max(1).to_string() value=done.to_string()></progress>
                <span>{told}</span>
                <button class="quiet small" on:click=move |_| store.act(State::stop_lab)>
                    "Stop"
                </button>
            </div>
        }
    };
    move || progress.get().map(|it| bar(it.done, it.total, it.pipeline))
}

#[component]
fn Save() -> impl IntoView {
    let store = desk().store;
    let told = store.select(|state| {
        let it = state.lab.comparison.as_ref()?;
        let answers = u64::from(it.n) * it.columns.len() as u64;
        Some(format!(
            "{} in {}.",
            count(answers, "answer"),
            duration(it.seconds)
        ))
    });
    let save = move |format: &str| store.act(|state| state.export_runs(format));
    view! {
        <div class="lab-about">
            <span>{move || told.get()}</span>
            <span class="spacer"></span>
            <SaveAs formats=formats::RUNS save/>
        </div>
    }
    .into_any()
}
