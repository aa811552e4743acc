//! The formats for saving a report card; a new one needs a file with a [`Format`], and a row in
//! [`ALL`].

use super::csv;
use crate::worker::protocol::ReportView;
use crate::worker::serve::export;

pub type Write = fn(&ReportView) -> Result<String, serde_json::Error>;
pub type Format = export::Format<Write>;

/// In the order in which they are offered.
pub const ALL: [Format; 1] = [csv::FORMAT];
