//! The wire's part on pairs of answers and who is said to win.

use serde::{Deserialize, Serialize};

/// Which answers are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabPairingView {
    /// Names of two pipelines.
    pub pipelines: [String; 2],
    /// Questions, drawn from the set.
    pub count: u32,
    pub seed: u32,
}

/// Two answers to one question, in an order that was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPairView {
    /// Of the question.
    pub id: String,
    pub question: String,
    pub reference: Option<String>,
    /// The first and the second as they are shown. Which pipeline's they are is not said.
    pub answers: [String; 2],
    pub rated: Option<LabChoice>,
}

/// Which of two answers is better, as they are shown.
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
    /// The model that wrote the answers; none where code did.
    pub written_by: Option<String>,
    /// Why there are fewer than wanted.
    pub note: Option<String>,
}

/// What a judge said, and how far it can be trusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabVerdictView {
    pub sentence: String,
    pub warnings: Vec<String>,
    /// Labels with what is counted.
    pub counts: Vec<(String, String)>,
    pub figures: Vec<LabFigureView>,
    /// If the run ended before all was asked, what becomes of what was said.
    pub partial: Option<String>,
}

/// A share with its interval of 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabFigureView {
    pub label: String,
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
}
