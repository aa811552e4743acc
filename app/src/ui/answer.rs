//! An answer: its text with footnotes, and the footnotes under it.

use leptos::prelude::*;

use super::copy::{CopyButton, CopyCitation, Part};
use super::desk;
use super::format::{count, duration, lines, split_path, spoken_lines, thousands};
use super::icons::{Draw, Icon};
use super::rating::Thumbs;
use crate::platform::marked;
use crate::state::conversation::{self, footnote, verified_statements};
use crate::state::{By, Shared, Store, TurnId};
use crate::worker::protocol::{AnswerView, CheckView, FootnoteView, SpanView, StatementView};

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
        .map(|note| marker(id, note))
        .collect();
    view! { <p>{spans}{marks}</p> }.into_any()
}

/// The raised number in the text.
fn marker(id: TurnId, note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let (name, is_on) = mark(id, By::Extract, number);
    let class = format!(
        "note-ref {}{}",
        note.check.class(),
        if is_on { " on" } else { "" }
    );
    let label = marker_label(note);
    view! {
        // Joined to the word before it, so that no line begins with a footnote.
        "\u{2060}"
        <button
            class=class
            data-turn=id.0
            data-by=By::Extract.name()
            data-number=number
            data-note=name
            aria-label=label
            aria-pressed=is_on.to_string()
            on:click=move |_| store.act(|state| state.choose_footnote(id, By::Extract, number))
        >
            {number}
        </button>
    }
    .into_any()
}

/// Footnotes that are listed under an answer before the reader asks for all: a model can cite hundreds of
/// places, and making their rows would hold up the page.
const NOTES_AT_ONCE: usize = 40;

/// What a screen reader says of a footnote.
pub fn marker_label(note: &FootnoteView) -> String {
    let number = note.number;
    if !note.check.leads_somewhere() {
        return format!("Footnote {number}, rejected: {}", note.check.about());
    }
    let word = match note.check {
        CheckView::Verified => String::new(),
        _ => format!(", {}", note.check.word()),
    };
    let lines = spoken_lines(note.start, note.end);
    format!("Footnote {number}{word}: {} {lines}", note.path)
}

/// The footnotes under an answer.
pub fn note_list(id: TurnId, by: By, notes: &[FootnoteView]) -> AnyView {
    let first = notes.get(..NOTES_AT_ONCE).unwrap_or(notes);
    let rows: Vec<_> = first.iter().map(|note| note_row(id, by, note)).collect();
    let rest: Vec<FootnoteView> = notes.get(first.len()..).unwrap_or_default().to_vec();
    let is_open = RwSignal::new(false);
    let more = move || {
        let rest = &rest;
        match (rest.is_empty(), is_open.get()) {
            (true, _) => ().into_any(),
            (false, true) => {
                let rows = rest.iter().map(|note| note_row(id, by, note));
                rows.collect::<Vec<_>>().into_any()
            }
            (false, false) => view! {
                <li>
                    <button class="link small" on:click=move |_| is_open.set(true)>
                        {format!("Show {} more", rest.len())}
                    </button>
                </li>
            }
            .into_any(),
        }
    };
    view! { <ol class="notes" aria-label="Footnotes">{rows}{more}</ol> }.into_any()
}

fn note_row(id: TurnId, by: By, note: &FootnoteView) -> AnyView {
    let store = desk().store;
    let number = note.number;
    let (name, is_on) = mark(id, by, number);
    let place = note.check.leads_somewhere().then(|| {
        let (folder, name) = split_path(&note.path);
        view! {
            <span class="path">
                <span class="folder">{folder.to_owned()}</span>
                {name.to_owned()}":"{lines(note.start, note.end)}
            </span>
            " "
        }
    });
    let about = match (by, note.check.about()) {
        (By::Extract, _) => doubt(note),
        (By::Model, about) if about.is_empty() => note.why.clone(),
        (By::Model, about) => about,
    };
    let word = note.check.word();
    let class = note.check.class();
    let copy = (note.check.leads_somewhere()).then(|| {
        let cited = conversation::place(&note.path, note.start, note.end);
        view! { <CopyCitation turn=id by number place=cited/> }
    });
    view! {
        <li data-note=name class:on=is_on>
            <button
                class=class
                on:click=move |_| store.act(|state| state.choose_footnote(id, by, number))
            >
                <span class="n">{number}</span>
                <span>{place} <span class="why">{about}</span></span>
                <span class="tag">{word}</span>
            </button>
            {copy}
        </li>
    }
    .into_any()
}

/// Why the footnote is there, or, where the answer was imported, why it is not vouched for.
fn doubt(note: &FootnoteView) -> String {
    match &note.check {
        CheckView::Rejected { original, why } => format!("was {original}: {why}"),
        CheckView::OutsideEvidence { .. } => "imported; Footnote itself does not come to it".into(),
        _ => note.why.clone(),
    }
}

/// What stands for a footnote carries this name, and is shown as chosen if it is now; [`keep_marked`] sees to later choices.
pub fn mark(id: TurnId, by: By, number: u32) -> (String, bool) {
    let focus = desk().store.peek(|state| state.conversation.focus);
    let is_on =
        focus.is_some_and(|focus| focus.turn == id && focus.by == by && focus.number == number);
    (marked::name(id.0, by.name(), number), is_on)
}

/// Shows the chosen footnote wherever it stands, from now on.
pub fn keep_marked(store: Store) {
    let focus = store.select(|state| state.conversation.focus);
    Effect::new(move |_| {
        let focus = focus.get();
        let name = focus.map(|focus| marked::name(focus.turn.0, focus.by.name(), focus.number));
        marked::show(name.as_deref());
    });
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
