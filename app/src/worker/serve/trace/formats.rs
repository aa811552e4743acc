//! The formats in which a trace is saved: a new one is a file with a [`Format`], and a row of
//! [`ALL`].

use super::doc::TraceDoc;
use super::{html, json};
use crate::worker::serve::export;

pub type Write = fn(&TraceDoc) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// As they are offered.
pub const ALL: [Format; 2] = [html::FORMAT, json::FORMAT];
