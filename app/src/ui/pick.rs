//! A button that lets the user choose files.

use leptos::html;
use leptos::prelude::*;

/// `pick` receives the input that holds the files.
#[component]
pub fn PickFile(
    label: &'static str,
    #[prop(optional)] title: &'static str,
    accept: &'static str,
    #[prop(optional)] multiple: bool,
    #[prop(optional)] class: &'static str,
    pick: impl Fn(NodeRef<html::Input>) + 'static,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    view! {
        <label class="picker quiet small">
            <input
                type="file"
                class=class
                multiple=multiple
                accept=accept
                aria-label=label
                title=title
                node_ref=input
                on:change=move |_| pick(input)
            />
            {label}
        </label>
    }
    .into_any()
}
