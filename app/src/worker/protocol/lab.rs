//! The laboratory on the wire: question sets, and how pipelines do on them.

mod describing;
mod judging;
mod review;
mod teaching;
mod writing;

use serde::{Deserialize, Serialize};

pub use self::describing::*;
pub use self::judging::*;
pub use self::review::*;
pub use self::teaching::*;
pub use self::writing::*;
use super::StrategyView;

/// A request to the laboratory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabRequest {
    /// What can be made and measured, and the last question set. `Set` if there is one, then
    /// `Offered` at the end.
    Offer,
    /// Make a set from the open repository; of all kinds if none is named. Ends with `Set`.
    Make {
        count: u32,
        seed: u32,
        kinds: Vec<String>,
    },
    /// Estimate the effort of a task for the connected model; nothing is sent. Ends with
    /// `Estimated`.
    Estimate(LabTask),
    /// Let the connected model do a task, if it is still the model that was granted. `Spending`,
    /// then the task's own event at the end.
    Run(LabTask, LabGrantView),
    /// Stop asking the connected model; the work done so far is kept and sent.
    Pause,
    /// Read a set from the user's file, which is attached to the request. Ends with `Set`.
    Read {
        file_name: String,
        /// Add the questions that the current set lacks, instead of replacing it.
        adds: bool,
    },
    /// Make a set of the answers that the user rated good. Ends with `Set`.
    Rated,
    /// Remove questions by their ids. Ends with `Left`.
    Leave { ids: Vec<String> },
    /// Ask all questions with each of these pipelines and compare the results with those of the one
    /// at `baseline`; without the transformer unless `closely` is set. `Progress`, then `Compared`
    /// at the end.
    Evaluate {
        pipelines: Vec<String>,
        baseline: u32,
        closely: bool,
    },
    /// Pair the answers of two pipelines to questions of the set, by code. `Progress`, then
    /// `Paired` at the end.
    Pair(LabPairingView),
    /// Store the user's choice for a pair. Ends with `Done`.
    Rate { id: String, choice: LabChoice },
    /// Ends with `Exported`.
    ExportSet { format: String },
    /// The set in a format for tools that tune models: an archive of files. Ends with `Exported`.
    ExportTuning {
        format: String,
        /// Percentage of the questions to hold out for measuring.
        valid: u32,
        seed: u32,
    },
    /// Ends with `Exported`.
    ExportRuns { format: String },
    /// Reviews of the set by people.
    Review(LabReviewRequest),
    /// Teaching the repository.
    Teach(LabTeachRequest),
    /// Descriptions of its chunks in words.
    Describe(LabDescribeRequest),
}

/// An event of the laboratory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabEvent {
    Offered(LabOfferView),
    Set(LabSetView),
    /// Questions that were removed from the set, and why the set may be lost if it could not be
    /// saved.
    Left {
        ids: Vec<String>,
        unsaved: Option<String>,
    },
    Estimated(LabEstimateView),
    Progress(LabProgressView),
    Spending(LabSpendingView),
    Compared(LabComparisonView),
    Unfinished(LabUnfinishedView),
    Paired(LabPairsView),
    Judged(LabVerdictView),
    Review(LabReviewEvent),
    Teaching(LabTeachEvent),
    Described(LabDescribedView),
}

/// What can be made and measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabOfferView {
    /// Kinds of questions that code can make.
    pub kinds: Vec<StrategyView>,
    /// Strategies for having a model write questions.
    pub strategies: Vec<StrategyView>,
    /// Prompts for having a model describe parts of the repository.
    pub prompts: Vec<StrategyView>,
    /// Formats of tools that tune models.
    pub tuning: Vec<StrategyView>,
    /// Formats for pairs of answers, one of which is preferred.
    pub preferences: Vec<StrategyView>,
    pub pipelines: Vec<StrategyView>,
}

