//! The chosen theme: remembered, and applied through `data-theme` on the root element.

use gloo::events::EventListener;

use super::remembered::{self, Item};

/// Returns the remembered theme, if there is one and the browser allows reading it.
pub fn load() -> Option<String> {
    remembered::load(Item::Theme)
}

/// Applies `theme`, or the system's preference if it is `None`, and remembers it if the browser
/// allows that.
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
    // Without storage, the choice lasts until the page is closed; no more can be done.
    remembered::keep(Item::Theme, theme);
}

/// Calls `call` when the system switches between light and dark, until the returned listener is
/// dropped.
pub fn on_system_change(mut call: impl FnMut() + 'static) -> Option<EventListener> {
    let window = web_sys::window()?;
    let query = window.match_media("(prefers-color-scheme: dark)").ok()??;
    Some(EventListener::new(&query, "change", move |_| call()))
}
