//! An answer that was made without a language model: its text with footnotes, and the footnotes under it.

use leptos::prelude::*;

use super::copy::{CopyButton, Part};
use super::desk;
use super::footnote::{marker, note_list, uncited};
use super::format::{count, duration, thousands};
use super::icons::{Draw, Icon};
use super::rating::Thumbs;
use super::tally::tally;
use crate::state::{By, Shared, TurnId};
use crate::worker::protocol::{AnswerView, SpanView, StatementView, VerdictView};

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

/// The quiet line: what the statements came to, what was searched, how long it took.
fn how(answer: &AnswerView) -> AnyView {
    let verdicts = tally(&answer.counts(), answer.is_imported);
    let cited = cited_files(answer);
    let files = (cited > 0).then(|| {
        let text = format!("from {}", count(cited as u64, "file"));
        view! { <span>{text}</span> }
    });
    let searched = format!("{} searched", count(answer.chunks.into(), "chunk"));
    let meaning = match (answer.refined, answer.compared_by_meaning) {
        (false, _) => "comparing by meaning…".to_owned(),
        (true, 0) => "by words".to_owned(),
        (true, compared) => format!("{} compared by meaning", thousands(compared.into())),
    };
    view! {
        <div class="tally">
            {verdicts}
            {files}
            <span>{searched}</span>
            <span class:working=!answer.refined>{meaning}</span>
            <span>{duration(answer.milliseconds / 1000.0)}</span>
        </div>
    }
    .into_any()
}

/// The files that the footnotes lead to.
fn cited_files(answer: &AnswerView) -> usize {
    let notes = answer.footnotes.iter();
    let notes = notes.filter(|note| note.check.leads_somewhere());
    let mut paths: Vec<_> = notes.map(|note| note.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
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
        .filter_map(|number| answer.footnote(*number))
        .map(|note| marker(id, By::Extract, note.number, Some(note)))
        .collect();
    let is_uncited = marks.is_empty();
    let marks = match is_uncited {
        true => vec![uncited()],
        false => marks,
    };
    match answer.verdict(statement) {
        VerdictView::Contradicted => {
            view! { <p><span class="wrong">{spans}</span>{marks}</p> }.into_any()
        }
        _ => view! { <p>{spans}{marks}</p> }.into_any(),
    }
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
