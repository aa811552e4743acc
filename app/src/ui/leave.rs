//! Links in answers. A click shows where a link leads; only a second click, on the address itself,
//! opens it.

use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use crate::state::Panel;
use crate::state::leave::Elsewhere;

/// The address of a link, beside its text: a button if it can be opened, else plain text.
pub fn address(address: &str) -> AnyView {
    let text = format!(" ({address})");
    let Some(to) = Elsewhere::new(address) else {
        return view! { <small>{text}</small> }.into_any();
    };
    let store = desk().store;
    let label = format!("Show where this link leads: {address}");
    view! {
        <button
            class="to"
            aria-haspopup="dialog"
            aria-label=label
            on:click=move |_| {
                store.change(|state| state.look_at_link(to.clone()));
            }
        >
            <small>{text}</small>
        </button>
    }
    .into_any()
}

/// The full address, before anything is requested from it.
#[component]
pub fn Leave() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Leave label="A link to another address">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let to = store.select(|state| state.leaving.clone());
    let close = move || {
        store.change(|state| state.hide(Panel::Leave));
    };
    let body = move || {
        let Elsewhere {
            address,
            host,
            is_own,
        } = to.get()?;
        let origin = match is_own {
            true => {
                "Footnote made it from what the archive says about itself. The host learns which \
                 lines you look at."
            }
            false => {
                "A model that has read your code can put parts of it into an address. Read the \
                 whole address before you open it."
            }
        };
        Some(view! {
            <p>
                "It opens a new tab, outside the seal. "<b>{host}</b>
                " learns the whole address and everything written in it:"
            </p>
            <pre class="whole-address" tabindex="0" aria-label="The whole address">
                {address.clone()}
            </pre>
            <p class="quiet-line">{origin}</p>
            <div class="actions">
                // public/seal.js follows no other external link.
                <a
                    class="go small"
                    href=address
                    target="_blank"
                    rel="noopener noreferrer"
                    referrerpolicy="no-referrer"
                    data-leave=""
                    on:click=move |_| close()
                >
                    "Open in a new tab"
                </a>
                <button class="quiet small" on:click=move |_| close()>
                    "Stay here"
                </button>
            </div>
        })
    };
    view! { {body} }
}
