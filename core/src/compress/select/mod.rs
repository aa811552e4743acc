//! Units with values → rows that are kept, within the budget.

mod knapsack;
pub(super) mod mmr;

pub use mmr::LAMBDA;

use std::ops::Range;

use super::cost::Cost;
use super::structure::Structure;

/// How much may be kept. Tokens are those of [`crate::model::prompt::estimate_tokens`], numbers,
/// markers and fences included.
#[derive(Clone, Debug, PartialEq)]
pub enum Budget {
    /// So many tokens in all; the blocks of all pieces compete.
    Tokens(usize),
    /// So much of all tokens, 0–1; the blocks of all pieces compete.
    Share(f32),
    /// So much of each piece, 0–1 (missing ones: nothing), and so many tokens in all, if that is
    /// limited.
    Rates {
        /// One for each piece, in order.
        rates: Vec<f32>,
        /// Tokens of all pieces together.
        total: Option<usize>,
    },
}

/// Rows of a piece that are kept together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    pub piece: usize,
    pub rows: Range<usize>,
    pub value: f32,
}

/// What is kept so far, and what room is left.
pub(super) struct Selection<'s> {
    costs: &'s [Cost],
    structures: &'s [Structure],
    pub kept: Vec<Vec<bool>>,
    /// Of each piece, in tenths of a token.
    spent: Vec<usize>,
    /// Of each piece, in tokens.
    limits: Vec<usize>,
    /// In tokens.
    total: usize,
}

impl<'s> Selection<'s> {
    pub(crate) fn new(costs: &'s [Cost], structures: &'s [Structure], budget: &Budget) -> Self {
        let before: usize = costs.iter().map(Cost::whole).sum();
        let (limits, total) = match budget {
            Budget::Tokens(total) => (vec![usize::MAX; costs.len()], *total),
            Budget::Share(share) => (vec![usize::MAX; costs.len()], part(before, *share)),
            Budget::Rates { rates, total } => {
                let rates = rates.iter().copied().chain(std::iter::repeat(0.0));
                let limits = costs.iter().zip(rates);
                let limits = limits.map(|(cost, rate)| part(cost.whole(), rate));
                (limits.collect(), total.unwrap_or(usize::MAX))
            }
        };
        Self {
            costs,
            structures,
            kept: costs
                .iter()
                .map(|cost| vec![false; cost.rows.len()])
                .collect(),
            spent: vec![0; costs.len()],
            limits,
            total,
        }
    }

    /// Gives each piece the share of its tokens that the total is of all, for strategies that do
    /// not compare pieces.
    pub(crate) fn share_out(&mut self) {
        let before: usize = self.costs.iter().map(Cost::whole).sum();
        let share = self.total as f32 / before.max(1) as f32;
        for (limit, cost) in self.limits.iter_mut().zip(self.costs) {
            *limit = (*limit).min(part(cost.whole(), share));
        }
    }

    /// Keeps the rows, and what they need to be readable, if all of that fits.
    pub(crate) fn keep(&mut self, piece: usize, rows: Range<usize>) -> bool {
        let (Some(cost), Some(structure), Some(kept)) = (
            self.costs.get(piece),
            self.structures.get(piece),
            self.kept.get_mut(piece),
        ) else {
            return false;
        };
        let is_first = !kept.contains(&true);
        let mut added = if is_first {
            // All rows are one dropped run before the first one is kept.
            (cost.frame + cost.marker) as isize
        } else {
            0
        };
        let mut changed = Vec::new();
        let signature = structure.signature.iter().copied();
        let around = rows.clone().flat_map(|row| structure.around(row));
        for row in rows.clone().chain(around).chain(signature) {
            if kept.get(row) == Some(&false) {
                added += cost.added(kept, row);
                if let Some(kept) = kept.get_mut(row) {
                    *kept = true;
                }
                changed.push(row);
            }
        }
        if changed.is_empty() || self.pay(piece, added) {
            return true;
        }
        if let Some(kept) = self.kept.get_mut(piece) {
            for row in changed {
                if let Some(kept) = kept.get_mut(row) {
                    *kept = false;
                }
            }
        }
        false
    }

    /// Spends `added` tenths on a piece, if that is within its limit and the total.
    fn pay(&mut self, piece: usize, added: isize) -> bool {
        let all: usize = self.spent.iter().map(|spent| spent.div_ceil(10)).sum();
        let limit = self.limits.get(piece).copied().unwrap_or(0);
        let Some(spent) = self.spent.get_mut(piece) else {
            return false;
        };
        let new = spent.saturating_add_signed(added);
        let (before, after) = (spent.div_ceil(10), new.div_ceil(10));
        let fits = after <= limit && all - before + after <= self.total;
        if fits || added <= 0 {
            *spent = new;
        }
        fits || added <= 0
    }

