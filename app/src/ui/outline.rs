//! The files of the repository as a tree, a filter for files and symbols, and who uses the open file. A
//! drawer where there is no room beside the conversation.

use std::collections::{HashMap, HashSet};

use leptos::attr::custom::custom_attribute;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::desk;
use super::format::{count, split_path};
use super::icons::{Draw, Icon};
use super::uses::Uses;
use super::window;
use crate::state::tree::{Node, ancestors};
use crate::state::{Mark, Panel, State};
use crate::worker::protocol::SymbolView;

/// Height of a row in pixels; `app.css` says the same.
const ROW_HEIGHT: f64 = 26.0;
/// Found files and symbols that are shown.
const MAX_FOUND: usize = 100;

#[component]
pub fn Outline() -> impl IntoView {
    let store = desk().store;
    let filter = RwSignal::new(String::new());
    let is_filtering = Memo::new(move |_| filter.with(|filter| !filter.trim().is_empty()));
    let is_drawer = store.select(|state| state.panel == Some(Panel::Outline));
    let search = move |text: String| {
        store.act(|state| state.find_symbols(&text, MAX_FOUND as u32));
        filter.set(text);
    };
    let close = move || {
        store.change(|state| state.hide(Panel::Outline));
    };
    let skipped = store.select(|state| state.summary().map_or(0, |open| open.repo.skipped));
    view! {
        <div class="scrim" class:is-open=move || is_drawer.get() on:click=move |_| close()></div>
        <nav class="outline" class:is-open=move || is_drawer.get() aria-label="Files">
            <div class="outline-head">
                <input
                    type="search"
                    placeholder="Filter files and symbols"
                    aria-label="Filter files and symbols"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || filter.get()
                    on:input=move |event| search(event_target_value(&event))
                />
                <button class="plain sheet-only" aria-label="Close files" on:click=move |_| close()>
                    <Draw icon=Icon::Close/>
                </button>
            </div>
            {move || {
                if is_filtering.get() {
                    view! { <Found filter/> }.into_any()
                } else {
                    view! { <Files/> }.into_any()
                }
            }}
            <Uses/>
            <Show when=move || { skipped.get() > 0 }>
                <button
                    class="outline-foot link"
                    on:click=move |_| store.act(|state| state.show(Panel::Skipped))
                >
                    {move || count(skipped.get().into(), "skipped file")}
                </button>
            </Show>
        </nav>
    }
    .into_any()
}

/// How often the current answer cites each file.
fn hits(state: &State) -> HashMap<String, u32> {
    let mut hits = HashMap::new();
    let answer = state.conversation.current().and_then(|turn| turn.answer());
    for note in answer.iter().flat_map(|answer| &answer.footnotes) {
        *hits.entry(note.path.clone()).or_insert(0) += 1;
    }
    hits
}

