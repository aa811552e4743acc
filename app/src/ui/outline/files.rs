//! The files as a tree. One element takes the focus; the arrow keys move a cursor inside it. Only
//! the rows near the visible part exist in the page.

use std::collections::{HashMap, HashSet};

use leptos::attr::custom::custom_attribute;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use crate::state::tree::{KeyMeaning, Node, Tree, ancestors};
use crate::state::{Shared, State, Store};
use crate::ui::desk;
use crate::ui::format::count;
use crate::ui::icons::{Draw, Icon};
use crate::ui::window;

/// The height of a row in pixels; must match `app.css`.
const ROW_HEIGHT: f64 = 26.0;

#[component]
pub fn Files() -> impl IntoView {
    let store = desk().store;
    let browsing = Browsing::new(store);
    let seen = Seen::new(store, browsing);
    let Browsing { cursor, pane, .. } = browsing;
    view! {
        <div
            class="tree"
            role="tree"
            tabindex="0"
            aria-label="Files"
            aria-activedescendant=move || format!("file-{}", cursor.get())
            node_ref=pane
            on:scroll=move |_| seen.measure()
            on:keydown=move |event| browsing.on_key(&event)
        >
            <div
                class="all-lines"
                role="presentation"
                style:height=move || format!("{}px", browsing.height())
            >
                <div
                    class="lines"
                    role="presentation"
                    style:transform=move || format!("translateY({}px)", seen.top())
                >
                    {move || seen.rows()}
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// Which folders are open, and where the cursor is.
#[derive(Clone, Copy)]
struct Browsing {
    store: Store,
    tree: Memo<Option<Shared<Tree>>>,
    /// The paths of the open folders.
    open: RwSignal<HashSet<String>>,
    /// The indices of the nodes that no closed folder hides: one per row.
    visible: Memo<Vec<usize>>,
    /// The row with the cursor.
    cursor: RwSignal<usize>,
    /// The path of the open file.
    current: Memo<String>,
    pane: NodeRef<html::Div>,
}

impl Browsing {
    fn new(store: Store) -> Self {
        let tree = store.select(|state| state.summary().map(|open| open.tree.clone()));
        let open = RwSignal::new(HashSet::<String>::new());
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
        let browsing = Self {
            store,
            tree,
            open,
            visible,
            cursor: RwSignal::new(0),
            current: store.select(|state| state.reader.path.clone()),
            pane: NodeRef::new(),
        };
        // Keeps the open file visible in the tree.
        Effect::new(move |_| browsing.reveal(&browsing.current.get()));
        browsing
    }

    fn reveal(self, path: &str) {
        if path.is_empty() {
            return;
        }
        self.open.update(|open| open.extend(ancestors(path)));
        let row = self.visible.with(|visible| {
            self.tree.with(|tree| {
                let is_it = |at: &usize| {
                    let node = tree.as_ref().and_then(|tree| tree.node(*at));
                    node.is_some_and(|node| node.path == path)
                };
                visible.iter().position(is_it)
            })
        });
        if let Some(row) = row {
            self.go(row);
        }
    }

    fn go(self, row: usize) {
        self.cursor.set(row);
        bring_into_view(self.pane, row);
    }

    fn node_at(self, row: usize) -> Option<Node> {
        let at = self
            .visible
            .with_untracked(|visible| visible.get(row).copied())?;
        self.tree
            .with_untracked(|tree| tree.as_ref()?.node(at).cloned())
    }

    fn toggle(self, path: &str) {
        self.open.update(|open| {
            if !open.remove(path) {
                open.insert(path.to_owned());
            }
        });
    }

    /// Opens the file of a row; opens or closes its folder.
    fn choose(self, row: usize) {
        let Some(node) = self.node_at(row) else {
            return;
        };
        self.cursor.set(row);
        if node.is_folder {
            self.toggle(&node.path);
        } else {
            self.store.act(|state| state.open_file(&node.path, None));
        }
    }

    fn on_key(self, event: &KeyboardEvent) {
        let row = self.cursor.get_untracked();
        let Some(node) = self.node_at(row) else {
            return;
        };
        let Some(meaning) = self.meaning(&event.key(), row) else {
            return;
        };
        event.prevent_default();
        match meaning {
            KeyMeaning::Go(next) => return self.go(next),
            KeyMeaning::Toggle => self.toggle(&node.path),
            KeyMeaning::Choose => self.choose(row),
        }
        self.go(row);
    }

    fn meaning(self, key: &str, row: usize) -> Option<KeyMeaning> {
        let tree = self.tree.get_untracked()?;
        self.visible.with_untracked(|visible| {
            self.open
                .with_untracked(|open| tree.meaning(key, row, visible, open))
        })
    }

    /// The height of all rows, in pixels.
    fn height(self) -> f64 {
        self.visible.with(Vec::len) as f64 * ROW_HEIGHT
    }
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

/// The rows that are rendered, given the scroll position.
#[derive(Clone, Copy)]
struct Seen {
    browsing: Browsing,
    /// The pixels above the visible part, and its height.
    scroll: RwSignal<(f64, f64)>,
    window: Memo<std::ops::Range<usize>>,
    /// How often the current answer cites each file.
    hits: Memo<HashMap<String, u32>>,
}

impl Seen {
    fn new(store: Store, browsing: Browsing) -> Self {
        let scroll = RwSignal::new((0.0, 0.0));
        let window = Memo::new(move |_| {
            let (top, height) = scroll.get();
            window::rows(top, height, ROW_HEIGHT, browsing.visible.with(Vec::len))
        });
        Self {
            browsing,
            scroll,
            window,
            hits: store.select(hits),
        }
    }

    fn measure(self) {
        if let Some(pane) = self.browsing.pane.get_untracked() {
            self.scroll.set((
                f64::from(pane.scroll_top()),
                f64::from(pane.client_height()),
            ));
        }
    }

    /// The pixels above the first rendered row.
    fn top(self) -> f64 {
        self.window.get().start as f64 * ROW_HEIGHT
    }

    fn rows(self) -> Option<Vec<AnyView>> {
        let tree = self.browsing.tree.get()?;
        let visible = self.browsing.visible.get();
        let made = self.window.get();
        let rows = made.filter_map(|row| Some(self.row(row, &tree, *visible.get(row)?)?.view()));
        Some(rows.collect())
    }

    fn row(self, row: usize, tree: &Tree, at: usize) -> Option<Row> {
        let node = tree.node(at)?.clone();
        let cited = self.hits.with(|hits| tree.hit_count(at, hits));
        let is_open = self.browsing.open.with(|open| open.contains(&node.path));
        Some(Row {
            browsing: self.browsing,
            row,
            // An open folder shows the counts of its files instead.
            cited: if node.is_folder && is_open { 0 } else { cited },
            is_open,
            is_current: self.browsing.current.with(|current| *current == node.path),
            node,
        })
    }
}

fn hits(state: &State) -> HashMap<String, u32> {
    let mut hits = HashMap::new();
    let answer = state.conversation.current().and_then(|turn| turn.answer());
    for note in answer.iter().flat_map(|answer| &answer.footnotes) {
        *hits.entry(note.path.clone()).or_insert(0) += 1;
    }
    hits
}

/// A file or folder as displayed.
struct Row {
    browsing: Browsing,
    row: usize,
    node: Node,
    /// How many footnotes lead to it.
    cited: u32,
    is_open: bool,
    is_current: bool,
}

impl Row {
    fn view(self) -> AnyView {
        let Row {
            browsing,
            row,
            node,
            cited,
            is_open,
            is_current,
        } = self;
        let is_folder = node.is_folder;
        let name = node.name().to_owned();
        let hits = (cited > 0).then(|| {
            view! { <span class="hits" title=count(cited.into(), "footnote")>{cited}</span> }
        });
        view! {
            <div
                {..custom_attribute("aria-level", node.depth + 1)}
                id=format!("file-{row}")
                class="row"
                class:folder=is_folder
                class:current=is_current
                class:hit={cited > 0}
                class:cursor=move || browsing.cursor.get() == row
                role="treeitem"
                aria-expanded=is_folder.then(|| is_open.to_string())
                aria-selected=is_current.to_string()
                title=node.path
                style:padding-left=format!("{}px", 14 + 14 * node.depth)
                on:click=move |_| browsing.choose(row)
            >
                <span class="twist" class:turned=is_open>
                    {is_folder.then(|| view! { <Draw icon=Icon::Chevron/> })}
                </span>
                <span class="label">{name}</span>
                {hits}
            </div>
        }
        .into_any()
    }
}
