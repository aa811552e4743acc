//! How many processor cores the browser lets this page use.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// At least 1; 2 if the browser does not say.
pub fn count() -> usize {
    let get = |object: &JsValue, name| Reflect::get(object, &JsValue::from_str(name)).ok();
    let told = get(&js_sys::global(), "navigator")
        .and_then(|navigator| get(&navigator, "hardwareConcurrency"))
        .and_then(|count| count.as_f64());
    told.map_or(2, |count| count.max(1.0) as usize)
}
