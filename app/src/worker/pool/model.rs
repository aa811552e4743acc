//! Which model the encoders load: the one that comes with the page, or one that the user added.

use crate::worker::encoder_protocol::PoolingView;
use crate::worker::model_files::Brought;

/// The model that comes with the page; also its folder below `models`, and part of its vectors'
/// keys.
pub const MODEL: &str = "all-MiniLM-L6-v2-int8";
/// Dimension of its vectors.
const DIMENSION: usize = 384;
/// Bytes of one saved vector: values and a scale.
pub const VECTOR_BYTES: usize = DIMENSION + 4;

/// Where a model is loaded from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Source {
    #[default]
    Own,
    Brought {
        files: Brought,
        pooling: PoolingView,
    },
}

/// The model that computes the vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Part of its vectors' keys.
    pub id: String,
    /// Dimension of its vectors.
    pub dimension: usize,
}

impl Model {
    /// The model that comes with the page.
    pub fn own() -> Self {
        Self {
            id: MODEL.to_owned(),
            dimension: DIMENSION,
        }
    }

    /// Returns the source's model if it is known before loading.
    pub(super) fn known_of(source: &Source) -> Option<Self> {
        matches!(source, Source::Own).then(Self::own)
    }
}
