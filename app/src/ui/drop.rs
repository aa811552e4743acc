//! The page without a repository: what Footnote does, the drop zone, the saved repositories.

use leptos::prelude::*;

use super::desk;
use super::icons::{Draw, Icon};
use super::intake::Picker;
use super::notices::Card;
use super::saved::{HostedList, SavedList};
use crate::state::{Phase, Store};

/// The archive in the folder `samples` beside the page.
const SAMPLE: &str = "courier.zip";

/// Also shown after a failure, below the reason.
#[component]
pub fn Empty() -> impl IntoView {
    let store = desk().store;
    let trouble = store.select(|state| match &state.phase {
        Phase::Failed(notice) => Some(notice.clone()),
        _ => None,
    });
    let resuming = store.select(|state| state.resuming);
    let choose_first = store.select(|state| state.choose_first);
    let heading = move || match trouble.get() {
        Some(notice) => view! { <Card notice/> }.into_any(),
        None => view! {
            <h1>"Ask a repository. Check every line of the answer."</h1>
            <p class="lead">
                "Drop the archive of a codebase. Footnote reads it, indexes it and answers from \
                 it, all inside this page. Every statement carries a footnote to exact lines."
            </p>
        }
        .into_any(),
    };
    view! {
        <div class="empty">
            <div class="card">
                {heading}
                <div class="drop">
                    <strong>"Drop a zip, tar.gz, crate, wheel, index file or folder here"</strong>
                    <small>"GitHub’s “Download ZIP” works as is"</small>
                    <div class="pickers">
                        <Picker label="Choose a file" class="go">"Choose a file"</Picker>
                        <Picker label="Choose a folder" class="quiet" is_folder=true>
                            "Choose a folder"
                        </Picker>
                    </div>
                    <label class="choose-first">
                        <input
                            type="checkbox"
                            prop:checked=move || choose_first.get()
                            on:change=move |event| {
                                let is_wanted = event_target_checked(&event);
                                store.change(|state| state.choose_first = is_wanted);
                            }
                        />
                        "Let me leave folders out"
                    </label>
                </div>
                <ul class="promise">
                    <li><Draw icon=Icon::Check/>"No account"</li>
                    <li><Draw icon=Icon::Check/>"No upload"</li>
                    <li><Draw icon=Icon::Check/>"Works offline"</li>
                    <li>
                        <button class="link" on:click=move |_| open_sample(store)>
                            "Try a sample repository"
                        </button>
                    </li>
                </ul>
                <Show when=move || resuming.get()>
                    <p class="quiet-line">"Looking for the repository you had open…"</p>
                </Show>
                <HostedList/>
                <SavedList heading="Saved in this browser"/>
            </div>
        </div>
    }
    .into_any()
}

/// Opens the bundled sample.
pub fn open_sample(store: Store) {
    let now = store.now();
    store.act(|state| state.open_sample(SAMPLE, now));
}
