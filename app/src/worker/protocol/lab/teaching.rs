//! Teaching on the wire: what a repository learns from, its progress and its results.

use serde::{Deserialize, Serialize};

/// A request about teaching the open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTeachRequest {
    /// Show what the repository was taught. Ends with `Taught`.
    Show,
    /// Teach it. `Learning`, then `Taught` at the end.
    Begin(LabCurriculumView),
    /// Teach it again after it changed: questions that still hold are kept, and those about files
    /// that changed are made anew. `Learning`, then `Taught` at the end.
    Renew,
    /// Set the confidence, in percent, from which a file belongs to the answer. Ends with `Taught`.
    Threshold(u32),
    /// Delete what it was taught. Ends with `Taught`.
    Forget,
    /// Export what it was taught. Ends with `Exported`.
    Export,
    /// Read what was taught in another browser; the file is attached to the request. Ends with
    /// `Taught`.
    Read { file_name: String },
}

/// An event of teaching.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTeachEvent {
    Learning(LabLearningView),
    /// `None` if the repository was not taught.
    Taught(Option<LabTaughtView>),
}

/// What a repository learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabCurriculumView {
    /// Greatest number of questions made by code; 0 for none.
    pub made: u32,
    /// Whether to include the laboratory's set.
    pub set: bool,
    /// Whether to include the answers that the user rated good.
    pub rated: bool,
    pub seed: u32,
}

impl Default for LabCurriculumView {
    fn default() -> Self {
        Self {
            made: 2_000,
            set: false,
            rated: true,
            seed: 1,
        }
    }
}

/// Progress of learning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabLearningView {
    /// Number of questions to learn from; 0 while they are being made.
    pub questions: u32,
    /// Parts of the work that are done.
    pub done: u32,
    pub total: u32,
    pub curve: Vec<LabPointView>,
}

/// A point of the learning curve, each share between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPointView {
    pub epoch: u32,
    /// Share of the learnt questions with exactly the right files.
    pub learnt: f32,
    /// The same share for the held-out questions.
    pub left_out: f32,
}

/// Shares of questions, each between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabMarksView {
    /// Questions with exactly the right files.
    pub exact: f32,
    /// Right files that were found.
    pub recall: f32,
    /// Questions whose best file is right.
    pub first: f32,
}

/// What a repository was taught.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabTaughtView {
    pub questions: u32,
    /// Number of questions that were measured.
    pub measured: u32,
    /// Number of files that questions lead to.
    pub files: u32,
    pub bytes: u32,
    /// How long it took, if it was taught on this page.
    pub seconds: Option<f64>,
    pub untaught: LabMarksView,
    pub calibrated: LabMarksView,
    pub taught: LabMarksView,
    pub shuffled: LabMarksView,
    /// Whether the gain is real: better than untaught, and not matched with shuffled files.
    pub is_worth_it: bool,
    /// In percent.
    pub threshold: u32,
    /// Files whose text has changed since.
    pub changed: Vec<String>,
    /// Files that no longer exist.
    pub gone: Vec<String>,
    pub curve: Vec<LabPointView>,
    /// A note for the reader: questions that were left out.
    pub note: Option<String>,
    /// Why it is lost when the page is closed, if it could not be saved.
    pub unsaved: Option<String>,
}
