//! The quiet lines over and under a written answer: what came of the check, how far it is, what was sent.

use leptos::prelude::*;

use crate::state::{Shared, State, TurnId};
use crate::ui::desk;
use crate::ui::format::{bytes, count, duration, thousands};
use crate::ui::icons::{Draw, Icon};
use crate::ui::notices::Card;
use crate::ui::tally::tally;
use crate::worker::protocol::{WritingState, WrittenView};

fn head_of(state: &State, id: TurnId) -> Option<Shared<WrittenView>> {
    let turn = state.conversation.get(id)?;
    Some(turn.written_answer()?.head.clone())
}

#[component]
pub fn Head(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let head = store.select(move |state| head_of(state, id));
    let body = move || {
        let head = head.get()?;
        let counts = head
            .state
            .is_over()
            .then(|| tally(&head.counts, head.is_imported));
        let state = state_words(&head).map(|words| view! { <span class="working">{words}</span> });
        let model = (!head.model.is_empty()).then(|| {
            let name = match head.is_imported {
                true => format!("said to be by “{}”, unproven", head.model),
                false => head.model.clone(),
            };
            view! { <span class="model">{name}</span> }
        });
        let sent = (head.sent_bytes > 0).then(|| {
            let tokens = thousands(head.sent_tokens.into());
            let files = files_of(&head);
            format!(
                "{tokens} tokens of {} sent ({})",
                count(files as u64, "file"),
                bytes(head.sent_bytes.into())
            )
        });
        let time = (head.milliseconds > 0.0).then(|| duration(head.milliseconds / 1000.0));
        Some(view! {
            {counts} {state} {model} {sent.map(|text| view! { <span>{text}</span> })}
            {time.map(|text| view! { <span>{text}</span> })}
        })
    };
    // By itself: a button that is made anew at each change of the text beside it loses the clicks that a change falls into.
    let is_writing =
        store.select(move |state| head_of(state, id).is_some_and(|head| !head.state.is_over()));
    let stop = move || {
        is_writing.get().then(|| {
            view! {
                <button
                    class="plain small"
                    on:click=move |_| store.act(|state| state.stop_writing(id))
                >
                    <Draw icon=Icon::Close/>
                    "Stop"
                </button>
            }
        })
    };
    view! { <div class="tally" aria-live="polite">{body} {stop}</div> }.into_any()
}

fn files_of(head: &WrittenView) -> usize {
    let mut paths: Vec<_> = head.sent.iter().map(|place| place.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

fn state_words(head: &WrittenView) -> Option<String> {
    Some(match &head.state {
        WritingState::Rewriting => "wording the follow-up as a question of its own…".into(),
        WritingState::Sent => "waiting for the model…".into(),
        WritingState::Waiting { seconds, why } => {
            format!(
                "{why} Asked again in {}.",
                count((*seconds).into(), "second")
            )
        }
        WritingState::Writing => "writing…".into(),
        WritingState::Stopped if head.is_imported => "stopped before its end".into(),
        WritingState::Stopped => "stopped by you".into(),
        WritingState::CutOff => "ended at the limit of its length".into(),
        WritingState::Finished | WritingState::Failed(_) => return None,
    })
}

/// What went wrong; what had come by then stays above it.
#[component]
pub fn Foot(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let trouble = store.select(move |state| match &head_of(state, id)?.state {
        WritingState::Failed(notice) => Some(notice.clone()),
        _ => None,
    });
    let body = move || trouble.get().map(|notice| view! { <Card notice/> });
    view! { {body} }
}
