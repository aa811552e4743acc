//! The body of an answer as it comes.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

/// Reads a body; nothing if the answer has none.
pub fn reader(response: &Response) -> Option<ReadableStreamDefaultReader> {
    response.body()?.get_reader().dyn_into().ok()
}

/// The next bytes, still outside of this program's memory; `None` at the end.
pub async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let read = JsFuture::from(reader.read()).await?;
    let part = |name: &str| Reflect::get(&read, &JsValue::from_str(name));
    if part("done")?.is_truthy() {
        return Ok(None);
    }
    part("value")?.dyn_into().map(Some)
}
