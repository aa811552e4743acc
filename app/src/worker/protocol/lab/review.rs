//! The wire's part on the review of a set: what people say of its questions, and how far they
//! agree.

use serde::{Deserialize, Serialize};

use super::LabGoldView;
use crate::worker::protocol::PeekView;

/// What is asked of the review. Files travel beside the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabReviewRequest {
    /// The name of who reviews in this page. Ends with `Held`.
    Name(String),
    /// Reviews of this page's annotator, in the place of earlier ones. Ends with `Done`.
    Put(Vec<LabReviewView>),
    /// Files of reviews, one annotator each. Ends with `Held`.
    Read { file_names: Vec<String> },
    /// Leaves out what that annotator said. Ends with `Held`.
    Forget { annotator: String },
    /// How far all agree. Ends with `Agreement`.
    Agree,
    /// The lines that answer a question. Ends with `Lines`.
    Lines { id: String },
    /// This page's reviews as a file. Ends with `Exported`.
    Export { format: String },
    /// How far all agree, as a file. Ends with `Exported`.
    ExportAgreement { format: String },
    /// A set of answers of these pipelines to so many of the questions, in the place of the set.
    /// `Progress`, then the `Set` at the end.
    Hide {
        pipelines: Vec<String>,
        count: u32,
        seed: u32,
    },
    /// The questions in the place of the answers to them. Ends with `Set`.
    Unhide,
    /// Whose the answers are, and how they were rated. Ends with `Revealed`.
    Reveal,
    /// A key that was saved. Ends with `Revealed`.
    ReadKey { file_name: String },
    /// The key as a file. Ends with `Exported`.
    ExportKey { format: String },
}

/// What is told of the review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabReviewEvent {
    Held(LabHeldView),
    Agreement(LabAgreementView),
    Lines(LabLinesView),
    Revealed(Vec<LabRevealedView>),
}

/// What one annotator says of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabReviewView {
    pub id: String,
    /// Whether the question stays in the set.
    pub keep: Option<bool>,
    /// 1 to 10.
    pub rating: Option<u8>,
    /// 0 to 10 each, in the order of core's scales.
    pub scores: [Option<u8>; 5],
    pub tags: Vec<String>,
    /// In other words; `None` leaves them as they were.
    pub question: Option<String>,
    pub answer: Option<String>,
    pub note: String,
}

/// Where a set's review stands when it is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabBegunView {
    /// The name that this page's annotator typed in; empty if none was.
    pub annotator: String,
    /// Of this page's annotator.
    pub reviews: Vec<LabReviewView>,
    /// Whether others' files are there.
    pub has_others: bool,
    /// Whether the set holds answers whose makers are hidden, and the key to them is here.
    pub has_key: bool,
    /// Whether the questions can come back in the place of the answers to them.
    pub is_covering: bool,
}

/// What came of files or of a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabHeldView {
    /// Reviews that are this page's from now on.
    pub taken: Vec<LabReviewView>,
    /// A sentence on each file.
    pub told: Vec<String>,
    pub agreement: LabAgreementView,
}

/// How far annotators agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabAgreementView {
    /// Names; this page's annotator is the first if there are reviews of that one.
    pub annotators: Vec<String>,
    /// Whether this page's annotator is among them.
    pub has_own: bool,
    /// The disputed ones first.
    pub questions: Vec<LabJudgedView>,
    /// All together: Krippendorff's α of each scale.
    pub scales: Vec<LabScaleView>,
    /// Every two annotators.
    pub pairs: Vec<LabPairwiseView>,
}

/// What all say of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabJudgedView {
    pub id: String,
    pub is_disputed: bool,
    /// Whether one keeps what another drops.
    pub is_contested: bool,
    /// One for each annotator.
    pub said: Vec<Option<LabSaidView>>,
}

/// The values that one annotator gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabSaidView {
    pub keep: Option<bool>,
    pub rating: Option<u8>,
    pub scores: [Option<u8>; 5],
}

/// A coefficient, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCoefficientView {
    pub value: Result<f64, String>,
    /// Share of equal values.
    pub agreed: Option<f64>,
    pub n: u32,
}

/// α of one scale, values taken as names, as an order, as distances; `None` where that has no
/// meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabScaleView {
    pub title: String,
    pub nominal: LabCoefficientView,
    pub ordinal: Option<LabCoefficientView>,
    pub interval: Option<LabCoefficientView>,
}

/// κ of two annotators: of keeping and dropping, then weighted of the rating and the five scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPairwiseView {
    pub first: String,
    pub second: String,
    pub values: Vec<LabCoefficientView>,
}

/// The lines that answer a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabLinesView {
    pub id: String,
    pub places: Vec<LabPlaceView>,
    /// Places that are not among them.
    pub more: u32,
}

/// One of them with some lines around it; without lines where the repository does not hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPlaceView {
    pub gold: LabGoldView,
    pub lines: Option<PeekView>,
}

/// How the answers of one pipeline were rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRevealedView {
    pub title: String,
    /// Ratings, by however many people.
    pub ratings: u32,
    /// The rating, then the five scores.
    pub scales: Vec<Option<LabRatedView>>,
}

/// A mean over answers, with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRatedView {
    pub n: u32,
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}
