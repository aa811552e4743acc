//! What the browser reveals about the machine it runs on.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// Processor cores that this page may use: at least 1, and 2 if the browser does not say.
pub fn cores() -> usize {
    told("hardwareConcurrency").map_or(2, |count| count.max(1.0) as usize)
}

/// Memory in millions of bytes, as the browser rounds it; `None` if it does not say.
pub fn memory_mb() -> Option<f64> {
    let gigabytes = told("deviceMemory")?;
    Some(gigabytes * 1024.0 * 1.048_576)
}

/// The browser's own name and version.
pub fn browser() -> String {
    let name = property("userAgent").and_then(|name| name.as_string());
    name.unwrap_or_default()
}

/// Reads a number from the browser's properties.
fn told(name: &str) -> Option<f64> {
    property(name)?.as_f64()
}

fn property(name: &str) -> Option<JsValue> {
    let get = |object: &JsValue, name| Reflect::get(object, &JsValue::from_str(name)).ok();
    let navigator = get(&js_sys::global(), "navigator")?;
    get(&navigator, name)
}
