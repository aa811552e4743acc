//! The protocols of language model services: requests as plain data, streamed bytes → events. No
//! HTTP.
//!
//! A [`Service`] is a kind and a cleaned address. [`models_request`] and [`chat_request`] build an
//! [`HttpRequest`], which the caller sends. A [`StreamReader`] takes the bytes of the response, in
//! whatever pieces they arrive, and returns [`StreamEvent`]s. [`classify()`] reads a response
//! without a success status, and [`Backoff`] says whether and when to try again. What differs
//! between services is in [`mod@services`], one file each.
//!
//! Invariants: a key is in a header that is marked as secret, never in an address, a body or a
//! message; how bytes are split never changes the events; a reader's memory is bounded.
//!
//! ```
//! use footnote_core::model::protocol::*;
//!
//! let service = Service::new(Kind::OLLAMA, "localhost:11434/")?;
//! let request = chat_request(&service, None, &Chat::new("qwen3:8b", "Answer briefly."));
//! assert_eq!(request.url, "http://localhost:11434/api/chat");
//!
//! let mut reader = StreamReader::new(service.kind);
//! let events = reader.push(b"{\"message\":{\"content\":\"Hello\"},\"done\":false}\n");
//! assert_eq!(events, [StreamEvent::Text("Hello".to_owned())]);
//! # Ok::<(), AddressError>(())
//! ```

mod address;
mod backoff;
mod chat;
mod classify;
mod failure;
mod framing;
mod http;
mod json;
mod listener;
mod models;
mod secret;
mod service;
mod services;
mod stream;
#[cfg(test)]
mod tests;
mod thoughts;
mod turn;

pub use address::AddressError;
pub use backoff::Backoff;
pub use chat::{Chat, ChatOption, Message, Sampling, Tool, ToolCall};
pub use classify::classify;
pub use failure::{Failure, Probe, Unreached};
pub use http::{Header, HttpRequest};
pub use listener::Listener;
pub use models::{ModelInfo, model_request, models_request, read_model, read_models};
pub use secret::{Secret, SecretError};
pub use service::Service;
pub use services::{Kind, PRESETS, Preset};
pub use stream::{FinishReason, StreamEvent, StreamReader};
pub use thoughts::Thoughts;

/// The request to `service` for the next message of `chat`, as a stream.
pub fn chat_request(service: &Service, secret: Option<&Secret>, chat: &Chat) -> HttpRequest {
    let (url, body) = (service.kind.spec().chat)(service, chat);
    HttpRequest::post(url, service.kind, secret, body.to_string())
}
