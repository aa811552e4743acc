//! Requests and events as bytes (postcard), and as messages. A request travels as `[head, body]`: the
//! head is its bytes, the body the files that belong to it, which the browser hands over unread. An
//! event travels as its bytes; an empty message is the engine's sign of life.

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

use super::protocol::{Event, JobId, Request};

/// Why a message could not be understood: page and engine are of different versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message between page and engine was not understood ({0}); reload the page")]
pub struct WireError(pub String);

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(value).map_err(|error| WireError(error.to_string()))
}

pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    postcard::from_bytes(bytes).map_err(|error| WireError(error.to_string()))
}

/// A request as a message, and the buffers in it that are handed over instead of copied.
pub fn request_message(
    job: JobId,
    request: &Request,
    body: &JsValue,
) -> Result<(Array, Array), WireError> {
    let head = Uint8Array::from(encode(&(job, request))?.as_slice());
    let transfer = Array::of1(&head.buffer());
    Ok((Array::of2(&head, body), transfer))
}

/// The request in a message, and its body.
pub fn read_request(message: &JsValue) -> Result<(JobId, Request, JsValue), WireError> {
    let parts: &Array = message
        .dyn_ref()
        .ok_or_else(|| WireError("not a list".to_owned()))?;
    let head: Uint8Array = parts
        .get(0)
        .dyn_into()
        .map_err(|_| WireError("no head".to_owned()))?;
    let (job, request) = decode(&head.to_vec())?;
    Ok((job, request, parts.get(1)))
}

/// The event in a message; `None` is a sign of life.
pub fn read_event(message: &JsValue) -> Result<Option<(JobId, Event)>, WireError> {
    let bytes: &Uint8Array = message
        .dyn_ref()
        .ok_or_else(|| WireError("not bytes".to_owned()))?;
    if bytes.length() == 0 {
        return Ok(None);
    }
    decode(&bytes.to_vec()).map(Some)
}
