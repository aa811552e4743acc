//! The body of a response as it arrives.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

/// Returns a reader of the body, or `None` if the response has no body.
pub fn reader(response: &Response) -> Option<ReadableStreamDefaultReader> {
    response.body()?.get_reader().dyn_into().ok()
}

/// Returns the next bytes, still outside this program's memory; `None` at the end.
pub async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let read = JsFuture::from(reader.read()).await?;
    let part = |name: &str| Reflect::get(&read, &JsValue::from_str(name));
    if part("done")?.is_truthy() {
        return Ok(None);
    }
    part("value")?.dyn_into().map(Some)
}
