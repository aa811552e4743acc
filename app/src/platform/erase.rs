//! Deletes all that the page has stored in this browser.

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ServiceWorkerRegistration, Window};

use super::{idb, page, remembered};

/// The cache of the page's own files; `public/offline.js` fills it.
const CACHE: &str = "footnote-files";
/// The page that says so afterwards: it starts no program, so nothing is stored again.
const AFTERWARDS: &str = "erased.html";

/// Deletes the database, the cache, the service worker and the remembered settings, then leaves the
/// page. If one of them fails, the others are still tried, and the page stays.
pub async fn everything() -> Result<(), String> {
    // The database first: the engine holds it open, and may be writing.
    let database = idb::delete().await.map_err(|error| error.to_string());
    let offline = forget_offline().await;
    let settings = remembered::forget_all();
    database?;
    offline.map_err(|_| "the browser did not delete the copy of the page's files".to_owned())?;
    if !settings {
        return Err("the browser did not delete the settings".to_owned());
    }
    page::leave_for(AFTERWARDS);
    Ok(())
}

/// Ends the service worker and deletes what it keeps, each even if the other fails. A
/// browser that has neither, as on a host without HTTPS, keeps nothing there.
async fn forget_offline() -> Result<(), JsValue> {
    let Some(window) = web_sys::window() else {
        return Ok(());
    };
    let worker = end_service_worker(&window).await;
    let cache = delete_cache(&window).await;
    worker.and(cache)
}

async fn end_service_worker(window: &Window) -> Result<(), JsValue> {
    let navigator = window.navigator();
    if Reflect::has(&navigator, &"serviceWorker".into())? {
        let found = JsFuture::from(navigator.service_worker().get_registration()).await?;
        if let Ok(registration) = found.dyn_into::<ServiceWorkerRegistration>() {
            JsFuture::from(registration.unregister()?).await?;
        }
    }
    Ok(())
}

async fn delete_cache(window: &Window) -> Result<(), JsValue> {
    if Reflect::has(window, &"caches".into())? {
        JsFuture::from(window.caches()?.delete(CACHE)).await?;
    }
    Ok(())
}
