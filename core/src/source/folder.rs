//! A dropped folder, file by file → [`Repo`], with the rules and limits of archives.

use super::collect::{Collector, TopFolder};
use super::error::{SkipReason, SourceError};
use super::git::{MAX_GIT_FILE_BYTES, is_history};
use super::limits::Limits;
use super::meter::Meter;
use super::{Repo, Scope, path, rules};
use crate::job::run_to_end;

/// Reads a folder whose files the browser passes in one by one, in any order.
#[derive(Debug)]
pub struct FolderReader {
    collector: Collector,
    meter: Meter,
}

/// Why the file at `path` need not be read from the disk, if its name and size are enough to say.
/// Pass the reason to [`FolderReader::skip`].
pub fn unwanted(path: &str, bytes: u64) -> Option<SkipReason> {
    if is_history(path) && bytes <= MAX_GIT_FILE_BYTES {
        return None;
    }
    if rules::version_control_folder(path).is_some() {
        return Some(SkipReason::VersionControl);
    }
    if let Some(reason) = rules::by_name(path) {
        return Some(reason);
    }
    // The first folder is the dropped one.
    if rules::is_installed(path, 1) {
        return Some(SkipReason::Vendored);
    }
    let limit = Limits::STANDARD.file_bytes;
    (bytes > limit).then_some(SkipReason::TooLarge { bytes, limit })
}

impl FolderReader {
    /// `name` is the name of the dropped folder.
    pub fn new(name: &str) -> Self {
        Self::with_limits(name, Limits::STANDARD)
    }

    /// [`new`](Self::new) with other limits.
    pub(crate) fn with_limits(name: &str, limits: Limits) -> Self {
        let name = path::file_name(name.trim_end_matches('/')).to_owned();
        Self {
            meter: Meter::new(0, limits, name.clone()),
            collector: Collector::new(name, limits),
        }
    }

    /// Reads only what is in the scope, if there is one.
    pub fn within(mut self, scope: Option<Scope>) -> Self {
        self.collector.scope = scope;
        self
    }

    /// Adds one file; `path` may start with the folder's name, as browsers pass it.
    ///
    /// # Errors
    /// [`SourceError`] if the folder as a whole exceeds a limit.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), SourceError> {
        self.collector.count_entry()?;
        self.meter.add(bytes.len() as u64)?;
        if let Some(path) = self.collector.wanted(path) {
            self.collector.keep(path, &bytes);
        }
        Ok(())
    }

    /// Notes a file that was not read, such as one that [`unwanted`] gives a reason for.
    ///
    /// # Errors
    /// [`SourceError`] if the folder as a whole exceeds a limit.
    pub fn skip(&mut self, path: &str, reason: SkipReason) -> Result<(), SourceError> {
        self.collector.count_entry()?;
        // Known reasons are found again, so that version control data takes only one line.
        if let Some(path) = self.collector.wanted(path).filter(|path| !is_history(path)) {
            self.collector.skip(&path, reason);
        }
        Ok(())
    }

    /// Number of files that are left out so far.
    pub fn skipped(&self) -> usize {
        self.collector.skipped.len()
    }

    /// Number of files that are kept so far; ignore rules may still remove some.
    pub fn files(&self) -> usize {
        self.collector.files.len()
    }

    /// The repository, with the folder's name.
    ///
    /// # Errors
    /// [`SourceError::NoFiles`], [`SourceError::NoSourceFiles`] and [`SourceError::TooMuchText`].
    pub fn finish(mut self) -> Result<Repo, SourceError> {
        self.collector.check_text()?;
        let name = self.collector.archive_name.clone();
        // Only the dropped folder's own name is removed: a single folder inside it is part of the
        // paths.
        if self.collector.top != TopFolder::One(name.clone()) {
            self.collector.top = TopFolder::Several;
        }
        run_to_end(self.collector.into_filter(name))
    }
}
