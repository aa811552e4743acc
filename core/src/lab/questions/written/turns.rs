//! Whose turn it is: strategies take turns, those with the fewest kept questions first.

use std::collections::{BTreeMap, VecDeque};

use super::desk::{Desk, Unit};
use super::talk::{Found, Talk};
use super::{Strategy, WrittenCount};

/// After this many units in a row without a new question, a strategy rests.
const IN_VAIN: u32 = 3;

/// Why a strategy rests.
pub(super) const NOTHING_NEW: &str = "its last 3 attempts gave nothing new";
pub(super) const ALL_ASKED: &str = "everything that it shows has been asked about";

/// A strategy in a run.
pub(super) struct Turn {
    pub strategy: &'static Strategy,
    pub units: VecDeque<Unit>,
    pub count: WrittenCount,
    /// Number of units in a row that gave nothing new.
    in_vain: u32,
}

impl Turn {
    pub(super) fn new(strategy: &'static Strategy, desk: &Desk) -> Self {
        let units: VecDeque<Unit> = (strategy.plan)(desk).into();
        let mut count = WrittenCount::new(strategy.name);
        count.rests = units.is_empty().then_some(ALL_ASKED);
        Self {
            strategy,
            units,
            count,
            in_vain: 0,
        }
    }

    /// The request about the next unit; `None` if there is none left.
    pub(super) fn begin(&mut self, desk: &Desk, kept: &[&Found]) -> Option<Talk> {
        while let Some(unit) = self.units.pop_front() {
            if let Some(talk) = (self.strategy.begin)(desk, &unit, kept) {
                return Some(talk);
            }
        }
        self.count.rests = Some(ALL_ASKED);
        None
    }

    /// Finishes a unit that gave `n_new` questions.
    pub(super) fn end(&mut self, n_new: usize) {
        self.in_vain = match n_new {
            0 => self.in_vain + 1,
            _ => 0,
        };
        if self.in_vain >= IN_VAIN {
            self.count.rests = Some(NOTHING_NEW);
        }
        self.skip();
    }

    /// Finishes a unit that the model never answered; that says nothing about other units.
    pub(super) fn skip(&mut self) {
        if self.units.is_empty() {
            self.count.rests = Some(ALL_ASKED);
        }
    }
}

/// The next strategy: among those that do not rest, the one with the fewest questions, then the
/// fewest requests.
pub(super) fn next(turns: &[Turn]) -> Option<usize> {
    let open = turns.iter().enumerate();
    let open = open.filter(|(_, turn)| turn.count.rests.is_none());
    let least = open.min_by_key(|(_, turn)| (turn.count.kept, turn.count.asked));
    least.map(|(at, _)| at)
}

/// Adds one to a count.
pub(super) fn tally(counts: &mut BTreeMap<&'static str, usize>, why: &'static str) {
    *counts.entry(why).or_default() += 1;
}
