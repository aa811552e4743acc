//! The pane beside the conversation: source, evidence and graph, in tabs; a sheet on screens
//! without room for it.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::code::Code;
use super::desk;
use super::evidence::Evidence;
use super::format::count;
use super::graph::Graph;
use super::icons::{Draw, Icon};
use super::notices::Card;
use crate::state::{Position, Tab};

#[component]
pub fn Source() -> impl IntoView {
    let store = desk().store;
    let tab = store.select(|state| state.reader.tab);
    let is_open = store.select(|state| state.reader.is_sheet_open);
    let body = move || match tab.get() {
        Tab::Source => view! { <File/> }.into_any(),
        Tab::Evidence => view! { <Evidence/> }.into_any(),
        Tab::Graph => view! { <Graph/> }.into_any(),
    };
    view! {
        <section class="source" class:is-open=move || is_open.get() aria-label="Source">
            <div class="tab-row">
                <Tabs/>
                <button
                    class="plain sheet-only"
                    aria-label="Close source"
                    on:click=move |_| {
                        store.change(|state| state.close_sheet());
                    }
                >
                    <Draw icon=Icon::Close/>
                </button>
            </div>
            <div class="tab-body" role="tabpanel" id="source-panel">{body}</div>
        </section>
    }
    .into_any()
}

/// All tabs, in order.
const TABS: [(Tab, &str); 3] = [
    (Tab::Source, "Source"),
    (Tab::Evidence, "Evidence"),
    (Tab::Graph, "Graph"),
];

#[component]
fn Tabs() -> impl IntoView {
    let nodes = TABS.map(|_| NodeRef::<html::Button>::new());
    let store = desk().store;
    let on_key = move |event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => TABS.len() - 1,
            _ => return,
        };
        let shown = store.peek(|state| state.reader.tab);
        let at = TABS.iter().position(|(tab, _)| *tab == shown);
        let next = (at.unwrap_or(0) + by) % TABS.len();
        if let (Some((tab, _)), Some(node)) = (TABS.get(next), nodes.get(next)) {
            store.act(|state| state.show_tab(*tab));
            if let Some(node) = node.get_untracked() {
                // A visible button can take the focus.
                let _ = node.focus();
            }
        }
    };
    let buttons: Vec<_> = TABS
        .into_iter()
        .zip(nodes)
        .map(|((tab, label), node)| view! { <TabButton tab label node/> })
        .collect();
    view! {
        <div class="tabs" role="tablist" aria-label="Source, evidence and graph" on:keydown=on_key>
            {buttons}
        </div>
    }
}

#[component]
fn TabButton(tab: Tab, label: &'static str, node: NodeRef<html::Button>) -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(move |state| state.reader.tab == tab);
    view! {
        <button
            role="tab"
            node_ref=node
            aria-controls="source-panel"
            aria-selected=move || is_on.get().to_string()
            tabindex=move || if is_on.get() { "0" } else { "-1" }
            on:click=move |_| store.act(|state| state.show_tab(tab))
        >
            {label}
        </button>
    }
}

/// The open file.
#[component]
pub fn File() -> impl IntoView {
    let store = desk().store;
    let path = store.select(|state| state.reader.path.clone());
    let trouble = store.select(|state| state.reader.trouble.clone());
    let is_here = store.select(|state| state.reader.file.is_some());
    let body = move || match (trouble.get(), path.with(String::is_empty), is_here.get()) {
        (Some(notice), _, _) => view! { <Card notice/> }.into_any(),
        (None, true, _) => view! {
            <p class="pane-hint">
                "Choose a footnote or a file. Its lines appear here, with the cited ones marked."
            </p>
        }
        .into_any(),
        (None, false, false) => view! { <p class="pane-hint">"Opening…"</p> }.into_any(),
        (None, false, true) => view! { <Code/> }.into_any(),
    };
    view! {
        <div class="file">
            <Show when=move || path.with(|path| !path.is_empty())>
                <FileHead/>
                <Described/>
            </Show>
            {body}
        </div>
    }
    .into_any()
}

/// What a language model wrote about the marked lines.
#[component]
fn Described() -> impl IntoView {
    let store = desk().store;
    let described = store.select(|state| {
        let mark = state.reader.mark?;
        let file = state.reader.file.as_ref()?;
        let mut described = file.file().described.iter();
        let around = described.find(|it| it.start <= mark.start && mark.start <= it.end);
        around.cloned()
    });
    move || {
        described.get().map(|it| {
            let doubt = it.is_doubtful.then_some(" Doubtful: see “Describe” in the laboratory.");
            view! {
                <p class="described-lines">
                    {it.text}
                    <small>{format!(" Written by {}, not checked against the lines.", it.model)}</small>
                    <small class="warn">{doubt}</small>
                </p>
            }
        })
    }
}

/// `footnote 4 of 5`, or how many there are while none is chosen.
fn position(at: Position) -> String {
    match at.number {
        Some(number) => format!("footnote {number} of {}", at.count),
        None => count(at.count as u64, "footnote"),
    }
}

/// The path, what the marked lines belong to, and the buttons that walk through the footnotes.
#[component]
fn FileHead() -> impl IntoView {
    let store = desk().store;
    let path = store.select(|state| state.reader.path.clone());
    let place = store.select(|state| {
        let mark = state.reader.mark?;
        let file = state.reader.file.as_ref()?;
        let definitions = file.file().definitions.iter();
        let around = definitions.filter(|it| it.start <= mark.start && mark.start <= it.end);
        let innermost = around.min_by_key(|it| it.end - it.start)?;
        Some(innermost.title.clone())
    });
    let walk = store.select(|state| state.conversation.position());
    let position = move || walk.get().map(position).unwrap_or_default();
    let back = store.select(|state| {
        let (path, line) = state.reader.names.back()?;
        Some(format!("Back to {path}:{line}"))
    });
    let step = move |by| store.act(|state| state.step_footnote(by));
    view! {
        <header class="file-head">
            <span class="file-name">
                <span class="path">{move || path.get()}</span>
                <span class="place">{move || place.get()}</span>
            </span>
            <Show when=move || back.with(Option::is_some)>
                <button
                    class="plain"
                    aria-label=move || back.get()
                    title=move || back.get().map(|back| format!("{back} ( b )"))
                    aria-keyshortcuts="b"
                    on:click=move |_| store.act(|state| state.back_from_name())
                >
                    <Draw icon=Icon::Back/>
                </button>
            </Show>
            <Show when=move || walk.with(Option::is_some)>
                <span class="walk">
                    <span>
                        {position}
                        {move || {
                            let spec = walk.get()?.verdict?.spec();
                            Some(view! { " · "<span class=spec.class>{spec.label}</span> })
                        }}
                    </span>
                    <button
                        class="plain"
                        aria-label="Previous footnote"
                        title="Previous footnote ( [ )"
                        aria-keyshortcuts="["
                        on:click=move |_| step(-1)
                    >
                        <Draw icon=Icon::Previous/>
                    </button>
                    <button
                        class="plain"
                        aria-label="Next footnote"
                        title="Next footnote ( ] )"
                        aria-keyshortcuts="]"
                        on:click=move |_| step(1)
                    >
                        <Draw icon=Icon::Next/>
                    </button>
                </span>
            </Show>
        </header>
    }
    .into_any()
}
