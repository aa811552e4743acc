//! Pairs of answers and their judgements on the wire.

use serde::{Deserialize, Serialize};

/// Which answers to compare.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPairingView {
    /// Names of two pipelines.
    pub pipelines: [String; 2],
    /// Number of questions to draw from the set.
    pub count: u32,
    pub seed: u32,
}

/// Two answers to one question, in random order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPairView {
    /// Id of the question.
    pub id: String,
    pub question: String,
    pub reference: Option<String>,
    /// The first and the second as shown, without saying which pipeline gave which.
    pub answers: [String; 2],
    pub rated: Option<LabChoice>,
}

/// Which of two answers is better, as shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LabChoice {
    First,
    Second,
    Draw,
}

/// Pairs of answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPairsView {
    pub pairs: Vec<LabPairView>,
    /// The model that wrote the answers; `None` if code did.
    pub written_by: Option<String>,
    /// Why there are fewer pairs than wanted.
    pub note: Option<String>,
}

/// A judge's results, and how far they can be trusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabVerdictView {
    pub sentence: String,
    pub warnings: Vec<String>,
    /// Labels and counts.
    pub counts: Vec<(String, String)>,
    pub figures: Vec<LabFigureView>,
    /// If the run ended early, what happens to the judgements so far.
    pub partial: Option<String>,
}

/// A share with its 95 % interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabFigureView {
    pub label: String,
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
}
