//! The formats for saving a context; a new one needs a file with a [`Format`], and a row in
//! [`ALL`].

use super::doc::ContextDoc;
use super::{Inspected, html, json};
use crate::worker::serve::export;

/// Also receives the data that the document was made from.
pub type Write = fn(&ContextDoc, &Inspected) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// In the order in which they are offered.
pub const ALL: [Format; 2] = [html::FORMAT, json::FORMAT];
