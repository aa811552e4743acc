//! The conversations of the open repository: the heading above the thread, and the dialog that
//! lists, searches, renames, deletes, saves and imports conversations.

use std::time::Duration;

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;

use super::format::{ago, count};
use super::icons::{Draw, Icon};
use super::report::ReportButton;
use super::save::SaveAs;
use super::{Desk, desk};
use crate::platform::clock;
use crate::state::Panel;
use crate::worker::protocol::{ConversationEntry, ConversationId, FoundTurn, Rating};
use crate::worker::serve::formats;

/// How long typing must pause before the search starts.
const SEARCH_AFTER: Duration = Duration::from_millis(200);

/// The title of the shown conversation, and the way to the others.
#[component]
pub fn Head() -> impl IntoView {
    let desk = desk();
    let store = desk.store;
    let is_ready = store.select(|state| state.summary().is_some());
    let title = store.select(|state| state.conversation.shown_title().to_owned());
    let is_empty = store.select(|state| state.conversation.turns.is_empty());
    view! {
        <Show when=move || is_ready.get()>
            <header class="talk-head">
                <button
                    class="talk-title"
                    aria-haspopup="dialog"
                    aria-label=move || format!("Conversations: {}", title.get())
                    title="Conversations"
                    on:click=move |_| store.act(|state| state.show(Panel::Conversations))
                >
                    <span>{move || title.get()}</span>
                    <Draw icon=Icon::Down/>
                </button>
                <button class="plain" disabled=move || is_empty.get() on:click=move |_| begin(desk)>
                    <Draw icon=Icon::Plus/>
                    "New"<span class="visually-hidden">" conversation"</span>
                </button>
            </header>
        </Show>
    }
    .into_any()
}

/// Starts a conversation and moves the keyboard to the question box.
pub fn begin(desk: Desk) {
    desk.store.act(|state| {
        state.hide(Panel::Conversations);
        state.new_conversation(clock::today_ms())
    });
    desk.focus_question();
}

/// The dialog.
#[component]
pub fn Conversations() -> impl IntoView {
    let desk = desk();
    let store = desk.store;
    let searched = RwSignal::new(0u32);
    let search = move |query: String| {
        searched.update(|searched| *searched += 1);
        let now = searched.get_untracked();
        set_timeout(
            move || {
                if searched.try_get_untracked() == Some(now) {
                    store.act(|state| state.search_conversations(&query));
                }
            },
            SEARCH_AFTER,
        );
    };
    // The dialog opens with the list next time.
    on_cleanup(move || store.act(|state| state.search_conversations("")));
    let is_searching = store.select(|state| state.conversations.found.is_some());
    let body = move || match is_searching.get() {
        true => view! { <Found/> }.into_any(),
        false => view! { <List/> }.into_any(),
    };
    view! {
        <div class="pickers">
            <button class="go" on:click=move |_| begin(desk)>
                <Draw icon=Icon::Plus/>
                "New conversation"
            </button>
            <ImportPicker/>
        </div>
        <input
            class="talk-search"
            type="search"
            placeholder="Search questions and answers"
            aria-label="Search questions and answers"
            autocomplete="off"
            spellcheck="false"
            on:input=move |event| search(event_target_value(&event))
        />
        {body}
        <Shown/>
        <Rated/>
    }
    .into_any()
}

#[component]
fn ImportPicker() -> impl IntoView {
    let intake = desk().intake;
    let input = NodeRef::<html::Input>::new();
    view! {
        <label class="picker quiet">
            <input
                type="file"
                accept=".json,application/json"
                aria-label="Import conversation"
                title="Import conversation"
                node_ref=input
                on:change=move |_| intake.pick_conversation(input)
            />
            "Import conversation"
        </label>
    }
    .into_any()
}

