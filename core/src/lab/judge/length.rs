//! Whether the judge rewards length, and the win rate without that effect.

use super::estimate::{Estimate, bootstrap_share};
use super::record::Preference;
use super::tally::Judged;
use crate::eval::average;

/// Pairs that are needed on either side of equal length; with fewer, a figure at equal length would
/// be an extrapolation.
const MIN_EACH: usize = 5;

/// Weight of a weak pull of both coefficients towards 0, so that they stay finite if length or side
/// alone decides every pair. It moves a win rate by less than .005 with 20 pairs or more.
const RIDGE: f64 = 0.01;

/// How verdicts depend on lengths, over pairs with a verdict in both orders.
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    /// Number of pairs in which the answer of side one is longer, of equal length, shorter; in
    /// characters.
    pub n: [usize; 3],
    /// How often the longer answer is picked, with a draw as half: the mean of the rate where side
    /// one is longer and the rate where side two is, so that a side that is better *and* mostly
    /// longer does not look like a bias for length. .5 means no preference. `None` with fewer than
    /// 5 pairs of either kind.
    pub longer_rate: Option<Estimate>,
    /// The win rate of side one at equal length; `None` if `reason` says why.
    ///
    /// As in AlpacaEval 2 (Dubois et al. 2024, arXiv 2404.04475), this is a logistic regression of
    /// the outcome (1, ½, 0) on `tanh(d / s)`, where d is the difference in characters (side one
    /// minus side two) and s its standard deviation, with an intercept; the reported value is the
    /// prediction at d = 0. Unlike AlpacaEval, there is no term for the difficulty of a question,
    /// because there is only one pair of sides, and the only regularisation is a weak ridge. The
    /// interval resamples pairs and keeps s. It removes the *judge's* reward for length only as far
    /// as lengths differ for reasons other than quality: where longer answers are better, it
    /// removes some of that too.
    pub win_rate: Option<Estimate>,
    /// Why there is no win rate at equal length.
    pub reason: Option<String>,
}

/// Analyses the lengths of `pairs`.
pub(super) fn length(pairs: &[Judged]) -> Length {
    let count = |of: fn(f64) -> bool| pairs.iter().filter(|p| of(difference(p))).count();
    let n = [count(|d| d > 0.0), count(|d| d == 0.0), count(|d| d < 0.0)];
    let [longer, _, shorter] = n;
    let reason = uncontrollable(pairs, n);
    Length {
        n,
        longer_rate: (longer.min(shorter) >= MIN_EACH)
            .then(|| bootstrap_share(pairs, longer_rate))
            .flatten(),
        win_rate: reason.is_none().then(|| controlled(pairs)).flatten(),
        reason,
    }
}

/// Why there is no figure at equal length, if there is none.
fn uncontrollable(pairs: &[Judged], n: [usize; 3]) -> Option<String> {
    let [longer, equal, shorter] = n;
    if (longer + equal).min(shorter + equal) < MIN_EACH {
        let (side, n_pairs) = if longer > shorter {
            ("one", longer)
        } else {
            ("two", shorter)
        };
        return Some(format!(
            "Length cannot be controlled for: the answer of side {side} is longer in {n_pairs} of \
             {} pairs, which does not show how the judge decides at equal length.",
            pairs.len()
        ));
    }
    is_separated(pairs).then(|| {
        "Length cannot be controlled for: in every pair, the difference in length decides who wins."
            .to_owned()
    })
}

/// Whether the length differences of all pairs that one side wins are above those of all pairs that
/// the other wins; the slope of the regression is then infinite and the prediction arbitrary.
fn is_separated(pairs: &[Judged]) -> bool {
    let of = |wanted: Preference| {
        let pairs = pairs.iter().filter(move |pair| pair.outcome() == wanted);
        pairs.map(difference)
    };
    let ends = |wanted: Preference| {
        let (low, high) = (of(wanted).reduce(f64::min)?, of(wanted).reduce(f64::max)?);
        Some((low, high))
    };
    let (Some(one), Some(two)) = (ends(Preference::One), ends(Preference::Two)) else {
        return false;
    };
    of(Preference::Draw).next().is_none() && (one.0 > two.1 || two.0 > one.1)
}

fn difference(pair: &Judged) -> f64 {
    let [one, two] = pair.lengths;
    one as f64 - two as f64
}

fn longer_rate(pairs: &[&Judged]) -> Option<f64> {
    let of = |is_longer: fn(f64) -> bool| {
        let pairs = pairs.iter().filter(move |pair| is_longer(difference(pair)));
        average(pairs.map(|pair| pair.outcome().score()))
    };
    Some((of(|d| d > 0.0)? + 1.0 - of(|d| d < 0.0)?) / 2.0)
}

/// One pair in the regression: the length term and the outcome.
type Point = (f64, f64);

