//! A column of a lesson: the way, its numbers, its best passages, and lines to the column before.

use footnote_core::lesson::{ROWS, Slider, Way};
use leptos::ev::Event;
use leptos::prelude::*;

use crate::state::lesson::{Moved, Row, STEPS};
use crate::ui::desk;

/// The height of a row where the lines are drawn, and how far down a row its line starts.
const ROW: usize = 64;
const MIDDLE: usize = 27;

#[component]
pub fn WayColumn(at: usize, way: Way) -> impl IntoView {
    let store = desk().store;
    let is_later = is_later(at);
    let rows = store.select(move |state| {
        let mut columns = state.teaching.columns();
        match at < columns.len() {
            true => columns.swap_remove(at),
            false => Vec::new(),
        }
    });
    let numbers = way.sliders().iter();
    let numbers = numbers.map(|slider| view! { <Number slider=*slider/> });
    let list = move || rows.get().into_iter().map(passage).collect::<Vec<_>>();
    view! {
        <section class="lesson-way" data-way=way.name() class:later=is_later aria-label=way.title()>
            <header>
                <h4>{way.title()}</h4>
                <p>{way.about()}</p>
                {numbers.collect::<Vec<_>>()}
            </header>
            <ol class="ranks">{list}</ol>
        </section>
    }
    .into_any()
}

/// Whether the projector has not reached a column yet.
fn is_later(at: usize) -> impl Fn() -> bool + Copy + Send + Sync + 'static {
    let store = desk().store;
    let is_later = store.select(move |state| state.teaching.step < at);
    move || is_later.get()
}

fn passage(row: Row) -> AnyView {
    let store = desk().store;
    let (class, moved) = match row.moved {
        Moved::No => ("", String::new()),
        Moved::Up(n) => ("up", format!("▲ {n}")),
        Moved::Down(n) => ("down", format!("▼ {n}")),
        Moved::New => ("up", "new".to_owned()),
    };
    let at = row.passage;
    let is_chosen = store.select(move |state| state.teaching.chosen == Some(at));
    view! {
        <li class:marked=row.is_marked>
            <button
                class="row"
                class:is-read=move || is_chosen.get()
                data-passage=at
                title=row.title
                on:click=move |_| {
                    store.change(|state| state.teaching.chosen = Some(at));
                }
            >
                <b>{row.rank}</b>
                <span class="place">{row.place}</span>
                <small title=PARTS>{row.parts}</small>
                <i class=class>{moved}</i>
            </button>
        </li>
    }
    .into_any()
}

/// Explains the numbers of a row.
const PARTS: &str = "Words: rare words of the question count more, each repeat counts less, \
    long passages count less. Meaning: the cosine of two vectors, 1 if they point the same \
    way. Imports: what a file gains as a neighbour of the best ones.";

#[component]
fn Number(slider: Slider) -> impl IntoView {
    let store = desk().store;
    let Slider {
        name,
        label,
        from,
        to,
        step,
    } = slider;
    let value = store.select(move |state| {
        let lesson = state.teaching.lesson.as_ref();
        let value = lesson.and_then(|lesson| lesson.numbers.get(name));
        value.map(|value| value.to_string()).unwrap_or_default()
    });
    let slide = move |event: Event| {
        if let Ok(value) = event_target_value(&event).parse() {
            store.change(|state| state.move_number(name, value));
        }
    };
    view! {
        <label>
            <span>{label}</span>
            <input
                type="range"
                data-number=name
                min=from.to_string()
                max=to.to_string()
                step=step.to_string()
                prop:value=move || value.get()
                on:input=slide
            />
            <output>{move || value.get()}</output>
        </label>
    }
    .into_any()
}

/// Lines from each passage of the column before to its place in this one.
#[component]
pub fn Links(at: usize) -> impl IntoView {
    let store = desk().store;
    let is_later = is_later(at);
    let links = store.select(move |state| {
        let columns = state.teaching.columns();
        let rows = columns.get(at).cloned().unwrap_or_default();
        let links = rows.iter().enumerate();
        let links = links.filter_map(|(to, row)| Some((row.from?, to, row.is_marked)));
        links.collect::<Vec<(usize, usize, bool)>>()
    });
    let paths = move || {
        let links = links.get().into_iter();
        let paths = links.map(|(from, to, is_marked)| {
            let (a, b) = (MIDDLE + from * ROW, MIDDLE + to * ROW);
            let d = format!("M0 {a} C 14 {a}, 14 {b}, 28 {b}");
            view! { <path d=d class:marked=is_marked></path> }
        });
        paths.collect::<Vec<_>>()
    };
    view! {
        <div class="lesson-links" class:later=is_later aria-hidden="true">
            <svg viewBox="0 0 28 512" preserveAspectRatio="none">{paths}</svg>
        </div>
    }
    .into_any()
}

/// What a model is shown of all that.
#[component]
pub fn Shown() -> impl IntoView {
    let store = desk().store;
    let is_later = is_later(STEPS - 1);
    let shown = store.select(|state| {
        let lesson = state.teaching.lesson.as_ref();
        let shown = lesson.map(|lesson| {
            let shown = lesson.shown.iter().take(ROWS).map(|it| {
                let place = format!("{}:{}–{}", lesson.file_name(it.file), it.start, it.end);
                let left_out = match it.left_out {
                    0 => String::new(),
                    1 => ", 1 line left out".to_owned(),
                    n => format!(", {n} lines left out"),
                };
                (place, format!("{} tokens{left_out}", it.tokens))
            });
            shown.collect::<Vec<_>>()
        });
        shown.unwrap_or_default()
    });
    let more = store.select(|state| {
        let lesson = state.teaching.lesson.as_ref();
        let more = lesson.map_or(0, |lesson| lesson.shown.len().saturating_sub(ROWS));
        (more > 0).then(|| format!("and {more} more"))
    });
    let list = move || {
        let rows = shown.get().into_iter().map(|(place, detail)| {
            view! {
                <li>
                    <div class="row"><span class="place">{place}</span> <small>{detail}</small></div>
                </li>
            }
        });
        rows.collect::<Vec<_>>()
    };
    view! {
        <section class="lesson-way" data-way="shown" class:later=is_later aria-label="What a model sees">
            <header>
                <h4>"What a model sees"</h4>
                <p>"The lines found that say the most, within a budget."</p>
            </header>
            <ol class="ranks">{list} <li class="more">{move || more.get()}</li></ol>
        </section>
    }
    .into_any()
}
