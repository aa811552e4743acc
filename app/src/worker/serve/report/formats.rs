//! The formats in which a report card is saved: a new one is a file with a [`Format`], and a row of
//! [`ALL`].

use super::csv;
use crate::worker::protocol::ReportView;
use crate::worker::serve::export;

pub type Write = fn(&ReportView) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// As they are offered.
pub const ALL: [Format; 1] = [csv::FORMAT];
