//! Which model of the service, and how much it takes in.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use crate::state::Store;
use crate::state::connection::{Stage, Trial, tokens_typed};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::worker::protocol::ModelView;

/// What is being filled in. Copying it copies references.
#[derive(Clone, Copy)]
struct Form {
    model: RwSignal<String>,
    /// Tokens that the model takes in, as they are typed.
    window: RwSignal<String>,
}

impl Form {
    /// As the model that is remembered.
    fn new(store: Store) -> Self {
        let (model, window) = store.peek(|state| {
            let remembered = &state.connection.remembered;
            (remembered.model.clone(), remembered.window)
        });
        let window = window.map(|window| window.to_string());
        Self {
            model: RwSignal::new(model),
            window: RwSignal::new(window.unwrap_or_default()),
        }
    }

    fn is_empty(self) -> bool {
        self.model.with(|model| model.trim().is_empty())
    }

    fn submit(self, store: Store) {
        let tokens = self.window.with_untracked(|typed| tokens_typed(typed));
        let model = self.model.get_untracked();
        store.act(|state| state.use_model(&model, tokens));
    }
}

#[component]
pub fn Model() -> impl IntoView {
    let store = desk().store;
    let trial = store.select(|state| state.connection.trial.clone());
    let stage = store.select(|state| state.connection.stage());
    let models = store.select(|state| state.connection.models.clone());
    let form = Form::new(store);
    // A service with one model leaves nothing to choose.
    Effect::new(move |_| {
        if matches!(trial.get(), Trial::Listed) {
            let chosen = store.peek(|state| state.connection.remembered.model.clone());
            if !chosen.is_empty() {
                form.model.set(chosen);
            }
        }
    });
    let is_shown = move || {
        stage.get() == Stage::Connected
            || matches!(trial.get(), Trial::Listed | Trial::Trying)
            || !models.with(Vec::is_empty)
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.submit(store);
    };
    view! {
        <Show when=is_shown>
            <form class="form" on:submit=submit>
                <p class="quiet-line ok" aria-live="polite">
                    {move || found(&trial.get(), models.with(Vec::len))}
                </p>
                <Name form models/>
                <Window form/>
                <div class="form-end">
                    <button class="go" type="submit" disabled=move || form.is_empty()>
                        "Use this model"
                    </button>
                </div>
            </form>
        </Show>
    }
    .into_any()
}

/// What came of asking the service for its models.
fn found(trial: &Trial, known: usize) -> String {
    match (trial, known) {
        (Trial::Trying, _) => "Waiting for a word of it…".to_owned(),
        (_, 0) => String::new(),
        (_, known) => format!(
            "It answers: {} to choose from.",
            count(known as u64, "model")
        ),
    }
}

/// The model's name, with those that the service offers.
#[component]
fn Name(form: Form, models: Memo<Vec<ModelView>>) -> impl IntoView {
    let option = |known: &ModelView| {
        let about = known
            .window
            .map(|window| format!("{} tokens", thousands(window.into())));
        view! { <option value=known.id.clone()>{about}</option> }
    };
    let options = move || models.with(|models| models.iter().map(option).collect::<Vec<_>>());
    view! {
        <label class="field">
            "Model"
            <input
                type="text"
                list="models"
                autocomplete="off"
                spellcheck="false"
                placeholder="its name"
                prop:value=move || form.model.get()
                on:input=move |event| form.model.set(event_target_value(&event))
            />
            <datalist id="models">{options}</datalist>
        </label>
    }
}

/// How much the model takes in.
#[component]
fn Window(form: Form) -> impl IntoView {
    view! {
        <label class="field">
            "Tokens that it takes in"
            <input
                type="text"
                inputmode="numeric"
                autocomplete="off"
                placeholder="as the service tells"
                prop:value=move || form.window.get()
                on:input=move |event| form.window.set(event_target_value(&event))
            />
        </label>
    }
}
