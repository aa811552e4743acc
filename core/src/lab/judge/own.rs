//! Compares the judge with the user's own ratings, and corrects its win rate by its error rates.

use std::collections::BTreeMap;

use super::estimate::{Estimate, Z, bootstrap, wilson};
use super::record::Preference;
use super::tally::Judged;
use crate::eval::{Interval, average};
use crate::lab::agreement;

/// With fewer own ratings, nothing is corrected.
pub const MIN_RATINGS: usize = 30;

/// Number of rated pairs that each side must have won, because each side gives one of the two error
/// rates.
const MIN_EACH: usize = 5;

/// The user's own ratings: the preference for each pair, by the pair's id.
pub type Ratings = BTreeMap<String, Preference>;

/// Why the win rate cannot be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCorrection {
    /// There are fewer than [`MIN_RATINGS`].
    #[error(
        "No corrected verdict: it takes 30 of your own ratings to measure well enough how often \
         the judge errs; {missing} more {} needed.",
        if *missing == 1 { "is" } else { "are" }
    )]
    TooFew {
        /// Number of ratings that are missing.
        missing: usize,
    },
    /// Nearly all ratings prefer the same side.
    #[error(
        "No corrected verdict: of your ratings, {one} prefer side one and {two} side two, and at \
         least 5 of each are needed to see how often the judge errs in either direction."
    )]
    OneSided {
        /// Number of ratings for side one.
        one: usize,
        /// Number of ratings for side two.
        two: usize,
    },
    /// Sensitivity and specificity may add up to 1 or less, like those of a coin.
    #[error(
        "No corrected verdict: compared with your own ratings, the judge cannot be distinguished \
         from chance, and chance cannot be corrected."
    )]
    Chance,
}

/// The judge compared with the user, over pairs that both decided on.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// Number of pairs with an own rating and a verdict in both orders.
    pub n: usize,
    /// Cohen's κ of the three outcomes one, draw, two (1960; unweighted), with a bootstrap
    /// interval. `None` without ratings, or if both always give the same one outcome.
    pub kappa: Option<Estimate>,
    /// How often the judge finds side one better if the user does; a draw of the judge counts as
    /// half.
    pub sensitivity: Option<Estimate>,
    /// How often the judge finds side two better if the user does; a draw of the judge counts as
    /// half.
    pub specificity: Option<Estimate>,
    /// The win rate of side one that the user would give if they rated all pairs, by
    /// [`rogan_gladen`], or why there is none.
    ///
    /// Pairs that the user calls a draw give no error rate; the correction assumes that the judge's
    /// mean score on them is midway between its means on the others. The interval is that of Lee et
    /// al. (arXiv 2511.21140), a delta method that adds the variances of the win rate, the
    /// sensitivity and the specificity after Agresti–Coull smoothing (it is Lang & Reiczigel's of
    /// 2014). It assumes yes-or-no verdicts, so draws make it a little too wide, and rated pairs
    /// that were drawn at random: [`sample_to_rate`](super::sample_to_rate).
    pub corrected: Result<Estimate, NoCorrection>,
}

/// Compares judge and user on the pairs that have a rating.
pub(super) fn own(pairs: &[Judged], ratings: &Ratings) -> Own {
    let rated: Vec<(Preference, Preference)> = pairs
        .iter()
        .filter_map(|pair| Some((*ratings.get(&pair.id)?, pair.outcome())))
        .collect();
    let scores_where = |wanted: Preference| -> Vec<f64> {
        let rated = rated.iter().filter(|(user, _)| *user == wanted);
        rated.map(|(_, judge)| judge.score()).collect()
    };
    let (ones, twos) = (scores_where(Preference::One), scores_where(Preference::Two));
    let sensitivity = average(ones.iter().copied()).map(|rate| wilson(rate, ones.len()));
    let specificity = average(twos.iter().map(|s| 1.0 - s)).map(|rate| wilson(rate, twos.len()));
    let corrected = match (sensitivity, specificity) {
        _ if rated.len() < MIN_RATINGS => Err(NoCorrection::TooFew {
            missing: MIN_RATINGS - rated.len(),
        }),
        (Some(sensitivity), Some(specificity)) if ones.len().min(twos.len()) >= MIN_EACH => {
            let win_rate = average(pairs.iter().map(|pair| pair.outcome().score()));
            Measured {
                positive: Share::new(win_rate.unwrap_or(0.5), pairs.len()),
                sensitivity: Share::new(sensitivity.value, ones.len()),
                specificity: Share::new(specificity.value, twos.len()),
            }
            .corrected()
            .ok_or(NoCorrection::Chance)
        }
        _ => Err(NoCorrection::OneSided {
            one: ones.len(),
            two: twos.len(),
        }),
    };
    Own {
        n: rated.len(),
        kappa: kappa_estimate(&rated),
        sensitivity,
        specificity,
        corrected,
    }
}

