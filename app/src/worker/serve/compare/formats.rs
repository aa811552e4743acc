//! The formats for saving a comparison; a new one needs a file with a [`Format`], and a row in
//! [`ALL`].

use super::doc::CompareDoc;
use super::{html, json};
use crate::worker::serve::export;

pub type Write = fn(&CompareDoc) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// In the order in which they are offered.
pub const ALL: [Format; 2] = [html::FORMAT, json::FORMAT];
