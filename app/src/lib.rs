//! Footnote in the browser. `ui` shows [`state`]; `worker` carries requests to the engine and back;
//! `platform` wraps one browser service a file.

pub mod worker;
