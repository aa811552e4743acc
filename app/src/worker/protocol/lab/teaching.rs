//! The wire's part on teaching: what a repository learns from, how that goes, and what came of it.

use serde::{Deserialize, Serialize};

/// What is asked of the teaching of the open repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTeachRequest {
    /// What the repository was taught. Ends with `Taught`.
    Show,
    /// Teaches it. `Learning`, then `Taught` at the end.
    Begin(LabCurriculumView),
    /// From which percentage of certainty on a file belongs to the answer. Ends with `Taught`.
    Threshold(u32),
    /// Forgets what it was taught. Ends with `Taught`.
    Forget,
    /// What it was taught as a file. Ends with `Exported`.
    Export,
    /// What was taught in another browser; the file travels beside the request. Ends with `Taught`.
    Read { file_name: String },
}

/// What is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTeachEvent {
    Learning(LabLearningView),
    /// `None` if the repository was taught nothing.
    Taught(Option<LabTaughtView>),
}

/// What a repository learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabCurriculumView {
    /// Questions that code makes, so many at most; 0 for none.
    pub made: u32,
    /// The set that the laboratory holds.
    pub set: bool,
    /// The answers that the user rated good.
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

/// How far learning is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabLearningView {
    /// Questions that it learns from; 0 while they are made.
    pub questions: u32,
    /// Parts of the work.
    pub done: u32,
    pub total: u32,
    pub curve: Vec<LabPointView>,
}

/// A point of the learning curve, each share between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPointView {
    pub epoch: u32,
    /// Of the questions learnt from, how many have exactly the right files.
    pub learnt: f32,
    /// The same of the questions that were left out.
    pub left_out: f32,
}

/// Shares of questions, each between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabMarksView {
    /// Exactly the right files.
    pub exact: f32,
    /// Right files that were named.
    pub recall: f32,
    /// The best file is right.
    pub first: f32,
}

/// What a repository was taught.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabTaughtView {
    pub questions: u32,
    /// Questions that the marks are of.
    pub measured: u32,
    /// Files that questions lead to.
    pub files: u32,
    pub bytes: u32,
    /// How long it took, if it was taught in this page.
    pub seconds: Option<f64>,
    pub untaught: LabMarksView,
    pub calibrated: LabMarksView,
    pub taught: LabMarksView,
    pub shuffled: LabMarksView,
    /// Whether the gain is a gain: more than untaught, and not by shuffled files too.
    pub is_worth_it: bool,
    /// In percent.
    pub threshold: u32,
    /// Files whose text changed since.
    pub changed: Vec<String>,
    /// Files that are gone since.
    pub gone: Vec<String>,
    pub curve: Vec<LabPointView>,
    /// What the reader should know: questions that were left out.
    pub note: Option<String>,
    /// Why it is forgotten when the page is left, if it could not be saved.
    pub unsaved: Option<String>,
}
