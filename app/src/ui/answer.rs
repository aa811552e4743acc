//! An answer made without a language model: its text, and the footnotes under it.

use leptos::prelude::*;

use super::copy::{CopyButton, Part};
use super::desk;
use super::footnote::{code_in, marker, note_list, uncited};
use super::format::{count, duration, thousands};
use super::icons::{Draw, Icon};
use super::items::items;
use super::rating::Thumbs;
use super::tally::{closest, tally};
use crate::state::{By, Effect, Shared, State, TurnId};
use crate::worker::protocol::{AnswerView, FootnoteView, SpanView, VerdictView};

/// Shown when a better answer has arrived while the first one is being read.
pub const BETTER: &str = "A better answer is ready";

#[component]
pub fn Answer(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
    let statements: Vec<_> = (0..answer.statements.len())
        .map(|at| view! { {paragraph(id, &answer, at)} {items(id, at, &answer)} })
        .collect();
    let nothing = answer
        .nothing
        .clone()
        .map(|text| view! { <p class="nothing">{text}</p> });
    let note = answer
        .note
        .clone()
        .map(|text| view! { <p class="note-line">{code_in(&text)}</p> });
    let closest = answer.is_closest().then(|| {
        view! { <p class="closest"><Draw icon=Icon::Search/>"Closest I found"</p> }
    });
    let store = desk().store;
    let refined = store.select(move |state| {
        let answer = state.conversation.get(id).and_then(|turn| turn.answer());
        answer.is_some_and(|answer| answer.refined)
    });
    view! {
        {closest}
        <How id answer/>
        {note}
        <div class="answer" data-refined=move || refined.get().to_string()>
            {nothing}{statements}
        </div>
        <Notes id/>
    }
    .into_any()
}

/// The footnotes of all sentences and of the list entries shown.
#[component]
fn Notes(id: TurnId) -> impl IntoView {
    let store = desk().store;
    let shown = store.select(move |state| {
        let turn = state.conversation.get(id);
        let notes = turn.map(|turn| turn.shown_footnotes(By::Extract));
        let notes = notes.unwrap_or_default().into_iter().cloned();
        notes.collect::<Vec<FootnoteView>>()
    });
    let weights = move || {
        store.peek(|state| {
            let answer = state.conversation.get(id).and_then(|turn| turn.answer());
            answer.map(|answer| answer.weights())
        })
    };
    let notes = move || {
        shown
            .with(|notes| (!notes.is_empty()).then(|| note_list(id, By::Extract, notes, weights())))
    };
    view! { {notes} }
}

/// Offers a better answer that arrived while the first one was being read. Calls `shown` once the
/// reader has asked for it.
#[component]
pub fn Better(id: TurnId, shown: impl Fn() + Copy + Send + 'static) -> impl IntoView {
    let store = desk().store;
    let is_ready = store.select(move |state| {
        let turn = state.conversation.get(id);
        turn.is_some_and(|turn| turn.reading.better.is_some())
    });
    let show = move |_| {
        store.act(|state| state.show_better(id));
        shown();
    };
    let body = move || {
        is_ready.get().then(|| {
            view! {
                <p class="note-line better">
                    {BETTER}". "<button class="link" on:click=show>"Show it"</button>
                </p>
            }
        })
    };
    view! { {body} }
}

/// The numbers above the text, which change while the text stays.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Numbers {
    refined: bool,
    chunks: u32,
    compared: u32,
    milliseconds: f64,
}

impl Numbers {
    fn of(answer: &AnswerView) -> Self {
        Self {
            refined: answer.refined,
            chunks: answer.chunks,
            compared: answer.compared_by_meaning,
            milliseconds: answer.milliseconds,
        }
    }
}

