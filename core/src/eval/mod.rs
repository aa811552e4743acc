//! Question sets in, metrics out. The app and `examples/evaluate.rs` use the same code. It reads no
//! file and no clock: the caller passes in texts and times.
//!
//! [`set`] reads questions and the list of archives, [`metrics`] scores what was found for one
//! question, [`mod@context`] what a model would see, [`summary`] averages over a set and adds
//! bootstrap intervals, [`unfinished`] cuts lines out of code and asks what they used.

mod context;
mod metrics;
pub mod set;
mod summary;
pub mod unfinished;

pub use context::{ContextPrediction, ContextScores, score_context};
pub use metrics::{Prediction, Scores, score};
pub use set::{Archive, Archives, GoldSpan, Item, SetError};
pub use summary::{Interval, Summary, bootstrap, summarize};
pub(crate) use summary::{average, bootstrap_of};
