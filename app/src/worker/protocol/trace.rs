//! The wire's part on how a question was searched.

use serde::{Deserialize, Serialize};

/// What is asked about a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceRequest {
    /// How the question is searched under each of the strategies, by their names. Ends with a
    /// [`TraceView`].
    Make {
        question: String,
        strategies: Vec<String>,
    },
    /// The trace made last, in a format by its name. Ends with `Exported`.
    Export { format: String },
}

/// How a question was searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceView {
    pub question: String,
    /// Names of the strategies that were run, in order.
    pub chosen: Vec<String>,
    /// All that can be chosen.
    pub options: Vec<StrategyView>,
    /// What was read of the question, as HTML in which all text is escaped.
    pub reading: String,
    /// One for each of the strategies.
    pub runs: Vec<RunView>,
}

/// What a strategy did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub title: String,
    pub milliseconds: f64,
    /// Steps, candidates and scores as HTML in which all text is escaped, to be shown below each
    /// other. A button with `data-path`, `data-start` and `data-end` opens those lines.
    pub parts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyView {
    pub name: String,
    pub title: String,
}
