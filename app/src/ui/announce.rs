//! What a screen reader says by itself: stages as they begin, and answers as they come.

use leptos::prelude::*;

use super::desk;
use super::format::count;
use super::stages::stage_name;
use crate::state::{Phase, State, TurnState};
use crate::worker::protocol::{AnswerView, IMPORTED};

#[component]
pub fn Announce() -> impl IntoView {
    let store = desk().store;
    let said = store.select(announcement);
    view! {
        <p class="visually-hidden" role="status" aria-live="polite">{move || said.get()}</p>
    }
}

/// What came of an answer made without a model; what a model writes is said by the line over it.
fn answered(answer: &AnswerView) -> String {
    let imported = match answer.is_imported {
        true => format!(", {IMPORTED}"),
        false => String::new(),
    };
    format!(
        "Answered: {}{imported}; {}.",
        answer.counts().told(),
        count(answer.footnotes.len() as u64, "footnote")
    )
}

fn announcement(state: &State) -> String {
    match &state.phase {
        Phase::Empty => String::new(),
        Phase::Failed(_) => "The repository could not be read.".into(),
        Phase::Loading(loading) => {
            let stage = loading.current().map_or("", |row| stage_name(row.stage));
            format!("Reading {}: {stage}", loading.name)
        }
        Phase::Ready(open) => match state.conversation.turns.last().map(|turn| &turn.state) {
            Some(TurnState::Asked | TurnState::Waiting) => "Looking for the answer.".into(),
            Some(TurnState::Failed(notice)) => notice.what.clone(),
            Some(TurnState::Answered(answer)) => match &answer.nothing {
                Some(nothing) => nothing.clone(),
                None => answered(answer),
            },
            None => format!(
                "{} is ready: {}.",
                open.repo.name,
                count(open.repo.files.into(), "file")
            ),
        },
    }
}
