//! Shared by the views in which a user brings a model: its two files, and a checkbox.

use leptos::ev::Event;
use leptos::html;
use leptos::prelude::*;

use super::switch::Switch;

/// Which model is in use: the one the user brought, or `own`.
pub fn told(brought: Option<&String>, is_kept: bool, own: &str) -> String {
    match (brought, is_kept) {
        (Some(name), true) => format!("{name} (yours, saved in this browser)"),
        (Some(name), false) => format!("{name} (yours, until you close the page)"),
        (None, _) => own.to_owned(),
    }
}

/// Picks a model's ONNX file and its tokeniser.
#[component]
pub fn ModelFiles(
    label: &'static str,
    title: &'static str,
    input: NodeRef<html::Input>,
    pick: impl Fn(Event) + 'static,
) -> impl IntoView {
    view! {
        <label class="picker quiet small">
            <input
                type="file"
                multiple
                accept=".onnx,.json"
                aria-label=label
                title=title
                node_ref=input
                on:change=pick
            />
            "Choose another (.onnx and tokenizer.json)"
        </label>
    }
}

/// A checkbox of a form.
#[component]
pub fn Check(label: &'static str, checked: RwSignal<bool>) -> impl IntoView {
    view! { <Switch label is_on=checked switch=move |is_on| checked.set(is_on)/> }
}

/// Goes back to the model that comes with the page.
#[component]
pub fn UseOwn(use_own: impl Fn() + Copy + 'static) -> impl IntoView {
    view! {
        <button class="quiet small" on:click=move |_| use_own()>
            "Use Footnote’s own"
        </button>
    }
}
