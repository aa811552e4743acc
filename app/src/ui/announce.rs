//! What a screen reader announces unasked: stages as they start, and answers as they arrive.

use leptos::prelude::*;

use super::answer::BETTER;
use super::desk;
use super::format::count;
use super::stages::stage_name;
use crate::state::{Phase, State, Turn, TurnState};
use crate::worker::protocol::{AnswerView, IMPORTED};

#[component]
pub fn Announce() -> impl IntoView {
    let store = desk().store;
    let said = store.select(announcement);
    view! {
        <p class="visually-hidden" role="status" aria-live="polite">{move || said.get()}</p>
    }
}

/// The result of an answer made without a model. The status line above a model's text announces
/// that one.
fn answered(answer: &AnswerView) -> String {
    let imported = match answer.is_imported {
        true => format!(", {IMPORTED}"),
        false => String::new(),
    };
    let (what, told) = match answer.is_closest() {
        true => ("Closest I found", answer.counts().told_as_closest()),
        false => ("Answered", answer.counts().told()),
    };
    let footnotes = count(answer.footnotes.len() as u64, "footnote");
    format!("{what}: {told}{imported}; {footnotes}.")
}

fn of_turn(turn: &Turn) -> String {
    match &turn.state {
        TurnState::Asked | TurnState::Waiting => "Looking for the answer.".into(),
        TurnState::Failed(notice) => notice.what.clone(),
        TurnState::Answered(_) if turn.reading.better.is_some() => format!("{BETTER}."),
        TurnState::Answered(answer) => match &answer.nothing {
            Some(nothing) => nothing.clone(),
            None => answered(answer),
        },
    }
}

fn announcement(state: &State) -> String {
    match &state.phase {
        Phase::Empty => String::new(),
        Phase::Failed(_) => "The repository could not be read.".into(),
        Phase::Loading(loading) => {
            let stage = loading.current().map_or("", |row| stage_name(row.stage));
            format!("Reading {}: {stage}", loading.name)
        }
        Phase::Ready(open) => match state.conversation.turns.last() {
            Some(turn) => of_turn(turn),
            None => format!(
                "{} is ready: {}.",
                open.repo.name,
                count(open.repo.files.into(), "file")
            ),
        },
    }
}
