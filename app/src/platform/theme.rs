//! The chosen theme: remembered in local storage, shown through `data-theme` on the root element.

use gloo::events::EventListener;
use web_sys::Storage;

const KEY: &str = "footnote.theme";

/// The remembered word, if there is one and the browser lets it be read.
pub fn load() -> Option<String> {
    storage()?.get_item(KEY).ok().flatten()
}

/// Shows `theme`, or what the system prefers if it is `None`, and remembers it where that is allowed.
pub fn apply(theme: Option<&str>) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        // Setting a known attribute cannot fail.
        let _ = match theme {
            Some(theme) => root.set_attribute("data-theme", theme),
            None => root.remove_attribute("data-theme"),
        };
    }
    if let Some(storage) = storage() {
        // Without storage the choice lasts as long as the page, which is all that can be done.
        let _ = match theme {
            Some(theme) => storage.set_item(KEY, theme),
            None => storage.remove_item(KEY),
        };
    }
}

/// Calls back when the system changes between light and dark, until what is returned is dropped.
pub fn on_system_change(mut call: impl FnMut() + 'static) -> Option<EventListener> {
    let window = web_sys::window()?;
    let query = window.match_media("(prefers-color-scheme: dark)").ok()??;
    Some(EventListener::new(&query, "change", move |_| call()))
}

/// `None` where the browser forbids it.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
