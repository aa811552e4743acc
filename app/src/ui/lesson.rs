//! A lesson: ways of searching side by side, lines between their ranks, numbers that the class can
//! move, and a projector mode that shows one step at a time. The page computes the ranks from the
//! lesson alone (`footnote_core::lesson`).

mod column;

use footnote_core::lesson::Way;
use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::notices::Card;
use super::save::SaveAs;
use crate::state::lesson::STEPS;
use crate::state::{Panel, State};
use crate::worker::serve::formats;
use column::{Links, Shown, WayColumn};

#[component]
pub fn Lesson() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Lesson label="Lesson" class="dialog lesson-dialog">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let question = store.select(|state| state.teaching.question.clone());
    let trouble = store.select(|state| state.teaching.trouble.clone());
    let is_waiting = store.select(|state| state.teaching.is_waiting);
    let is_projected = store.select(|state| state.teaching.is_projected);
    let about = store.select(|state| {
        let lesson = state.teaching.lesson.as_ref()?;
        let compared = match lesson.compared {
            n if n < lesson.chunks => format!(" {n} of them were compared by meaning."),
            _ => String::new(),
        };
        Some(format!(
            "Four ways to find it among the {} passages of {}.{compared} Yellow: the passages that answer.",
            lesson.chunks, lesson.repository
        ))
    });
    let trouble = move || trouble.get().map(|notice| view! { <Card notice/> });
    view! {
        <div class="lesson" class:projector=move || is_projected.get()>
            <h3 class="lesson-question">{move || question.get()}</h3>
            <p class="lesson-about">{move || about.get()}</p>
            {trouble}
            <p class="pane-hint" hidden=move || !is_waiting.get()>"Searching four ways…"</p>
            <div class="lesson-columns" hidden=move || about.with(Option::is_none)>
                <Ways/>
            </div>
            <Code/>
            <Foot/>
        </div>
    }
    .into_any()
}

#[component]
fn Ways() -> impl IntoView {
    let columns = Way::ALL.iter().enumerate().map(|(at, &way)| {
        let links = (at > 0).then(|| view! { <Links at/> });
        view! { {links} <WayColumn at way/> }
    });
    view! {
        {columns.collect::<Vec<_>>()}
        <Shown/>
    }
    .into_any()
}

/// The passage being read, and how words gave it its score.
#[component]
fn Code() -> impl IntoView {
    let store = desk().store;
    let chosen = store.select(|state| {
        let teaching = &state.teaching;
        let lesson = teaching.lesson.as_ref()?;
        let passage = lesson.passages.get(teaching.chosen?)?;
        let gains = lesson.gains(passage).into_iter();
        let gains = gains.map(|(word, gain)| format!("{word} {gain:.2}"));
        let gains: Vec<String> = gains.collect();
        let words = match gains.is_empty() {
            true => "It contains none of the question’s words.".to_owned(),
            false => format!(
                "Question words in it, with the score each adds: {}.",
                gains.join(", ")
            ),
        };
        let meaning = match passage.meaning {
            Some(cosine) => format!("The cosine of its vector and the question’s is {cosine:.2}."),
            None => "It was not compared by meaning.".to_owned(),
        };
        let path = lesson.path(passage.file);
        let (start, end) = (passage.start, passage.end);
        Some(Read {
            heading: format!("{} · {path}:{start}–{end}", passage.title),
            why: format!("{words} {meaning}"),
            code: passage.code.clone(),
            is_marked: passage.marked,
        })
    });
    let mark = move |_| {
        store.change(State::mark_passage);
    };
    move || match chosen.get() {
        None => {
            view! { <p class="lesson-code pane-hint">"Choose a passage to read it."</p> }.into_any()
        }
        Some(read) => view! {
            <section class="lesson-code" aria-label="Passage">
                <h4>{read.heading}</h4>
                <p>{read.why}</p>
                <label>
                    <input type="checkbox" prop:checked=read.is_marked on:change=mark/>
                    " This passage answers the question"
                </label>
                <pre tabindex="0">{read.code}</pre>
            </section>
        }
        .into_any(),
    }
}

/// The passage being read.
#[derive(Clone, PartialEq)]
struct Read {
    heading: String,
    why: String,
    code: String,
    is_marked: bool,
}

/// The explanation of the step, and the buttons.
#[component]
fn Foot() -> impl IntoView {
    let store = desk().store;
    let step = store.select(|state| state.teaching.step);
    let is_projected = store.select(|state| state.teaching.is_projected);
    let is_moved = store.select(|state| state.teaching.is_moved());
    let is_there = store.select(|state| state.teaching.lesson.is_some());
    let said = store.select(|state| {
        let lesson = state.teaching.lesson.as_ref()?;
        Some(match Way::ALL.get(state.teaching.step) {
            Some(&way) => lesson.said(way),
            None => lesson.said_of_shown(),
        })
    });
    let save = move |format: &str| store.act(|state: &mut State| state.export_lesson(format));
    let go = move |forward: bool| {
        store.change(|state| state.teach(forward));
    };
    let project = move |_| {
        store.change(State::project);
    };
    let reset = move |_| {
        store.change(State::reset_numbers);
    };
    view! {
        <footer class="lesson-foot" hidden=move || !is_there.get()>
            <p aria-live="polite">
                <b>{move || format!("Step {} of {STEPS}. ", step.get() + 1)}</b>
                {move || said.get()}
            </p>
            <button class="plain small" hidden=move || !is_moved.get() on:click=reset>
                "Reset"
            </button>
            <button class="plain small" aria-label="Back" disabled=move || step.get() == 0 on:click=move |_| go(false)>
                "◀"
            </button>
            <button class="plain small" aria-label="Next" disabled=move || step.get() + 1 == STEPS on:click=move |_| go(true)>
                "▶"
            </button>
            <button
                class="plain small"
                aria-pressed=move || is_projected.get().to_string()
                on:click=project
            >
                "Projector"
            </button>
            <SaveAs formats=formats::LESSON save/>
        </footer>
    }
    .into_any()
}
