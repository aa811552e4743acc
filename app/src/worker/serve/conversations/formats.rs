//! The formats for saving a conversation; a new one needs a file with a [`Format`], and a row in
//! [`ALL`].

use footnote_core::index::Index;

use super::parts::Handout;
use super::{exchange, html, markdown};
use crate::worker::serve::export;

/// Also receives the open repository and its key.
pub type Write = fn(&Handout<'_>, &Index, &str) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// In the order in which they are offered.
pub const ALL: [Format; 3] = [html::FORMAT, markdown::FORMAT, exchange::FORMAT];
