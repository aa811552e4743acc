//! Descriptions on the wire: what the parts of the repository do, in words.

use serde::{Deserialize, Serialize};

/// A request about the descriptions of the open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabDescribeRequest {
    /// The descriptions of the parts whose path, name or description contains these words. Ends
    /// with `Described`.
    Show { filter: String },
    /// Delete what models wrote. Ends with `Described`.
    Forget,
    /// All descriptions as a file, including those written by code. Ends with `Exported`.
    Export,
    /// Read descriptions saved earlier; the file is attached to the request. Ends with `Described`.
    Read { file_name: String },
}

/// The parts that a model is to describe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabDescribeOrderView {
    pub scope: LabDescribeScope,
    /// Name of a prompt.
    pub prompt: String,
}

/// Which parts are described.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LabDescribeScope {
    /// All code.
    #[default]
    All,
    /// The contents of a folder, or a file.
    Folder(String),
    /// The best hits of a question.
    Best { question: String, count: u32 },
}

/// The descriptions so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabDescribedView {
    /// Number of parts in the repository.
    pub parts: u32,
    /// Number of parts that a model described, and how many of these are doubtful.
    pub by_model: u32,
    pub doubtful: u32,
    /// The first parts that pass the filter, those described by a model first.
    pub shown: Vec<LabTextView>,
    /// Number of parts that pass the filter.
    pub found: u32,
    /// A note for the reader: why a run ended.
    pub note: Option<String>,
    /// Why the descriptions are lost when the page is closed, if they could not be saved.
    pub unsaved: Option<String>,
}

/// A part and its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabTextView {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub title: String,
    pub text: String,
    /// The model that wrote it; `None` if code did.
    pub model: Option<String>,
    pub doubts: Vec<String>,
}
