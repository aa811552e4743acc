//! How much memory the device has.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// In million bytes, as the browser rounds it; `None` if it does not tell.
pub fn device_mb() -> Option<f64> {
    let get = |object: &JsValue, name| Reflect::get(object, &JsValue::from_str(name)).ok();
    let navigator = get(&js_sys::global(), "navigator")?;
    let gigabytes = get(&navigator, "deviceMemory")?.as_f64()?;
    Some(gigabytes * 1024.0 * 1.048_576)
}