/// The tree. One element takes the focus; the arrow keys move a cursor inside it.
#[component]
fn Files() -> impl IntoView {
    let store = desk().store;
    let tree = store.select(|state| state.summary().map(|open| open.tree.clone()));
    let hits = store.select(hits);
    let current = store.select(|state| state.reader.path.clone());
    let open = RwSignal::new(HashSet::<String>::new());
    let cursor = RwSignal::new(0usize);
    let pane = NodeRef::<html::Div>::new();
    let scroll = RwSignal::new((0.0, 0.0));
    let measure = move || {
        if let Some(pane) = pane.get_untracked() {
            scroll.set((
                f64::from(pane.scroll_top()),
                f64::from(pane.client_height()),
            ));
        }
    };
    Effect::new(move |_| {
        if let Some(tree) = tree.get() {
            open.set(tree.opened_at_first());
        }
    });
    let visible = Memo::new(move |_| {
        tree.with(|tree| {
            tree.as_ref()
                .map(|tree| open.with(|open| tree.visible(open)))
        })
        .unwrap_or_default()
    });
    // The file that is read is shown in the tree.
    Effect::new(move |_| {
        let path = current.get();
        if path.is_empty() {
            return;
        }
        open.update(|open| open.extend(ancestors(&path)));
        let row = visible.with(|visible| {
            tree.with(|tree| {
                let is_it = |at: &usize| {
                    let node = tree.as_ref().and_then(|tree| tree.node(*at));
                    node.is_some_and(|node| node.path == path)
                };
                visible.iter().position(is_it)
            })
        });
        if let Some(row) = row {
            cursor.set(row);
            bring_into_view(pane, row);
        }
    });
    let toggle = move |path: &str| {
        open.update(|open| {
            if !open.remove(path) {
                open.insert(path.to_owned());
            }
        });
    };
    let choose = move |row: usize| {
        let node = visible.with_untracked(|visible| visible.get(row).copied());
        let Some(node) =
            node.and_then(|at| tree.with_untracked(|tree| tree.as_ref()?.node(at).cloned()))
        else {
            return;
        };
        cursor.set(row);
        if node.is_folder {
            toggle(&node.path);
        } else {
            store.act(|state| state.open_file(&node.path, None));
        }
    };
    let node_at = move |row: usize| {
        let at = visible.with_untracked(|visible| visible.get(row).copied())?;
        tree.with_untracked(|tree| tree.as_ref()?.node(at).cloned())
    };
    let on_key = move |event: KeyboardEvent| {
        let row = cursor.get_untracked();
        let last = visible.with_untracked(Vec::len).saturating_sub(1);
        let Some(node) = node_at(row) else { return };
        let is_open = open.with_untracked(|open| open.contains(&node.path));
        let next = match event.key().as_str() {
            "ArrowDown" => (row + 1).min(last),
            "ArrowUp" => row.saturating_sub(1),
            "Home" => 0,
            "End" => last,
            "ArrowRight" if node.is_folder && !is_open => {
                toggle(&node.path);
                row
            }
            "ArrowRight" if node.is_folder => (row + 1).min(last),
            "ArrowLeft" if node.is_folder && is_open => {
                toggle(&node.path);
                row
            }
            "ArrowLeft" => (0..row)
                .rev()
                .find(|above| node_at(*above).is_some_and(|above| above.depth < node.depth))
                .unwrap_or(row),
            "Enter" | " " => {
                choose(row);
                row
            }
            _ => return,
        };
        event.prevent_default();
        cursor.set(next);
        bring_into_view(pane, next);
    };
    let shown = Memo::new(move |_| {
        let (top, height) = scroll.get();
        window::rows(top, height, ROW_HEIGHT, visible.with(Vec::len))
    });
    let rows = move || {
        let tree = tree.get()?;
        let visible = visible.get();
        let rows: Vec<_> = shown
            .get()
            .filter_map(|row| {
                let at = *visible.get(row)?;
                let node = tree.node(at)?.clone();
                let cited = hits.with(|hits| tree.hit_count(at, hits));
                let is_open = open.with(|open| open.contains(&node.path));
                // An open folder shows the counts of its files instead.
                let cited = if node.is_folder && is_open { 0 } else { cited };
                let is_current = current.with(|current| *current == node.path);
                let is_folder = node.is_folder;
                Some(view! {
                    <div
                        {..custom_attribute("aria-level", node.depth + 1)}
                        id=format!("file-{row}")
                        class="row"
                        class:folder=is_folder
                        class:current=is_current
                        class:hit={cited > 0}
                        class:cursor=move || cursor.get() == row
                        role="treeitem"
                        aria-expanded=is_folder.then(|| is_open.to_string())
                        aria-selected=is_current.to_string()
                        title=node.path
                        style:padding-left=format!("{}px", 14 + 14 * node.depth)
                        on:click=move |_| choose(row)
                    >
                        <span class="twist" class:turned=is_open>
                            {is_folder.then(|| view! { <Draw icon=Icon::Chevron/> })}
                        </span>
                        <span class="label">{node.name().to_owned()}</span>
                        {(cited > 0).then(|| {
                            view! { <span class="hits" title=count(cited.into(), "footnote")>{cited}</span> }
                        })}
                    </div>
                })
            })
            .collect();
        Some(rows)
    };
    view! {
        <div
            class="tree"
            role="tree"
            tabindex="0"
            aria-label="Files"
            aria-activedescendant=move || format!("file-{}", cursor.get())
            node_ref=pane
            on:scroll=move |_| measure()
            on:keydown=on_key
        >
            <div
                class="all-lines"
                role="presentation"
                style:height=move || format!("{}px", visible.with(Vec::len) as f64 * ROW_HEIGHT)
            >
                <div
                    class="lines"
                    role="presentation"
                    style:transform=move || {
                        format!("translateY({}px)", shown.get().start as f64 * ROW_HEIGHT)
                    }
                >
                    {rows}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn bring_into_view(pane: NodeRef<html::Div>, row: usize) {
    let Some(pane) = pane.get_untracked() else {
        return;
    };
    let (top, height) = (
        f64::from(pane.scroll_top()),
        f64::from(pane.client_height()),
    );
    if let Some(target) = window::scroll_to(row, row, top, height, ROW_HEIGHT) {
        pane.set_scroll_top(target as i32);
    }
}

/// What matches the filter: files first, then symbols.
#[component]
fn Found(filter: RwSignal<String>) -> impl IntoView {
    let store = desk().store;
    let tree = store.select(|state| state.summary().map(|open| open.tree.clone()));
    let symbols = store.select(|state| state.symbols.clone());
    let files = move || {
        let tree = tree.get()?;
        let found = filter.with(|filter| {
            let found = tree.matching(filter, MAX_FOUND);
            found.into_iter().map(file_row).collect::<Vec<_>>()
        });
        Some(found)
    };
    let symbols = move || {
        let symbols = symbols.get()?;
        Some(symbols.iter().map(symbol_row).collect::<Vec<_>>())
    };
    view! {
        <div class="found">
            <h3>"Files"</h3>
            <ul>{files}</ul>
            <h3>"Symbols"</h3>
            <ul>{symbols}</ul>
        </div>
    }
    .into_any()
}

fn file_row(file: &Node) -> AnyView {
    let store = desk().store;
    let (folder, name) = split_path(&file.path);
    let (name, folder) = (name.to_owned(), folder.trim_end_matches('/').to_owned());
    let path = file.path.clone();
    view! {
        <li>
            <button
                title=path.clone()
                on:click=move |_| store.act(|state| state.open_file(&path, None))
            >
                {name}" "<small>{folder}</small>
            </button>
        </li>
    }
    .into_any()
}

fn symbol_row(symbol: &SymbolView) -> AnyView {
    let store = desk().store;
    let SymbolView {
        kind,
        qualified,
        path,
        start,
        end,
    } = symbol.clone();
    let mark = Mark { start, end };
    let place = format!("{path}:{start}");
    view! {
        <li>
            <button
                title=place
                on:click=move |_| store.act(|state| state.open_file(&path, Some(mark)))
            >
                <code>{qualified}</code>" "<small>{kind}</small>
            </button>
        </li>
    }
    .into_any()
}
