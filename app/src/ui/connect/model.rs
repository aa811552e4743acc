//! Which model of the service, and how much it takes in.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

use crate::state::Store;
use crate::state::connection::{Stage, Trial, tokens_typed};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::worker::protocol::ModelView;

/// The form's fields. Copying it copies references.
#[derive(Clone, Copy)]
struct Form {
    model: RwSignal<String>,
    /// The typed part of the name. Choosing from the list does not change it, so that the list
    /// stays.
    search: RwSignal<String>,
    /// The model's context window in tokens, as typed.
    window: RwSignal<String>,
}

impl Form {
    /// Fields filled in from the remembered model.
    fn new(store: Store) -> Self {
        let (model, window) = store.peek(|state| {
            let remembered = &state.connection.remembered;
            (remembered.model.clone(), remembered.window)
        });
        let window = window.map(|window| window.to_string());
        Self {
            model: RwSignal::new(model),
            search: RwSignal::new(String::new()),
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
    let field = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if matches!(trial.get(), Trial::Listed) {
            form.search.set(String::new());
            let chosen = store.peek(|state| state.connection.remembered.model.clone());
            // With a single model there is nothing to choose.
            if !chosen.is_empty() {
                form.model.set(chosen);
            }
            // By then the list has its place in the dialog and scrolls into view with the field.
            request_animation_frame(move || {
                if let Some(field) = field.get_untracked() {
                    // If the element cannot take the focus, the focus stays where it is.
                    let _ = field.focus();
                }
            });
        }
    });
    let is_shown = move || {
        stage.get() == Stage::Connected
            || matches!(trial.get(), Trial::Listed | Trial::Trying)
            || !models.with(Vec::is_empty)
    };
    let told = move || {
        let text = found(&trial.get(), models.with(Vec::len))?;
        Some(view! { <p class="quiet-line ok">{text}</p> })
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.submit(store);
    };
    view! {
        // The element exists before it has any text, so that the text is announced.
        <div aria-live="polite">{told}</div>
        <Show when=is_shown>
            <form class="form" on:submit=submit>
                <Name form field/>
                <Offered form models/>
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

/// The result of asking the service for its models.
fn found(trial: &Trial, known: usize) -> Option<String> {
    Some(match (trial, known) {
        (Trial::Trying, _) => "Waiting for the model’s first word…".to_owned(),
        (Trial::Listed, 0) => {
            "The service answers but lists no models. Type the name of the one you want.".to_owned()
        }
        (_, 0) => return None,
        (_, known) => format!(
            "The service answers and offers {}.",
            count(known as u64, "model")
        ),
    })
}

/// The model's name: typed in full, or a part of it to find it among those on offer.
#[component]
fn Name(form: Form, field: NodeRef<html::Input>) -> impl IntoView {
    let write = move |typed: String| {
        form.search.set(typed.clone());
        form.model.set(typed);
    };
    view! {
        <label class="field">
            "Model"
            <input
                node_ref=field
                type="text"
                name="model"
                autocomplete="off"
                spellcheck="false"
                placeholder="its name, or part of it to search"
                prop:value=move || form.model.get()
                on:input=move |event| write(event_target_value(&event))
            />
        </label>
    }
}

/// The models that the service offers: all of them until part of a name is typed.
#[component]
fn Offered(form: Form, models: Memo<Vec<ModelView>>) -> impl IntoView {
    let shown = Memo::new(move |_| {
        form.search
            .with(|search| models.with(|models| matching(models, search)))
    });
    let row = move |known: ModelView| {
        let about = known
            .window
            .map(|window| format!("{} tokens", thousands(window.into())));
        let (id, name) = (known.id.clone(), known.id.clone());
        let is_chosen = Memo::new(move |_| form.model.with(|model| *model == id));
        view! {
            <label class:on=move || is_chosen.get()>
                <input
                    type="radio"
                    name="offered"
                    prop:checked=move || is_chosen.get()
                    on:change=move |_| form.model.set(known.id.clone())
                />
                <span>{name}</span>
                <small>{about}</small>
            </label>
        }
    };
    let none = move || {
        shown.with(Vec::is_empty).then(|| {
            view! { <p class="quiet-line">"No model name matches that."</p> }
        })
    };
    view! {
        <Show when=move || !models.with(Vec::is_empty)>
            <fieldset class="models" aria-label="Models that the service offers">
                <For each=move || shown.get() key=|known| known.id.clone() children=row/>
                {none}
            </fieldset>
        </Show>
    }
    .into_any()
}

/// The models whose names contain every word of `search`, ignoring case.
fn matching(models: &[ModelView], search: &str) -> Vec<ModelView> {
    let search = search.to_lowercase();
    let has_all = |known: &&ModelView| {
        let name = known.id.to_lowercase();
        search.split_whitespace().all(|word| name.contains(word))
    };
    models.iter().filter(has_all).cloned().collect()
}

/// How much the model takes in.
#[component]
fn Window(form: Form) -> impl IntoView {
    view! {
        <label class="field">
            "Context window (tokens)"
            <input
                type="text"
                inputmode="numeric"
                autocomplete="off"
                placeholder="as reported by the service"
                prop:value=move || form.window.get()
                on:input=move |event| form.window.set(event_target_value(&event))
            />
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_parts_of_their_names() {
        let models = ["qwen3:8b", "Qwen3-Coder:30b", "llama3:8b"].map(|id| ModelView {
            id: id.into(),
            window: None,
        });
        for (search, found) in [
            ("", vec!["qwen3:8b", "Qwen3-Coder:30b", "llama3:8b"]),
            ("qwen", vec!["qwen3:8b", "Qwen3-Coder:30b"]),
            (" 8B llama ", vec!["llama3:8b"]),
            ("gpt", vec![]),
        ] {
            let matching = matching(&models, search);
            let ids: Vec<_> = matching.iter().map(|known| known.id.as_str()).collect();
            assert_eq!(ids, found, "{search}");
        }
    }

    #[test]
    fn the_outcome_of_a_connection_test_is_stated() {
        let says = |trial: &Trial, known| found(trial, known).unwrap_or_default();
        assert!(says(&Trial::Listed, 0).contains("lists no models"));
        assert!(says(&Trial::Listed, 2).contains("offers 2 models"));
        assert_eq!(says(&Trial::None, 0), "");
    }
}
