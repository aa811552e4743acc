//! Copies text to the clipboard.

use wasm_bindgen_futures::JsFuture;

use super::workers::describe;

/// Why the text was not copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClipboardError {
    #[error("this page may not use the clipboard: open it from https or localhost")]
    Unavailable,
    #[error("the browser did not copy the text: {0}")]
    Refused(String),
}

pub async fn copy(text: &str) -> Result<(), ClipboardError> {
    let window = web_sys::window().ok_or(ClipboardError::Unavailable)?;
    // Only pages from https and localhost have a clipboard.
    if !window.is_secure_context() {
        return Err(ClipboardError::Unavailable);
    }
    let written = window.navigator().clipboard().write_text(text);
    match JsFuture::from(written).await {
        Ok(_) => Ok(()),
        Err(error) => Err(ClipboardError::Refused(describe(&error))),
    }
}
