//! The key: in memory by default, kept only if asked for, and then locked with a passphrase.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform::vault;
use crate::state::connection::Trial;
use crate::state::{Effect, Store};
use crate::ui::desk;
use crate::ui::notices::Card;
use crate::worker::protocol::KeyView;

/// Asks for the key and tests the connection with it.
#[component]
pub fn Key() -> impl IntoView {
    let store = desk().store;
    let has_key = store.select(|state| state.connection.key.is_some());
    let is_needed = store.peek(|state| {
        let service = state.connection.remembered.service.as_ref();
        service.is_some_and(|service| service.kind.needs_key() || !service.is_local())
    });
    let key = RwSignal::new(String::new());
    let keeps = RwSignal::new(false);
    let passphrase = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let trial = store.select(|state| state.connection.trial.clone());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let typed = key.get_untracked();
        let typed = (!typed.trim().is_empty()).then(|| KeyView::new(typed.trim()));
        if keeps.get_untracked() && passphrase.with_untracked(|text| text.chars().count() < 8) {
            trouble.set(Some(
                "Choose a passphrase of at least eight characters.".into(),
            ));
            return;
        }
        trouble.set(None);
        if let Some(key) = typed.clone().filter(|_| keeps.get_untracked()) {
            keep(store, key, passphrase.get_untracked(), trouble);
        }
        store.act(|state| state.test_connection(typed));
        key.set(String::new());
        passphrase.set(String::new());
    };
    let placeholder = move || match (has_key.get(), is_needed) {
        (true, _) => "given; type to replace it",
        (false, true) => "paste it here",
        (false, false) => "leave empty if the server asks for none",
    };
    let result = move || match trial.get() {
        Trial::Listing => view! { <p class="quiet-line">"Asking for its models…"</p> }.into_any(),
        Trial::Failed(notice) => view! { <Card notice/> }.into_any(),
        _ => ().into_any(),
    };
    view! {
        <form class="form" on:submit=submit>
            <label class="field">
                "Key"
                <input
                    type="password"
                    autocomplete="off"
                    placeholder=placeholder
                    prop:value=move || key.get()
                    on:input=move |event| key.set(event_target_value(&event))
                />
            </label>
            <label class="check">
                <input
                    type="checkbox"
                    disabled=!vault::is_available()
                    prop:checked=move || keeps.get()
                    on:change=move |event| keeps.set(event_target_checked(&event))
                />
                "Keep it in this browser, locked with a passphrase (else it is forgotten on reload)"
            </label>
            <Show when=move || keeps.get()>
                <label class="field">
                    "Passphrase"
                    <input
                        type="password"
                        autocomplete="off"
                        prop:value=move || passphrase.get()
                        on:input=move |event| passphrase.set(event_target_value(&event))
                    />
                </label>
            </Show>
            {move || trouble.get().map(|text| view! { <p class="trouble" role="alert">{text}</p> })}
            <div class="form-end">
                <button class="go" type="submit">"Test connection"</button>
            </div>
            <div aria-live="polite">{result}</div>
        </form>
    }
    .into_any()
}

/// Locks the key and remembers it; what goes wrong is said, and the key stays in memory.
fn keep(store: Store, key: KeyView, passphrase: String, trouble: RwSignal<Option<String>>) {
    spawn_local(async move {
        match vault::lock(key.expose(), &passphrase).await {
            Ok(locked) => store.act(|state| {
                state.connection.remembered.locked_key = Some(locked);
                vec![Effect::Remember]
            }),
            Err(error) => trouble.set(Some(format!("The key was not kept: {error}."))),
        }
    });
}

/// Opens the kept key.
#[component]
pub fn Unlock() -> impl IntoView {
    let store = desk().store;
    let passphrase = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let locked = store.peek(|state| state.connection.remembered.locked_key.clone());
        let Some(locked) = locked else { return };
        let given = passphrase.get_untracked();
        passphrase.set(String::new());
        spawn_local(async move {
            match vault::unlock(&locked, &given).await {
                Ok(key) => store.act(|state| state.unlocked(KeyView::new(&key))),
                Err(error) => trouble.set(Some(format!("The key stays locked: {error}."))),
            }
        });
    };
    view! {
        <form class="form" on:submit=submit>
            <label class="field">
                "Passphrase of the kept key"
                <input
                    type="password"
                    autocomplete="off"
                    prop:value=move || passphrase.get()
                    on:input=move |event| passphrase.set(event_target_value(&event))
                />
            </label>
            {move || trouble.get().map(|text| view! { <p class="trouble" role="alert">{text}</p> })}
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
