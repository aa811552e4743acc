//! Traces on the wire.

use serde::{Deserialize, Serialize};

/// A request about a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceRequest {
    /// Trace the search for a question with each of the named strategies. Ends with a
    /// [`TraceView`].
    Make {
        question: String,
        strategies: Vec<String>,
    },
    /// Export the last trace in the named format. Ends with `Exported`.
    Export { format: String },
}

/// How a question was searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceView {
    pub question: String,
    /// Names of the strategies that were run, in order.
    pub chosen: Vec<String>,
    /// All strategies that can be chosen.
    pub options: Vec<StrategyView>,
    /// How the question was understood, as HTML in which all text is escaped.
    pub reading: String,
    /// One per strategy.
    pub runs: Vec<RunView>,
}

/// What a strategy did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub title: String,
    pub milliseconds: f64,
    /// Steps, candidates and scores as HTML in which all text is escaped, to be shown one below the
    /// other. A button with `data-path`, `data-start` and `data-end` opens those lines.
    pub parts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyView {
    pub name: String,
    pub title: String,
}
