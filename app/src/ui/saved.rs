//! The saved repositories, with their sizes and a way to delete them.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

use super::desk;
use super::format::{ago, bytes, count, thousands};
use super::icons::{Draw, Icon};
use super::intake::Picker;
use crate::platform::clock;
use crate::state::{State, Store};
use crate::worker::protocol::{HostedView, MAX_UNASKED, SavedRepoView, SavedState};

/// The dialog: open something else, or return to an earlier repository.
#[component]
pub fn Repositories() -> impl IntoView {
    let store = desk().store;
    let is_ready = store.select(|state| state.summary().is_some());
    view! {
        <div class="pickers">
            <Picker label="Choose a file" class="go">"Choose a file"</Picker>
            <Picker label="Choose a folder" class="quiet" is_folder=true>"Choose a folder"</Picker>
            <Show when=move || is_ready.get()>
                <button
                    class="quiet"
                    title="Teach it which files answer which questions"
                    on:click=move |_| store.act(State::show_teaching)
                >
                    "Teach this repository"
                </button>
                <button
                    class="quiet"
                    title="Saves a file that opens here or elsewhere without reading the archive"
                    on:click=move |_| store.act(State::save_index)
                >
                    "Save index"
                </button>
                <button class="quiet" on:click=move |_| close(store)>
                    "Close repository"
                </button>
            </Show>
        </div>
        <HostedList/>
        <SavedList heading="Saved in this browser"/>
    }
    .into_any()
}

/// Closes the open repository, or stops reading one.
pub fn close(store: Store) {
    let now = store.now();
    store.act(|state| state.close(now));
}

/// Shows nothing while nothing is saved.
#[component]
pub fn SavedList(heading: &'static str) -> impl IntoView {
    let store = desk().store;
    let saved = store.select(|state| state.saved.clone());
    let list = move || {
        let saved = saved.get()?;
        if !saved.available {
            let text = "This browser saves nothing here (the window is private, or storage is \
                        blocked). Everything else works, but you lose what you open when you close \
                        the page.";
            return Some(view! { <p class="quiet-line">{text}</p> }.into_any());
        }
        if saved.repos.is_empty() {
            return None;
        }
        let room = match (saved.used_bytes, saved.quota_bytes) {
            (Some(used), Some(quota)) => format!("{} of {} used", bytes(used), bytes(quota)),
            (Some(used), None) => format!("{} used", bytes(used)),
            _ => String::new(),
        };
        let rows: Vec<_> = saved
            .repos
            .iter()
            .map(|repo| view! { <Row repo=repo.clone()/> })
            .collect();
        let view = view! {
            <section class="saved" aria-label=heading>
                <h3>{heading}<small>{room}</small></h3>
                <ul>{rows}</ul>
            </section>
        };
        Some(view.into_any())
    };
    view! { {list} }.into_any()
}

/// The index files beside the page; nothing if there are none.
#[component]
pub fn HostedList() -> impl IntoView {
    let store = desk().store;
    let hosted = store.select(|state| {
        let saved = state.saved.as_ref();
        saved.map_or_else(Vec::new, |saved| saved.hosted.clone())
    });
    let row = move |hosted: HostedView| {
        let details = format!(
            "{} · {}",
            count(hosted.files.into(), "file"),
            bytes(hosted.bytes)
        );
        let HostedView { name, file, .. } = hosted;
        let shown = name.clone();
        let open = move |_| {
            let now = store.now();
            store.act(|state| state.open_hosted(&file, &name, now));
        };
        view! {
            <li>
                <button class="saved-open" on:click=open>
                    <b>{shown}</b>
                    <small>{details}</small>
                </button>
            </li>
        }
    };
    let server = store.select(|state| state.saved.as_ref().and_then(|saved| saved.server));
    let list = move || {
        let hosted = hosted.get();
        let server = server.get();
        let all = server.map(|_| view! { <Across repositories=hosted.len()/> });
        let token = server.filter(|it| it.takes_tokens);
        let token = token.map(|it| view! { <Token has_token=it.has_token/> });
        let is_empty = hosted.is_empty() && server.is_none();
        let rows: Vec<_> = hosted.into_iter().map(row).collect();
        let heading = "On this site";
        (!is_empty).then(|| {
            view! {
                <section class="saved" aria-label=heading>
                    <h3>{heading}</h3>
                    <ul>{all}{rows}</ul>
                    {token}
                </section>
            }
        })
    };
    view! { {list} }.into_any()
}

