//! Which model of the service, and how much it takes in.

use leptos::prelude::*;

use crate::state::connection::{Stage, Trial};
use crate::ui::desk;
use crate::ui::format::{count, thousands};

#[component]
pub fn Model() -> impl IntoView {
    let store = desk().store;
    let trial = store.select(|state| state.connection.trial.clone());
    let stage = store.select(|state| state.connection.stage());
    let models = store.select(|state| state.connection.models.clone());
    let (model, window) = store.peek(|state| {
        let remembered = &state.connection.remembered;
        (remembered.model.clone(), remembered.window)
    });
    let model = RwSignal::new(model);
    let window = RwSignal::new(window.map(|window| window.to_string()).unwrap_or_default());
    // A service with one model leaves nothing to choose.
    Effect::new(move |_| {
        if matches!(trial.get(), Trial::Listed) {
            let chosen = store.peek(|state| state.connection.remembered.model.clone());
            if !chosen.is_empty() {
                model.set(chosen);
            }
        }
    });
    let is_shown = move || {
        stage.get() == Stage::Connected
            || matches!(trial.get(), Trial::Listed | Trial::Trying)
            || !models.with(Vec::is_empty)
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let typed = window.get_untracked();
        let tokens = typed.trim().replace([',', '.', ' '], "").parse().ok();
        store.act(|state| state.use_model(&model.get_untracked(), tokens));
    };
    let options = move || {
        let option = |known: &crate::worker::protocol::ModelView| {
            let about = known
                .window
                .map(|window| format!("{} tokens", thousands(window.into())));
            view! { <option value=known.id.clone()>{about}</option> }
        };
        models.with(|models| models.iter().map(option).collect::<Vec<_>>())
    };
    let found = move || match (trial.get(), models.with(Vec::len)) {
        (Trial::Trying, _) => "Waiting for a word of it…".to_owned(),
        (_, 0) => String::new(),
        (_, known) => format!(
            "It answers: {} to choose from.",
            count(known as u64, "model")
        ),
    };
    view! {
        <Show when=is_shown>
            <form class="form" on:submit=submit>
                <p class="quiet-line ok" aria-live="polite">{found}</p>
                <label class="field">
                    "Model"
                    <input
                        type="text"
                        list="models"
                        autocomplete="off"
                        spellcheck="false"
                        placeholder="its name"
                        prop:value=move || model.get()
                        on:input=move |event| model.set(event_target_value(&event))
                    />
                    <datalist id="models">{options}</datalist>
                </label>
                <label class="field">
                    "Tokens that it takes in"
                    <input
                        type="text"
                        inputmode="numeric"
                        autocomplete="off"
                        placeholder="as the service tells"
                        prop:value=move || window.get()
                        on:input=move |event| window.set(event_target_value(&event))
                    />
                </label>
                <div class="form-end">
                    <button class="go" type="submit" disabled=move || model.with(|model| model.trim().is_empty())>
                        "Use this model"
                    </button>
                </div>
            </form>
        </Show>
    }
    .into_any()
}
