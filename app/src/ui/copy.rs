//! Parts of an answer for the clipboard: a button for each, and a key for the files.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icons::{Draw, Icon};
use super::{Desk, desk};
use crate::platform::clipboard;
use crate::state::TurnId;
use crate::state::conversation::{to_json, to_markdown};
use crate::worker::protocol::{AnswerView, Notice, NoticeKind};

/// How long “Copied” stands on a button.
const COPIED_FOR: Duration = Duration::from_millis(1_800);

/// What is copied of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Markdown with citations.
    Text,
    /// A JSON list of paths.
    Files,
}

impl Part {
    fn text(self, answer: &AnswerView) -> String {
        match self {
            Part::Text => to_markdown(answer),
            Part::Files => to_json(&answer.files),
        }
    }
}

#[component]
pub fn CopyButton(turn: TurnId, part: Part, label: &'static str) -> impl IntoView {
    let desk = desk();
    let is_copied = move || desk.copied.get() == Some((turn, part));
    let shown = move || if is_copied() { "Copied" } else { label };
    let icon = move || if is_copied() { Icon::Check } else { Icon::Copy };
    view! {
        <button class="quiet small" on:click=move |_| copy(desk, turn, part)>
            {move || view! { <Draw icon=icon()/> }}
            <span aria-live="polite">{shown}</span>
        </button>
    }
    .into_any()
}

/// Copies the files of the current answer, if there is one that has some.
pub fn copy_files(desk: Desk) {
    let current = desk.store.peek(|state| {
        let turn = state.conversation.current()?;
        let has_files = turn.answer().is_some_and(|answer| !answer.files.is_empty());
        has_files.then_some(turn.id)
    });
    if let Some(turn) = current {
        copy(desk, turn, Part::Files);
    }
}

/// Copies a part and says so for a moment, or posts why not.
fn copy(desk: Desk, turn: TurnId, part: Part) {
    let Desk { store, copied, .. } = desk;
    let text = store.peek(|state| {
        let answer = state.conversation.get(turn)?.answer()?;
        Some(part.text(answer))
    });
    let Some(text) = text else { return };
    spawn_local(async move {
        match clipboard::copy(&text).await {
            Ok(()) => {
                copied.set(Some((turn, part)));
                set_timeout(move || copied.set(None), COPIED_FOR);
            }
            Err(error) => {
                let notice = Notice {
                    what: format!("Nothing was copied: {error}."),
                    next: "Select the text and copy it by hand.".into(),
                    kind: NoticeKind::Internal,
                };
                store.change(|state| state.post(notice));
            }
        }
    });
}
