//! The formats in which a conversation is saved: a new one is a file with a [`Format`], and a row
//! of [`ALL`].

use footnote_core::index::Index;

use super::parts::Handout;
use super::{exchange, html, markdown};
use crate::worker::serve::export;

/// Given the open repository and its key too.
pub type Write = fn(&Handout<'_>, &Index, &str) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// As they are offered.
pub const ALL: [Format; 3] = [html::FORMAT, markdown::FORMAT, exchange::FORMAT];
