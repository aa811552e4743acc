//! The question box. It stays through every phase, so that no typing is lost.

use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;

use super::choosing::options;
use super::icons::{Draw, Icon};
use super::mention::{self, MentionList, Mentions};
use super::unfinished::UnfinishedButton;
use super::{Desk, desk};
use crate::state::Panel;
use crate::state::asking::OWN;

#[component]
pub fn Ask() -> impl IntoView {
    let Desk {
        store,
        draft,
        question,
        ..
    } = desk();
    let phase = store.select(|state| state.phase.name());
    let has_turns = store.select(|state| !state.conversation.turns.is_empty());
    let mentions = Mentions::new();
    let submit = move || {
        let text = draft.get_untracked();
        store.act(|state| state.ask(&text));
        if !text.trim().is_empty() {
            draft.set(String::new());
        }
        mentions.close();
    };
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        _ if mentions.on_key(&event) => {}
        "Enter" if !event.shift_key() && !event.is_composing() => {
            event.prevent_default();
            submit();
        }
        "/" if draft.with_untracked(String::is_empty) => {
            event.prevent_default();
            store.act(|state| state.show(Panel::Commands));
        }
        _ => {}
    };
    view! {
        <div class="ask">
            <Hint/>
            <MentionList mentions/>
            <form
                on:submit=move |event| {
                    event.prevent_default();
                    submit();
                }
            >
                <textarea
                    id="question"
                    rows="1"
                    aria-label="Question"
                    aria-keyshortcuts="/"
                    placeholder=move || placeholder(phase.get(), has_turns.get())
                    autocomplete="off"
                    spellcheck="false"
                    node_ref=question
                    prop:value=move || draft.get()
                    role=move || mentions.is_open().then_some("combobox")
                    aria-autocomplete="list"
                    aria-expanded=move || mentions.is_open().then_some("true")
                    aria-controls=move || mention::list_id(mentions)
                    aria-activedescendant=move || mentions.active()
                    on:input=move |event| {
                        draft.set(event_target_value(&event));
                        mentions.look();
                    }
                    on:keydown=on_key
                    on:keyup=move |event| mentions.on_key_up(&event)
                    on:click=move |_| mentions.look()
                    on:blur=move |_| mentions.close()
                ></textarea>
                <kbd class="wide-only" aria-hidden="true">"/"</kbd>
                <button class="go" type="submit">
                    <Draw icon=Icon::Up/>
                    "Ask"
                </button>
            </form>
            <div class="ask-ways">
                <Pipeline/>
                <UnfinishedButton/>
            </div>
        </div>
    }
    .into_any()
}

/// Chooses the pipeline that answers.
#[component]
fn Pipeline() -> impl IntoView {
    let store = desk().store;
    let known = store.select(|state| {
        let open = state.summary();
        open.map(|open| open.repo.pipelines.clone())
            .unwrap_or_default()
    });
    let chosen = store.select(|state| {
        let chosen = state.pipeline.as_deref();
        chosen.unwrap_or(OWN).to_owned()
    });
    let choose = move |event: Event| {
        let name = event_target_value(&event);
        store.change(|state| state.choose_pipeline(&name));
    };
    view! {
        <label class="ask-pipeline" hidden=move || known.with(Vec::is_empty)>
            "Answered by "
            <select aria-label="Pipeline that answers" on:change=choose>
                {move || options(&known.get(), None, chosen)}
            </select>
        </label>
    }
    .into_any()
}

/// The placeholder: what can be asked now.
fn placeholder(phase: &str, has_turns: bool) -> &'static str {
    match (phase, has_turns) {
        ("ready", true) => "Ask a follow-up",
        ("ready", false) => "Ask, or paste a stack trace",
        ("loading", _) => "Ask now, while Footnote is reading",
        _ => "Ask now, drop the archive later",
    }
}

/// Why a question was not asked.
#[component]
fn Hint() -> impl IntoView {
    let hint = desk().store.select(|state| state.hint.clone());
    move || {
        hint.get().map(|hint| {
            view! { <p class="hint" role="alert">{hint.what}" "{hint.next}</p> }
        })
    }
}
