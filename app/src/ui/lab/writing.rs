//! Having the connected model write questions: what it will cost, and the word to send.

use leptos::prelude::*;

use super::spending::{Budget, Cost, Unconnected};
use crate::state::{Stage, State};
use crate::ui::desk;

#[component]
pub fn Writing() -> impl IntoView {
    let store = desk().store;
    let is_connected = store.select(|state| state.connection.stage() == Stage::Connected);
    move || match is_connected.get() {
        true => view! { <Ready/> }.into_any(),
        false => view! { <Unconnected what="write questions"/> }.into_any(),
    }
}

#[component]
fn Ready() -> impl IntoView {
    let store = desk().store;
    let estimate = store.select(|state| state.lab.order.estimate.clone());
    let most = store.select(|state| state.lab.order.most);
    let is_busy = store.select(|state| state.lab.is_waiting);
    let set_most = move |most| {
        store.change(|state| state.lab.order.most = most);
    };
    let card = move || {
        let estimate = estimate.get()?;
        Some(view! {
            <div class="lab-cost">
                <Cost estimate what="Text of this repository, whole files among it,"/>
                <Budget most set_most/>
                <button
                    class="go"
                    type="button"
                    disabled=move || is_busy.get()
                    on:click=move |_| store.act(State::write_questions)
                >
                    "Send and write questions"
                </button>
            </div>
        })
    };
    view! {
        <p class="lab-first">
            <button
                class="quiet"
                type="button"
                disabled=move || is_busy.get()
                on:click=move |_| store.act(State::estimate_questions)
            >
                "Estimate the cost"
            </button>
            <span class="quiet-line">"Nothing is sent for the estimate."</span>
        </p>
        {card}
    }
    .into_any()
}
