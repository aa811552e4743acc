//! One line an answer.

use std::fmt;

use super::{Review, Standing};

/// How many statements of an answer stand how. `Display` gives the line for the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All of them; the other numbers add up to it.
    pub statements: usize,
    /// Whose citations are all verified.
    pub verified: usize,
    /// With a citation that was repaired, and none that is worse.
    pub repaired: usize,
    /// With a citation of lines that were not sent, and none that is false.
    pub outside_evidence: usize,
    /// With a citation that is false.
    pub rejected: usize,
    /// Without a citation of their own, but with lines that match.
    pub auto_cited: usize,
    /// Without any.
    pub uncited: usize,
}

impl Summary {
    pub(super) fn of(review: &Review) -> Self {
        let count = |standing: Standing| {
            let statements = review.statements.iter();
            statements
                .filter(|statement| statement.standing == standing)
                .count()
        };
        Self {
            statements: review.statements.len(),
            verified: count(Standing::Verified),
            repaired: count(Standing::Repaired),
            outside_evidence: count(Standing::OutsideEvidence),
            rejected: count(Standing::Rejected),
            auto_cited: count(Standing::AutoCited),
            uncited: count(Standing::Uncited),
        }
    }

    /// What the rest came to, such as `1 repaired, 2 without a source`; empty if all are verified.
    pub fn details(&self) -> String {
        let parts = [
            (self.repaired, "repaired"),
            (self.outside_evidence, "outside the evidence"),
            (self.rejected, "with a false source"),
            (self.auto_cited, "with a source that Footnote attached"),
            (self.uncited, "without a source"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        parts.join(", ")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.statements {
            0 => f.write_str("no statement to verify"),
            1 => write!(f, "{} of 1 statement verified", self.verified),
            all => write!(f, "{} of {all} statements verified", self.verified),
        }
    }
}