/// The true share behind an observed one (Rogan & Gladen 1978): (observed + specificity − 1) /
/// (sensitivity + specificity − 1), clamped to 0 to 1. `None` if the divisor is not positive: such
/// a judge says nothing, or the opposite.
pub fn rogan_gladen(observed: f64, sensitivity: f64, specificity: f64) -> Option<f64> {
    let youden = sensitivity + specificity - 1.0;
    (youden > 0.0).then(|| ((observed + specificity - 1.0) / youden).clamp(0.0, 1.0))
}

/// A share and the number of cases it was measured on.
#[derive(Clone, Copy, Debug)]
struct Share {
    value: f64,
    n: f64,
}

impl Share {
    fn new(value: f64, n: usize) -> Self {
        Self { value, n: n as f64 }
    }

    /// As if there were `extra` more cases, half of them positive.
    fn smoothed(self, extra: f64) -> Self {
        Self {
            value: (self.n * self.value + extra / 2.0) / (self.n + extra),
            n: self.n + extra,
        }
    }

    fn variance(self) -> f64 {
        self.value * (1.0 - self.value) / self.n
    }
}

struct Measured {
    positive: Share,
    sensitivity: Share,
    specificity: Share,
}

impl Measured {
    /// `None` if the 95 % interval of sensitivity + specificity − 1 reaches 0.
    fn corrected(&self) -> Option<Estimate> {
        let (raw, se, sp) = (self.positive, self.sensitivity, self.specificity);
        let value = rogan_gladen(raw.value, se.value, sp.value)?;
        let (raw, se, sp) = (raw.smoothed(Z * Z), se.smoothed(2.0), sp.smoothed(2.0));
        let youden = se.value + sp.value - 1.0;
        if youden - Z * (se.variance() + sp.variance()).sqrt() <= 0.0 {
            return None;
        }
        let centre = (raw.value + sp.value - 1.0) / youden;
        let from_se = centre * se.variance();
        let from_sp = (1.0 - centre) * sp.variance();
        let shift = 2.0 * Z * Z * (from_se - from_sp);
        let variance = raw.variance() + centre * from_se + (1.0 - centre) * from_sp;
        let half = Z * variance.sqrt() / youden;
        Some(Estimate {
            value,
            interval: Interval {
                low: (centre + shift - half).clamp(0.0, 1.0).min(value),
                high: (centre + shift + half).clamp(0.0, 1.0).max(value),
            },
        })
    }
}

/// Cohen's κ of two raters; `None` without ratings or if chance alone would always agree.
pub(super) fn kappa(rated: &[&(Preference, Preference)]) -> Option<f64> {
    let pairs: Vec<(u8, u8)> = rated.iter().map(|(a, b)| (*a as u8, *b as u8)).collect();
    agreement::kappa(&pairs).coefficient.ok()
}

