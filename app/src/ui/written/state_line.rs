//! The quiet lines above and below a written answer: the verdicts, the progress, what was sent.

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
    let silence = store.select(move |state| {
        let turn = state.conversation.get(id)?;
        turn.written_answer()?.silence()
    });
    let body = move || {
        let head = head.get()?;
        let counts = head
            .state
            .is_over()
            .then(|| tally(&head.counts, head.is_imported));
        let silence = silence
            .get()
            .map(|text| format!("{text}. It continues as soon as data arrives."));
        let state = silence.or_else(|| state_words(&head));
        let state = state.map(|words| view! { <span class="working">{words}</span> });
        let model = (!head.model.is_empty()).then(|| {
            let name = match head.is_imported {
                true => format!("said to be by “{}”, unproven", head.model),
                false => head.model.clone(),
            };
            view! { <span class="model">{name}</span> }
        });
        let sent = (head.sent_bytes > 0).then(|| sent_words(&head));
        let wrote = head.written_tokens.filter(|_| head.state.is_over());
        let wrote = wrote.map(|tokens| format!("{} tokens written", thousands(tokens.into())));
        let time = (head.milliseconds > 0.0).then(|| duration(head.milliseconds / 1000.0));
        Some(view! {
            {counts} {state} {model} {sent.map(|text| view! { <span>{text}</span> })}
            {wrote.map(|text| view! { <span>{text}</span> })}
            {time.map(|text| view! { <span>{text}</span> })}
        })
    };
    // Kept separate: a button that is rendered again with every change of the text beside it loses
    // clicks.
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

/// What was sent for the answer; each attempt counts in full, as in the ledger.
fn sent_words(head: &WrittenView) -> String {
    let requests = match head.sent_requests {
        // Earlier versions did not count attempts.
        0 | 1 => String::new(),
        many => format!(" in {}", count(many.into(), "request")),
    };
    format!(
        "{} tokens of {} sent{requests} ({})",
        thousands(head.sent_tokens.into()),
        count(files_of(head) as u64, "file"),
        bytes(head.sent_bytes.into())
    )
}

fn files_of(head: &WrittenView) -> usize {
    let mut paths: Vec<_> = head.sent.iter().map(|place| place.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

fn state_words(head: &WrittenView) -> Option<String> {
    Some(match &head.state {
        WritingState::Rewriting => "rewriting the follow-up as a standalone question…".into(),
        WritingState::Sent => "waiting for the model…".into(),
        WritingState::Waiting { seconds, why } => {
            format!("{why} Retrying in {}.", count((*seconds).into(), "second"))
        }
        WritingState::Writing => "writing…".into(),
        WritingState::Stopped if head.is_imported => "stopped before the end".into(),
        WritingState::Stopped => "stopped by you".into(),
        WritingState::CutOff => "ended at the length limit".into(),
        WritingState::Finished | WritingState::Failed(_) => return None,
    })
}

/// What went wrong; the text so far stays above it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::Tally;

    #[test]
    fn the_amount_sent_counts_every_attempt() {
        let mut head = WrittenView::default();
        let request = Tally {
            requests: 1,
            tokens: 4_000,
            bytes: 16_000,
        };
        head.count(request);
        assert_eq!(sent_words(&head), "4,000 tokens of 0 files sent (16 kB)");
        head.count(request);
        let twice = "8,000 tokens of 0 files sent in 2 requests (32 kB)";
        assert_eq!(sent_words(&head), twice);
    }
}
