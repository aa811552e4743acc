//! The wire's part on the laboratory: a set of questions, and what pipelines make of it.

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

/// What is asked of the laboratory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabRequest {
    /// What can be made and measured, and the set that was worked on last. `Set` if there is one,
    /// then `Offered` at the end.
    Offer,
    /// A set out of the open repository; of all kinds if none is named. Ends with `Set`.
    Make {
        count: u32,
        seed: u32,
        kinds: Vec<String>,
    },
    /// What work for the connected model takes; nothing is sent. Ends with `Estimated`.
    Estimate(LabTask),
    /// Has the connected model do it, if it is still the one that was granted. `Spending`, then
    /// what the task says at the end.
    Run(LabTask, LabGrantView),
    /// Ends what asks the connected model; what it made so far is kept and told.
    Pause,
    /// A set that the user brings; its file travels beside the request. Ends with `Set`.
    Read {
        file_name: String,
        /// To the set that is there, what that lacks.
        adds: bool,
    },
    /// The answers that the user rated good, as a set. Ends with `Set`.
    Rated,
    /// Leaves questions out, by their ids. Ends with `Left`.
    Leave { ids: Vec<String> },
    /// Asks all questions, by each of these pipelines, and holds them against the one at
    /// `baseline`; without the transformer unless it reads closely. `Progress`, then `Compared` at
    /// the end.
    Evaluate {
        pipelines: Vec<String>,
        baseline: u32,
        closely: bool,
    },
    /// Answers of two pipelines to questions of the set, by code. `Progress`, then `Paired` at the
    /// end.
    Pair(LabPairingView),
    /// The user's own word on a pair. Ends with `Done`.
    Rate { id: String, choice: LabChoice },
    /// Ends with `Exported`.
    ExportSet { format: String },
    /// The set in a format of tools that tune models: an archive of files. Ends with `Exported`.
    ExportTuning {
        format: String,
        /// Of the questions, in percent, to measure on.
        valid: u32,
        seed: u32,
    },
    /// Ends with `Exported`.
    ExportRuns { format: String },
    /// What people say of the set.
    Review(LabReviewRequest),
    /// What the repository is taught.
    Teach(LabTeachRequest),
    /// What its parts do, in words.
    Describe(LabDescribeRequest),
}

/// What is told of the laboratory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabEvent {
    Offered(LabOfferView),
    Set(LabSetView),
    /// Questions that are in the set no more, and why the set may not survive that.
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
    /// Kinds of questions that code makes.
    pub kinds: Vec<StrategyView>,
    /// Strategies by which a model writes questions.
    pub strategies: Vec<StrategyView>,
    /// Prompts by which a model describes parts of the repository.
    pub prompts: Vec<StrategyView>,
    /// Formats of tools that tune models.
    pub tuning: Vec<StrategyView>,
    /// Formats of pairs of answers, of which one is the better.
    pub preferences: Vec<StrategyView>,
    pub pipelines: Vec<StrategyView>,
}

/// A set of questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabSetView {
    pub items: Vec<LabItemView>,
    /// Of what was made; empty for a set that was brought.
    pub counts: Vec<LabCountView>,
    /// What the reader should know: why there are fewer than wanted, which lines could not be read.
    pub note: Option<String>,
    /// What a model was asked to write, if one was, and what it takes to go on with that.
    pub order: Option<(LabOrderView, LabGrantView)>,
    /// That was ended before there were enough questions; it can go on.
    pub is_partial: bool,
    /// Why the set may not survive, if it could not be saved.
    pub unsaved: Option<String>,
    /// What was said of it before.
    pub begun: LabBegunView,
}

/// A question with what answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabItemView {
    pub id: String,
    pub kind: String,
    pub question: String,
    pub answer: String,
    pub gold: Vec<LabGoldView>,
}

/// Lines that answer; from 0 to 0 where only the file is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabGoldView {
    pub path: String,
    pub start: u32,
    pub end: u32,
}

/// What came of one kind of question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCountView {
    pub kind: String,
    /// Requests to a model.
    pub asked: u32,
    pub made: u32,
    pub kept: u32,
    /// Why others were dropped, with how many.
    pub dropped: Vec<(String, u32)>,
}

/// How far an evaluation is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabProgressView {
    pub done: u32,
    pub total: u32,
    pub pipeline: String,
}

/// What pipelines made of a set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabComparisonView {
    /// Questions of the set.
    pub n: u32,
    pub baseline: String,
    /// Whether the transformer read.
    pub closely: bool,
    pub seconds: f64,
    /// One a pipeline.
    pub columns: Vec<LabColumnView>,
    /// The questions in groups, in several ways.
    pub groupings: Vec<LabGroupingView>,
    /// Of each question, up to a limit; those that a pipeline lost most on come first.
    pub ranks: Vec<LabRanksView>,
    /// One a pipeline whose files have a confidence.
    pub curves: Vec<LabCurveView>,
}

/// What taking all files of at least some confidence would give: recall and precision, the most
/// confident first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCurveView {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What one pipeline made of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabColumnView {
    pub name: String,
    pub title: String,
    /// Questions that it gave nothing for.
    pub missing: u32,
    /// In the order of [`LabComparisonView`]'s metrics, the same for all columns.
    pub cells: Vec<LabCellView>,
}

/// A mean, with its interval of 95 % and what sets it apart from the baseline.
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
    /// What the questions of a group have in common, such as `kind`.
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

/// Where each pipeline ranks the first right file of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRanksView {
    pub id: String,
    /// One a column, from 1; none if no right file is among the first ten.
    pub ranks: Vec<Option<u32>>,
}

impl LabRanksView {
    /// Whether a column does worse than the baseline, which is a place among the columns.
    pub fn has_worse(&self, baseline: usize) -> bool {
        let base = self.place(baseline);
        (0..self.ranks.len()).any(|at| self.place(at) > base)
    }

    /// Whether a column does better than the baseline.
    pub fn has_better(&self, baseline: usize) -> bool {
        let base = self.place(baseline);
        (0..self.ranks.len()).any(|at| self.place(at) < base)
    }

    /// What is not found comes after all that is.
    fn place(&self, at: usize) -> u32 {
        self.ranks.get(at).copied().flatten().unwrap_or(u32::MAX)
    }
}

/// An evaluation that was stopped and can continue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabUnfinishedView {
    pub pipelines: Vec<String>,
    pub closely: bool,
    /// Answers made, and wanted.
    pub done: u32,
    pub total: u32,
}
