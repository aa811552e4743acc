//! Which model the encoders load: the one that comes with the page, or one that the user brought.

use crate::worker::model_files::Brought;
use crate::worker::protocol::PoolingView;

/// The model that comes with the page, its folder below `models`, and a part of its vectors' keys.
pub const MODEL: &str = "all-MiniLM-L6-v2-int8";
/// Values of its vectors.
const DIMENSION: usize = 384;
/// Bytes of one of its vectors when saved: values and a scale.
pub const VECTOR_BYTES: usize = DIMENSION + 4;

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Source {
    #[default]
    Own,
    Brought {
        files: Brought,
        pooling: PoolingView,
    },
}

/// A model that vectors are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// A part of its vectors' keys.
    pub id: String,
    /// Values of its vectors.
    pub dimension: usize,
}

impl Model {
    /// The one that comes with the page.
    pub fn own() -> Self {
        Self {
            id: MODEL.to_owned(),
            dimension: DIMENSION,
        }
    }

    /// What is known of a source's model before it is loaded.
    pub(super) fn known_of(source: &Source) -> Option<Self> {
        matches!(source, Source::Own).then(Self::own)
    }
}
