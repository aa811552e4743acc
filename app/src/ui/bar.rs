//! The bar at the top: brand, open repository, seal, commands and settings.

use leptos::prelude::*;

use super::desk;
use super::format::count;
use super::icons::{Draw, Icon};
use super::intake::Picker;
use super::seal::SealButton;
use crate::state::Panel;

#[component]
pub fn Bar() -> impl IntoView {
    let store = desk().store;
    let is_ready = store.select(|state| state.summary().is_some());
    let show = move |panel| store.act(|state| state.show(panel));
    view! {
        <header class="bar">
            <span class="brand" role="img" aria-label="Footnote">
                "Footnote"<sup>"1"</sup>
            </span>
            <Show when=move || is_ready.get()>
                <button
                    class="plain narrow-only"
                    aria-label="Files"
                    on:click=move |_| show(Panel::Outline)
                >
                    <Draw icon=Icon::Files/>
                </button>
                <RepositoryButton/>
                <Picker label="Open another archive" class="plain">
                    <Draw icon=Icon::Open/>
                    <span class="wide-only">"Open"</span>
                </Picker>
            </Show>
            <span class="spacer"></span>
            <SealButton/>
            <button
                class="plain"
                aria-label="Commands"
                title="Commands ( / or Ctrl K )"
                aria-keyshortcuts="/ Control+K Meta+K"
                on:click=move |_| show(Panel::Commands)
            >
                <Draw icon=Icon::Commands/>
            </button>
            <button
                class="plain"
                aria-label="Settings"
                title="Settings"
                on:click=move |_| show(Panel::Settings)
            >
                <Draw icon=Icon::Settings/>
            </button>
        </header>
    }
    .into_any()
}

/// The open repository; opens the list of saved ones.
#[component]
fn RepositoryButton() -> impl IntoView {
    let store = desk().store;
    let repo = store.select(|state| state.summary().map(|open| open.repo.clone()));
    let name = move || repo.with(|repo| repo.as_ref().map(|repo| repo.name.clone()));
    let counts = move || {
        repo.with(|repo| {
            repo.as_ref().map(|repo| match &repo.across {
                Some(across) => {
                    let all = count(across.repositories.into(), "repository");
                    format!("{all} on this server, {} read", across.read)
                }
                None => {
                    let files = count(repo.files.into(), "file");
                    format!("{files} · {}", count(repo.chunks.into(), "chunk"))
                }
            })
        })
    };
    view! {
        <button
            class="repo"
            aria-haspopup="dialog"
            title="Repositories"
            on:click=move |_| store.act(|state| state.show(Panel::Repositories))
        >
            <b>{name}</b>
            <small class="wide-only">{counts}</small>
            <Draw icon=Icon::Down/>
        </button>
    }
}