/// Opens all repositories of the page's server as one.
#[component]
fn Across(repositories: usize) -> impl IntoView {
    let store = desk().store;
    let open = move |_| {
        let now = store.now();
        store.act(|state| state.open_across(now));
    };
    let details = format!(
        "{} · questions go to this server",
        count(repositories as u64, "repository")
    );
    (repositories > 0).then(|| {
        view! {
            <li>
                <button class="saved-open" on:click=open>
                    <b>"All repositories"</b>
                    <small>{details}</small>
                </button>
            </li>
        }
    })
}

/// The access token that the page's server is shown.
#[component]
fn Token(has_token: bool) -> impl IntoView {
    let store = desk().store;
    let input = NodeRef::<html::Input>::new();
    let show = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = input.get_untracked().map(|input| input.value());
        let typed = typed.filter(|typed| !typed.trim().is_empty());
        if let Some(typed) = typed {
            let now = store.now();
            store.act(|state| state.show_token(Some(&typed), now));
        }
    };
    let stop = move |_| {
        let now = store.now();
        store.act(|state| state.show_token(None, now));
    };
    match has_token {
        true => view! {
            <p class="quiet-line">
                "Footnote uses your access token until you close or reload the page. "
                <button class="link" on:click=stop>"Stop using it"</button>
            </p>
        }
        .into_any(),
        false => view! {
            <form class="token" on:submit=show>
                <input
                    type="password"
                    aria-label="Access token"
                    placeholder="Access token, to see more"
                    autocomplete="off"
                    node_ref=input
                />
                <button class="quiet small">"Use"</button>
            </form>
        }
        .into_any(),
    }
}

#[component]
fn Row(repo: SavedRepoView) -> impl IntoView {
    let store = desk().store;
    let is_sure = RwSignal::new(false);
    let SavedRepoView {
        repo: key, name, ..
    } = repo.clone();
    let (open_key, open_name) = (key.clone(), name.clone());
    let open = move |_| {
        let now = store.now();
        store.act(|state| state.open_saved(&open_key, &open_name, now));
    };
    let delete = move |_| {
        if is_sure.get_untracked() {
            let now = store.now();
            store.act(|state| state.delete_saved(&key, now));
        } else {
            is_sure.set(true);
        }
    };
    let is_foreign = repo.state == SavedState::OtherVersion;
    let label = move || {
        if is_sure.get() {
            format!("Delete {name} for good")
        } else {
            format!("Delete {name}")
        }
    };
    view! {
        <li>
            <button class="saved-open" disabled=is_foreign on:click=open>
                <b>{repo.name.clone()}</b>
                <small>{details(&repo)}</small>
            </button>
            <button
                class="plain"
                class:danger=move || is_sure.get()
                aria-label=label
                on:click=delete
                on:blur=move |_| is_sure.set(false)
            >
                <Draw icon=Icon::Trash/>
                <Show when=move || is_sure.get()>"Delete for good"</Show>
            </button>
        </li>
    }
}

fn details(repo: &SavedRepoView) -> String {
    match repo.state {
        SavedState::Whole => {}
        SavedState::OtherVersion => {
            return "saved by another version of Footnote: delete it and drop the archive again"
                .into();
        }
        SavedState::Damaged => {
            return "its entry in this list is damaged: open it to see what is left".into();
        }
    }
    // In a larger one the transformer reads only what its questions asked for.
    let meaning = if repo.vectors < repo.chunks && repo.chunks <= MAX_UNASKED {
        format!(
            " · meaning {} of {}",
            thousands(repo.vectors.into()),
            thousands(repo.chunks.into())
        )
    } else {
        String::new()
    };
    format!(
        "{} · {}{meaning} · {}",
        count(repo.files.into(), "file"),
        bytes(repo.bytes),
        ago(clock::today_ms() - repo.opened_at)
    )
}
