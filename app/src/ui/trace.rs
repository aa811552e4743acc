//! How a question was searched: two strategies side by side, and an export of both.
//!
//! The engine writes the steps as HTML with all text escaped (`worker/serve/trace/html.rs`), so
//! that the page and the exported file show the same; clicks are recognised by attributes in it. It
//! comes in parts, because parsing all of it in one task takes a browser long.

use leptos::ev::{Event, MouseEvent};
use leptos::prelude::*;

use super::choosing::options;
use super::desk;
use super::dialog::Dialog;
use super::later::growing;
use super::notices::Card;
use super::save::SaveAs;
use crate::platform::{clicked, download};
use crate::state::{Mark, Panel, Shared, State};
use crate::worker::protocol::{ExportView, Notice, NoticeKind, RunView, TraceView};
use crate::worker::serve::formats;

#[component]
pub fn Trace() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Trace label="How it was found" class="dialog trace-dialog">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let tracing = store.select(|state| state.tracing.clone());
    let question = move || tracing.with(|tracing| tracing.question.clone());
    let trouble = move || {
        let notice = tracing.with(|tracing| tracing.trouble.clone());
        notice.map(|notice| view! { <Card notice/> })
    };
    let view = Memo::new(move |_| tracing.with(|tracing| tracing.view.clone()));
    let is_waiting = Memo::new(move |_| tracing.with(|tracing| tracing.is_waiting));
    // A click on a place opens its lines.
    let follow = move |event: MouseEvent| {
        let Some(place) = clicked::place(&event) else {
            return;
        };
        let mark = place.lines.map(|(start, end)| Mark { start, end });
        store.act(|state| {
            state.hide(Panel::Trace);
            state.open_file(&place.path, mark)
        });
    };
    view! {
        <p class="trace-question">{question}</p>
        <Choice/>
        {trouble}
        <p class="pane-hint" hidden=move || view.with(Option::is_some) || !is_waiting.get()>
            "Searching…"
        </p>
        <div aria-busy=move || is_waiting.get().to_string() on:click=follow>
            <Runs view/>
        </div>
    }
    .into_any()
}

/// The strategies side by side. Each task renders one part of each; a part stays until its
/// successor is there.
#[component]
fn Runs(view: Memo<Option<Shared<TraceView>>>) -> impl IntoView {
    let of = move || view.with(|view| view.as_ref().map_or((0, 0), |it| (it.id(), parts(it))));
    let made = growing(of);
    let reading = move || view.with(|view| view.as_ref().map(|view| view.reading.clone()));
    let runs = move || view.with(|view| view.as_ref().map_or(0, |view| view.runs.len()));
    view! {
        <div class="trace" aria-busy=move || (made.get() < of().1).to_string()>
            <div inner_html=reading></div>
            <div class="runs">
                <For each=move || 0..runs() key=|at| *at let:at>
                    <Run view made at/>
                </For>
            </div>
        </div>
    }
    .into_any()
}

/// The number of parts of the longest run.
fn parts(view: &TraceView) -> usize {
    let parts = view.runs.iter().map(|run| run.parts.len());
    parts.max().unwrap_or(0)
}

#[component]
fn Run(view: Memo<Option<Shared<TraceView>>>, made: Memo<usize>, at: usize) -> impl IntoView {
    let run = move |read: fn(&RunView) -> String| {
        let view = view.get()?;
        view.runs.get(at).map(read)
    };
    let total = move || view.with(|view| view.as_ref().map_or(0, |view| parts(view)));
    let part = move |part: usize| {
        let shown =
            Memo::new(
                move |old: Option<&Option<Shared<TraceView>>>| match made.get() > part {
                    true => view.get(),
                    false => old.cloned().flatten(),
                },
            );
        let html = move || {
            let view = shown.get()?;
            view.runs.get(at)?.parts.get(part).cloned()
        };
        view! { <div inner_html=html></div> }
    };
    view! {
        <article
            class="run"
            aria-label=move || run(|run| run.title.clone())
            data-milliseconds=move || run(|run| format!("{:.2}", run.milliseconds))
        >
            <For each=move || 0..total() key=|part| *part children=part/>
        </article>
    }
    .into_any()
}

/// Which strategies, and what to do with the result.
#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let known = store.select(|state| {
        let view = state.tracing.view.as_ref()?;
        Some(view.options.clone())
    });
    let left = store.select(|state| state.tracing.left.clone());
    let right = store.select(|state| state.tracing.right.clone().unwrap_or_default());
    let list = move |nothing, chosen| options(&known.get().unwrap_or_default(), nothing, chosen);
    let choose_left = move |event: Event| {
        let left = event_target_value(&event);
        store.act(|state| {
            let right = state.tracing.right.clone();
            state.trace_with(&left, right.as_deref())
        });
    };
    let choose_right = move |event: Event| {
        let right = event_target_value(&event);
        store.act(|state| {
            let left = state.tracing.left.clone();
            state.trace_with(&left, Some(right.as_str()).filter(|name| !name.is_empty()))
        });
    };
    let save = move |format: &str| {
        store.act(|state: &mut State| state.export_trace(format));
    };
    view! {
        <div class="trace-choice">
            <label>
                "Strategy " <select on:change=choose_left>{move || list(None, left)}</select>
            </label>
            <label>
                "compared with "
                <select on:change=choose_right>{move || list(Some("nothing"), right)}</select>
            </label>
            <span class="spacer"></span>
            <SaveAs formats=formats::TRACE save/>
        </div>
    }
    .into_any()
}

/// Hands an exported file to the user; returns a notice if the browser refuses it.
pub fn save(file: &ExportView) -> Option<Notice> {
    let saved = download::save(&file.file_name, &file.media_type, &file.bytes);
    saved.err().map(|error| Notice {
        what: format!("Nothing was saved: {error}."),
        next: "Allow downloads for this page and try again.".into(),
        kind: NoticeKind::Internal,
    })
}
