//! Parts of an answer for the clipboard: a button for each, and keys for files and citations.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::format::count;
use super::icons::{Draw, Icon};
use super::{Desk, desk};
use crate::platform::clipboard;
use crate::state::conversation::{to_json, to_markdown};
use crate::state::{By, Turn, TurnId, writing};
use crate::worker::protocol::{AnswerView, Notice, NoticeKind};

/// How long a button says “Copied”.
const COPIED_FOR: Duration = Duration::from_millis(1_800);

/// The part of an answer to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Markdown with citations.
    Text,
    /// A JSON list of paths.
    Files,
    /// The place that a footnote cites.
    Citation(By, u32),
}

impl Part {
    fn text(self, turn: &Turn) -> Option<String> {
        let answer: &AnswerView = turn.answer()?;
        let written = turn.written_answer();
        let written = written.filter(|written| !written.head.text.is_empty());
        match (self, written) {
            (Part::Text, Some(written)) => {
                Some(writing::to_markdown(&turn.question, &written.head))
            }
            (Part::Text, None) => Some(to_markdown(answer)),
            (Part::Files, _) => Some(to_json(&answer.files)),
            (Part::Citation(by, number), _) => {
                let notes = turn.footnotes(by).iter();
                let note = notes.into_iter().find(|note| note.number == number)?;
                let leads = note.check.leads_somewhere();
                leads.then(|| note.place())
            }
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
        <button class="quiet small" on:click=move |_| copy(desk, turn, part, None)>
            {move || view! { <Draw icon=icon()/> }}
            <span aria-live="polite">{shown}</span>
        </button>
    }
    .into_any()
}

/// A button that copies the text as it is at the time of the click.
#[component]
pub fn CopyText(text: Signal<String>, label: &'static str) -> impl IntoView {
    let store = desk().store;
    let is_copied = RwSignal::new(false);
    let shown = move || if is_copied.get() { "Copied" } else { label };
    let icon = move || match is_copied.get() {
        true => Icon::Check,
        false => Icon::Copy,
    };
    let copy = move |_| {
        let text = text.get_untracked();
        spawn_local(async move {
            match clipboard::copy(&text).await {
                Ok(()) => {
                    is_copied.set(true);
                    set_timeout(move || is_copied.set(false), COPIED_FOR);
                }
                Err(error) => {
                    store.change(|state| state.post(not_copied(&error.to_string())));
                }
            }
        });
    };
    view! {
        <button class="quiet small" on:click=copy>
            {move || view! { <Draw icon=icon()/> }}
            <span aria-live="polite">{shown}</span>
        </button>
    }
    .into_any()
}

fn not_copied(error: &str) -> Notice {
    Notice {
        what: format!("Nothing was copied: {error}."),
        next: "Select the text and copy it by hand.".into(),
        kind: NoticeKind::Internal,
    }
}

/// The small button beside a footnote.
#[component]
pub fn CopyCitation(turn: TurnId, by: By, number: u32, place: String) -> impl IntoView {
    let desk = desk();
    let part = Part::Citation(by, number);
    let is_copied = move || desk.copied.get() == Some((turn, part));
    let icon = move || if is_copied() { Icon::Check } else { Icon::Copy };
    let label = move || match is_copied() {
        true => "Copied".to_owned(),
        false => format!("Copy citation {place}"),
    };
    view! {
        <button
            class="plain cite"
            aria-label=label
            title="Copy citation ( c )"
            on:click=move |_| copy(desk, turn, part, None)
        >
            {move || view! { <Draw icon=icon()/> }}
        </button>
    }
    .into_any()
}

/// Copies the citation of the footnote in focus, if any.
pub fn copy_citation(desk: Desk) {
    let place = desk.store.peek(|state| {
        let focus = state.conversation.focus?;
        let note = state.conversation.focused()?;
        let leads = note.check.leads_somewhere();
        leads.then(|| (focus, note.place()))
    });
    match place {
        Some((focus, place)) => {
            let part = Part::Citation(focus.by, focus.number);
            copy(desk, focus.turn, part, Some(format!("Copied {place}")));
        }
        None => say(
            desk,
            "No footnote is selected, so there is no citation to copy.",
        ),
    }
}

/// Copies the files of the current answer, if it has any.
pub fn copy_files(desk: Desk) {
    let current = desk.store.peek(|state| {
        let turn = state.conversation.current()?;
        let files = turn.answer()?.files.len();
        (files > 0).then_some((turn.id, files))
    });
    match current {
        Some((turn, files)) => {
            let said = format!("Copied {} as a JSON list", count(files as u64, "file"));
            copy(desk, turn, Part::Files, Some(said));
        }
        None => say(desk, "No answer names a file, so there is nothing to copy."),
    }
}

/// What a key has just copied, or why it did not.
#[component]
pub fn Said() -> impl IntoView {
    let said = desk().said;
    view! {
        <p class="said" role="status" aria-live="polite" hidden=move || said.with(Option::is_none)>
            {move || said.get()}
        </p>
    }
}

/// Shows a message for a moment.
fn say(desk: Desk, text: impl Into<String>) {
    let said = desk.said;
    let text = text.into();
    said.set(Some(text.clone()));
    set_timeout(
        move || {
            if said.with_untracked(|now| now.as_ref() == Some(&text)) {
                said.set(None);
            }
        },
        COPIED_FOR,
    );
}

/// Copies a part and shows that on its button for a moment. After a key press the button may be out
/// of sight, so `said` is shown too. If copying fails, posts why.
fn copy(desk: Desk, turn: TurnId, part: Part, said: Option<String>) {
    let Desk { store, copied, .. } = desk;
    let text = store.peek(|state| part.text(state.conversation.get(turn)?));
    let Some(text) = text else { return };
    spawn_local(async move {
        match clipboard::copy(&text).await {
            Ok(()) => {
                copied.set(Some((turn, part)));
                set_timeout(move || copied.set(None), COPIED_FOR);
                if let Some(said) = said {
                    say(desk, said);
                }
            }
            Err(error) => {
                store.change(|state| state.post(not_copied(&error.to_string())));
            }
        }
    });
}
