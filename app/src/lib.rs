//! Footnote in the browser. `ui` shows [`state`]; `worker` carries requests to the engine and
//! brings back its events; `platform` wraps the browser's services, one per file.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod platform;
#[cfg(feature = "page")]
pub mod state;
#[cfg(feature = "page")]
pub mod ui;
pub mod words;
pub mod worker;
