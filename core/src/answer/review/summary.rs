//! Summarises an answer in one line.

use std::fmt;

use super::{Review, Standing};

/// Counts of an answer's statements by verdict. `Display` gives the line for the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of statements; the other numbers add up to it.
    pub statements: usize,
    by_standing: [usize; Standing::ALL.len()],
}

impl Summary {
    pub(super) fn of(review: &Review) -> Self {
        let mut summary = Self {
            statements: review.statements.len(),
            ..Self::default()
        };
        for statement in &review.statements {
            if let Some(count) = summary.by_standing.get_mut(statement.standing as usize) {
                *count += 1;
            }
        }
        summary
    }

    /// Returns how many statements have this verdict.
    pub fn count(&self, standing: Standing) -> usize {
        self.by_standing
            .get(standing as usize)
            .copied()
            .unwrap_or(0)
    }

    /// Returns the counts of the other verdicts, such as `1 supported, 2 without a source`; empty
    /// if all are proven.
    pub fn details(&self) -> String {
        let rest = Standing::ALL
            .into_iter()
            .filter(|standing| *standing != Standing::Proven);
        let parts = rest.map(|standing| (self.count(standing), standing.phrase()));
        let parts: Vec<String> = parts
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        parts.join(", ")
    }
}

impl Standing {
    /// Returns the phrase after the number of statements with this verdict.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Supported => "supported",
            Self::LinesExist => "whose lines exist",
            Self::Repaired => "repaired",
            Self::OutsideEvidence => "outside the evidence",
            Self::Rejected => "with a false source",
            Self::Contradicted => "contradicted",
            Self::AutoCited => "with a source that Footnote attached",
            Self::Uncited => "without a source",
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proven = self.count(Standing::Proven);
        match self.statements {
            0 => f.write_str("no statement to check"),
            1 => write!(f, "{proven} of 1 statement proven"),
            all => write!(f, "{proven} of {all} statements proven"),
        }
    }
}
