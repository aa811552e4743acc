//! The page itself.

/// Loads the page anew, so that it starts with another policy.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // A page that cannot be reloaded stays as it is, which is the stricter of the two.
        let _ = window.location().reload();
    }
}
