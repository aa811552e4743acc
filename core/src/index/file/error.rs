//! Why an index file is refused.

use super::{FILE_VERSION, OLDEST_READABLE};
use crate::index::format::{FORMAT_VERSION, FormatError, OLDEST_READABLE as OLDEST_INDEX};

/// Why bytes cannot be opened as an index file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is something else.
    #[error("This is not an index file. Drop an archive, or a file that ends in .footnote")]
    Foreign,
    /// Written by a newer Footnote, in a way that this one cannot read.
    #[error(
        "This index file has version {found}, but this Footnote reads versions {OLDEST_READABLE} to {FILE_VERSION}. Use a newer Footnote, or make the file again with this one"
    )]
    TooNew {
        /// The version it was written in.
        found: u32,
    },
    /// Written by a Footnote that is too old.
    #[error(
        "This index file has version {found}, but this Footnote reads versions {OLDEST_READABLE} to {FILE_VERSION}. Make it again from its archive"
    )]
    TooOld {
        /// The version it was written in.
        found: u32,
    },
    /// The index inside has another version than this Footnote reads.
    #[error(
        "The index inside this file has format version {found}, but this Footnote reads versions {OLDEST_INDEX} to {FORMAT_VERSION}. Make the file again from its archive with this Footnote"
    )]
    OtherIndex {
        /// The version of the index.
        found: u32,
    },
    /// It ends too early.
    #[error(
        "This index file is cut short: it has {found} bytes, but its part “{section}” ends at \
         {expected}. Copy or download it again"
    )]
    Cut {
        /// Name of the first section that is not there as a whole.
        section: String,
        /// How many bytes the file has.
        found: u64,
        /// How many it needs for that section.
        expected: u64,
    },
    /// A section is missing.
    #[error("This index file lacks its part “{section}”. Make it again from its archive")]
    Missing {
        /// Name of the section.
        section: String,
    },
    /// A digest does not match, or the bytes cannot be read.
    #[error(
        "This index file is damaged: {detail} (part “{section}”). Copy or download it again, or make it again from its archive"
    )]
    Damaged {
        /// Name of the section.
        section: String,
        /// What is wrong.
        detail: String,
    },
    /// It says that it holds more than a Footnote opens.
    #[error(
        "This index file is refused: its part “{section}” unpacks to {bytes} bytes, and the limit \
         is {limit}. Index only a part of the repository"
    )]
    TooLarge {
        /// Name of the section.
        section: String,
        /// What it unpacks to.
        bytes: u64,
        /// How much may be read.
        limit: u64,
    },
    /// A path leads outside the repository, or deceives.
    #[error(
        "This index file is refused: “{path}” is not a path inside a repository. Do not use the file, and make one from the archive yourself"
    )]
    UnsafePath {
        /// The path, escaped for display.
        path: String,
    },
    /// Its source text was left out, so that nothing it says could be checked.
    #[error(
        "This index file was made without source text, so no citation could be checked. {}",
        beside(.archive.as_deref())
    )]
    WithoutText {
        /// The file name of the archive that has the text, if known.
        archive: Option<String>,
    },
    /// The archive beside it is another one.
    #[error(
        "This index file was made from another archive: {detail}. Open it with the archive it was made from, or open the archive alone"
    )]
    OtherArchive {
        /// What differs.
        detail: String,
    },
}

fn beside(archive: Option<&str>) -> String {
    match archive {
        Some(name) => format!("Open the archive {name} instead, or ask for a file with text"),
        None => "Open its archive instead, or ask for a file with text".to_owned(),
    }
}

impl FileError {
    pub(super) fn damaged(section: &str, detail: impl ToString) -> Self {
        Self::Damaged {
            section: section.to_owned(),
            detail: detail.to_string(),
        }
    }
}

impl From<FormatError> for FileError {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::OtherVersion { found } => Self::OtherIndex { found },
            FormatError::Missing { section } => Self::Missing {
                section: section.to_owned(),
            },
            FormatError::Damaged { section, detail } => Self::damaged(section, detail),
        }
    }
}
