//! Loads the indexes of saved repositories.

use std::convert::Infallible;

use footnote_core::index::{Index, format};
use footnote_core::job::Progress;

use super::cancel::Cancel;
use super::notices;
use super::records::readable;
use super::services::Services;
use super::slices::run;
use crate::worker::protocol::Notice;

/// Loads the index of a saved repository; `None` if it was stopped. Only data saved by an older
/// version takes so long that there is progress to report.
pub async fn load(
    services: &Services,
    key: &str,
    cancel: &Cancel,
    mut report: impl FnMut(Progress),
) -> Result<Option<Index>, Notice> {
    let storage = &services.storage;
    let record = storage.record(key).await;
    let record = record.map_err(|error| notices::storage(&error))?;
    let record = record.ok_or_else(notices::not_saved)?;
    // A record that cannot be read says nothing about the data it belongs to.
    if record.format != 0 && !readable(record.format) {
        let detail = format!("format {}", record.format);
        return Err(notices::other_version(&record.name, &detail));
    }
    let sections = storage.sections(key).await;
    let sections = sections.map_err(|error| notices::storage(&error))?;
    let opened =
        format::open(sections).map_err(|error| notices::unreadable_index(&record.name, &error))?;
    let report = |_: &format::Opened, progress| report(progress);
    let index: Result<_, Infallible> = run(opened, cancel, report).await;
    match index {
        Ok(index) => Ok(index),
        Err(never) => match never {},
    }
}
