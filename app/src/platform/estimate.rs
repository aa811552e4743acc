//! How much of the browser's storage is used.

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{StorageEstimate, StorageManager};

/// Bytes used by and available to this page, if the browser reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    pub used: Option<f64>,
    pub quota: Option<f64>,
}

/// Asks the browser; both are `None` if it does not say.
pub async fn estimate() -> Estimate {
    let Some(promise) = manager().and_then(|manager| manager.estimate().ok()) else {
        return Estimate::default();
    };
    match JsFuture::from(promise).await {
        Ok(value) => {
            let told: StorageEstimate = value.unchecked_into();
            Estimate {
                used: told.get_usage(),
                quota: told.get_quota(),
            }
        }
        Err(_) => Estimate::default(),
    }
}

/// The storage manager of a page or worker; absent outside secure contexts.
fn manager() -> Option<StorageManager> {
    let navigator = Reflect::get(&js_sys::global(), &JsValue::from_str("navigator")).ok()?;
    let storage = Reflect::get(&navigator, &JsValue::from_str("storage")).ok()?;
    storage.dyn_into().ok()
}
