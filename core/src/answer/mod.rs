//! Hits → statements with footnotes, each checked against the stored text.

pub mod citation;

pub use citation::{Citation, Rejection, Verified};
