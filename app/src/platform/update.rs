//! New versions of the page. A browser looks for one when a page opens and then rarely, so a tab
//! that stays open for days asks itself.

use std::rc::Rc;

use gloo::events::EventListener;
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ServiceWorker, ServiceWorkerRegistration, ServiceWorkerState};

use super::clock::now_ms;

/// Shortest time between two looks, in milliseconds: an hour.
const LOOK_MS: f64 = 3_600_000.0;

/// Calls `hear` when all files of a newer version are here. Does nothing on a first visit, and
/// where nothing is kept for use without a network.
pub fn on_new_version(hear: impl Fn() + 'static) {
    spawn_local(async move {
        if let Ok(Some(registration)) = registration().await {
            listen(&registration, Rc::new(hear));
            look_when_shown(registration);
        }
    });
}

/// The registration of the service worker, if this page was opened with its help.
async fn registration() -> Result<Option<ServiceWorkerRegistration>, JsValue> {
    let Some(window) = web_sys::window() else {
        return Ok(None);
    };
    let navigator = window.navigator();
    if !Reflect::has(&navigator, &"serviceWorker".into())? {
        return Ok(None);
    }
    let container = navigator.service_worker();
    if container.controller().is_none() {
        return Ok(None);
    }
    let ready = JsFuture::from(container.ready()?).await?;
    Ok(ready.dyn_into().ok())
}

fn listen(registration: &ServiceWorkerRegistration, hear: Rc<dyn Fn()>) {
    // It may have been found while this page started.
    follow(registration.installing(), &hear);
    let target = registration.clone();
    EventListener::new(registration, "updatefound", move |_| {
        follow(target.installing(), &hear);
    })
    .forget();
}

/// Waits until a service worker has all its files.
fn follow(worker: Option<ServiceWorker>, hear: &Rc<dyn Fn()>) {
    let Some(worker) = worker else {
        return;
    };
    let hear = Rc::clone(hear);
    let target = worker.clone();
    EventListener::new(&worker, "statechange", move |_| {
        if target.state() == ServiceWorkerState::Installed {
            hear();
        }
    })
    .forget();
}

/// Looks for a new version whenever the tab comes to the front, at most once an hour.
fn look_when_shown(registration: ServiceWorkerRegistration) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let last = std::cell::Cell::new(now_ms());
    let shown = document.clone();
    EventListener::new(&document, "visibilitychange", move |_| {
        if !shown.hidden() && now_ms() - last.get() > LOOK_MS {
            last.set(now_ms());
            // Without a network there is nothing new.
            if let Ok(looked) = registration.update() {
                spawn_local(async move { _ = JsFuture::from(looked).await });
            }
        }
    })
    .forget();
}
