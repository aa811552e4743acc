//! A modal dialog over the page; Esc, a click beside it or its button close it.

use leptos::attr::custom::custom_attribute;
use leptos::html;
use leptos::prelude::*;

use super::icons::{Draw, Icon};
use crate::state::Panel;

/// Shows its children while `panel` is the open panel. The browser keeps the focus inside, and
/// gives it back afterwards.
#[component]
pub fn Dialog(
    panel: Panel,
    label: &'static str,
    #[prop(default = "dialog")] class: &'static str,
    /// Leaves out the heading and its button, for dialogs that begin with a text field.
    #[prop(optional)]
    is_bare: bool,
    children: ChildrenFn,
) -> impl IntoView {
    let store = super::desk().store;
    let node = NodeRef::<html::Dialog>::new();
    let is_open = store.select(move |state| state.panel == Some(panel));
    let close = move || {
        store.change(|state| state.hide(panel));
    };
    // The event arrives a while after closing: the dialog may be open again by then.
    let closed = move || {
        if node.get_untracked().is_some_and(|dialog| !dialog.open()) {
            close();
        }
    };
    let light_dismiss = custom_attribute("closedby", "any");
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (is_open.get(), dialog.open()) {
            (true, false) => {
                // Fails only if the dialog is open already, which was just checked.
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let head = move || {
        (!is_bare).then(|| {
            view! {
                <header class="dialog-head">
                    <h2>{label}</h2>
                    <button class="plain" aria-label="Close" on:click=move |_| close()>
                        <Draw icon=Icon::Close/>
                    </button>
                </header>
            }
        })
    };
    view! {
        <dialog
            {..light_dismiss}
            class=class
            aria-label=label
            node_ref=node
            on:close=move |_| closed()
        >
            <Show when=move || is_open.get()>
                {head}
                {children()}
            </Show>
        </dialog>
    }
    .into_any()
}
