//! The policy without any request: rates from what is known of each piece.

use super::level;
use crate::compress::Scored;

/// Rules that give each piece a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Local {
    /// All of the best pieces or nothing (as Context-Picker): kept are those whose relevance is at least half of the best one's.
    KeepOrDrop,
    /// 0, 25, 50, 75 or 100 % by relevance (RepoDistill's levels without its model).
    Graded,
}

/// Share of the best relevance from which [`Local::KeepOrDrop`] keeps a piece.
const KEPT_FROM: f32 = 0.5;
/// Share of the best relevance at which [`Local::Graded`] keeps nothing, and that at which it keeps everything.
const GRADED: (f32, f32) = (0.2, 1.0);

impl Local {
    /// In the order in which they are offered.
    pub const ALL: [Local; 2] = [Local::KeepOrDrop, Local::Graded];

    /// As settings and saved traces name it.
    pub fn name(self) -> &'static str {
        match self {
            Local::KeepOrDrop => "keep-or-drop",
            Local::Graded => "graded",
        }
    }

    /// What it does, in a sentence for people.
    pub fn about(self) -> &'static str {
        match self {
            Local::KeepOrDrop => {
                "Each piece whole or not at all, by how near it comes to the best one."
            }
            Local::Graded => {
                "0, 25, 50, 75 or 100 % of each piece, by how near it comes to the best one."
            }
        }
    }

    /// Reads a [`Local::name`].
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// A rate for each piece, from 0 to 1.
    pub fn rates(self, scored: &Scored) -> Vec<f32> {
        let relevance = scored.piece_relevance();
        let best = relevance.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let rate = |relevance: f32| {
            let share = relevance / best;
            match self {
                Local::KeepOrDrop => f32::from(u8::from(share >= KEPT_FROM)),
                Local::Graded => level((share - GRADED.0) / (GRADED.1 - GRADED.0)),
            }
        };
        relevance.into_iter().map(rate).collect()
    }
}
