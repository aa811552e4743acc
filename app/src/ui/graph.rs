//! The graph around the answer: what contains, calls, imports and inherits what. As a drawing and
//! as a list of sentences; a file opened from it appears below.

mod camera;
mod caption;
mod legend;
mod list;
mod paint;
mod pointer;
mod scene;
mod stage;

use leptos::prelude::*;

use super::desk;
use super::format::count;
use super::icons::{Draw, Icon};
use super::source::File;
use legend::Legend;
use list::List;
use stage::{Canvas, Hover, Stage};

pub use stage::Sight;

#[component]
pub fn Graph() -> impl IntoView {
    let store = desk().store;
    let is_here = store.select(|state| state.graph.view.is_some());
    let is_asked = store.select(|state| state.graph.is_asked());
    move || {
        match (is_here.get(), is_asked.get()) {
        (true, _) => view! { <Drawn/> }.into_any(),
        (false, true) => view! { <p class="pane-hint">"Drawing…"</p> }.into_any(),
        (false, false) => view! {
            <p class="pane-hint">
                "Ask a question or open a file. The graph shows what it contains, calls and imports."
            </p>
        }
        .into_any(),
    }
    }
}

#[component]
fn Drawn() -> impl IntoView {
    let store = desk().store;
    let stage = Stage::new();
    let is_reading = store.select(|state| state.graph.is_reading);
    let is_empty = store.select(|state| {
        let view = state.graph.view.as_ref();
        view.is_some_and(|view| view.nodes.is_empty())
    });
    let close = move |_| {
        store.change(|state| state.graph.is_reading = false);
    };
    view! {
        <div class="graph" class:is-reading=move || is_reading.get()>
            <Legend/>
            <div class="stage">
                <Canvas stage/>
                <Show when=move || is_empty.get()>
                    <p class="pane-hint">"Nothing the answer cites is in the graph."</p>
                </Show>
                <Zoom stage/>
            </div>
            <Caption stage/>
            <Show
                when=move || is_reading.get()
                fallback=|| view! { <List/> }
            >
                <div class="graph-file">
                    <File/>
                    <button class="plain" aria-label="Close the file below the graph" on:click=close>
                        <Draw icon=Icon::Close/>
                    </button>
                </div>
            </Show>
        </div>
    }
    .into_any()
}

#[component]
fn Zoom(stage: Stage) -> impl IntoView {
    view! {
        <div class="zoom" role="group" aria-label="Zoom">
            <button class="plain" aria-label="Zoom in" title="Zoom in ( + )" on:click=move |_| stage.zoom_in()>
                <Draw icon=Icon::Plus/>
            </button>
            <button class="plain" aria-label="Zoom out" title="Zoom out ( - )" on:click=move |_| stage.zoom_out()>
                <Draw icon=Icon::Minus/>
            </button>
            <button class="plain" aria-label="Show all" title="Show all ( 0 )" on:click=move |_| stage.fit()>
                <Draw icon=Icon::Fit/>
            </button>
        </div>
    }
    .into_any()
}

/// What is under the pointer, else the chosen node, and what can be done with it.
#[component]
fn Caption(stage: Stage) -> impl IntoView {
    let store = stage.store;
    let graph = store.select(|state| (state.graph.view.clone(), state.graph.chosen_at()));
    let said = move || {
        let (view, chosen) = graph.get();
        let view = view?;
        let node = |at: usize| {
            let title = caption::title(view.nodes.get(at)?);
            Some((title, caption::details(&view, at)))
        };
        match stage.hover.get() {
            Hover::Edge(at) => caption::edge(&view, at),
            Hover::Node(at) => node(at),
            Hover::Nothing => node(chosen?),
        }
    };
    let text = move || {
        said().map(|(title, details)| {
            view! { <b>{title}</b><span>{details}</span> }
        })
    };
    let chosen = Memo::new(move |_| {
        let (view, at) = graph.get();
        let node = view?.nodes.get(at?).cloned()?;
        Some((node.id, node.more, !node.path.is_empty()))
    });
    let buttons = move || {
        let (id, more, is_file) = chosen.get()?;
        let open = is_file.then(|| {
            view! {
                <button class="quiet small" on:click=move |_| store.act(|state| state.open_node(id))>
                    "Open"
                </button>
            }
        });
        let expand = (more > 0).then(|| {
            let title = format!("{} not drawn ( E )", count(more.into(), "neighbour"));
            view! {
                <button
                    class="quiet small"
                    title=title
                    on:click=move |_| store.act(|state| state.expand_node(id))
                >
                    {format!("Add neighbours ({more})")}
                </button>
            }
        });
        Some((open, expand))
    };
    view! {
        <div class="graph-caption">
            <p id="graph-caption" aria-live="polite">{text}</p>
            <span class="graph-actions">{buttons}</span>
            <p id="graph-keys" class="visually-hidden">
                "Arrow keys choose the next node, Enter opens it, E adds its neighbours, plus and minus zoom,
                0 shows all, Shift with arrows moves the view. The same connections are listed below."
            </p>
        </div>
    }
    .into_any()
}
