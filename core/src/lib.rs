//! Footnote's engine: archive bytes in, checked citations out.
//!
//! The pipeline, in the order the data flows: [`source`] (archive → files) → [`lang`] and [`parse`]
//! (files → symbols) → [`chunk`] (symbols → line ranges) → [`index`] and [`embed`] (words and
//! vectors) → [`search`] (question → hits) → [`compress`] (hits → the lines that matter) → [`answer`] (hits → statements with checked footnotes);
//! [`eval`] measures it.
//!
//! Invariants: no IO, no clock, no browser; parsing never fails; no panic on user data; a citation of
//! type [`answer::Verified`] was checked against stored text.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod answer;
pub mod chunk;
pub mod compress;
pub mod embed;
pub mod eval;
pub mod index;
pub mod job;
pub mod lang;
pub mod lines;
#[cfg(feature = "model")]
mod onnx;
pub mod parse;
pub mod search;
pub mod source;
