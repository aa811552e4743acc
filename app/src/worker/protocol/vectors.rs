//! The vectors of the open repository on the wire.

use serde::{Deserialize, Serialize};

use crate::worker::encoder_protocol::PoolingView;

/// Most chunks in a repository for the transformer to read them all without being asked: two
/// minutes at the 40 a second of two cores. In a larger repository it reads the best chunks for
/// each question, because the static encoder has read all of them.
pub const MAX_UNASKED: u32 = 5_000;

/// A request about the vectors. Ends with a [`VectorsView`]; later ones come from the job that
/// opened the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VectorsRequest {
    /// Pause or resume computing.
    Pause { paused: bool },
    /// Switch the transformer on or off. While it is off, no encoder runs, and answers are ranked
    /// by words and the static encoder.
    ReadClosely { on: bool },
    /// Use the encoder that comes with the page.
    UseOwn,
    /// Use an encoder that the user added: its ONNX file and its tokeniser's file are attached to
    /// the request, in this order (`Parcel::encoder`). If it cannot be used, the job ends with
    /// `Failed` and the previous encoder continues. With `keep`, it is kept for the next visit.
    Bring {
        name: String,
        pooling: PoolingView,
        keep: bool,
    },
}

/// The encoder that computes the vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncoderView {
    /// Name of the encoder that the user added; `None` for the one that comes with the page.
    pub brought: Option<String>,
    /// Whether it is kept for the next visit.
    pub is_kept: bool,
}

/// Progress of the vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VectorsView {
    /// Boxed, because the page's state holds this in an enum beside small values.
    pub encoder: Box<EncoderView>,
    /// Milliseconds that the static encoder took, once it has read every chunk.
    pub table_ms: Option<f64>,
    /// Why the static encoder cannot read the chunks.
    pub no_table: Option<String>,
    /// Whether the transformer reads only the best chunks for each question, unless it is asked to
    /// go on.
    pub on_demand: bool,
    /// Chunks that the transformer has read.
    pub done: u32,
    pub total: u32,
    /// Those of `done` that were saved by this or another version of the repository.
    pub reused: u32,
    /// Those of `done` that were computed since this repository was opened.
    pub computed: u32,
    pub per_second: f64,
    pub seconds_left: Option<f64>,
    pub paused: bool,
    /// Set if the model cannot be used here; the search by words still works.
    pub failed: Option<String>,
    /// The GPU that computes the vectors, and which of its features are used.
    pub gpu: Option<String>,
    /// Why no GPU is used, once that is known.
    pub no_gpu: Option<String>,
}
