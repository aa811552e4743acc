//! What matches the filter of the outline.

use leptos::prelude::*;

use crate::state::Mark;
use crate::state::tree::Node;
use crate::ui::desk;
use crate::ui::format::split_path;
use crate::worker::protocol::SymbolView;

/// The most files and symbols shown.
pub const MAX_FOUND: usize = 100;

/// Files first, then symbols.
#[component]
pub fn Found(filter: RwSignal<String>) -> impl IntoView {
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
