//! The graph without a picture: each edge as a sentence that opens the line that proves it.

use leptos::prelude::*;

use crate::state::graph::{proof, sentence};
use crate::ui::desk;
use crate::ui::format::count;
use crate::worker::protocol::{EdgeView, GraphView};

/// The edges of the chosen node, or all.
#[component]
pub fn List() -> impl IntoView {
    let store = desk().store;
    let is_open = RwSignal::new(false);
    let of_all = RwSignal::new(false);
    let graph = store.select(|state| {
        let graph = &state.graph;
        (graph.view.clone(), graph.hidden.clone(), graph.chosen_at())
    });
    let shown = move || {
        let (view, hidden, chosen) = graph.get();
        let view = view?;
        let chosen = chosen.filter(|_| !of_all.get());
        let edges: Vec<EdgeView> = edges_of(&view, chosen)
            .filter(|edge| !hidden.contains(&edge.kind))
            .cloned()
            .collect();
        Some((view, edges, chosen))
    };
    let summary = move || {
        let Some((view, edges, chosen)) = shown() else {
            return String::new();
        };
        let number = count(edges.len() as u64, "connection");
        match chosen.and_then(|at| view.nodes.get(at)) {
            Some(node) => format!("{number} of {}", node.name),
            None => number,
        }
    };
    let items = move || {
        let (view, edges, _) = shown().filter(|_| is_open.get())?;
        Some(
            edges
                .into_iter()
                .map(|edge| item(&view, edge))
                .collect::<Vec<_>>(),
        )
    };
    view! {
        <details class="graph-list" on:toggle=move |_| is_open.update(|open| *open = !*open)>
            <summary>{summary}</summary>
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || of_all.get()
                    on:change=move |_| of_all.update(|all| *all = !*all)
                />
                "connections of all nodes"
            </label>
            <ul>{items}</ul>
        </details>
    }
    .into_any()
}

fn edges_of(view: &GraphView, chosen: Option<usize>) -> impl Iterator<Item = &EdgeView> {
    view.edges.iter().filter(move |edge| {
        chosen.is_none_or(|at| edge.from as usize == at || edge.to as usize == at)
    })
}

fn item(view: &GraphView, edge: EdgeView) -> AnyView {
    let store = desk().store;
    let (said, place) = (sentence(view, &edge), proof(&edge));
    view! {
        <li>
            <button on:click=move |_| store.act(|state| state.open_edge(&edge))>
                <span>{said}</span>" "
                <span class="path">{place}</span>
            </button>
        </li>
    }
    .into_any()
}
