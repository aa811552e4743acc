//! Below the files: what uses the open file and its definitions, and what they use. Each entry
//! opens the line that proves it.

use leptos::ev::Event;
use leptos::prelude::*;

use super::desk;
use super::format::{count, split_path};
use crate::platform::scrolled;
use crate::state::{Mark, Shared};
use crate::worker::protocol::{SymbolUsesView, UseList, UseView, UsesView};

/// How many definitions are rendered at once; scrolling to the end of these renders more. A file
/// may have thousands, which nobody scrolls through before looking at the file.
const BATCH: usize = 40;
/// How near to the end the list must be scrolled for more to be rendered, in pixels.
const NEAR_END: i32 = 600;

#[component]
pub fn Uses() -> impl IntoView {
    let store = desk().store;
    let uses = store.select(|state| {
        let uses = state.uses.clone();
        uses.filter(|uses| uses.path == state.reader.path)
    });
    // An opened list stays open from file to file.
    let is_open = RwSignal::new(true);
    let body = move || {
        let uses = uses.get()?;
        let (_, name) = split_path(&uses.path);
        let name = name.to_owned();
        let file = [
            group("Used by", uses.used_by.clone()),
            group("Uses", uses.uses.clone()),
        ];
        let batches = RwSignal::new(1);
        let symbols = symbols(&uses, batches);
        let scrolled = move |event: Event| {
            if scrolled::pixels_to_end(&event_target(&event)) <= NEAR_END {
                batches.update(|batches| *batches += 1);
            }
        };
        Some(view! {
            <section class="uses" class:is-open=move || is_open.get() aria-label="Uses of the open file">
                <h3>
                    <button
                        aria-expanded=move || is_open.get().to_string()
                        on:click=move |_| is_open.update(|open| *open = !*open)
                    >
                        {name}
                    </button>
                </h3>
                <div class="uses-body" on:scroll=scrolled>
                    {file.into_iter().collect::<Vec<_>>()}
                    {symbols}
                </div>
            </section>
        })
    };
    view! { {body} }.into_any()
}

/// The definitions that are used or use something: this many batches, and a button for the next.
fn symbols(uses: &Shared<UsesView>, batches: RwSignal<usize>) -> Vec<AnyView> {
    let all = uses.symbols.iter().enumerate();
    let used = all.filter(|(_, symbol)| symbol.used_by.total + symbol.uses.total > 0);
    let used: Vec<usize> = used.map(|(at, _)| at).collect();
    let total = used.len();
    let batch = |(number, batch): (usize, &[usize])| {
        let (uses, batch) = (uses.clone(), batch.to_vec());
        let is_made = Memo::new(move |_| batches.get() > number);
        let symbols = move || {
            let all = batch.iter().filter_map(|&at| symbol(&uses, at));
            is_made.get().then(|| all.collect::<Vec<_>>())
        };
        symbols.into_any()
    };
    let rest = move || {
        let rest = total.saturating_sub(batches.get() * BATCH);
        let more = move |_| batches.update(|batches| *batches += 1);
        let label = format!("and {}", count(rest as u64, "more definition"));
        (rest > 0).then(|| view! { <button class="rest" on:click=more>{label}</button> })
    };
    let made = used.chunks(BATCH).enumerate().map(batch);
    made.chain([rest.into_any()]).collect()
}

/// A definition that is used or uses something.
fn symbol(uses: &Shared<UsesView>, at: usize) -> Option<AnyView> {
    let store = desk().store;
    let SymbolUsesView {
        kind,
        qualified,
        start,
        end,
        used_by,
        uses: used,
    } = uses.symbols.get(at)?.clone();
    let path = uses.path.clone();
    let mark = Mark { start, end };
    let title = format!("{kind} {qualified}");
    let view = view! {
        <div class="uses-symbol">
            <button
                title=title
                on:click=move |_| store.act(|state| state.open_file(&path, Some(mark)))
            >
                <code>{qualified}</code>
            </button>
            {group("Used by", used_by)}
            {group("Uses", used)}
        </div>
    };
    Some(view.into_any())
}

/// A list that is rendered when it is opened; nothing if it is empty.
fn group(name: &'static str, list: UseList) -> AnyView {
    if list.total == 0 {
        return ().into_any();
    }
    let is_open = RwSignal::new(false);
    let total = list.total;
    let rest = total as usize - list.entries.len();
    let items = move || {
        is_open
            .get()
            .then(|| list.entries.iter().map(entry).collect::<Vec<_>>())
    };
    let rest = (rest > 0).then(|| view! { <li class="rest">{format!("and {rest} more")}</li> });
    view! {
        <details on:toggle=move |_| is_open.update(|open| *open = !*open)>
            <summary>{name}" "<small>{total}</small></summary>
            <ul>{items}{rest}</ul>
        </details>
    }
    .into_any()
}

fn entry(entry: &UseView) -> AnyView {
    let store = desk().store;
    let UseView {
        name,
        path,
        line,
        is_certain,
    } = entry.clone();
    let (_, file) = split_path(&path);
    let place = format!("{file}:{line}");
    let shown = split_path(&name).1.to_owned();
    let unsure = (!is_certain).then_some(" perhaps");
    let title = format!("{name}, {path}:{line}");
    let mark = Mark {
        start: line,
        end: line,
    };
    view! {
        <li>
            <button
                title=title
                on:click=move |_| store.act(|state| state.open_file(&path, Some(mark)))
            >
                <code>{shown}</code>" "
                <small>{place}{unsure}</small>
            </button>
        </li>
    }
    .into_any()
}
