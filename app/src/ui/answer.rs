//! An answer: its text with footnotes, and the footnotes under it.

use leptos::prelude::*;

use super::copy::{CopyButton, Part};
use super::desk;
use super::format::{count, duration, lines, split_path, spoken_lines, thousands};
use super::icons::{Draw, Icon};
use crate::state::conversation::footnote;
use crate::state::{Shared, TurnId};
use crate::worker::protocol::{AnswerView, FootnoteView, SpanView, StatementView};

#[component]
pub fn Answer(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
    let statements: Vec<_> = answer
        .statements
        .iter()
        .map(|statement| paragraph(id, &answer, statement))
        .collect();
    let notes: Vec<_> = answer
        .footnotes
        .iter()
        .map(|note| note_row(id, note))
        .collect();
    let has_notes = !notes.is_empty();
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
        {has_notes.then(|| view! { <ol class="notes" aria-label="Footnotes">{notes}</ol> })}
        <Actions id answer/>
    }
    .into_any()
}

/// The quiet line: what was verified, what was searched, how long it took.
fn how(answer: &AnswerView) -> AnyView {
    let statements = answer.statements.len();
    // The engine shows only statements whose every footnote was verified.
    let verified = (statements > 0).then(|| {
        let text = format!(
            "{statements} of {} verified",
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
        .map(|note| marker(id, note))
        .collect();
    view! { <p>{spans}{marks}</p> }.into_any()
}

/// The raised number in the text.
fn marker(id: TurnId, note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let is_on = is_focused(id, number);
    let label = format!(
        "Footnote {number}: {} {}",
        note.path,
        spoken_lines(note.start, note.end)
    );
    view! {
        // Joined to the word before it, so that no line begins with a footnote.
        "\u{2060}"
        <button
            class="fn"
            class:on=move || is_on.get()
            aria-label=label
            aria-pressed=move || is_on.get().to_string()
            on:click=move |_| store.act(|state| state.choose_footnote(id, number))
        >
            {number}
        </button>
    }
    .into_any()
}

fn note_row(id: TurnId, note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let is_on = is_focused(id, number);
    let (folder, name) = split_path(&note.path);
    view! {
        <li class:on=move || is_on.get()>
            <button on:click=move |_| store.act(|state| state.choose_footnote(id, number))>
                <span class="n">{number}</span>
                <span>
                    <span class="path">
                        <span class="folder">{folder.to_owned()}</span>
                        {name.to_owned()}":"{lines(note.start, note.end)}
                    </span>
                    " "
                    <span class="why">{note.why.clone()}</span>
                </span>
                <span class="tag">"verified"</span>
            </button>
        </li>
    }
    .into_any()
}

fn is_focused(id: TurnId, number: u32) -> Memo<bool> {
    desk().store.select(move |state| {
        let focus = state.conversation.focus;
        focus.is_some_and(|focus| focus.turn == id && focus.number == number)
    })
}

#[component]
fn Actions(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
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
        </div>
    }
    .into_any()
}
