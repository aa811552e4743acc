//! The files of the repository as a tree, a filter for files and symbols, and what uses the open
//! file. It is a drawer on screens without room beside the conversation.

mod files;
mod found;

use leptos::prelude::*;

use super::changes::Since;
use super::desk;
use super::format::count;
use super::icons::{Draw, Icon};
use super::lab::LabButton;
use super::uses::Uses;
use crate::state::Panel;
use files::Files;
use found::{Found, MAX_FOUND};

#[component]
pub fn Outline() -> impl IntoView {
    let store = desk().store;
    let filter = RwSignal::new(String::new());
    let is_filtering = Memo::new(move |_| filter.with(|filter| !filter.trim().is_empty()));
    let is_drawer = store.select(|state| state.panel == Some(Panel::Outline));
    let search = move |text: String| {
        store.act(|state| state.find_symbols(&text, MAX_FOUND as u32));
        filter.set(text);
    };
    let close = move || {
        store.change(|state| state.hide(Panel::Outline));
    };
    let skipped = store.select(|state| state.summary().map_or(0, |open| open.repo.skipped));
    view! {
        <div class="scrim" class:is-open=move || is_drawer.get() on:click=move |_| close()></div>
        <nav class="outline" class:is-open=move || is_drawer.get() aria-label="Files">
            <div class="outline-head">
                <input
                    type="search"
                    placeholder="Filter files and symbols"
                    aria-label="Filter files and symbols"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || filter.get()
                    on:input=move |event| search(event_target_value(&event))
                />
                <button class="plain sheet-only" aria-label="Close files" on:click=move |_| close()>
                    <Draw icon=Icon::Close/>
                </button>
            </div>
            {move || {
                if is_filtering.get() {
                    view! { <Found filter/> }.into_any()
                } else {
                    view! { <Files/> }.into_any()
                }
            }}
            <Uses/>
            <Since/>
            <LabButton/>
            <Show when=move || { skipped.get() > 0 }>
                <button
                    class="outline-foot link"
                    on:click=move |_| store.act(|state| state.show(Panel::Skipped))
                >
                    {move || count(skipped.get().into(), "skipped file")}
                </button>
            </Show>
        </nav>
    }
    .into_any()
}
