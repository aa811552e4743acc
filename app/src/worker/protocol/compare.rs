//! Comparisons of answers made in several ways, on the wire.

use serde::{Deserialize, Serialize};

use super::{OfferedView, StrategyView};

/// A request about a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CompareRequest {
    /// Answers the question with each of these pipelines, each at its place among `total`. Events:
    /// `Offered`, then `Made` for each, the last one last.
    Make {
        question: String,
        total: u32,
        ways: Vec<(u32, WayView)>,
    },
    /// Exports the last comparison in the named format. Ends with `Exported`.
    Export { format: String },
}

/// A pipeline: a preset, and the settings that were changed, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayView {
    pub preset: String,
    pub changes: Vec<(String, String)>,
}

/// An event about a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CompareEvent {
    /// All pipelines that can be chosen.
    Offered(Vec<StrategyView>),
    /// The result of one pipeline, at its place.
    Made(u32, ColumnView),
}

/// The result of one pipeline for a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnView {
    pub title: String,
    /// Answer, ranks and context as HTML in which all text is escaped. A button with `data-path`,
    /// `data-start` and `data-end` opens those lines.
    pub html: String,
    /// The lines that would be shown to a model.
    pub offered: Vec<OfferedView>,
    pub tokens: u32,
    /// The numbers that the user can change.
    pub sliders: Vec<SliderView>,
    pub milliseconds: f64,
    /// The same comparison on the command line.
    pub command: String,
}

/// A number of a pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliderView {
    pub name: String,
    /// The symbol that papers use for it.
    pub symbol: String,
    pub about: String,
    pub value: f32,
    pub from: f32,
    pub to: f32,
    pub step: f32,
}
