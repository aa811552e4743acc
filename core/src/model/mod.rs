//! A language model's side: what it is sent, how services are spoken to, what it may ask for.
//!
//! [`prompt`] counts tokens, fences text and makes the messages; [`protocol`] turns them into a
//! service's request and its streamed bytes into events; [`tools`] answers what the model asks for;
//! `mend` reads JSON that it wrote. None of it knows the network.

pub(crate) mod mend;
pub mod prompt;
pub mod protocol;
pub mod tools;
