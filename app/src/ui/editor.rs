//! The editor on this computer that footnotes open in.

use leptos::prelude::*;

use super::desk;
use crate::platform::remembered::{self, Item};
use crate::state::Store;
use crate::state::editor::{EDITORS, EditorLinks};

/// The remembered choices.
pub fn load() -> EditorLinks {
    let editor = remembered::load(Item::Editor);
    let folders = remembered::load(Item::EditorFolders);
    EditorLinks::read(editor.as_deref(), folders.as_deref())
}

/// Remembers the editor and the folders whenever they change.
pub fn keep(store: Store) {
    let links = store.select(|state| state.editor.clone());
    Effect::new(move |_| {
        let links = links.get();
        // Without storage the choice lasts only as long as the page.
        remembered::keep(Item::Editor, links.chosen().map(|editor| editor.name));
        let folders = serde_json::to_string(&links.folders).ok();
        let folders = folders.filter(|_| !links.folders.is_empty());
        remembered::keep(Item::EditorFolders, folders.as_deref());
    });
}

/// The choice of the editor, and the open repository's folder.
#[component]
pub fn EditorSetting() -> impl IntoView {
    let store = desk().store;
    let chosen = store.select(|state| state.editor.editor);
    let choose = move |event| {
        let at = event_target_value(&event).parse().ok();
        store.change(|state| state.editor.editor = at);
    };
    let options: Vec<_> = (0..)
        .zip(&EDITORS)
        .map(|(at, editor): (usize, _)| {
            view! {
                <option value=at.to_string() selected=move || chosen.get() == Some(at)>
                    {editor.title}
                </option>
            }
        })
        .collect();
    view! {
        <h3>"Editor"</h3>
        <label class="editor">
            "Footnotes open in "
            <select aria-label="Editor" on:change=choose>
                <option value="" selected=move || chosen.get().is_none()>"no editor"</option>
                {options}
            </select>
        </label>
        <Folder/>
    }
    .into_any()
}

/// Where the open repository lies, so that an editor finds its files.
#[component]
fn Folder() -> impl IntoView {
    let store = desk().store;
    let repo = store.select(|state| {
        state.editor.chosen()?;
        let repo = &state.summary()?.repo;
        // Of a server's repositories each has a folder of its own.
        repo.across.is_none().then(|| repo.name.clone())
    });
    let body = move || {
        let repo = repo.get()?;
        let known = store.peek(|state| state.editor.folder(&repo).map(str::to_owned));
        let label = format!("Folder of {repo} on this computer");
        let set = move |event| {
            let folder = event_target_value(&event);
            store.change(|state| state.editor.set_folder(&repo, &folder));
        };
        Some(view! {
            <label class="editor">
                {label.clone()}
                <input
                    type="text"
                    aria-label=label
                    placeholder="/home/you/code/project"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=known.unwrap_or_default()
                    on:change=set
                />
            </label>
        })
    };
    view! { {body} }
}
