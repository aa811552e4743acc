//! Which service: the form that opens the page for one address, and the line that names it afterwards.

use footnote_core::answer::protocol::{Kind, Service};
use leptos::prelude::*;

use super::memory;
use crate::platform::remembered::{Item, load};
use crate::platform::{http, page};
use crate::state::connection::{PRESETS, Remembered, Stage};
use crate::ui::desk;

#[component]
pub fn Choose() -> impl IntoView {
    let store = desk().store;
    let known = store.peek(|state| state.connection.remembered.service.clone());
    let is_shut = store.peek(|state| state.connection.stage() == Stage::Shut);
    let chosen = RwSignal::new(match &known {
        Some(service) => PRESETS
            .iter()
            .position(|preset| preset.kind == service.kind && preset.address == service.base)
            .unwrap_or(PRESETS.len() - 1),
        None => 0,
    });
    let kind = RwSignal::new(known.as_ref().map_or(PRESETS[0].kind, |known| known.kind));
    let address =
        RwSignal::new(known.map_or(PRESETS[0].address.to_owned(), |service| service.base));
    let trouble = RwSignal::new(None::<String>);
    let options: Vec<_> = PRESETS
        .iter()
        .enumerate()
        .map(|(at, preset)| {
            view! {
                <label class="chip" class:on=move || chosen.get() == at>
                    <input
                        type="radio"
                        name="service"
                        prop:checked=move || chosen.get() == at
                        on:change=move |_| {
                            chosen.set(at);
                            kind.set(preset.kind);
                            address.set(preset.address.to_owned());
                            trouble.set(None);
                        }
                    />
                    {preset.name}
                </label>
            }
        })
        .collect();
    let target = move || Service::new(kind.get(), &address.get()).ok();
    let promise = move || {
        let origin = target().map(|service| service.origin());
        format!(
            "The page reloads with a policy under which the browser itself lets it reach {} and no other \
             address. Nothing is sent before you have seen what.",
            origin.as_deref().unwrap_or("that one address")
        )
    };
    let is_local = move || target().is_some_and(|service| service.is_local());
    let is_plain =
        move || target().is_some_and(|service| !service.is_local() && !service.is_encrypted());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match Service::new(kind.get_untracked(), &address.get_untracked()) {
            Ok(service) => trouble.set(connect(service)),
            Err(error) => trouble.set(Some(error.to_string())),
        }
    };
    view! {
        <form class="form" on:submit=submit>
            <p class="quiet-line">
                "Without a model Footnote finds and cites. With one it also explains, and checks every \
                 citation that the model makes. Use one on your own computer, or a service with your key."
            </p>
            {is_shut
                .then(|| {
                    view! {
                        <p class="quiet-line">
                            "This page was loaded sealed. Allow the address once more to go on."
                        </p>
                    }
                })}
            <fieldset class="chips">
                <legend>"Service"</legend>
                {options}
            </fieldset>
            <label class="field">
                "Address"
                <input
                    type="text"
                    inputmode="url"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="https://llm.example.com/v1"
                    prop:value=move || address.get()
                    on:input=move |event| address.set(event_target_value(&event))
                />
            </label>
            <Show when=move || chosen.get() + 1 == PRESETS.len()>
                <label class="field">
                    "Speaks like"
                    <select on:change=move |event| {
                        let name = event_target_value(&event);
                        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
                        kind.set(found.unwrap_or(Kind::OpenAi));
                    }>
                        {Kind::ALL
                            .map(|option| {
                                view! {
                                    <option selected=move || kind.get() == option>{option.name()}</option>
                                }
                            })
                            .to_vec()}
                    </select>
                </label>
            </Show>
            <p class="quiet-line">{promise}</p>
            <Show when=is_local>
                <p class="quiet-line">"That address is this computer: what is sent does not leave it."</p>
            </Show>
            <Show when=is_plain>
                <p class="quiet-line warn">
                    "That address is not encrypted: everyone on the way can read what is sent."
                </p>
            </Show>
            {move || trouble.get().map(|text| view! { <p class="trouble" role="alert">{text}</p> })}
            <div class="form-end">
                <button class="go" type="submit">"Allow and reload"</button>
            </div>
        </form>
    }
    .into_any()
}

/// Remembers the service and reloads the page, so that it starts with the policy for it; a sentence if
/// that cannot be.
fn connect(service: Service) -> Option<String> {
    let origin = service.origin();
    if origin.contains('[') {
        return Some(
            "A browser’s policy cannot name an address in brackets. Use localhost or a name instead."
                .to_owned(),
        );
    }
    memory::remember(&Remembered {
        service: Some(service),
        ..Remembered::default()
    });
    if load(Item::ServiceOrigin).as_deref() != Some(origin.as_str()) && origin != http::own_origin()
    {
        return Some(
            "This browser remembers nothing for this page (a private window, or storage is blocked), so \
             it cannot be loaded with another policy. Use a normal window."
                .to_owned(),
        );
    }
    page::reload();
    None
}

/// The named service, and the way back to a sealed page.
#[component]
pub fn Chosen() -> impl IntoView {
    let store = desk().store;
    let named = store.peek(|state| {
        let service = state.connection.remembered.service.as_ref();
        service.map(|service| (service.kind.name(), service.base.clone()))
    });
    let (kind, base) = named.unwrap_or_default();
    view! {
        <div class="chosen">
            <p>
                <b>{base}</b>
                <small>{kind}</small>
            </p>
            <button
                class="quiet small"
                on:click=move |_| {
                    memory::remember(&Remembered::default());
                    page::reload();
                }
            >
                "Disconnect and seal"
            </button>
        </div>
    }
    .into_any()
}
