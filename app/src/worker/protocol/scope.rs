//! What of a repository is read, where the user has a say.

use serde::{Deserialize, Serialize};

/// What could be read, when it was unpacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScopeView {
    pub name: String,
    /// Each file is in one of them; in order of their paths.
    pub folders: Vec<FolderView>,
    /// Why files are not read, and how many; the most frequent first.
    pub skipped: Vec<(String, usize)>,
    /// Bytes of text that can be read at most.
    pub most_bytes: u64,
    /// Milliseconds that a million bytes will take here; `None` if that is not known.
    pub ms_per_mb: Option<f64>,
    pub memory: MemoryView,
    /// Whether nothing is read until the user chose.
    pub is_waiting: bool,
}

/// A folder, less those below it that have rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderView {
    /// Empty for the top.
    pub folder: String,
    pub files: u64,
    pub bytes: u64,
    /// Whether folders below it have rows of their own.
    pub is_rest: bool,
}

/// What a repository needs, in million bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryView {
    /// With nothing open.
    pub empty: f64,
    /// For each million bytes of text.
    pub per_mb: f64,
    /// For each file.
    pub per_file: f64,
    /// What the device has, where the browser tells.
    pub device: Option<f64>,
}
