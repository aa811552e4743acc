//! How long the model may be silent before the page says so.

use leptos::prelude::*;

use crate::state::Effect;
use crate::state::connection::seconds_typed;
use crate::ui::desk;

#[component]
pub fn Patience() -> impl IntoView {
    let store = desk().store;
    let seconds = store.select(|state| state.connection.patience_s());
    let trouble = RwSignal::new(false);
    let choose = move |typed: String| {
        let seconds = seconds_typed(&typed);
        trouble.set(seconds.is_none());
        if seconds.is_some() {
            store.act(|state| {
                state.connection.remembered.patience_s = seconds;
                vec![Effect::Remember]
            });
        }
    };
    view! {
        <label class="check patience">
            "Warn me when no data has arrived for"
            <input
                type="text"
                name="patience"
                inputmode="numeric"
                autocomplete="off"
                prop:value=move || seconds.get().to_string()
                on:change=move |event| choose(event_target_value(&event))
            />
            "seconds"
        </label>
        <Show when=move || trouble.get()>
            <p class="trouble" role="alert">"Enter a number from 1 to 600."</p>
        </Show>
    }
    .into_any()
}
