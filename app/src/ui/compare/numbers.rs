//! The settings of a pipeline as sliders, and its budget.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::context::BUDGETS;
use crate::ui::desk;
use crate::ui::format::thousands;
use crate::worker::protocol::SliderView;

#[component]
pub fn Numbers(at: usize) -> impl IntoView {
    let store = desk().store;
    // The list stays while its values change, so that a slider keeps the focus.
    let sliders = store.select(move |state| {
        let column = state.comparing.columns.get(at).cloned().flatten();
        let sliders = column
            .map(|column| column.sliders.clone())
            .unwrap_or_default();
        let fixed = sliders.into_iter().map(|slider| SliderView {
            value: 0.0,
            ..slider
        });
        fixed.collect::<Vec<_>>()
    });
    let is_changed = store.select(move |state| {
        let way = state.comparing.ways.get(at);
        way.is_some_and(|way| !way.changes.is_empty())
    });
    let all = move || {
        let all = sliders.get().into_iter();
        all.map(|slider| view! { <Number at slider/> })
            .collect::<Vec<_>>()
    };
    view! {
        <details class="numbers">
            <summary>
                "Numbers" {move || is_changed.get().then_some(" (changed)")}
            </summary>
            {all}
            <Budget at/>
            <button
                class="plain small"
                hidden=move || !is_changed.get()
                on:click=move |_| store.act(|state| state.reset_way(at))
            >
                "Reset"
            </button>
        </details>
    }
    .into_any()
}

#[component]
fn Number(at: usize, slider: SliderView) -> impl IntoView {
    let store = desk().store;
    let SliderView {
        name,
        symbol,
        about,
        from,
        to,
        step,
        ..
    } = slider;
    let own = name.clone();
    let value = store.select(move |state| {
        if let Some(changed) = state.comparing.changed(at, &own) {
            return changed.to_owned();
        }
        let column = state.comparing.columns.get(at).cloned().flatten();
        let sliders = column
            .map(|column| column.sliders.clone())
            .unwrap_or_default();
        let found = sliders.iter().find(|slider| slider.name == own);
        found.map_or(String::new(), |slider| slider.value.to_string())
    });
    let named = name.clone();
    let slide = move |event: Event| {
        let value = event_target_value(&event);
        store.act(|state| state.change_way(at, &named, &value));
    };
    view! {
        <label class="number">
            <span>{symbol}</span>
            <input
                type="range"
                name=name
                min=from.to_string()
                max=to.to_string()
                step=step.to_string()
                prop:value=move || value.get()
                on:input=slide
            />
            <output>{move || value.get()}</output>
            <small>{about}</small>
        </label>
    }
    .into_any()
}

#[component]
fn Budget(at: usize) -> impl IntoView {
    let store = desk().store;
    let chosen = store.select(move |state| {
        let changed = state.comparing.changed(at, "budget");
        changed.unwrap_or_default().to_owned()
    });
    let choose = move |event: Event| {
        let value = event_target_value(&event);
        store.act(|state| state.change_way(at, "budget", &value));
    };
    let budgets = BUDGETS.map(|budget| {
        let value = budget.to_string();
        view! {
            <option value=value.clone() selected=move || chosen.with(|chosen| *chosen == value)>
                {thousands(budget.into())}
            </option>
        }
    });
    view! {
        <label class="number">
            <span>"budget"</span>
            <select name="budget" on:change=choose>
                <option value="" disabled selected=move || chosen.with(String::is_empty)>
                    "the pipeline’s own"
                </option>
                {Vec::from(budgets)}
            </select>
            <small>"Maximum number of tokens a model sees."</small>
        </label>
    }
    .into_any()
}
