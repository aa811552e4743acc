//! The formats in which a lesson is saved: a new one is a file with a [`Format`], and a row of
//! [`ALL`].

use footnote_core::lesson::Lesson;

use super::{html, json};
use crate::worker::serve::export;

pub type Write = fn(&Lesson) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// As they are offered.
pub const ALL: [Format; 2] = [html::FORMAT, json::FORMAT];
