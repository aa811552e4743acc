//! The wire's part on the list of saved repositories.

use serde::{Deserialize, Serialize};

/// What is asked about what is saved. Both end with a [`SavedView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SavedRequest {
    List,
    /// The list that follows holds what is left.
    Delete {
        repo: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedView {
    pub repos: Vec<SavedRepoView>,
    /// Bytes used and allowed, where the browser tells.
    pub used_bytes: Option<f64>,
    pub quota_bytes: Option<f64>,
    /// False where nothing can be saved (private mode).
    pub available: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRepoView {
    pub repo: String,
    pub name: String,
    pub files: u32,
    pub chunks: u32,
    pub vectors: u32,
    pub bytes: f64,
    /// Milliseconds since 1970.
    pub opened_at: f64,
    pub state: SavedState,
}

/// Whether a saved repository can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SavedState {
    Whole,
    /// Another version of Footnote saved it; it cannot be opened.
    OtherVersion,
    /// What is known of it cannot be read; opening it shows what is left.
    Damaged,
}
