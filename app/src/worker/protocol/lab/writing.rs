//! The wire's part on work that the connected model is asked for: what it costs, and who may be
//! asked.

use serde::{Deserialize, Serialize};

use super::{LabCountView, LabDescribeOrderView, LabPairingView};

/// Work that takes many requests to the connected model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTask {
    /// Questions. Ends with `Set`.
    Write(LabOrderView),
    /// Answers to questions of the set, from what each of two pipelines shows. Ends with `Paired`.
    Answer(LabPairingView),
    /// Judgements of the pairs of answers. Ends with `Judged`.
    Judge,
    /// Descriptions of parts of the repository. Ends with `Described`.
    Describe(LabDescribeOrderView),
}

/// Questions that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabOrderView {
    pub count: u32,
    pub seed: u32,
    /// All if none is named.
    pub strategies: Vec<String>,
}

/// What a run with a model may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabBudgetView {
    pub requests: u32,
    /// Sent and written.
    pub tokens: u32,
}

/// Whom the user lets be asked, and how much.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabGrantView {
    pub model: String,
    pub address: String,
    pub most: LabBudgetView,
}

/// What a run will cost, before anything is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabEstimateView {
    pub requests: u32,
    /// Tokens that are sent, and those that the model writes.
    pub sent_tokens: u32,
    pub written_tokens: u32,
    /// All that the first request says.
    pub first: String,
    /// The connected model, and as much as should do.
    pub grant: LabGrantView,
}

/// How far a run with a model is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabSpendingView {
    /// What is made so far, and how much is wanted.
    pub done: u32,
    pub wanted: u32,
    pub requests: u32,
    pub tokens: u32,
    pub most: LabBudgetView,
    /// Answers that were at hand from earlier, so that nothing was sent.
    pub from_earlier: u32,
    /// Why nothing is sent at the moment.
    pub waiting: Option<String>,
    /// By strategy; empty where nothing is made by strategies.
    pub counts: Vec<LabCountView>,
}