/// κ with its interval. If all ratings agree, resampling would claim certainty; the lower end is
/// then that of Wilson's interval for the agreement.
pub(super) fn kappa_estimate(rated: &[(Preference, Preference)]) -> Option<Estimate> {
    let mut estimate = bootstrap(rated, kappa)?;
    if rated.iter().all(|(a, b)| a == b) {
        let by_chance: f64 = [Preference::One, Preference::Draw, Preference::Two]
            .into_iter()
            .filter_map(|wanted| {
                let is_it = rated.iter().map(|(a, _)| f64::from(u8::from(*a == wanted)));
                Some(average(is_it)?.powi(2))
            })
            .sum();
        let low = wilson(1.0, rated.len()).interval.low;
        estimate.interval.low = (low - by_chance) / (1.0 - by_chance);
    }
    Some(estimate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use Preference::{Draw, One, Two};

    fn judged(outcomes: &[Preference]) -> Vec<Judged> {
        let pair = |(n, outcome): (usize, &Preference)| Judged {
            id: n.to_string(),
            lengths: [1, 1],
            by_order: [*outcome; 2],
            decided: [0, 0],
            repeats: [0, 0],
        };
        outcomes.iter().enumerate().map(pair).collect()
    }

    fn rated(preferences: &[Preference]) -> Ratings {
        let rating = |(n, preference): (usize, &Preference)| (n.to_string(), *preference);
        preferences.iter().enumerate().map(rating).collect()
    }

    #[test]
    fn the_estimator_gives_the_figures_of_published_examples() {
        for (observed, sensitivity, specificity, expected) in [
            // epiR, epi.prev: 23 of 150 cows positive, sensitivity .96, specificity .89.
            (23.0 / 150.0, 0.96, 0.89, Some(0.050_980)),
            // Lee et al., reference implementation: .5 with .9 and .9.
            (0.5, 0.9, 0.9, Some(0.5)),
            (0.6, 0.9, 0.8, Some(0.571_429)),
            (0.05, 0.9, 0.9, Some(0.0)),
            (0.95, 0.9, 0.9, Some(1.0)),
            (0.6, 0.5, 0.5, None),
            (0.6, 0.2, 0.3, None),
        ] {
            let share = rogan_gladen(observed, sensitivity, specificity);
            match (share, expected) {
                (Some(share), Some(expected)) => assert!((share - expected).abs() < 1e-6),
                _ => assert_eq!(share, expected),
            }
        }
    }

    #[test]
    fn the_interval_follows_the_formula_of_the_paper() {
        // Computed separately, with the paper's formula written out in Python.
        for (raw, n, se, m1, sp, m0, low, high) in [
            (0.5, 10_000, 0.9, 5_000, 0.9, 5_000, 0.485709, 0.514291),
            (0.6, 200, 0.9, 50, 0.8, 50, 0.429626, 0.715404),
            (0.7, 100, 1.0, 20, 1.0, 10, 0.560426, 0.830025),
        ] {
            let measured = Measured {
                positive: Share::new(raw, n),
                sensitivity: Share::new(se, m1),
                specificity: Share::new(sp, m0),
            };
            let interval = measured.corrected().unwrap().interval;
            assert!((interval.low - low).abs() < 1e-6, "{interval:?}");
            assert!((interval.high - high).abs() < 1e-6, "{interval:?}");
        }
    }

    #[test]
    fn kappa_gives_the_figure_of_a_published_example() {
        // Two readers of 50 proposals: 20 yes–yes, 5 yes–no, 10 no–yes, 15 no–no; κ = .40.
        let mut table = Vec::new();
        for (n, pair) in [
            (20, (One, One)),
            (5, (One, Two)),
            (10, (Two, One)),
            (15, (Two, Two)),
        ] {
            table.extend(vec![pair; n]);
        }
        let estimate = kappa_estimate(&table).unwrap();
        assert!((estimate.value - 0.4).abs() < 1e-12, "{estimate:?}");
        assert!(
            estimate.interval.low > 0.1 && estimate.interval.high < 0.7,
            "{estimate:?}"
        );
        assert_eq!(kappa_estimate(&[]), None);
        assert_eq!(kappa_estimate(&[(Draw, Draw)]), None);
        let perfect = [[(One, One); 20], [(Two, Two); 20]].concat();
        let perfect = kappa_estimate(&perfect).unwrap();
        assert_eq!(perfect.value, 1.0);
        assert!(
            perfect.interval.low > 0.7 && perfect.interval.low < 0.95,
            "{perfect:?}"
        );
    }

    #[test]
    fn draws_are_half_and_draws_of_the_user_give_no_error_rate() {
        let mut judge = vec![One; 8];
        judge.extend([Draw, Draw]);
        judge.extend(vec![Two; 18]);
        judge.extend([One, Draw, Draw, One]);
        let mut user = vec![One; 10];
        user.extend(vec![Two; 20]);
        user.extend([Draw, Draw]);
        let own = own(&judged(&judge), &rated(&user));
        assert_eq!(own.n, 32);
        assert_eq!(own.sensitivity.unwrap().value, 0.9);
        // 18 right, one wrong, one draw.
        assert_eq!(own.specificity.unwrap().value, 0.925);
        assert!(own.corrected.is_ok());
    }

    #[test]
    fn too_few_ratings_one_sided_ratings_and_a_coin_give_a_reason_instead() {
        let both: Vec<Preference> = (0..100).map(|n| [One, Two][n % 2]).collect();
        let coin: Vec<Preference> = (0..100).map(|n| [One, Two][n / 2 % 2]).collect();
        let few = own(&judged(&both), &rated(&both[..18]))
            .corrected
            .unwrap_err();
        assert_eq!(few, NoCorrection::TooFew { missing: 12 });
        assert!(few.to_string().contains("12 more are needed"), "{few}");
        let one = own(&judged(&both), &rated(&both[..29]))
            .corrected
            .unwrap_err();
        assert!(one.to_string().contains("1 more is needed"), "{one}");
        let sided = own(&judged(&both), &rated(&[One; 40]))
            .corrected
            .unwrap_err();
        assert_eq!(sided, NoCorrection::OneSided { one: 40, two: 0 });
        let chance = own(&judged(&coin), &rated(&both)).corrected.unwrap_err();
        assert_eq!(chance, NoCorrection::Chance);
        let unrelated: Ratings = [("x".to_owned(), One)].into();
        assert_eq!(own(&judged(&both), &unrelated).n, 0);
    }

    #[test]
    fn the_interval_holds_the_truth_about_as_often_as_it_says() {
        let mut random = Random::new(5);
        let mut chance = |share: f64| (random.below(1_000_000) as f64) < share * 1e6;
        let mut held = 0;
        for _ in 0..400 {
            let user: Vec<Preference> = (0..200)
                .map(|_| [Two, One][usize::from(chance(0.6))])
                .collect();
            let err = |p: &Preference| match (p, chance(0.95), chance(0.6)) {
                (One, true, _) | (Two, _, false) => One,
                _ => Two,
            };
            let judge: Vec<Preference> = user.iter().map(err).collect();
            let corrected = own(&judged(&judge), &rated(&user[..60])).corrected;
            held += usize::from(corrected.is_ok_and(|estimate| estimate.holds(0.6)));
        }
        // The raw rate is .73. 95 % of 400 is 380; binomial noise reaches to 12 below.
        assert!((368..=400).contains(&held), "{held}");
    }

    #[test]
    fn a_biased_judge_is_corrected_to_the_truth() {
        // The user: 60 % one. The judge: sensitivity .9, specificity .6, so it says .7.
        let mut user = Vec::new();
        let mut judge = Vec::new();
        for n in 0..300 {
            user.push([One, One, One, Two, Two][n % 5]);
            let is_wrong = match n % 5 {
                0..3 => n / 5 % 10 == 0,
                _ => n / 5 % 10 < 4,
            };
            let right = user[n];
            judge.push(match (is_wrong, right) {
                (false, right) => right,
                (true, One) => Two,
                (true, _) => One,
            });
        }
        let pairs = judged(&judge);
        let own = own(&pairs, &rated(&user[..100]));
        let raw = average(pairs.iter().map(|pair| pair.outcome().score())).unwrap();
        assert!((raw - 0.7).abs() < 1e-9, "{raw}");
        let corrected = own.corrected.unwrap();
        assert!((corrected.value - 0.6).abs() < 1e-9, "{corrected:?}");
        assert!(
            corrected.holds(0.6) && corrected.interval.high > 0.7,
            "{corrected:?}"
        );
    }
}
