//! Archive bytes or a dropped folder → [`Repo`]: cleaned paths and decoded text.
//!
//! Nothing here is trusted: entry counts, sizes, ratios, names, links and encodings are checked
//! against [`limits`]. A file that cannot be used becomes a [`Skipped`] with its reason; there is a
//! [`SourceError`] only if the whole archive cannot be used.

mod archive;
mod collect;
mod combined;
mod error;
mod filter;
mod folder;
mod git;
mod ignored;
pub mod limits;
mod meter;
pub(crate) mod path;
mod rules;
mod survey;
mod tar_reader;
#[cfg(test)]
mod tests;
mod text;
mod zip_reader;

pub use archive::{ArchiveReader, HEAD_BYTES, is_archive};
pub use error::{SkipReason, Skipped, SourceError, reasons};
pub use folder::{FolderReader, unwanted};
pub(crate) use git::is_commit;
pub use git::{History, address, is_worth_listing};
pub use limits::Limits;
pub use survey::{Row as SurveyRow, Scope, Survey};

/// A file of a [`Repo`]: the index into [`Repo::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// One readable text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path inside the repository, `/`-separated, without the archive's single top folder.
    pub path: String,
    /// The text, decoded to UTF-8, without byte-order mark; line ends are unchanged.
    pub text: String,
}

/// A repository after reading. `files` is sorted by path; paths are unique.
#[derive(Clone, Debug, Default)]
pub struct Repo {
    /// The display name, such as `requests-2.32.5`: the archive's top folder; without one, or if it
    /// is npm's `package`, the file name without the archive extension.
    pub name: String,
    /// The files that can be used; a [`FileId`] is a position in this list.
    pub files: Vec<SourceFile>,
    /// The files that were left out, each with the reason.
    pub skipped: Vec<Skipped>,
    /// The history from the commits, if the archive contains them.
    pub history: History,
}

impl Repo {
    /// The file with this id; `None` if the id belongs to another repository.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The files whose paths begin with `start`, such as `src/`.
    pub fn below<'r>(&'r self, start: &'r str) -> impl Iterator<Item = &'r SourceFile> {
        let first = self
            .files
            .partition_point(|file| file.path.as_str() < start);
        let files = self.files.iter().skip(first);
        files.take_while(move |file| file.path.starts_with(start))
    }

    /// The file at exactly `path`.
    pub fn find(&self, path: &str) -> Option<FileId> {
        let at = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        Some(FileId(at as u32))
    }

    /// A digest over all paths and texts: two archives with the same files are the same repository.
    pub fn digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for file in &self.files {
            hasher.update(&(file.path.len() as u64).to_le_bytes());
            hasher.update(file.path.as_bytes());
            hasher.update(&(file.text.len() as u64).to_le_bytes());
            hasher.update(file.text.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}