/// The quiet line: the verdicts on the statements, what was searched, and how long it took.
#[component]
fn How(id: TurnId, answer: Shared<AnswerView>) -> impl IntoView {
    let counts = answer.counts();
    let verdicts = match answer.is_closest() {
        true => closest(&counts, answer.is_imported),
        false => tally(&counts, answer.is_imported),
    };
    let cited = cited_files(&answer);
    let files = (cited > 0).then(|| {
        let text = format!("from {}", count(cited as u64, "file"));
        view! { <span>{text}</span> }
    });
    let first = Numbers::of(&answer);
    let numbers = desk().store.select(move |state| {
        let answer = state.conversation.get(id).and_then(|turn| turn.answer());
        answer.map_or(first, |answer| Numbers::of(answer))
    });
    view! {
        <div class="tally">
            {verdicts}
            {files}
            {move || searched(numbers.get())}
        </div>
    }
    .into_any()
}

fn searched(numbers: Numbers) -> AnyView {
    let searched = format!("{} searched", count(numbers.chunks.into(), "chunk"));
    let meaning = match (numbers.refined, numbers.compared) {
        (false, _) => "comparing by meaning…".to_owned(),
        (true, 0) => "words only".to_owned(),
        (true, compared) => format!("{} compared by meaning", thousands(compared.into())),
    };
    view! {
        <span>{searched}</span>
        <span class:working=!numbers.refined>{meaning}</span>
        <span>{duration(numbers.milliseconds / 1000.0)}</span>
    }
    .into_any()
}

/// How many files the footnotes lead to.
fn cited_files(answer: &AnswerView) -> usize {
    let notes = answer.footnotes.iter();
    let notes = notes.filter(|note| note.check.leads_somewhere());
    let mut paths: Vec<_> = notes.map(|note| note.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}

fn paragraph(id: TurnId, answer: &AnswerView, at: usize) -> Option<AnyView> {
    let statement = answer.statements.get(at)?;
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
    Some(match answer.verdict(statement) {
        VerdictView::Contradicted => {
            view! { <p><span class="wrong">{spans}</span>{marks}</p> }.into_any()
        }
        _ => view! { <p>{spans}{marks}</p> }.into_any(),
    })
}

/// The buttons under an answer.
#[component]
pub fn Actions(id: TurnId) -> impl IntoView {
    let store = desk().store;
    // Whether there is a text, and how many files and lines support it.
    let parts = store.select(move |state| {
        let answer = state.conversation.get(id).and_then(|turn| turn.answer())?;
        let has_text = !answer.statements.is_empty();
        Some((has_text, answer.files.len(), answer.evidence.len()))
    });
    let buttons = move || {
        let (has_text, files, evidence) = parts.get().unwrap_or_default();
        let markdown = has_text.then(|| {
            view! { <CopyButton turn=id part=Part::Text label="Copy with citations"/> }
        });
        let json = (files > 0).then(|| {
            view! { <CopyButton turn=id part=Part::Files label="Copy files as JSON"/> }
        });
        let list = (evidence > 0).then(|| evidence_button(id, evidence));
        view! { {markdown} {json} {list} }
    };
    view! {
        <div class="actions">
            {buttons}
            {opener(id, Icon::Steps, "How it was found", State::show_trace)}
            {opener(id, Icon::Columns, "Compare", State::show_comparison)}
            {opener(id, Icon::Lesson, "Teach", State::show_lesson)}
            {opener(id, Icon::Files, "What a model sees", State::show_context)}
            <Thumbs id/>
        </div>
    }
    .into_any()
}

/// A button that opens a dialog about the answer.
fn opener(
    id: TurnId,
    icon: Icon,
    label: &'static str,
    show: fn(&mut State, TurnId) -> Vec<Effect>,
) -> AnyView {
    let store = desk().store;
    view! {
        <button class="quiet small" on:click=move |_| store.act(|state| show(state, id))>
            <Draw icon/>
            {label}
        </button>
    }
    .into_any()
}

fn evidence_button(id: TurnId, count: usize) -> AnyView {
    let store = desk().store;
    let show = move |_| {
        store.change(|state| state.show_evidence(id));
    };
    view! {
        <button class="quiet small" on:click=show>
            <Draw icon=Icon::List/>
            {format!("Evidence ({count})")}
        </button>
    }
    .into_any()
}
