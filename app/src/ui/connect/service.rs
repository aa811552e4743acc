//! Which service: the form that opens the page for one address, and the line that names the service
//! afterwards.

use footnote_core::model::protocol::{Kind, PRESETS, Preset, Service};
use leptos::prelude::*;

use super::memory;
use crate::platform::remembered::{Item, load};
use crate::platform::{http, page};
use crate::state::connection::{Remembered, Stage};
use crate::ui::desk;

/// The form's fields. Copying it copies references.
#[derive(Clone, Copy)]
struct Form {
    /// The chosen preset.
    preset: RwSignal<usize>,
    kind: RwSignal<Kind>,
    address: RwSignal<String>,
    trouble: RwSignal<Option<String>>,
}

impl Form {
    /// Fields filled in from the known service, else from the first preset.
    fn new(known: Option<Service>) -> Self {
        let (first, last) = (PRESETS[0], PRESETS.len() - 1);
        let preset = known.as_ref().map_or(0, |service| {
            let is_it = |preset: &Preset| {
                Service::new(preset.kind, preset.address).is_ok_and(|known| known == *service)
            };
            PRESETS.iter().position(is_it).unwrap_or(last)
        });
        let (kind, address) = known.map_or((first.kind, first.address.to_owned()), |service| {
            (service.kind, service.base)
        });
        Self {
            preset: RwSignal::new(preset),
            kind: RwSignal::new(kind),
            address: RwSignal::new(address),
            trouble: RwSignal::new(None),
        }
    }

    fn choose(self, at: usize, preset: Preset) {
        self.preset.set(at);
        self.kind.set(preset.kind);
        self.address.set(preset.address.to_owned());
        self.trouble.set(None);
    }

    /// The service as filled in, if its address is valid.
    fn service(self) -> Option<Service> {
        Service::new(self.kind.get(), &self.address.get()).ok()
    }

    fn submit(self) {
        let service = Service::new(self.kind.get_untracked(), &self.address.get_untracked());
        self.trouble.set(match service {
            Ok(service) => connect(service),
            Err(error) => Some(error.to_string()),
        });
    }
}

/// The form that lets the page reach one address.
#[component]
pub fn Choose() -> impl IntoView {
    let store = desk().store;
    let form = Form::new(store.peek(|state| state.connection.remembered.service.clone()));
    let is_shut = store.peek(|state| state.connection.stage() == Stage::Shut);
    let shut = is_shut.then(|| {
        view! {
            <p class="quiet-line">
                "This page was loaded sealed. Allow the address again to continue."
            </p>
        }
    });
    let trouble = move || {
        let text = form.trouble.get();
        text.map(|text| view! { <p class="trouble" role="alert">{text}</p> })
    };
    view! {
        <form
            class="form"
            on:submit=move |event| {
                event.prevent_default();
                form.submit();
            }
        >
            <p class="quiet-line">
                "Without a model, Footnote finds and cites. With one, it also explains, and checks every \
                 citation the model makes. Use a model on your own computer, or a service with your key."
            </p>
            {shut}
            {presets(form)}
            {fields(form)}
            {promises(form)}
            {trouble}
            <div class="form-end">
                <button class="go" type="submit">"Allow and reload"</button>
            </div>
        </form>
    }
    .into_any()
}

fn presets(form: Form) -> AnyView {
    let option = |(at, preset): (usize, Preset)| {
        view! {
            <label class="chip" class:on=move || form.preset.get() == at>
                <input
                    type="radio"
                    name="service"
                    prop:checked=move || form.preset.get() == at
                    on:change=move |_| form.choose(at, preset)
                />
                {preset.title}
            </label>
        }
    };
    let options: Vec<_> = PRESETS.into_iter().enumerate().map(option).collect();
    view! {
        <fieldset class="chips">
            <legend>"Service"</legend>
            {options}
        </fieldset>
    }
    .into_any()
}

/// The address and, for one that no preset has, the protocol it speaks.
fn fields(form: Form) -> AnyView {
    let is_other = move || form.preset.get() + 1 == PRESETS.len();
    let option = move |kind: Kind| {
        view! {
            <option value=kind.name() selected=move || form.kind.get() == kind>
                {kind.title()}
            </option>
        }
    };
    let choose = move |event| {
        // The choice is always one from the list.
        if let Some(kind) = Kind::from_name(&event_target_value(&event)) {
            form.kind.set(kind);
        }
    };
    view! {
        <label class="field">
            "Address"
            <input
                type="text"
                inputmode="url"
                autocomplete="off"
                spellcheck="false"
                placeholder="https://llm.example.com/v1"
                prop:value=move || form.address.get()
                on:input=move |event| form.address.set(event_target_value(&event))
            />
        </label>
        <Show when=is_other>
            <label class="field">
                "API format"
                <select on:change=choose>{Vec::from(Kind::ALL.map(option))}</select>
            </label>
        </Show>
    }
    .into_any()
}

/// What will happen, and what that means for what is sent.
fn promises(form: Form) -> AnyView {
    let promise = move || {
        let origin = form.service().map(|service| service.origin());
        format!(
            "The page reloads with a policy: the browser itself then lets it reach {} and no \
             other address. Nothing is sent before you have seen it.",
            origin.as_deref().unwrap_or("that one address")
        )
    };
    let is_local = move || form.service().is_some_and(|service| service.is_local());
    let is_plain = move || {
        let service = form.service();
        service.is_some_and(|service| !service.is_local() && !service.is_encrypted())
    };
    view! {
        <p class="quiet-line">{promise}</p>
        <Show when=is_local>
            <p class="quiet-line">
                "That address is this computer, so nothing you send leaves it."
            </p>
        </Show>
        <Show when=is_plain>
            <p class="quiet-line warn">
                "The connection is not encrypted: anyone along the way can read what is sent."
            </p>
        </Show>
    }
    .into_any()
}

/// Remembers the service and reloads the page, so that it starts with the policy for it. Returns a
/// sentence if that fails.
fn connect(service: Service) -> Option<String> {
    let origin = service.origin();
    if origin.contains('[') {
        return Some(
            "A browser’s policy cannot name an IPv6 address. Use localhost or a host name instead."
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
            "This browser saves nothing here (the window is private, or storage is blocked), so \
             the page cannot reload with another policy. Use a normal window."
                .to_owned(),
        );
    }
    page::reload();
    None
}

/// The chosen service, and the way back to a sealed page.
#[component]
pub fn Chosen() -> impl IntoView {
    let store = desk().store;
    let named = store.peek(|state| {
        let service = state.connection.remembered.service.as_ref();
        service.map(|service| (service.kind.title(), service.base.clone()))
    });
    let (kind, base) = named.unwrap_or_default();
    view! {
        <div class="chosen">
            <p>
                <b>{base}</b>
                <small>{kind}</small>
            </p>
            <Disconnect/>
        </div>
    }
    .into_any()
}

/// Forgets the service and its key, and reloads the page sealed.
#[component]
pub fn Disconnect() -> impl IntoView {
    view! {
        <button
            class="quiet small"
            on:click=move |_| {
                memory::remember(&Remembered::default());
                page::reload();
            }
        >
            "Disconnect and seal"
        </button>
    }
}
