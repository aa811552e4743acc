//! The wire's part on the vectors of the open repository.

use serde::{Deserialize, Serialize};

/// Chunks of a repository up to which the transformer reads all of them unasked: two minutes at the
/// 40 a second of two cores. Of a larger one it reads the best of each question, since the static
/// encoder has read all.
pub const MAX_UNASKED: u32 = 5_000;

/// How the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PoolingView {
    /// Their mean.
    #[default]
    Mean,
    /// That of the first.
    First,
}

/// What is to be done about the vectors. Ends with a [`VectorsView`]; the job that opened the
/// repository tells those that follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VectorsRequest {
    /// Pause or resume the computing.
    Pause { paused: bool },
    /// Make them with the encoder that comes with the page.
    UseOwn,
    /// Make them with one that the user brought: its ONNX file and its tokeniser's travel beside
    /// the request, in this order (`Parcel::encoder`). If it cannot be used, the job ends with
    /// `Failed` and the one before goes on. `keep` has it stay for the next visit.
    Bring {
        name: String,
        pooling: PoolingView,
        keep: bool,
    },
}

/// The encoder that makes vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncoderView {
    /// The name of the one that the user brought; none is the one that comes with the page.
    pub brought: Option<String>,
    /// Whether it stays for the next visit.
    pub is_kept: bool,
}

/// How far the vectors are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VectorsView {
    /// Boxed, as the state of the page holds this in an enum beside small values.
    pub encoder: Box<EncoderView>,
    /// Once the static encoder has read every chunk: the milliseconds it took.
    pub table_ms: Option<f64>,
    /// Why it cannot.
    pub no_table: Option<String>,
    /// Whether the transformer reads no more than the best chunks of each question, unless it is
    /// asked to go on.
    pub on_demand: bool,
    /// Chunks that the transformer has read.
    pub done: u32,
    pub total: u32,
    /// Of `done`, those found saved from this or another version of the repository.
    pub reused: u32,
    /// Of `done`, those computed since this repository was opened.
    pub computed: u32,
    pub per_second: f64,
    pub seconds_left: Option<f64>,
    pub paused: bool,
    /// Set when the model cannot be used here; words still work.
    pub failed: Option<String>,
    /// The GPU that vectors are computed on, and what of it is used.
    pub gpu: Option<String>,
    /// Why none is, once that is known.
    pub no_gpu: Option<String>,
}
