//! Requests to the one address that the user connected; the response is read as it arrives. Works
//! in the page and in workers.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, Response};

use super::stream;
use super::workers::describe;

/// Why no answer arrived, or only part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// Browsers do not tell scripts the reason: the address is wrong, nothing listens there, or the
    /// server does not allow this page ([`is_reachable`] tells these apart).
    #[error("the address could not be reached: {0}")]
    Unreachable(String),
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("stopped")]
    Stopped,
}

/// Cancels a request at any time. Clones cancel the same request.
#[derive(Clone, Debug)]
pub struct Abort {
    controller: Rc<RefCell<Option<AbortController>>>,
}

impl Default for Abort {
    fn default() -> Self {
        Self {
            controller: Rc::new(RefCell::new(AbortController::new().ok())),
        }
    }
}

impl Abort {
    pub fn abort(&self) {
        if let Some(controller) = self.controller.borrow().as_ref() {
            controller.abort();
        }
    }

    pub fn is_aborted(&self) -> bool {
        let controller = self.controller.borrow();
        controller
            .as_ref()
            .is_some_and(|controller| controller.signal().aborted())
    }
}

/// A request to send.
pub struct Outgoing<'a> {
    pub method: &'a str,
    pub url: &'a str,
    pub headers: Vec<(&'a str, &'a str)>,
    pub body: Option<&'a str>,
}

/// A response whose body has not been read yet.
pub struct Incoming {
    pub status: u16,
    pub retry_after: Option<String>,
    response: Response,
    abort: Abort,
}

/// Sends a request and returns once the head of the response has arrived.
pub async fn send(outgoing: &Outgoing<'_>, abort: &Abort) -> Result<Incoming, HttpError> {
    let failed = |error: JsValue| match abort.is_aborted() {
        true => HttpError::Stopped,
        false => HttpError::Unreachable(describe(&error)),
    };
    let init = Object::new();
    let set = |name: &str, value: &JsValue| {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&init, &JsValue::from_str(name), value);
    };
    let headers = Headers::new().map_err(failed)?;
    for (name, value) in &outgoing.headers {
        headers.set(name, value).map_err(failed)?;
    }
    set("method", &outgoing.method.into());
    set("headers", &headers);
    if let Some(body) = outgoing.body {
        set("body", &body.into());
    }
    // No cookies, no referrer, no copy on disk, and redirects are refused.
    set("credentials", &"omit".into());
    set("referrerPolicy", &"no-referrer".into());
    set("cache", &"no-store".into());
    set("redirect", &"error".into());
    if let Some(controller) = abort.controller.borrow().as_ref() {
        set("signal", &controller.signal());
    }
    let response = fetch(outgoing.url, &init).await.map_err(failed)?;
    Ok(Incoming {
        status: response.status(),
        retry_after: response.headers().get("retry-after").ok().flatten(),
        response,
        abort: abort.clone(),
    })
}

/// Whether any server listens at the address, whether or not it lets this page read its answers.
pub async fn is_reachable(url: &str) -> bool {
    let init = Object::new();
    for (name, value) in [
        ("mode", "no-cors"),
        ("credentials", "omit"),
        ("referrerPolicy", "no-referrer"),
        ("cache", "no-store"),
    ] {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(&init, &name.into(), &value.into());
    }
    fetch(url, &init).await.is_ok()
}

/// Calls `fetch` of the page's or worker's global object.
async fn fetch(url: &str, init: &Object) -> Result<Response, JsValue> {
    let global = js_sys::global();
    let fetch: Function = Reflect::get(&global, &JsValue::from_str("fetch"))?.dyn_into()?;
    let promise: Promise = fetch.call2(&global, &url.into(), init)?.dyn_into()?;
    JsFuture::from(promise).await?.dyn_into()
}

impl Incoming {
    /// The body, piece by piece.
    pub fn body(self) -> Body {
        Body {
            reader: stream::reader(&self.response),
            abort: self.abort,
        }
    }

    /// The whole body, at most `limit` bytes of it.
    pub async fn bytes(self, limit: usize) -> Result<Vec<u8>, HttpError> {
        let body = self.body();
        let mut bytes = Vec::new();
        while let Some(piece) = body.next().await? {
            bytes.extend_from_slice(&piece);
            if bytes.len() >= limit {
                bytes.truncate(limit);
                body.abort.abort();
                break;
            }
        }
        Ok(bytes)
    }
}

/// A body that is being read. Its [`Abort`] closes the connection.
pub struct Body {
    reader: Option<ReadableStreamDefaultReader>,
    abort: Abort,
}

impl Body {
    /// The next bytes; `None` at the end.
    pub async fn next(&self) -> Result<Option<Vec<u8>>, HttpError> {
        let Some(reader) = &self.reader else {
            return Ok(None);
        };
        let piece = stream::next(reader).await;
        let piece = piece.map_err(|error| match self.abort.is_aborted() {
            true => HttpError::Stopped,
            false => HttpError::Broken(describe(&error)),
        })?;
        Ok(piece.map(|bytes| bytes.to_vec()))
    }
}

/// The origin of the page, which a service must allow.
pub fn own_origin() -> String {
    let origin = Reflect::get(&js_sys::global(), &JsValue::from_str("origin"));
    origin
        .ok()
        .and_then(|origin| origin.as_string())
        .unwrap_or_default()
}
