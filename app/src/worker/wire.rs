//! What the page and its workers send each other, as bytes (postcard).

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::DedicatedWorkerGlobalScope;

/// Why a message could not be understood: the page and the engine are of different versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message between page and engine was not understood ({0}); reload the page")]
pub struct WireError(pub String);

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(value).map_err(|error| WireError(error.to_string()))
}

pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    postcard::from_bytes(bytes).map_err(|error| WireError(error.to_string()))
}

/// Sends an event from a worker; its bytes are transferred.
pub fn post<T: Serialize>(scope: &DedicatedWorkerGlobalScope, event: &T) {
    if let Ok(bytes) = encode(event) {
        let bytes = Uint8Array::from(bytes.as_slice());
        let transfer = Array::of1(&bytes.buffer());
        // If a message cannot be sent, there is no one to receive it.
        let _ = scope.post_message_with_transfer(&bytes, &transfer);
    }
}
