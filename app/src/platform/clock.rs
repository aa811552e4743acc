//! Time: how long things take, what day it is, and when other work may run.

use std::cell::RefCell;

use js_sys::Reflect;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, Performance};

thread_local! {
    static PERFORMANCE: Option<Performance> =
        Reflect::get(&js_sys::global(), &JsValue::from_str("performance"))
            .ok()
            .and_then(|performance| performance.dyn_into().ok());
    static CHANNEL: RefCell<Option<MessageChannel>> = const { RefCell::new(None) };
}

/// Milliseconds since the page or worker started; never goes back.
pub fn now_ms() -> f64 {
    PERFORMANCE.with(|performance| match performance {
        Some(performance) => performance.now(),
        None => js_sys::Date::now(),
    })
}

/// Milliseconds since 1970.
pub fn today_ms() -> f64 {
    js_sys::Date::now()
}

/// Lets the event loop handle what is waiting: messages, storage, timers. Uses a message channel,
/// because browsers delay nested timers by 4 ms each.
pub async fn next_turn() {
    let promise = js_sys::Promise::new(&mut |resolve, _reject| {
        let waiting = Closure::once_into_js(move || {
            // Resolving a promise cannot throw.
            let _ = resolve.call0(&JsValue::UNDEFINED);
        });
        let posted = CHANNEL.with(|cell| {
            let mut channel = cell.borrow_mut();
            if channel.is_none() {
                *channel = MessageChannel::new().ok();
            }
            let channel = channel.as_ref()?;
            let port = channel.port1();
            let options = web_sys::AddEventListenerOptions::new();
            options.set_once(true);
            port.add_event_listener_with_callback_and_add_event_listener_options(
                "message",
                waiting.unchecked_ref(),
                &options,
            )
            .ok()?;
            port.start();
            channel.port2().post_message(&JsValue::NULL).ok()
        });
        if posted.is_none() {
            // Without channels, a promise that resolves at once is still better than a hang.
            let _ = waiting
                .unchecked_ref::<js_sys::Function>()
                .call0(&JsValue::UNDEFINED);
        }
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Waits for `milliseconds`.
pub async fn sleep(milliseconds: u32) {
    let promise = js_sys::Promise::new(&mut |resolve, _reject| {
        let wake = move || {
            // Resolving a promise cannot throw.
            let _ = resolve.call0(&JsValue::UNDEFINED);
        };
        gloo::timers::callback::Timeout::new(milliseconds, wake).forget();
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Formats a moment, given in milliseconds since 1970, as a time of day in the user's locale.
pub fn time_of_day(moment_ms: f64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(moment_ms));
    let hours = format!("{:02}", date.get_hours());
    format!(
        "{hours}:{:02}:{:02}",
        date.get_minutes(),
        date.get_seconds()
    )
}
