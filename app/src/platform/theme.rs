//! The chosen theme: remembered, and shown through `data-theme` on the root element.

use gloo::events::EventListener;

use super::remembered::{self, Item};

/// The remembered word, if there is one and the browser lets it be read.
pub fn load() -> Option<String> {
    remembered::load(Item::Theme)
}

/// Shows `theme`, or what the system prefers if it is `None`, and remembers it where that is
/// allowed.
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
    // Without storage the choice lasts as long as the page, which is all that can be done.
    remembered::keep(Item::Theme, theme);
}

/// Calls back when the system changes between light and dark, until what is returned is dropped.
pub fn on_system_change(mut call: impl FnMut() + 'static) -> Option<EventListener> {
    let window = web_sys::window()?;
    let query = window.match_media("(prefers-color-scheme: dark)").ok()??;
    Some(EventListener::new(&query, "change", move |_| call()))
}
