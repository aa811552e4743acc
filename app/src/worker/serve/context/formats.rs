//! The formats in which a context is saved: a new one is a file with a [`Format`], and a row of
//! [`ALL`].

use super::doc::ContextDoc;
use super::{Inspected, html, json};
use crate::worker::serve::export;

/// Given what the document was made of too.
pub type Write = fn(&ContextDoc, &Inspected) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// As they are offered.
pub const ALL: [Format; 2] = [html::FORMAT, json::FORMAT];
