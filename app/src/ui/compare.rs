//! One question answered by several pipelines, in columns: the pipeline, its answer, its ranks,
//! what a model would be shown, and its settings, which can be changed.
//!
//! As in the trace, the engine writes the results as HTML with all text escaped
//! (`worker/serve/compare/html.rs`), so that the page and the exported file show the same.

mod numbers;

use leptos::ev::{Event, MouseEvent};
use leptos::prelude::*;

use super::choosing::options;
use super::copy::CopyText;
use super::desk;
use super::dialog::Dialog;
use super::format::thousands;
use super::lab::place;
use super::notices::Card;
use super::save::SaveAs;
use super::tally::tally;
use crate::platform::{clicked, page};
use crate::state::comparing::MOST;
use crate::state::{Mark, Panel, Stage, State};
use crate::worker::serve::formats;
use numbers::Numbers;

#[component]
pub fn Compare() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Compare label="Compare ways to answer" class="dialog trace-dialog compare-dialog">
            <Body/>
        </Dialog>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let question = store.select(|state| state.comparing.question.clone());
    let trouble = store.select(|state| state.comparing.trouble.clone());
    let is_waiting = store.select(|state| state.comparing.is_waiting);
    let count = store.select(|state| state.comparing.ways.len());
    let trouble = move || trouble.get().map(|notice| view! { <Card notice/> });
    let save = move |format: &str| store.act(|state: &mut State| state.export_comparison(format));
    let linked = store.select(|state| state.comparing.linked());
    let link = Signal::derive(move || linked.with(|values| page::link(values)));
    // A click on a place opens its lines.
    let follow = move |event: MouseEvent| {
        let Some(place) = clicked::place(&event) else {
            return;
        };
        let mark = place.lines.map(|(start, end)| Mark { start, end });
        store.act(|state| {
            // Close the panel for good, even if the laboratory opened it.
            state.panel = None;
            state.open_file(&place.path, mark)
        });
    };
    view! {
        <p class="trace-question">{move || question.get()}</p>
        <OfLab/>
        <div class="trace-choice">
            <Another/>
            <span class="spacer"></span>
            <CopyText text=link label="Copy a link"/>
            <SaveAs formats=formats::COMPARISON save/>
        </div>
        {trouble}
        <div class="columns" aria-busy=move || is_waiting.get().to_string() on:click=follow>
            <For each=move || 0..count.get() key=|at| *at let:at>
                <Column at/>
            </For>
        </div>
    }
    .into_any()
}

/// The gold lines, if the question comes from the laboratory.
#[component]
fn OfLab() -> impl IntoView {
    let store = desk().store;
    let gold = store.select(|state| state.comparing.of_lab.clone());
    let is_close = store.select(|state| {
        let evaluated = state.lab.comparison.as_ref();
        evaluated.is_some_and(|it| it.closely)
    });
    let hint = move || {
        (!is_close.get()).then_some(view! {
            <p class="quiet-line">
                "These answers use the transformer. The evaluation did not, so ranks can differ."
            </p>
        })
    };
    move || {
        gold.get().map(|gold| {
            let places: Vec<_> = gold.iter().map(place).collect();
            view! {
                <p class="quiet-line of-lab">"Lines that answer it: " {places}</p>
                {hint}
            }
        })
    }
}

/// Adds a pipeline as the last column.
#[component]
fn Another() -> impl IntoView {
    let store = desk().store;
    let known = store.select(|state| state.comparing.options.clone());
    let count = store.select(|state| state.comparing.ways.len());
    let nothing = Memo::new(|_| String::new());
    let add = move |event: Event| {
        let name = event_target_value(&event);
        store.act(|state| {
            let at = state.comparing.ways.len();
            state.compare_with(at, &name)
        });
    };
    // Rendered again after each choice, so that it offers all pipelines again.
    let list = move || {
        (count.get() < MOST).then(|| {
            view! {
                <label>
                    "Add "
                    <select on:change=add>{options(&known.get(), Some("a pipeline"), nothing)}</select>
                </label>
            }
        })
    };
    view! { {list} }
}

/// The column of one pipeline.
#[component]
fn Column(at: usize) -> impl IntoView {
    let store = desk().store;
    let known = store.select(|state| state.comparing.options.clone());
    let chosen = store.select(move |state| {
        let way = state.comparing.ways.get(at);
        way.map(|way| way.preset.clone()).unwrap_or_default()
    });
    let column = store.select(move |state| state.comparing.columns.get(at).cloned().flatten());
    let can_remove = store.select(|state| state.comparing.ways.len() > 1);
    let choose = move |event: Event| {
        let name = event_target_value(&event);
        store.act(|state| state.compare_with(at, &name));
    };
    let remove = move |_| store.act(|state| state.compare_with(at, ""));
    let html = move || column.with(|it| it.as_ref().map(|it| it.html.clone()));
    let is_made = move || column.with(Option::is_some);
    view! {
        <section class="column" data-pipeline=move || chosen.get() aria-busy=move || (!is_made()).to_string()>
            <div class="column-head">
                <select aria-label="Pipeline" on:change=choose>
                    {move || options(&known.get(), None, chosen)}
                </select>
                <button class="plain small" hidden=move || !can_remove.get() on:click=remove>
                    "Remove"
                </button>
            </div>
            <Numbers at/>
            <p class="pane-hint" hidden=is_made>
                "Searching and reading…"
            </p>
            <Written at/>
            <div class="made" inner_html=html></div>
            <Foot at/>
        </section>
    }
    .into_any()
}

/// What a model wrote with a pipeline, and the verdicts on its statements.
#[component]
fn Written(at: usize) -> impl IntoView {
    let store = desk().store;
    let written = store.select(move |state| state.comparing.written(at));
    move || {
        written.get().map(|written| {
            let sum = format!(
                "{} tokens sent · {:.1} s",
                thousands(written.sent_tokens.into()),
                written.milliseconds / 1e3
            );
            view! {
                <section class="by-model" aria-label="The model’s answer">
                    <h3>{format!("Answer by {}", written.model)}</h3>
                    <p class="tally">{tally(&written.counts, false)}</p>
                    <p class="said">{written.text.clone()}</p>
                    <p class="sum">{sum}</p>
                </section>
            }
        })
    }
}

/// The buttons under a column.
#[component]
fn Foot(at: usize) -> impl IntoView {
    let store = desk().store;
    let stage = store.select(|state| state.connection.stage());
    let column = store.select(move |state| state.comparing.columns.get(at).cloned().flatten());
    let has_turn = store.select(|state| state.comparing.turn.is_some());
    let command = Signal::derive(move || {
        column.with(|it| it.as_ref().map(|it| it.command.clone()).unwrap_or_default())
    });
    let can_write = move || {
        has_turn.get()
            && stage.get() == Stage::Connected
            && column.with(|it| it.as_ref().is_some_and(|it| it.tokens > 0))
    };
    view! {
        <div class="actions" hidden=move || column.with(Option::is_none)>
            <CopyText text=command label="Copy as a command"/>
            <button
                class="go small"
                hidden=move || !can_write()
                on:click=move |_| store.act(|state| state.write_with_column(at))
            >
                "Ask the model this way"
            </button>
        </div>
    }
    .into_any()
}
