//! Figures with their uncertainty, and how to print both.

use serde_json::{Map, Value, json};

use crate::eval::{Interval, bootstrap_of};

/// A constant seed, so that a report is the same in every run.
const SEED: u64 = 0x0F00_7407_E000_0004;

/// The 97.5th percentile of the normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure over all data.
    pub value: f64,
    /// The 95 % interval.
    pub interval: Interval,
}

impl Estimate {
    /// Whether the interval contains `value`, ends included.
    pub fn holds(&self, value: f64) -> bool {
        self.interval.low <= value && value <= self.interval.high
    }

    /// `.41 to .58`
    pub(super) fn range(&self) -> String {
        format!(
            "{} to {}",
            share(self.interval.low),
            share(self.interval.high)
        )
    }
}

/// Adds `key` and `key_ci95` to a report; both are null if there is no figure.
pub(super) fn insert(json: &mut Map<String, Value>, key: &str, estimate: Option<Estimate>) {
    let interval = estimate.map(|e| [e.interval.low, e.interval.high]);
    json.insert(key.to_owned(), json!(estimate.map(|e| e.value)));
    json.insert(format!("{key}_ci95"), json!(interval));
}

/// A statistic of pairs and its percentile bootstrap interval (Efron & Tibshirani, chapter 13).
/// Whole pairs are resampled, because the verdicts on one pair depend on each other. Resamples for
/// which the statistic does not exist are left out; `None` if it does not exist at all.
pub(super) fn bootstrap<T>(
    items: &[T],
    statistic: impl Fn(&[&T]) -> Option<f64>,
) -> Option<Estimate> {
    let value = statistic(&items.iter().collect::<Vec<_>>())?;
    let drawn = bootstrap_of(items, SEED, statistic);
    let interval = Interval {
        low: drawn.low.min(value),
        high: drawn.high.max(value),
    };
    Some(Estimate { value, interval })
}

/// As [`bootstrap`], for a statistic between 0 and 1. If all pairs have the same outcome,
/// resampling would claim certainty; the interval is then [`wilson`]'s for as many trials.
pub(super) fn bootstrap_share<T>(
    items: &[T],
    statistic: impl Fn(&[&T]) -> Option<f64>,
) -> Option<Estimate> {
    let estimate = bootstrap(items, statistic)?;
    if estimate.interval.high - estimate.interval.low > 1e-9 {
        return Some(estimate);
    }
    Some(wilson(estimate.value, items.len()))
}

/// Wilson's score interval (1927) of a share among `n` trials.
pub(super) fn wilson(share: f64, n: usize) -> Estimate {
    let n = n.max(1) as f64;
    let centre = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let spread = (share * (1.0 - share) / n + Z * Z / (4.0 * n * n))
        .max(0.0)
        .sqrt();
    let half = Z * spread / (1.0 + Z * Z / n);
    Estimate {
        value: share,
        interval: Interval {
            low: (centre - half).max(0.0).min(share),
            high: (centre + half).min(1.0).max(share),
        },
    }
}

/// `.41`, `1.00`, `−.05`; a third digit if two would show another value as 0, .5 or 1.
pub(super) fn share(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    let is_landmark = [0.0, 0.5, 1.0].contains(&rounded) && (value - rounded).abs() > 1e-9;
    let digits = if is_landmark { 3 } else { 2 };
    let text = format!("{:.digits$}", value.abs());
    let text = text.strip_prefix('0').unwrap_or(&text);
    format!("{}{text}", if value < 0.0 { "−" } else { "" })
}

/// `92 %`; one more digit if it would show another value as 0 or 100.
pub(super) fn percent(value: f64) -> String {
    let percent = value * 100.0;
    let is_end =
        [0.0, 100.0].contains(&percent.round()) && (percent - percent.round()).abs() > 1e-9;
    format!("{:.*} %", usize::from(is_end), percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::average;

    #[test]
    fn an_interval_is_as_wide_as_theory_says_and_never_of_no_width() {
        let half: Vec<f64> = (0..400).map(|n| f64::from(n % 2)).collect();
        let of_all = |drawn: &[&f64]| average(drawn.iter().map(|v| **v));
        let estimate = bootstrap_share(&half, of_all).unwrap();
        // ± 1.96 · sqrt(.25 / 400)
        assert!((estimate.interval.low - 0.451).abs() < 0.01, "{estimate:?}");
        assert!(
            (estimate.interval.high - 0.549).abs() < 0.01,
            "{estimate:?}"
        );
        for value in [0.0, 0.5, 1.0] {
            let estimate = bootstrap_share(&vec![value; 30], of_all).unwrap();
            assert!(
                estimate.interval.high - estimate.interval.low > 0.1,
                "{estimate:?}"
            );
            assert!(estimate.holds(value));
        }
        assert_eq!(bootstrap_share(&[], of_all), None);
    }

    #[test]
    fn wilsons_interval_follows_its_formula() {
        // Newcombe 1998, table I: 81 of 263 is .2553 to .3662, 0 of 20 is 0 to .1611.
        let of_263 = wilson(81.0 / 263.0, 263);
        assert!((of_263.interval.low - 0.2553).abs() < 5e-5, "{of_263:?}");
        assert!((of_263.interval.high - 0.3662).abs() < 5e-5, "{of_263:?}");
        let of_20 = wilson(0.0, 20);
        assert_eq!(of_20.interval.low, 0.0);
        assert!((of_20.interval.high - 0.1611).abs() < 5e-5, "{of_20:?}");
    }

    #[test]
    fn numbers_are_written_so_that_none_looks_like_a_landmark() {
        for (value, expected) in [
            (0.414, ".41"),
            (1.0, "1.00"),
            (0.5, ".50"),
            (0.503, ".503"),
            (0.998, ".998"),
            (-0.05, "−.05"),
            (0.0, ".00"),
        ] {
            assert_eq!(share(value), expected);
        }
        for (value, expected) in [
            (0.92, "92 %"),
            (1.0, "100 %"),
            (0.996, "99.6 %"),
            (0.0, "0 %"),
        ] {
            assert_eq!(percent(value), expected);
        }
    }
}
