//! The `.git` folder of a clone → the subjects of the commits that touched each file.
//!
//! Read from memory by code of our own: published readers open packs by path and map them, and
//! little is needed here. [`files`] holds the bytes, [`object`] and [`pack`] parse them, [`store`]
//! finds an object by its name, [`walk`] follows the commits, and [`origin`] reads where a clone or
//! an archive comes from. Nothing here fails: unreadable
//! data ends the history early. Repositories with SHA-256 names have no history.

mod files;
mod object;
mod origin;
mod pack;
mod store;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use files::is_history;
pub use files::is_worth_listing;
pub(super) use files::{GitFiles, MAX_GIT_FILE_BYTES};
pub use origin::address;
pub(super) use origin::commit_in;
pub(crate) use origin::is_commit;
pub(super) use walk::Walk;

use std::collections::BTreeMap;

use super::FileId;

/// Subjects of the commits that touched each file. Empty if an archive has no `.git`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The commit that the files are of, as 40 hexadecimal digits, if the archive names it.
    pub commit: Option<String>,
    /// The web address of the repository that was cloned, as [`address`] gives it.
    pub remote: Option<String>,
    /// Newest first.
    pub subjects: Vec<String>,
    /// Indices into `subjects`, ascending.
    pub files: BTreeMap<FileId, Vec<u32>>,
}

impl History {
    /// Whether there are no subjects for any file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The subjects of the commits that touched `file`, newest first.
    pub fn of(&self, file: FileId) -> impl Iterator<Item = &str> {
        let at = self.files.get(&file).into_iter().flatten();
        at.filter_map(|&at| self.subjects.get(at as usize).map(String::as_str))
    }
}