    /// Keeps units in order of their values, the first of equal ones first, each if it fits.
    pub(crate) fn greedy(&mut self, units: &[Unit]) {
        for unit in sorted(units) {
            self.keep(unit.piece, unit.rows.clone());
        }
    }

    /// Keeps the set of units with the largest sum of values: in each piece where pieces have
    /// limits of their own, else over all. What their surroundings cost comes on top, so that the
    /// least valuable may not fit.
    pub(crate) fn knapsack(&mut self, units: &[Unit]) {
        let costs = self.costs;
        let weight = |unit: &Unit| {
            let rows = costs
                .get(unit.piece)
                .and_then(|cost| cost.rows.get(unit.rows.clone()));
            rows.unwrap_or_default().iter().sum::<usize>().div_ceil(10)
        };
        let limits = self.limits.clone();
        let groups: Vec<(Vec<Unit>, usize)> = match limits.iter().all(|&limit| limit == usize::MAX)
        {
            true => vec![(units.to_vec(), self.total)],
            false => (0..costs.len())
                .map(|piece| {
                    let own = units.iter().filter(|unit| unit.piece == piece);
                    (
                        own.cloned().collect(),
                        limits.get(piece).copied().unwrap_or(0),
                    )
                })
                .collect(),
        };
        for (units, limit) in groups {
            let values: Vec<f32> = units.iter().map(|unit| unit.value).collect();
            let weights: Vec<usize> = units.iter().map(weight).collect();
            let chosen = knapsack::choose(&values, &weights, limit.min(self.total));
            let units = units.into_iter().zip(chosen);
            let chosen: Vec<Unit> = units
                .filter(|(_, is_in)| *is_in)
                .map(|(unit, _)| unit)
                .collect();
            self.greedy(&chosen);
        }
    }

    /// Uses up what is left: rows of units that did not fit as a whole, in the same order, then
    /// what is dropped inside pieces of which something is kept.
    pub(crate) fn fill(&mut self, units: &[Unit]) {
        self.close_gaps();
        for unit in sorted(units) {
            for row in unit.rows.clone() {
                if !self.keep(unit.piece, row..row + 1) {
                    break;
                }
            }
        }
        self.close_gaps();
        for piece in 0..self.kept.len() {
            for run in self.dropped(piece) {
                self.keep(piece, run);
            }
        }
    }

    /// Keeps dropped runs that cost no more than their marker.
    fn close_gaps(&mut self) {
        for piece in 0..self.kept.len() {
            for run in self.dropped(piece) {
                let Some(cost) = self.costs.get(piece) else {
                    continue;
                };
                let rows = cost.rows.get(run.clone()).unwrap_or_default();
                if rows.iter().sum::<usize>() > cost.marker {
                    continue;
                }
                let added = rows.iter().sum::<usize>() as isize - cost.marker as isize;
                if let Some(rows) = self.kept.get_mut(piece).and_then(|kept| kept.get_mut(run)) {
                    rows.fill(true);
                    self.pay(piece, added);
                }
            }
        }
    }

    /// The dropped runs of a piece of which something is kept.
    fn dropped(&self, piece: usize) -> Vec<Range<usize>> {
        let kept = self.kept.get(piece).map(Vec::as_slice).unwrap_or_default();
        if !kept.contains(&true) {
            return Vec::new();
        }
        runs(kept, false)
    }
}

/// The runs of rows that are kept, or that are not.
pub(super) fn runs(kept: &[bool], is_kept: bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (row, _) in kept
        .iter()
        .enumerate()
        .filter(|(_, kept)| **kept == is_kept)
    {
        match runs.last_mut() {
            Some(run) if run.end == row => run.end = row + 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs
}

/// The largest value first; values that are no number last.
pub(super) fn sorted(units: &[Unit]) -> Vec<&Unit> {
    let value = |unit: &Unit| {
        if unit.value.is_nan() {
            f32::NEG_INFINITY
        } else {
            unit.value
        }
    };
    let mut sorted: Vec<&Unit> = units.iter().collect();
    sorted.sort_by(|a, b| value(b).total_cmp(&value(a)));
    sorted
}

/// `share` of `tokens`, rounded down; a share that is no number is nothing.
fn part(tokens: usize, share: f32) -> usize {
    // f64, so that large counts stay exact; a hair more, so that 0.3 of 10 is 3.
    (tokens as f64 * f64::from(share.clamp(0.0, 1.0)) + 1e-6) as usize
}