#[component]
fn List() -> impl IntoView {
    let store = desk().store;
    let list = store.select(|state| state.conversations.list.clone());
    let ids = Memo::new(move |_| {
        let list = list.get();
        let entries = list.iter().flat_map(|list| list.iter());
        entries.map(|entry| entry.id).collect::<Vec<_>>()
    });
    let is_empty = move || ids.with(Vec::is_empty);
    view! {
        <section class="saved talks" aria-label="Conversations">
            <Show when=is_empty>
                <p class="quiet-line">"You have not asked this repository anything yet."</p>
            </Show>
            <ul>
                <For each=move || ids.get() key=|id| *id let:id>
                    <Row id/>
                </For>
            </ul>
        </section>
    }
    .into_any()
}

/// A conversation in the list: it can be opened, renamed, and deleted in two steps.
#[component]
fn Row(id: ConversationId) -> impl IntoView {
    let store = desk().store;
    let entry = store.select(move |state| {
        let list = state.conversations.list.as_ref()?;
        list.iter().find(|entry| entry.id == id).cloned()
    });
    let title = Memo::new(move |_| entry.get().map(|entry| entry.title).unwrap_or_default());
    let is_shown = store.select(move |state| state.conversation.id == id);
    let is_renaming = RwSignal::new(false);
    let name = move || match is_renaming.get() {
        true => view! { <Rename id title=title.get_untracked() is_renaming/> }.into_any(),
        false => view! {
            <button
                class="saved-open"
                aria-current=move || is_shown.get().then_some("true")
                on:click=move |_| store.act(|state| state.open_conversation(id, None))
            >
                <b>{move || title.get()}</b>
                <small>{move || entry.get().as_ref().map(details)}</small>
            </button>
        }
        .into_any(),
    };
    view! {
        <li>
            {name}
            <button
                class="plain"
                aria-label=move || format!("Rename {}", title.get())
                title="Rename"
                on:click=move |_| is_renaming.update(|is_renaming| *is_renaming = !*is_renaming)
            >
                <Draw icon=Icon::Pencil/>
            </button>
            <Sure
                what=Signal::derive(move || format!("Delete {}", title.get()))
                act=move || {
                    store.act(|state| state.delete_conversation(id, clock::today_ms()));
                }
            />
        </li>
    }
    .into_any()
}

fn details(entry: &ConversationEntry) -> String {
    format!(
        "{} · {}",
        count(entry.questions.into(), "question"),
        ago(clock::today_ms() - entry.asked_at)
    )
}

/// A button that deletes only on the second press.
#[component]
fn Sure(
    what: Signal<String>,
    act: impl Fn() + Send + Sync + Copy + 'static,
    #[prop(optional)] shown: &'static str,
) -> impl IntoView {
    let is_sure = RwSignal::new(false);
    let label = move || match is_sure.get() {
        true => format!("{} for good", what.get()),
        false => what.get(),
    };
    let text = move || match is_sure.get() {
        true => "Delete for good",
        false => shown,
    };
    view! {
        <button
            class="plain"
            class:small=!shown.is_empty()
            class:danger=move || is_sure.get()
            aria-label=label
            on:click=move |_| match is_sure.get_untracked() {
                true => act(),
                false => is_sure.set(true),
            }
            on:blur=move |_| is_sure.set(false)
        >
            <Draw icon=Icon::Trash/>
            {text}
        </button>
    }
    .into_any()
}

#[component]
fn Rename(id: ConversationId, title: String, is_renaming: RwSignal<bool>) -> impl IntoView {
    let store = desk().store;
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // The field was just created; if it cannot take the focus, a click still can.
            let _ = input.focus();
            input.select();
        }
    });
    let rename = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(input) = input.get_untracked() {
            let title = input.value();
            is_renaming.set(false);
            store.act(|state| state.rename_conversation(id, &title));
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            // Closes only the field, not the dialog.
            event.prevent_default();
            event.stop_propagation();
            is_renaming.set(false);
        }
    };
    view! {
        <form class="talk-rename" on:submit=rename>
            <input
                type="text"
                aria-label="Title"
                placeholder="Same as its first question"
                maxlength="200"
                value=title
                node_ref=input
                on:keydown=on_key
            />
            <button class="quiet small" type="submit">"Rename"</button>
        </form>
    }
    .into_any()
}

