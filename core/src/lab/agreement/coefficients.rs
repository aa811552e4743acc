//! Coefficients of agreement, computed from values alone: 1 is full agreement, 0 is chance, and
//! less is worse than chance.

use std::collections::BTreeMap;

/// Why a coefficient has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// There is nobody to agree with.
    #[error("fewer than two people rated")]
    FewRaters,
    /// No question has two values.
    #[error("no question was rated by two people")]
    NoOverlap,
    /// Chance alone would give full agreement.
    #[error("only one value was given, so agreement cannot be compared with chance")]
    OneValue,
}

/// How far raters agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The coefficient, at most 1, or why there is none.
    pub coefficient: Result<f64, Undefined>,
    /// Share of the pairs of values that are equal, between 0 and 1; `None` without pairs.
    pub agreed: Option<f64>,
    /// Number of questions that at least two people rated.
    pub n: usize,
}

impl Agreement {
    /// No coefficient, and why.
    pub(super) fn undefined(why: Undefined) -> Self {
        Self {
            coefficient: Err(why),
            agreed: None,
            n: 0,
        }
    }
}

/// What Krippendorff's α makes of the distance between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Values are the same or not.
    Nominal,
    /// Values have an order.
    Ordinal,
    /// Differences between values count.
    Interval,
}

/// Cohen's κ of two raters: a pair holds both ratings of one question (Cohen, A coefficient of
/// agreement for nominal scales, 1960).
pub fn kappa(pairs: &[(u8, u8)]) -> Agreement {
    cohen(pairs, |a, b| f64::from(u8::from(a != b)))
}

/// Cohen's κ with quadratic weights: distant values count more than near ones (Cohen, Weighted
/// kappa, 1968; the weights of Fleiss and Cohen, 1973).
pub fn weighted_kappa(pairs: &[(u8, u8)]) -> Agreement {
    cohen(pairs, squared)
}

fn squared(a: u8, b: u8) -> f64 {
    (f64::from(a) - f64::from(b)).powi(2)
}

/// 1 − observed / expected distance; the expected one is that of independent raters with the same
/// frequencies.
fn cohen(pairs: &[(u8, u8)], distance: fn(u8, u8) -> f64) -> Agreement {
    if pairs.is_empty() {
        return Agreement::undefined(Undefined::NoOverlap);
    }
    let n = pairs.len() as f64;
    let first = count(pairs.iter().map(|pair| pair.0));
    let second = count(pairs.iter().map(|pair| pair.1));
    let observed: f64 = pairs.iter().map(|&(a, b)| distance(a, b)).sum();
    let expected: f64 = first
        .iter()
        .flat_map(|(&a, n_a)| {
            second
                .iter()
                .map(move |(&b, n_b)| n_a * n_b * distance(a, b))
        })
        .sum();
    let equal = pairs.iter().filter(|(a, b)| a == b).count() as f64;
    Agreement {
        coefficient: ratio(observed * n, expected),
        agreed: Some(equal / n),
        n: pairs.len(),
    }
}

fn ratio(observed: f64, expected: f64) -> Result<f64, Undefined> {
    if expected > 0.0 {
        Ok(1.0 - observed / expected)
    } else {
        Err(Undefined::OneValue)
    }
}

fn count(values: impl Iterator<Item = u8>) -> BTreeMap<u8, f64> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0.0) += 1.0;
    }
    counts
}

/// Krippendorff's α over all raters. A unit holds the values that one question was given, by any
/// number of people; a unit with one value says nothing about agreement (Krippendorff, Computing
/// Krippendorff's alpha-reliability, 2011).
pub fn alpha(units: &[Vec<u8>], level: Level) -> Agreement {
    let paired: Vec<&Vec<u8>> = units.iter().filter(|unit| unit.len() > 1).collect();
    if paired.is_empty() {
        return Agreement::undefined(Undefined::NoOverlap);
    }
    let totals = count(paired.iter().flat_map(|unit| unit.iter().copied()));
    let n: f64 = totals.values().sum();
    let distance = |a: u8, b: u8| match level {
        Level::Nominal => f64::from(u8::from(a != b)),
        Level::Ordinal => ordinal(&totals, a, b),
        Level::Interval => squared(a, b),
    };
    let coincidences = coincidences(&paired);
    let observed: f64 = coincidences
        .iter()
        .map(|(&(a, b), times)| times * distance(a, b))
        .sum();
    let expected: f64 = totals
        .iter()
        .flat_map(|(&a, n_a)| totals.iter().map(move |(&b, n_b)| (a, b, n_a * n_b)))
        .map(|(a, b, times)| times * distance(a, b))
        .sum();
    let equal: f64 = coincidences
        .iter()
        .filter(|((a, b), _)| a == b)
        .map(|(_, times)| times)
        .sum();
    Agreement {
        coefficient: ratio(observed * (n - 1.0), expected),
        agreed: Some(equal / n),
        n: paired.len(),
    }
}

/// How often two values occur together in a unit; a unit's weight is its number of values.
fn coincidences(units: &[&Vec<u8>]) -> BTreeMap<(u8, u8), f64> {
    let mut coincidences = BTreeMap::new();
    for unit in units {
        let counts = count(unit.iter().copied());
        let others = unit.len() as f64 - 1.0;
        for (&a, n_a) in &counts {
            for (&b, n_b) in &counts {
                let pairs = if a == b { n_a * (n_a - 1.0) } else { n_a * n_b };
                *coincidences.entry((a, b)).or_insert(0.0) += pairs / others;
            }
        }
    }
    coincidences
}

/// Squared number of values between `a` and `b`, with `a` and `b` themselves counted as half.
fn ordinal(totals: &BTreeMap<u8, f64>, a: u8, b: u8) -> f64 {
    let of = |value: u8| totals.get(&value).copied().unwrap_or(0.0);
    let between: f64 = totals.range(a.min(b)..=a.max(b)).map(|(_, n)| n).sum();
    (between - (of(a) + of(b)) / 2.0).powi(2)
}

#[cfg(test)]
mod tests;
