//! How far annotators agree: their reviews of questions, their merged files, and coefficients of
//! agreement.
//!
//! [`Annotations`] is one annotator's file, and [`read`] reads it. [`merge()`] puts several side by
//! side, the disputed questions first; [`Merged::agreement`] says how far they agree. [`RATING`]
//! and [`SCORES`] are the scales, with the rubrics for people who rate. [`Annotations::apply`]
//! returns the set that one annotator leaves. [`hide`] makes a set of answers without their makers,
//! and [`Key::reveal`] says how the answers of each maker were rated.

mod apply;
mod blind;
mod coefficients;
mod file;
mod merge;
mod report;
mod review;
mod rubric;

pub use blind::{Candidate, Key, Rated, Revealed, draw, hide};
pub use coefficients::{Agreement, Level, Undefined, alpha, kappa, weighted_kappa};
pub use file::{Annotations, ReadError, Reading, Rejected, read};
pub use merge::{Judged, Merged, merge};
pub use report::{Levels, Pair, Report};
pub use review::Review;
pub use rubric::{Band, RATING, SCORES, Scale};