fn controlled(pairs: &[Judged]) -> Option<Estimate> {
    let centre = average(pairs.iter().map(difference))?;
    let variance = average(pairs.iter().map(|pair| (difference(pair) - centre).powi(2)))?;
    let scale = variance.sqrt().max(f64::MIN_POSITIVE);
    let point = |pair: &Judged| ((difference(pair) / scale).tanh(), pair.outcome().score());
    let points: Vec<Point> = pairs.iter().map(point).collect();
    let start = fit(points.iter().copied(), [0.0, 0.0]);
    bootstrap_share(&points, |drawn| {
        let [intercept, _] = fit(drawn.iter().map(|point| **point), start);
        Some(logistic(intercept))
    })
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Intercept and slope of a logistic regression, by Newton's method from `start`. Steps are
/// limited, because a full step from far away may overshoot.
fn fit(points: impl Iterator<Item = Point> + Clone, start: [f64; 2]) -> [f64; 2] {
    let [mut intercept, mut slope] = start;
    for _ in 0..60 {
        let mut gradient = [-RIDGE * intercept, -RIDGE * slope];
        let mut hessian = [RIDGE, 0.0, RIDGE];
        for (x, outcome) in points.clone() {
            let p = logistic(intercept + slope * x);
            let weight = p * (1.0 - p);
            let [g0, g1] = &mut gradient;
            *g0 += outcome - p;
            *g1 += (outcome - p) * x;
            let [h00, h01, h11] = &mut hessian;
            *h00 += weight;
            *h01 += weight * x;
            *h11 += weight * x * x;
        }
        let ([g0, g1], [h00, h01, h11]) = (gradient, hessian);
        let determinant = h00 * h11 - h01 * h01;
        let step = |value: f64| (value / determinant).clamp(-2.0, 2.0);
        let (da, db) = (step(h11 * g0 - h01 * g1), step(h00 * g1 - h01 * g0));
        intercept += da;
        slope += db;
        if da.abs().max(db.abs()) < 1e-8 {
            break;
        }
    }
    [intercept, slope]
}

/// The win rate of side one; a draw counts as half.
pub(super) fn win_rate(pairs: &[Judged]) -> Option<Estimate> {
    bootstrap_share(pairs, |drawn| {
        average(drawn.iter().map(|p| p.outcome().score()))
    })
}

/// The share of pairs with this outcome.
pub(super) fn share_of(pairs: &[Judged], wanted: Preference) -> Option<Estimate> {
    bootstrap_share(pairs, |drawn| {
        average(
            drawn
                .iter()
                .map(|pair| f64::from(u8::from(pair.outcome() == wanted))),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Preference::{Draw, One, Two};

    fn pairs(groups: &[(usize, [usize; 2], Preference)]) -> Vec<Judged> {
        let pair = |lengths, outcome| Judged {
            id: String::new(),
            lengths,
            by_order: [outcome; 2],
            decided: [0, 0],
            repeats: [0, 0],
        };
        let group = |&(n, lengths, outcome): &(usize, _, _)| vec![pair(lengths, outcome); n];
        groups.iter().flat_map(group).collect()
    }

    #[test]
    fn the_rate_at_equal_length_is_what_a_hand_calculation_gives() {
        // .9 where one is longer, .5 where it is shorter: the logits 2.197 and 0 meet at 1.099,
        // which is .75.
        let pairs = pairs(&[
            (90, [200, 100], One),
            (10, [200, 100], Two),
            (50, [100, 200], One),
            (50, [100, 200], Two),
        ]);
        let length = length(&pairs);
        assert_eq!((length.n, length.reason), ([100, 0, 100], None));
        let controlled = length.win_rate.unwrap();
        assert!((controlled.value - 0.75).abs() < 1e-3, "{controlled:?}");
        assert!(!controlled.holds(0.5) && controlled.holds(0.75));
        assert!((win_rate(&pairs).unwrap().value - 0.7).abs() < 1e-12);
        // (.9 + .5) / 2
        assert!((length.longer_rate.unwrap().value - 0.7).abs() < 1e-12);
    }

    #[test]
    fn a_love_of_length_differs_from_a_side_that_is_better_and_longer() {
        let lover = pairs(&[(80, [300, 100], One), (20, [100, 300], Two)]);
        let better = pairs(&[(80, [300, 100], One), (20, [100, 300], One)]);
        let (lover, better) = (length(&lover), length(&better));
        assert_eq!(lover.longer_rate.unwrap().value, 1.0);
        assert!(
            lover
                .reason
                .unwrap()
                .contains("the difference in length decides")
        );
        assert_eq!(lover.win_rate, None);
        assert_eq!(better.longer_rate.unwrap().value, 0.5);
        assert!(better.win_rate.unwrap().interval.low > 0.9);
    }

    #[test]
    fn a_strong_love_of_length_leaves_nothing_at_equal_length() {
        // The logits of 77 of 80 and of 1 of 20 are 3.245 and −2.944: they meet at .15, which is
        // .54.
        let pairs = pairs(&[
            (77, [300, 100], One),
            (3, [300, 100], Two),
            (19, [100, 300], Two),
            (1, [100, 300], One),
        ]);
        let controlled = length(&pairs).win_rate.unwrap();
        assert!(win_rate(&pairs).unwrap().interval.low > 0.65);
        assert!((controlled.value - 0.54).abs() < 0.01, "{controlled:?}");
        assert!(
            controlled.holds(0.5) && controlled.interval.high > 0.7,
            "{controlled:?}"
        );
    }

    #[test]
    fn without_lengths_on_both_sides_there_is_no_figure_but_a_reason() {
        let length = length(&pairs(&[(40, [300, 100], One), (4, [100, 300], Two)]));
        assert_eq!((length.win_rate, length.longer_rate), (None, None));
        assert!(
            length
                .reason
                .unwrap()
                .contains("side one is longer in 40 of 44")
        );
        assert_eq!(super::length(&[]).win_rate, None);
    }

    #[test]
    fn answers_of_equal_length_need_no_control() {
        let pairs = pairs(&[(30, [5, 5], One), (10, [5, 5], Two), (20, [5, 5], Draw)]);
        let (raw, length) = (win_rate(&pairs).unwrap(), length(&pairs));
        assert!((length.win_rate.unwrap().value - raw.value).abs() < 1e-3);
        assert_eq!(length.longer_rate, None);
        assert_eq!(share_of(&pairs, Draw).unwrap().value, 1.0 / 3.0);
    }
}
