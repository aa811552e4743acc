//! Whether the browser has a network.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// Also true if the browser does not say. Works in the page and in workers.
pub fn is_online() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &JsValue::from_str("navigator"));
    let online =
        navigator.and_then(|navigator| Reflect::get(&navigator, &JsValue::from_str("onLine")));
    online
        .ok()
        .and_then(|online| online.as_bool())
        .unwrap_or(true)
}
