//! The wire's part on answers made in several ways.

use serde::{Deserialize, Serialize};

use super::{OfferedView, StrategyView};

/// What is asked about a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CompareRequest {
    /// The question, answered by each of these pipelines, at its place among `total`. Events:
    /// `Offered`, then `Made` for each, the last one last.
    Make {
        question: String,
        total: u32,
        ways: Vec<(u32, WayView)>,
    },
    /// The comparison made last, in a format by its name. Ends with `Exported`.
    Export { format: String },
}

/// A pipeline: a preset, and the settings that were changed, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayView {
    pub preset: String,
    pub changes: Vec<(String, String)>,
}

/// What is told of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CompareEvent {
    /// All pipelines that can be chosen.
    Offered(Vec<StrategyView>),
    /// What one pipeline made, at its place.
    Made(u32, ColumnView),
}

/// What one pipeline made of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnView {
    pub title: String,
    /// Answer, ranks and context as HTML in which all text is escaped. A button with `data-path`,
    /// `data-start` and `data-end` opens those lines.
    pub html: String,
    /// The lines that a model would be shown.
    pub offered: Vec<OfferedView>,
    pub tokens: u32,
    /// The numbers that can be moved.
    pub sliders: Vec<SliderView>,
    pub milliseconds: f64,
    /// The same on the command line.
    pub command: String,
}

/// A number of a pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliderView {
    pub name: String,
    /// As papers write it.
    pub symbol: String,
    pub about: String,
    pub value: f32,
    pub from: f32,
    pub to: f32,
    pub step: f32,
}
