//! Whether a file has changed, without reading it.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// Differs when a file was replaced or written. Only a write within one tick of the file system's
/// clock that leaves the length as it was goes unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Tells a file from the one that replaced it, where the system numbers files.
    number: u64,
}

impl Stamp {
    /// `None` if there is no such file.
    pub fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|it| Self::from(&it))
    }

    pub fn length(&self) -> u64 {
        self.length
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let number = 0;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            number,
        }
    }
}
