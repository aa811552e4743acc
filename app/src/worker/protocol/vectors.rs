//! The wire's part on the vectors of the open repository.

use serde::{Deserialize, Serialize};

/// What is to be done about the vectors. Ends with a [`VectorsView`]; the job that opened the repository tells those that
/// follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VectorsRequest {
    /// Pause or resume the computing.
    Pause { paused: bool },
}

/// How far the vectors are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VectorsView {
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
