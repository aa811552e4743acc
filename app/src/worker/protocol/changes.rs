//! The wire's part on what changed between the open repository and another version of it that is
//! saved.

use serde::{Deserialize, Serialize};

use super::{PeekView, PlaceView, SpanView};

/// What is asked about two versions: the open repository, and the saved one named by its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangesRequest {
    /// What changed. Tells `Compared`.
    Compare { repo: String },
    /// A question about that. Tells `Answered`.
    Ask { repo: String, question: String },
    /// Lines of the saved version. Tells `Lines`.
    Lines { repo: String, place: PlaceView },
}

/// What is told of two versions; each job ends with one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ChangesEvent {
    Compared(ChangesView),
    Answered(ChangedAnswerView),
    Lines(PeekView),
}

/// What changed from the older to the newer version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangesView {
    /// Key of the saved version that the open one was compared with.
    pub repo: String,
    /// What the versions are called.
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
    /// In the newer version, else in the older one.
    pub path: String,
    /// Such as `added`, or `was requests/api.py`.
    pub what: String,
    /// Definitions first, then what differs outside of them.
    pub entries: Vec<ChangeView>,
    /// Entries that are not among these; a file can have thousands.
    pub more: u32,
}

/// One thing that changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangeView {
    /// Such as `signature`, `body`, `added`.
    pub what: String,
    /// Such as `Session.send`; empty for what is outside of definitions.
    pub name: String,
    /// It came or went with the definition that it belongs to.
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
    /// Why there is no statement, a sentence.
    pub nothing: Option<String>,
}

/// A sentence with the lines that carry it, and the entries of its list.
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
    /// Of the open repository, or of the saved one.
    pub is_open: bool,
    pub place: PlaceView,
}
