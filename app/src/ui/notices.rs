//! What went wrong: what happened, and what to do next.

use leptos::prelude::*;

use super::desk;
use super::icons::{Draw, Icon};
use crate::platform::page;
use crate::state::{Panel, Posted};
use crate::worker::protocol::{Notice, NoticeKind};

/// Notices after which the page still works, in a corner until they are dismissed.
#[component]
pub fn Notices() -> impl IntoView {
    let store = desk().store;
    let notices = store.select(|state| state.notices.clone());
    view! {
        <div class="notices" role="region" aria-label="Notices" aria-live="assertive">
            <For each=move || notices.get() key=|posted| posted.id let:posted>
                <Toast posted/>
            </For>
        </div>
    }
    .into_any()
}

#[component]
fn Toast(posted: Posted) -> impl IntoView {
    let store = desk().store;
    let Posted { id, notice, .. } = posted;
    view! {
        <div class="toast">
            <Card notice/>
            <button
                class="plain"
                aria-label="Dismiss"
                on:click=move |_| {
                    store.change(|state| state.dismiss(id));
                }
            >
                <Draw icon=Icon::Close/>
            </button>
        </div>
    }
}

/// A notice, with the help that fits its kind.
#[component]
pub fn Card(notice: Notice) -> impl IntoView {
    let store = desk().store;
    let offers_list = matches!(
        notice.kind,
        NoticeKind::StorageFull | NoticeKind::OtherVersion | NoticeKind::Damaged
    );
    let help = offers_list.then(|| {
        view! {
            <button
                class="quiet"
                on:click=move |_| store.act(|state| state.show(Panel::Repositories))
            >
                "Show saved repositories"
            </button>
        }
    });
    let can_rebuild = store.select(|state| state.damaged.is_some());
    let offers_rebuilding = notice.kind == NoticeKind::Damaged;
    let rebuild = move || {
        (offers_rebuilding && can_rebuild.get()).then(|| {
            let rebuild = move |_| {
                let now = store.now();
                store.act(|state| state.rebuild(now));
            };
            view! { <button class="go" on:click=rebuild>"Rebuild it"</button> }
        })
    };
    let is_silent = notice.kind == NoticeKind::Silent;
    let restart = is_silent.then(|| {
        view! {
            <button class="quiet small" on:click=move |_| store.restart_engine()>
                "Restart the engine"
            </button>
        }
    });
    let is_new_version = notice.kind == NoticeKind::NewVersion;
    let reload = is_new_version.then(|| {
        view! { <button class="go" on:click=move |_| page::reload()>"Reload"</button> }
    });
    let (role, icon) = match is_new_version {
        true => ("status", Icon::Up),
        false => ("alert", Icon::Warning),
    };
    let offers_connection = notice.kind == NoticeKind::Service;
    let settings = offers_connection.then(|| {
        view! {
            <button
                class="quiet small"
                on:click=move |_| store.act(|state| state.show(Panel::Connect))
            >
                "Connection settings"
            </button>
        }
    });
    view! {
        <div class="notice" role=role>
            <Draw icon/>
            <div>
                <p class="what">{notice.what}</p>
                <p class="next">{notice.next}</p>
                {reload} {rebuild} {restart} {help} {settings}
            </div>
        </div>
    }
    .into_any()
}
