//! Work for the connected model on the wire: its cost, and the user's consent.

use serde::{Deserialize, Serialize};

use super::{LabCountView, LabDescribeOrderView, LabPairingView};

/// Work that takes many requests to the connected model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabTask {
    /// Write questions. Ends with `Set`.
    Write(LabOrderView),
    /// Answer questions of the set, from the context of each of two pipelines. Ends with `Paired`.
    Answer(LabPairingView),
    /// Judge the pairs of answers. Ends with `Judged`.
    Judge,
    /// Describe parts of the repository. Ends with `Described`.
    Describe(LabDescribeOrderView),
}

/// The questions wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabOrderView {
    pub count: u32,
    pub seed: u32,
    /// Empty for all strategies.
    pub strategies: Vec<String>,
}

/// The most that a run with a model may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabBudgetView {
    pub requests: u32,
    /// Sent and written together.
    pub tokens: u32,
}

/// Which model the user allows to be asked, and how much.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabGrantView {
    pub model: String,
    pub address: String,
    pub most: LabBudgetView,
}

/// The expected cost of a run, before anything is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabEstimateView {
    pub requests: u32,
    /// Tokens to be sent, and tokens that the model will write.
    pub sent_tokens: u32,
    pub written_tokens: u32,
    /// The full text of the first request.
    pub first: String,
    /// The connected model, with a budget that should suffice.
    pub grant: LabGrantView,
}

/// Progress of a run with a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabSpendingView {
    /// Number made so far, and number wanted.
    pub done: u32,
    pub wanted: u32,
    pub requests: u32,
    pub tokens: u32,
    pub most: LabBudgetView,
    /// Answers that were available from earlier, so that nothing was sent.
    pub from_earlier: u32,
    /// Why nothing is being sent at the moment.
    pub waiting: Option<String>,
    /// By strategy; empty if the task has no strategies.
    pub counts: Vec<LabCountView>,
}
