//! What shapes and lines mean; each kind of edge can be switched off.

use leptos::prelude::*;

use super::caption::{EDGE_KINDS, kind_name};
use crate::state::graph::verb;
use crate::ui::desk;
use crate::worker::protocol::{EdgeKind, NodeKind};

const NODE_KINDS: [NodeKind; 5] = [
    NodeKind::File,
    NodeKind::Class,
    NodeKind::Function,
    NodeKind::Method,
    NodeKind::Library,
];

#[component]
pub fn Legend() -> impl IntoView {
    let edges: Vec<_> = EDGE_KINDS.into_iter().map(switch).collect();
    let nodes: Vec<_> = NODE_KINDS.into_iter().map(node).collect();
    view! {
        <div class="legend">
            <fieldset>
                <legend class="visually-hidden">"Connections to show"</legend>
                {edges}
            </fieldset>
            <ul aria-label="Shapes">
                <li>
                    <svg class="cited" viewBox="0 0 16 16" aria-hidden="true">
                        <circle cx="8" cy="8" r="6"></circle>
                    </svg>
                    "cited"
                </li>
                {nodes}
            </ul>
        </div>
    }
    .into_any()
}

fn switch(kind: EdgeKind) -> AnyView {
    let store = desk().store;
    let is_on = store.select(move |state| state.graph.is_shown(kind));
    let number = store.select(move |state| {
        let view = state.graph.view.as_ref();
        let edges = view.iter().flat_map(|view| &view.edges);
        edges.filter(|edge| edge.kind == kind).count()
    });
    let class = format!("line {}", class(kind));
    view! {
        <label>
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                on:change=move |_| {
                    store.change(|state| state.switch_edges(kind));
                }
            />
            <svg class=class viewBox="0 0 22 10" aria-hidden="true">
                <path d="M1 5h20"></path>
            </svg>
            {verb(kind)}" "
            <small>{move || number.get()}</small>
        </label>
    }
    .into_any()
}

fn class(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Contains => "contains",
        EdgeKind::Calls => "calls",
        EdgeKind::Imports => "imports",
        EdgeKind::Inherits => "inherits",
    }
}

fn node(kind: NodeKind) -> AnyView {
    // Must match how `paint` draws them.
    let path = match kind {
        NodeKind::File => "M4 4h8v8H4z",
        NodeKind::Class => "M8 2l6 6-6 6-6-6z",
        NodeKind::Function | NodeKind::Method => "M8 3a5 5 0 1 1 0 10A5 5 0 1 1 8 3z",
        NodeKind::Library => "M8 2.5l6 10H2z",
    };
    view! {
        <li>
            <svg class=kind_name(kind) viewBox="0 0 16 16" aria-hidden="true">
                <path d=path></path>
            </svg>
            {kind_name(kind)}
        </li>
    }
    .into_any()
}
