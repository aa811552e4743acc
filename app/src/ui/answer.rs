//! An answer that was made without a language model: its text with footnotes, and the footnotes under it.

use leptos::prelude::*;

use super::copy::{CopyButton, Part};
use super::desk;
use super::footnote::{marker, note_list};
use super::format::{count, duration, thousands};
use super::icons::{Draw, Icon};
use super::rating::Thumbs;
use crate::state::conversation::{footnote, verified_statements};
use crate::state::{By, Shared, TurnId};
use crate::worker::protocol::{AnswerView, SpanView, StatementView};

#[component]
pub fn Answer(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
    let statements: Vec<_> = answer
        .statements
        .iter()
        .map(|statement| paragraph(id, &answer, statement))
        .collect();
    let has_notes = !answer.footnotes.is_empty();
    let notes = has_notes.then(|| note_list(id, By::Extract, &answer.footnotes));
    let nothing = answer
        .nothing
        .clone()
        .map(|text| view! { <p class="nothing">{text}</p> });
    let note = answer
        .note
        .clone()
        .map(|text| view! { <p class="note-line">{text}</p> });
    let refined = answer.refined;
    view! {
        {how(&answer)}
        {note}
        <div class="answer" data-refined=refined.to_string()>{nothing}{statements}</div>
        {notes}
    }
    .into_any()
}

/// The quiet line: what was verified, what was searched, how long it took.
fn how(answer: &AnswerView) -> AnyView {
    let statements = answer.statements.len();
    let verified = (statements > 0).then(|| {
        let text = format!(
            "{} of {} verified",
            verified_statements(answer),
            count(statements as u64, "statement")
        );
        view! { <b><Draw icon=Icon::Check/>{text}</b> }
    });
    let files = (!answer.files.is_empty())
        .then(|| view! { <span>{count(answer.files.len() as u64, "file")}</span> });
    let searched = format!("{} searched", count(answer.chunks.into(), "chunk"));
    let meaning = match (answer.refined, answer.compared_by_meaning) {
        (false, _) => "comparing by meaning…".to_owned(),
        (true, 0) => "by words".to_owned(),
        (true, compared) => format!("{} compared by meaning", thousands(compared.into())),
    };
    view! {
        <div class="how">
            {verified}
            {files}
            <span>{searched}</span>
            <span class:working=!answer.refined>{meaning}</span>
            <span>{duration(answer.milliseconds / 1000.0)}</span>
        </div>
    }
    .into_any()
}

fn paragraph(id: TurnId, answer: &AnswerView, statement: &StatementView) -> AnyView {
    let spans: Vec<_> = statement
        .spans
        .iter()
        .map(|span| match span {
            SpanView::Text(text) => text.clone().into_any(),
            SpanView::Code(code) => view! { <code>{code.clone()}</code> }.into_any(),
        })
        .collect();
    let marks: Vec<_> = statement
        .footnotes
        .iter()
        .filter_map(|number| footnote(answer, *number))
        .map(|note| marker(id, By::Extract, note.number, Some(note)))
        .collect();
    view! { <p>{spans}{marks}</p> }.into_any()
}

/// What can be done with an answer.
#[component]
pub fn Actions(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
    let store = desk().store;
    let evidence = answer.evidence.len();
    let markdown = (!answer.statements.is_empty()).then(|| {
        view! { <CopyButton turn=id part=Part::Text label="Copy with citations"/> }
    });
    let json = (!answer.files.is_empty()).then(|| {
        view! { <CopyButton turn=id part=Part::Files label="Files as JSON"/> }
    });
    let list = (evidence > 0).then(|| {
        view! {
            <button
                class="quiet small"
                on:click=move |_| {
                    store.change(|state| state.show_evidence(id));
                }
            >
                <Draw icon=Icon::List/>
                {format!("Evidence ({evidence})")}
            </button>
        }
    });
    view! {
        <div class="actions">
            {markdown} {json} {list}
            <button class="quiet small" on:click=move |_| store.act(|state| state.show_trace(id))>
                <Draw icon=Icon::Steps/>
                "How it was found"
            </button>
            <button
                class="quiet small"
                on:click=move |_| store.act(|state| state.show_context(id))
            >
                <Draw icon=Icon::Files/>
                "What a model is shown"
            </button>
            <Thumbs id/>
        </div>
    }
    .into_any()
}
