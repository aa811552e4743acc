//! The key: in memory by default; stored only on request, and then encrypted with a passphrase.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform::vault;
use crate::state::connection::Trial;
use crate::state::{Effect, Store};
use crate::ui::desk;
use crate::ui::notices::Card;
use crate::worker::protocol::KeyView;

/// The least number of characters in a passphrase.
const PASSPHRASE_LENGTH: usize = 8;

/// The form's fields. Copying it copies references.
#[derive(Clone, Copy)]
struct Form {
    key: RwSignal<String>,
    /// Whether to store the key, encrypted with the passphrase.
    keeps: RwSignal<bool>,
    passphrase: RwSignal<String>,
    trouble: RwSignal<Option<String>>,
}

impl Form {
    fn new() -> Self {
        Self {
            key: RwSignal::new(String::new()),
            keeps: RwSignal::new(false),
            passphrase: RwSignal::new(String::new()),
            trouble: RwSignal::new(None),
        }
    }

    /// The key, if one was typed.
    fn key(self) -> Option<KeyView> {
        let typed = self.key.get_untracked();
        (!typed.trim().is_empty()).then(|| KeyView::new(typed.trim()))
    }

    fn submit(self, store: Store) {
        let keeps = self.keeps.get_untracked();
        let passphrase = self.passphrase.get_untracked();
        if keeps && passphrase.chars().count() < PASSPHRASE_LENGTH {
            let trouble = "Choose a passphrase of at least eight characters.";
            self.trouble.set(Some(trouble.into()));
            return;
        }
        self.trouble.set(None);
        let key = self.key();
        if let Some(key) = key.clone().filter(|_| keeps) {
            keep(store, key, passphrase, self.trouble);
        }
        store.act(|state| state.test_connection(key));
        self.key.set(String::new());
        self.passphrase.set(String::new());
    }
}

/// Asks for the key and tests the connection with it.
#[component]
pub fn Key() -> impl IntoView {
    let store = desk().store;
    let has_key = store.select(|state| state.connection.key.is_some());
    let trial = store.select(|state| state.connection.trial.clone());
    let is_needed = store.peek(|state| {
        let service = state.connection.remembered.service.as_ref();
        service.is_some_and(|service| service.kind.needs_key() || !service.is_local())
    });
    let form = Form::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.submit(store);
    };
    let placeholder = move || match (has_key.get(), is_needed) {
        (true, _) => "already set; type to replace it",
        (false, true) => "paste it here",
        (false, false) => "leave empty if the server needs none",
    };
    view! {
        <form class="form" on:submit=submit>
            <label class="field">
                "Key"
                <input
                    type="password"
                    autocomplete="off"
                    placeholder=placeholder
                    prop:value=move || form.key.get()
                    on:input=move |event| form.key.set(event_target_value(&event))
                />
            </label>
            <Keep form/>
            <Trouble text=form.trouble/>
            <div class="form-end">
                <button class="go" type="submit">"Test connection"</button>
            </div>
            <div aria-live="polite">{move || result(trial.get())}</div>
        </form>
    }
    .into_any()
}

/// Whether to store the key, and with which passphrase.
#[component]
fn Keep(form: Form) -> impl IntoView {
    view! {
        <label class="check">
            <input
                type="checkbox"
                disabled=!vault::is_available()
                prop:checked=move || form.keeps.get()
                on:change=move |event| form.keeps.set(event_target_checked(&event))
            />
            "Keep the key in this browser, encrypted with a passphrase (otherwise it is forgotten on reload)"
        </label>
        <Show when=move || form.keeps.get()>
            <Passphrase label="Passphrase" value=form.passphrase/>
        </Show>
    }
}

#[component]
fn Passphrase(label: &'static str, value: RwSignal<String>) -> impl IntoView {
    view! {
        <label class="field">
            {label}
            <input
                type="password"
                autocomplete="off"
                prop:value=move || value.get()
                on:input=move |event| value.set(event_target_value(&event))
            />
        </label>
    }
}

#[component]
fn Trouble(text: RwSignal<Option<String>>) -> impl IntoView {
    move || {
        text.get()
            .map(|text| view! { <p class="trouble" role="alert">{text}</p> })
    }
}

/// The result of testing the connection.
fn result(trial: Trial) -> AnyView {
    match trial {
        Trial::Listing => {
            view! { <p class="quiet-line">"Fetching the list of models…"</p> }.into_any()
        }
        Trial::Failed(notice) => view! { <Card notice/> }.into_any(),
        _ => ().into_any(),
    }
}

/// Encrypts the key and stores it. If that fails, the form says so and the key stays in memory.
fn keep(store: Store, key: KeyView, passphrase: String, trouble: RwSignal<Option<String>>) {
    spawn_local(async move {
        match vault::lock(key.expose(), &passphrase).await {
            Ok(locked) => store.act(|state| {
                state.connection.remembered.locked_key = Some(locked);
                vec![Effect::Remember]
            }),
            Err(error) => trouble.set(Some(format!("The key was not saved: {error}."))),
        }
    });
}

/// Unlocks the stored key.
#[component]
pub fn Unlock() -> impl IntoView {
    let store = desk().store;
    let passphrase = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let locked = store.peek(|state| state.connection.remembered.locked_key.clone());
        let Some(locked) = locked else { return };
        let given = passphrase.get_untracked();
        passphrase.set(String::new());
        trouble.set(None);
        spawn_local(async move {
            match vault::unlock(&locked, &given).await {
                Ok(key) => store.act(|state| state.unlocked(KeyView::new(&key))),
                Err(error) => trouble.set(Some(format!("The key stays locked: {error}."))),
            }
        });
    };
    view! {
        <form class="form" on:submit=submit>
            <Passphrase label="Passphrase of the saved key" value=passphrase/>
            <Trouble text=trouble/>
            <div class="form-end">
                <button
                    class="quiet"
                    type="button"
                    on:click=move |_| {
                        store.act(|state| {
                            state.connection.remembered.locked_key = None;
                            vec![Effect::Remember]
                        });
                    }
                >
                    "Forget the key"
                </button>
                <button class="go" type="submit">"Unlock"</button>
            </div>
        </form>
    }
    .into_any()
}
