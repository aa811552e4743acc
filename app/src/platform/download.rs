//! Saves bytes as a file on the user's disk.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::workers::describe;

/// Why the download did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the browser made no file: {0}")]
pub struct DownloadError(String);

/// Starts a download of `bytes`. Whether the browser asks where to save is up to the user's
/// settings.
pub fn save(file_name: &str, media_type: &str, bytes: &[u8]) -> Result<(), DownloadError> {
    start(file_name, media_type, bytes).map_err(|error| DownloadError(describe(&error)))
}

fn start(file_name: &str, media_type: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type(media_type);
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or_else(|| JsValue::from_str("no document"))?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(file_name);
    link.click();
    // From the click on, the download keeps the blob alive.
    Url::revoke_object_url(&address)
}
