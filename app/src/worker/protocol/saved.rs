//! The list of saved repositories on the wire.

use serde::{Deserialize, Serialize};

use super::KeyView;

/// A request about saved repositories. Each ends with a [`SavedView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SavedRequest {
    List,
    /// Look for index files beside the page first; from then on, lists name them.
    LookBeside,
    /// Show the page's own site this access token from now on, or none; then look again.
    ShowToken {
        token: Option<KeyView>,
    },
    /// The following list holds the remaining repositories.
    Delete {
        repo: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedView {
    pub repos: Vec<SavedRepoView>,
    /// Bytes used and allowed, if the browser reports them.
    pub used_bytes: Option<f64>,
    pub quota_bytes: Option<f64>,
    /// False if nothing can be saved (private mode).
    pub available: bool,
    /// The index files beside the page, if it was asked to look for them.
    pub hosted: Vec<HostedView>,
    /// Set if the page's own site answers questions over all of these.
    pub server: Option<ServerView>,
}

/// The page's own site as a server of many repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerView {
    /// Whether it shows more to those who have an access token.
    pub takes_tokens: bool,
    /// Whether it is shown one now.
    pub has_token: bool,
}

/// An index file beside the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostedView {
    /// The name of the repository.
    pub name: String,
    pub file: String,
    pub bytes: f64,
    pub files: u32,
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
    /// Saved by another version of Footnote; it cannot be opened.
    OtherVersion,
    /// Its record cannot be read; opening it shows what is left.
    Damaged,
}
