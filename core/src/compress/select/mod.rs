//! Units with values → the rows that are kept, within the budget.

mod knapsack;
pub(super) mod mmr;

pub use mmr::LAMBDA;

use std::ops::Range;

use super::cost::Cost;
use super::structure::Structure;

/// How much may be kept. Tokens are those of [`crate::model::prompt::estimate_tokens`], line
/// numbers, markers and fences included.
#[derive(Clone, Debug, PartialEq)]
pub enum Budget {
    /// This many tokens in all; the blocks of all pieces compete.
    Tokens(usize),
    /// This share of all tokens, 0–1; the blocks of all pieces compete.
    Share(f32),
    /// This share of each piece, 0–1 (a missing one means nothing), and optionally a limit on all
    /// tokens together.
    Rates {
        /// One for each piece, in order.
        rates: Vec<f32>,
        /// Tokens of all pieces together.
        total: Option<usize>,
    },
}

/// Rows of a piece that are kept or dropped together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    pub piece: usize,
    pub rows: Range<usize>,
    pub value: f32,
}

/// What is kept so far, and the remaining room.
pub(super) struct Selection<'s> {
    costs: &'s [Cost],
    structures: &'s [Structure],
    pub kept: Vec<Vec<bool>>,
    /// For each piece, in tenths of a token.
    spent: Vec<usize>,
    /// For each piece, in tokens.
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

    /// Limits each piece to the same share of its tokens, so that together they stay within the
    /// total; for strategies that do not compare pieces.
    pub(crate) fn share_out(&mut self) {
        let before: usize = self.costs.iter().map(Cost::whole).sum();
        let share = self.total as f32 / before.max(1) as f32;
        for (limit, cost) in self.limits.iter_mut().zip(self.costs) {
            *limit = (*limit).min(part(cost.whole(), share));
        }
    }

    /// Keeps the rows, and the rows they need to be readable, if all of them fit.
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
            // Before the first row is kept, all rows are one dropped run.
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

    /// Spends `added` tenths on a piece, if its limit and the total allow it.
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

    /// Keeps units in order of value, each if it fits; equal ones in their own order.
    pub(crate) fn greedy(&mut self, units: &[Unit]) {
        for unit in sorted(units) {
            self.keep(unit.piece, unit.rows.clone());
        }
    }

    /// Keeps the set of units with the largest sum of values: per piece if pieces have limits of
    /// their own, otherwise over all. The rows they need cost extra, so that the least valuable
    /// unit may not fit.
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

    /// Uses the remaining budget: rows of units that did not fit as a whole, in the same order,
    /// then dropped rows inside pieces of which something is kept.
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

/// The runs of rows that are kept, or those that are not.
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

/// Sorted by value, largest first; NaN last.
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

/// `share` of `tokens`, rounded down; 0 for a share that is NaN.
fn part(tokens: usize, share: f32) -> usize {
    // f64 keeps large counts exact; the small addition makes 0.3 of 10 come out as 3.
    (tokens as f64 * f64::from(share.clamp(0.0, 1.0)) + 1e-6) as usize
}
