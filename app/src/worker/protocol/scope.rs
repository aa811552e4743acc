//! Which parts of a repository are read, if the user can choose.

use serde::{Deserialize, Serialize};

/// What could be read, known once the archive is unpacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScopeView {
    pub name: String,
    /// Each file is in exactly one of them; ordered by path.
    pub folders: Vec<FolderView>,
    /// Why files are not read, and how many; the most frequent reason first.
    pub skipped: Vec<(String, usize)>,
    /// Most bytes of text that can be read.
    pub most_bytes: u64,
    /// Milliseconds that a million bytes take on this machine; `None` if not known.
    pub ms_per_mb: Option<f64>,
    pub memory: MemoryView,
    /// Whether reading waits for the user's choice.
    pub is_waiting: bool,
}

/// A folder, without the folders below it that have rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderView {
    /// Empty for the top.
    pub folder: String,
    pub files: u64,
    pub bytes: u64,
    /// Whether folders below it have rows of their own.
    pub is_rest: bool,
}

/// The memory that a repository needs, in millions of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryView {
    /// With nothing open.
    pub empty: f64,
    /// For each million bytes of text.
    pub per_mb: f64,
    /// For each file.
    pub per_file: f64,
    /// The device's memory, if the browser reports it.
    pub device: Option<f64>,
}
