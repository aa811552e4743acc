//! The seal: whether anything can leave the page, as the page's own policy says.

use leptos::prelude::*;

use super::desk;
use crate::platform::seal;
use crate::state::Panel;

#[component]
pub fn SealButton() -> impl IntoView {
    let store = desk().store;
    let is_sealed = seal::open_addresses().is_some_and(|addresses| addresses.is_empty());
    let (word, rest) = if is_sealed {
        ("Sealed", ": nothing leaves this page")
    } else {
        ("Not sealed", ": this page may connect elsewhere")
    };
    view! {
        <button
            class="seal"
            class:broken=!is_sealed
            aria-haspopup="dialog"
            on:click=move |_| store.act(|state| state.show(Panel::Seal))
        >
            <span>{word}<span class="wide-only">{rest}</span></span>
        </button>
    }
}

#[component]
pub fn Seal() -> impl IntoView {
    let text = match seal::open_addresses() {
        Some(addresses) if addresses.is_empty() => {
            "The browser itself enforces it: this page’s Content-Security-Policy lets the page and its \
             workers connect to nothing but the address they came from, and they only fetch Footnote’s \
             own files from there. What you drop is read, indexed, searched and saved in this browser."
                .to_owned()
        }
        Some(addresses) => format!("This page may connect to: {}.", addresses.join(", ")),
        None => "This page carries no Content-Security-Policy, so the browser does not enforce that \
                 nothing leaves it. Footnote still sends nothing by itself."
            .to_owned(),
    };
    view! {
        <p>{text}</p>
        <p class="quiet-line">
            "There is no account, no key, no server and no language model behind it."
        </p>
    }
    .into_any()
}
