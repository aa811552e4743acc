//! The `.git` folder of a clone → which commits touched which file, by their subjects.
//!
//! Read from memory, with own code: published readers open packs by their path and map them, and
//! what is needed here is little. [`files`] holds the bytes, [`object`] and [`pack`] understand
//! them, [`store`] finds an object by its name and [`walk`] follows the commits. Nothing here
//! fails: what cannot be read ends the history early. Repositories with SHA-256 names have none.

mod files;
mod object;
mod pack;
mod store;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use files::is_history;
pub use files::is_worth_listing;
pub(super) use files::{GitFiles, MAX_GIT_FILE_BYTES};
pub(super) use walk::Walk;

use std::collections::BTreeMap;

use super::FileId;

/// Subjects of the commits that touched each file. Empty where an archive holds no `.git`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Newest first.
    pub subjects: Vec<String>,
    /// Indices into `subjects`, ascending.
    pub files: BTreeMap<FileId, Vec<u32>>,
}

impl History {
    /// Whether no commits of any file are known.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The subjects of the commits that touched `file`, newest first.
    pub fn of(&self, file: FileId) -> impl Iterator<Item = &str> {
        let at = self.files.get(&file).into_iter().flatten();
        at.filter_map(|&at| self.subjects.get(at as usize).map(String::as_str))
    }
}
