//! Talking to a language model: what it is sent, how to speak to services, and what it may ask for.
//!
//! [`prompt`] counts tokens, fences text and writes the messages; [`protocol`] turns them into a
//! service's request, and its streamed bytes into events; [`tools`] answers the model's tool calls;
//! `mend` reads JSON that it wrote. None of it uses the network.

pub(crate) mod mend;
pub mod prompt;
pub mod protocol;
pub mod tools;
