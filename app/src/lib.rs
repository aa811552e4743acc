//! Footnote in the browser. `ui` shows [`state`]; `worker` carries requests to the engine and back;
//! `platform` wraps one browser service a file.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod platform;
#[cfg(feature = "page")]
pub mod state;
#[cfg(feature = "page")]
pub mod ui;
pub mod words;
pub mod worker;