/// The search results.
#[component]
fn Found() -> impl IntoView {
    let store = desk().store;
    let found = store.select(|state| state.conversations.found.clone());
    let body = move || {
        let found = found.get()?;
        let number = found.turns.len() as u64 + u64::from(found.more);
        let lead = match number {
            0 => format!("Nothing contains “{}”.", found.query),
            _ => format!("“{}” is in {}.", found.query, count(number, "answer")),
        };
        let rows: Vec<_> = found.turns.iter().map(hit).collect();
        let more = (found.more > 0).then(|| {
            let text = format!("{} more. Add a word to narrow the search.", found.more);
            view! { <p class="quiet-line">{text}</p> }
        });
        Some(view! {
            <p class="quiet-line" role="status">{lead}</p>
            <ul>{rows}</ul>
            {more}
        })
    };
    view! { <section class="saved talks" aria-label="Found">{body}</section> }.into_any()
}

fn hit(turn: &FoundTurn) -> AnyView {
    let store = desk().store;
    let (id, asked_at) = (turn.conversation, turn.asked_at);
    let (before, word, after) = turn.line.clone();
    let line = (turn.question.lines().next() != Some(&format!("{before}{word}{after}")))
        .then(|| view! { <b>{turn.question.lines().next().unwrap_or_default().to_owned()}</b> });
    let is_first = turn.title == turn.question;
    let title = (!is_first).then(|| view! { <small>{turn.title.clone()}</small> });
    view! {
        <li>
            <button
                class="saved-open talk-hit"
                on:click=move |_| store.act(|state| state.open_conversation(id, Some(asked_at)))
            >
                {line}
                <span>{before}<mark>{word}</mark>{after}</span>
                {title}
            </button>
        </li>
    }
    .into_any()
}

/// Actions on the conversation shown.
#[component]
fn Shown() -> impl IntoView {
    let store = desk().store;
    let has_answer = store.select(|state| {
        let mut turns = state.conversation.turns.iter();
        turns.any(|turn| turn.answer().is_some())
    });
    let save = move |format: &str| store.act(|state| state.export_conversation(format));
    view! {
        <Show when=move || has_answer.get()>
            <h3>"This conversation"</h3>
            <div class="talk-tools">
                <SaveAs formats=formats::CONVERSATION save/>
            </div>
            <p class="quiet-line">
                "HTML contains all cited lines, for sharing. JSON can be imported again."
            </p>
        </Show>
    }
    .into_any()
}

/// Exports rated answers as a question set, and deletes all conversations.
#[component]
fn Rated() -> impl IntoView {
    let store = desk().store;
    let has_any = store.select(|state| {
        let list = state.conversations.list.as_ref();
        list.is_some_and(|list| !list.is_empty())
    });
    let save = move |rating| store.act(|state| state.export_rated(rating));
    view! {
        <Show when=move || has_any.get()>
            <h3>"All conversations"</h3>
            <div class="talk-tools">
                <button class="quiet small" on:click=move |_| save(Rating::Good)>
                    <Draw icon=Icon::Good/>
                    "Save good answers"
                </button>
                <button class="quiet small" on:click=move |_| save(Rating::Bad)>
                    <Draw icon=Icon::Bad/>
                    "Save bad answers"
                </button>
                <ReportButton/>
                <span class="spacer"></span>
                <Sure
                    what=Signal::stored("Delete all conversations".to_owned())
                    shown="Delete all"
                    act=move || {
                        store.act(|state| state.clear_answers(clock::today_ms()));
                    }
                />
            </div>
        </Show>
    }
    .into_any()
}
