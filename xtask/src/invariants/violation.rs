//! What a check reports.

use std::fmt;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// `path:line`, or another name for the place.
    pub place: String,
    pub what: String,
    pub why: String,
    pub remedy: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation {
            place,
            what,
            why,
            remedy,
        } = self;
        write!(f, "{place}: {what}\n    why: {why}\n    do:  {remedy}")
    }
}
