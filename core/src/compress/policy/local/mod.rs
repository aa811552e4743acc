//! Policies that send no request: they compute rates from the scores of each piece.
//!
//! To add one, write a file with a [`LocalSpec`] and add a row to [`LIST`].

mod graded;
mod keep_or_drop;

use std::fmt;

use crate::compress::{Piece, Scored};

/// One policy.
struct LocalSpec {
    /// Its name in settings and saved traces.
    name: &'static str,
    /// A short title for a list of choices.
    title: &'static str,
    /// What it does, in one sentence for users.
    about: &'static str,
    /// The rate of a piece, from 0 to 1, given its share of the best piece's relevance.
    rate: fn(f32) -> f32,
}

/// In the order they are offered.
static LIST: &[&LocalSpec] = &[&keep_or_drop::KEEP_OR_DROP, &graded::GRADED];

/// A rule that gives each piece a rate: one entry of the list.
#[derive(Clone, Copy)]
pub struct Local(&'static LocalSpec);

impl Local {
    /// RepoDistill's levels without its model.
    pub const GRADED: Self = Self(&graded::GRADED);

    /// All policies, in the order they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        LIST.iter().copied().map(Self)
    }

    /// Reads a [`Local::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name() == name)
    }

    /// Its name in settings and saved traces.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A short title for a list of choices.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// What it does, in one sentence for users.
    pub fn about(self) -> &'static str {
        self.0.about
    }

    /// A rate for each piece, from 0 to 1.
    pub fn rates(self, scored: &Scored) -> Vec<f32> {
        self.rates_of(scored.piece_relevance())
    }

    /// As [`Local::rates`], by the pieces' retrieval scores, before any piece is read.
    pub fn rates_by_score(self, pieces: &[Piece]) -> Vec<f32> {
        self.rates_of(pieces.iter().map(|piece| piece.score).collect())
    }

    fn rates_of(self, relevance: Vec<f32>) -> Vec<f32> {
        let best = relevance.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let rates = relevance.into_iter();
        rates
            .map(|relevance| (self.0.rate)(relevance / best))
            .collect()
    }
}

/// Names are unique.
impl PartialEq for Local {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wire and saved settings hold these names.
    #[test]
    fn names_stay_and_are_read_back() {
        let names: Vec<&str> = Local::all().map(Local::name).collect();
        assert_eq!(names, ["keep-or-drop", "graded"]);
        for policy in Local::all() {
            let read = Local::from_name(policy.name()).map(Local::name);
            assert_eq!(read, Some(policy.name()));
        }
    }
}
