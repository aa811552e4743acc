//! A checkbox that takes effect at once.

use leptos::prelude::*;

#[component]
pub fn Switch(
    label: &'static str,
    #[prop(into)] is_on: Signal<bool>,
    switch: impl Fn(bool) + 'static,
    #[prop(default = "check")] class: &'static str,
) -> impl IntoView {
    view! {
        <label class=class>
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |event| switch(event_target_checked(&event))
            />
            " "
            {label}
        </label>
    }
    .into_any()
}
