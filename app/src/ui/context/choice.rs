//! Which strategies choose the lines, how many tokens they may take, and the export of the result.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::State;
use crate::state::context::BUDGETS;
use crate::ui::choosing::options;
use crate::ui::desk;
use crate::ui::format::thousands;
use crate::ui::save::SaveAs;
use crate::worker::serve::formats;

#[component]
pub fn Choice() -> impl IntoView {
    let store = desk().store;
    let policies = store.select(|state| state.choosing.policies.clone());
    let policy = store.select(|state| state.choosing.policy.clone());
    let choose_policy = move |event: Event| {
        let name = event_target_value(&event);
        store.act(|state| state.choose_context(|choosing| choosing.policy = name));
    };
    let save = move |format: &str| {
        store.act(|state: &mut State| state.export_context(format));
    };
    view! {
        <div class="trace-choice">
            <Strategies/>
            <Tokens/>
            <label>
                "from each snippet, keep "
                <select on:change=choose_policy>
                    {move || options(&policies.get(), Some("what competes best"), policy)}
                </select>
            </label>
            <span class="spacer"></span>
            <SaveAs formats=formats::CONTEXT save/>
        </div>
    }
    .into_any()
}

/// The strategy whose lines are sent, and one to compare with.
#[component]
fn Strategies() -> impl IntoView {
    let store = desk().store;
    let known = store.select(|state| state.choosing.options.clone());
    let left = store.select(|state| state.choosing.left.clone());
    let right = store.select(|state| state.choosing.right.clone().unwrap_or_default());
    let choose_left = move |event: Event| {
        let name = event_target_value(&event);
        store.act(|state| state.choose_context(|choosing| choosing.left = name));
    };
    let choose_right = move |event: Event| {
        let name = Some(event_target_value(&event)).filter(|name| !name.is_empty());
        store.act(|state| state.choose_context(|choosing| choosing.right = name));
    };
    view! {
        <label>
            "Chosen by "
            <select on:change=choose_left>{move || options(&known.get(), None, left)}</select>
        </label>
        <label>
            "compared with "
            <select on:change=choose_right>
                {move || options(&known.get(), Some("nothing"), right)}
            </select>
        </label>
    }
}

#[component]
fn Tokens() -> impl IntoView {
    let store = desk().store;
    let tokens = store.select(|state| state.choosing.tokens);
    let choose = move |event: Event| {
        if let Ok(number) = event_target_value(&event).parse() {
            store.act(|state| state.choose_context(|choosing| choosing.tokens = number));
        }
    };
    let budgets = BUDGETS.map(|budget| {
        view! {
            <option value=budget.to_string() selected=move || tokens.get() == budget>
                {thousands(budget.into())}
            </option>
        }
    });
    view! {
        <label>"within " <select on:change=choose>{Vec::from(budgets)}</select> " tokens"</label>
    }
}
