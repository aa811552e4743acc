//! Question sets in, metrics out. The same code serves the app and `examples/evaluate.rs`; it reads
//! no file and no clock, so the caller hands in text and times.
//!
//! [`set`] reads questions and the list of archives, [`metrics`] scores one question, [`summary`]
//! averages a set and adds bootstrap intervals.

mod metrics;
pub mod set;
mod summary;

pub use metrics::{Prediction, Scores, score};
pub use set::{Archive, Archives, GoldSpan, Item, SetError};
pub use summary::{Interval, Summary, bootstrap, summarize};
