//! The review of a set on the wire: how people judge its questions, and how far they agree.

use serde::{Deserialize, Serialize};

use super::LabGoldView;
use crate::worker::protocol::PeekView;

/// A request about the review. Files are attached to the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabReviewRequest {
    /// Set the name of this page's annotator. Ends with `Held`.
    Name(String),
    /// Replace reviews of this page's annotator. Ends with `Done`.
    Put(Vec<LabReviewView>),
    /// Read files of reviews, one per annotator. Ends with `Held`.
    Read { file_names: Vec<String> },
    /// Remove the reviews of that annotator. Ends with `Held`.
    Forget { annotator: String },
    /// Compute the agreement of all annotators. Ends with `Agreement`.
    Agree,
    /// The gold lines of a question. Ends with `Lines`.
    Lines { id: String },
    /// Export this page's reviews. Ends with `Exported`.
    Export { format: String },
    /// Export the agreement of all annotators. Ends with `Exported`.
    ExportAgreement { format: String },
    /// Replace the set by anonymous answers of these pipelines to some of its questions.
    /// `Progress`, then the `Set` at the end.
    Hide {
        pipelines: Vec<String>,
        count: u32,
        seed: u32,
    },
    /// Replace the answers by the questions again. Ends with `Set`.
    Unhide,
    /// Which pipeline gave which answer, and how they were rated. Ends with `Revealed`.
    Reveal,
    /// Read a saved key. Ends with `Revealed`.
    ReadKey { file_name: String },
    /// Export the key. Ends with `Exported`.
    ExportKey { format: String },
}

/// An event of the review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LabReviewEvent {
    Held(LabHeldView),
    Agreement(LabAgreementView),
    Lines(LabLinesView),
    Revealed(Vec<LabRevealedView>),
}

/// One annotator's review of one question.
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
    /// The question as reworded; `None` leaves it unchanged.
    pub question: Option<String>,
    pub answer: Option<String>,
    pub note: String,
}

/// The state of a set's review when the set is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabBegunView {
    /// The name that this page's annotator entered; empty if none.
    pub annotator: String,
    /// The reviews of this page's annotator.
    pub reviews: Vec<LabReviewView>,
    /// Whether there are reviews of other annotators.
    pub has_others: bool,
    /// Whether the set holds anonymous answers whose key is here.
    pub has_key: bool,
    /// Whether the set stands in for questions that can be restored.
    pub is_covering: bool,
}

/// The result of reading files or setting a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabHeldView {
    /// Reviews that belong to this page from now on.
    pub taken: Vec<LabReviewView>,
    /// A sentence about each file.
    pub told: Vec<String>,
    pub agreement: LabAgreementView,
}

/// How far annotators agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabAgreementView {
    /// Names; this page's annotator comes first if it has reviews.
    pub annotators: Vec<String>,
    /// Whether this page's annotator is among them.
    pub has_own: bool,
    /// Disputed questions first.
    pub questions: Vec<LabJudgedView>,
    /// Krippendorff's α of each scale, over all annotators.
    pub scales: Vec<LabScaleView>,
    /// Each pair of annotators.
    pub pairs: Vec<LabPairwiseView>,
}

/// All reviews of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabJudgedView {
    pub id: String,
    pub is_disputed: bool,
    /// Whether one annotator keeps what another drops.
    pub is_contested: bool,
    /// One per annotator.
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

/// α of one scale, with values taken as nominal, ordinal and interval data; `None` where that makes
/// no sense.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabScaleView {
    pub title: String,
    pub nominal: LabCoefficientView,
    pub ordinal: Option<LabCoefficientView>,
    pub interval: Option<LabCoefficientView>,
}

/// κ of two annotators: for keeping and dropping, then weighted κ for the rating and the five
/// scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPairwiseView {
    pub first: String,
    pub second: String,
    pub values: Vec<LabCoefficientView>,
}

/// The gold lines of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabLinesView {
    pub id: String,
    pub places: Vec<LabPlaceView>,
    /// Number of places left out.
    pub more: u32,
}

/// One place with some lines around it; without lines if the repository does not have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPlaceView {
    pub gold: LabGoldView,
    pub lines: Option<PeekView>,
}

/// How the answers of one pipeline were rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRevealedView {
    pub title: String,
    /// Number of ratings, by any number of people.
    pub ratings: u32,
    /// The rating, then the five scores.
    pub scales: Vec<Option<LabRatedView>>,
}

/// A mean over answers, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRatedView {
    pub n: u32,
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}