/// A question set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabSetView {
    pub items: Vec<LabItemView>,
    /// Counts per kind of question made; empty for a set from a file.
    pub counts: Vec<LabCountView>,
    /// A note for the reader: why there are fewer questions than wanted, or which lines could not
    /// be read.
    pub note: Option<String>,
    /// What a model was asked to write, if one was, and the grant needed to continue.
    pub order: Option<(LabOrderView, LabGrantView)>,
    /// The work stopped before there were enough questions; it can be continued.
    pub is_partial: bool,
    /// Why the set may be lost, if it could not be saved.
    pub unsaved: Option<String>,
    /// Results obtained for it earlier.
    pub begun: LabBegunView,
}

/// A question with its gold lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabItemView {
    pub id: String,
    pub kind: String,
    pub question: String,
    pub answer: String,
    pub gold: Vec<LabGoldView>,
}

/// Lines that answer a question; 0 to 0 if only the file is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabGoldView {
    pub path: String,
    pub start: u32,
    pub end: u32,
}

/// The results for one kind of question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCountView {
    pub kind: String,
    /// Requests to a model.
    pub asked: u32,
    pub made: u32,
    pub kept: u32,
    /// Why other questions were dropped, with their number.
    pub dropped: Vec<(String, u32)>,
}

/// How far an evaluation has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabProgressView {
    pub done: u32,
    pub total: u32,
    pub pipeline: String,
}

/// The results of pipelines on a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabComparisonView {
    /// Number of questions in the set.
    pub n: u32,
    pub baseline: String,
    /// Whether the transformer was used.
    pub closely: bool,
    pub seconds: f64,
    /// One per pipeline.
    pub columns: Vec<LabColumnView>,
    /// The questions in groups, in several ways.
    pub groupings: Vec<LabGroupingView>,
    /// The ranks for each question, in the order of the set, up to a limit.
    pub ranks: Vec<LabRanksView>,
    /// One per pipeline whose files have a confidence.
    pub curves: Vec<LabCurveView>,
}

/// Recall and precision if all files of at least some confidence were taken, most confident first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCurveView {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// The results of one pipeline on a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabColumnView {
    pub name: String,
    pub title: String,
    /// Number of questions for which it returned nothing.
    pub missing: u32,
    /// In the order of [`LabComparisonView`]'s metrics, the same for all columns.
    pub cells: Vec<LabCellView>,
}

/// A mean with its 95 % interval and its difference from the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCellView {
    pub key: String,
    pub title: String,
    pub is_share: bool,
    pub higher_is_better: bool,
    pub mean: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub difference: Option<LabDifferenceView>,
}

/// A mean difference, paired by question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabDifferenceView {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
    pub p: f64,
}

/// One way to group the questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabGroupingView {
    /// What the questions of a group share, such as `kind`.
    pub by: String,
    pub groups: Vec<LabGroupView>,
}

/// One group of questions: nDCG@10 of each column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabGroupView {
    pub name: String,
    pub n: u32,
    pub values: Vec<Option<f64>>,
}

/// The rank at which each pipeline has the first right file of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRanksView {
    pub id: String,
    /// One per column, counted from 1; `None` if no right file is among the first ten.
    pub ranks: Vec<Option<u32>>,
}

impl LabRanksView {
    /// Whether a column is worse than the baseline; `baseline` is an index of the columns.
    pub fn has_worse(&self, baseline: usize) -> bool {
        let base = self.place(baseline);
        (0..self.ranks.len()).any(|at| self.place(at) > base)
    }

    /// Whether a column is better than the baseline.
    pub fn has_better(&self, baseline: usize) -> bool {
        let base = self.place(baseline);
        (0..self.ranks.len()).any(|at| self.place(at) < base)
    }

    /// The rank in a column; a file that was not found ranks after all found ones.
    fn place(&self, at: usize) -> u32 {
        self.ranks.get(at).copied().flatten().unwrap_or(u32::MAX)
    }
}

/// A stopped evaluation that can be continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabUnfinishedView {
    pub pipelines: Vec<String>,
    pub closely: bool,
    /// Number of answers so far, and of those wanted.
    pub done: u32,
    pub total: u32,
}
