//! The wire's part on questions that the connected model writes.

use serde::{Deserialize, Serialize};

use super::LabCountView;

/// What the model is to write, and what it may cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabOrderView {
    pub count: u32,
    pub seed: u32,
    /// All if none is named.
    pub strategies: Vec<String>,
    /// None for as many as the estimate says, with room to spare.
    pub most: Option<LabBudgetView>,
}

/// What a run with a model may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabBudgetView {
    pub requests: u32,
    /// Sent and written.
    pub tokens: u32,
}

/// What a run will cost, before anything is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabEstimateView {
    pub requests: u32,
    /// Tokens that are sent, and those that the model writes.
    pub sent_tokens: u32,
    pub written_tokens: u32,
    pub model: String,
    pub address: String,
    /// All that the first request says.
    pub first: String,
    /// What the run will not go beyond.
    pub most: LabBudgetView,
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
