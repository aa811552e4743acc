//! Changes between the open repository and another saved version of it, on the wire.

use serde::{Deserialize, Serialize};

use super::{PeekView, PlaceView, SpanView};

/// A request about two versions: the open repository, and the saved one identified by its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangesRequest {
    /// What changed. Event: `Compared`.
    Compare { repo: String },
    /// A question about the changes. Event: `Answered`.
    Ask { repo: String, question: String },
    /// Lines of the saved version. Event: `Lines`.
    Lines { repo: String, place: PlaceView },
}

/// An event about two versions; each job ends with one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ChangesEvent {
    Compared(ChangesView),
    Answered(ChangedAnswerView),
    Lines(PeekView),
}

/// What changed from the older to the newer version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangesView {
    /// Key of the saved version that the open repository was compared with.
    pub repo: String,
    /// Names of the versions.
    pub old: String,
    pub new: String,
    /// Whether the open repository is the newer one.
    pub is_open_newer: bool,
    /// Files with the same path and text in both.
    pub equal_files: u32,
    /// The others, by path.
    pub files: Vec<ChangedFileView>,
    pub milliseconds: f64,
}

/// A file that changed, and what changed in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangedFileView {
    /// In the newer version, or otherwise in the older one.
    pub path: String,
    /// For example `added`, or `was requests/api.py`.
    pub what: String,
    /// Definitions first, then changes outside them.
    pub entries: Vec<ChangeView>,
    /// Number of entries left out; a file can have thousands.
    pub more: u32,
}

/// One thing that changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangeView {
    /// For example `signature`, `body`, `added`.
    pub what: String,
    /// For example `Session.send`; empty for changes outside definitions.
    pub name: String,
    /// It was added or removed together with its definition.
    pub is_part: bool,
    /// Its lines in each version that has it.
    pub old: Option<PlaceView>,
    pub new: Option<PlaceView>,
}

/// The answer to a question about changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangedAnswerView {
    pub question: String,
    pub statements: Vec<ChangedStatementView>,
    /// Why there is no statement; a sentence.
    pub nothing: Option<String>,
}

/// A sentence with the lines that support it, and the entries of its list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangedStatementView {
    pub spans: Vec<SpanView>,
    pub notes: Vec<VersionedPlaceView>,
    pub items: Vec<ChangedItemView>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedItemView {
    pub name: String,
    pub detail: String,
    pub note: VersionedPlaceView,
}

/// Lines of one of the two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionedPlaceView {
    /// Whether they belong to the open repository or to the saved one.
    pub is_open: bool,
    pub place: PlaceView,
}
