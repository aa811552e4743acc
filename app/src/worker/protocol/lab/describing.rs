//! The wire's part on descriptions: what the parts of the repository do, in words.

use serde::{Deserialize, Serialize};

/// What is asked of the descriptions of the open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabDescribeRequest {
    /// What is described, of the parts whose path, name or description holds these words. Ends with
    /// `Described`.
    Show { filter: String },
    /// Forgets what models wrote. Ends with `Described`.
    Forget,
    /// All descriptions as a file, those of code among them. Ends with `Exported`.
    Export,
    /// Descriptions that were saved before; the file travels beside the request. Ends with
    /// `Described`.
    Read { file_name: String },
}

/// Parts that a model is to describe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabDescribeOrderView {
    pub scope: LabDescribeScope,
    /// The name of a prompt.
    pub prompt: String,
}

/// Which parts are described.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LabDescribeScope {
    /// All code.
    #[default]
    All,
    /// What lies in a folder, or a file.
    Folder(String),
    /// The best hits of a question.
    Best { question: String, count: u32 },
}

/// What is described.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabDescribedView {
    /// Parts of the repository.
    pub parts: u32,
    /// Of these, the ones that a model described, and those of them that are doubtful.
    pub by_model: u32,
    pub doubtful: u32,
    /// The first parts that the filter leaves, a model's first.
    pub shown: Vec<LabTextView>,
    /// How many it leaves.
    pub found: u32,
    /// What the reader should know: why a run ended.
    pub note: Option<String>,
    /// Why it is forgotten when the page is left, if it could not be saved.
    pub unsaved: Option<String>,
}

/// A part and what it does, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabTextView {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub title: String,
    pub text: String,
    /// The model that wrote it; none if code did.
    pub model: Option<String>,
    pub doubts: Vec<String>,
}
