//! Draws a conclusion from a report, in one sentence, and adds warnings.

use super::estimate::{Estimate, percent, share};
use super::family::shared_family;
use super::own::NoCorrection;
use super::report::Report;
use crate::eval::Interval;

/// With fewer pairs that have a verdict in both orders, nothing is concluded.
pub const MIN_PAIRS: usize = 20;

/// From this share of unreadable outputs on, the readable ones are no longer representative.
const MAX_FAILURES: f64 = 0.2;

/// Share of unreadable outputs from which there is a warning.
const SOME_FAILURES: f64 = 0.02;

/// Share of draws from which a judge decides nothing.
const MAX_DRAWS: f64 = 0.9;

/// From this share of picks of one position on, the position matters more than the content.
const MAX_POSITION: f64 = 0.75;

/// A lower consistency that may be due to chance is taken to be due to chance. Strong models reach
/// about .65 (Zheng et al. 2023).
const MIN_CONSISTENCY: f64 = 0.65;

/// Share of picks of the longer answer from which a judge seems to measure length.
const MAX_LONGER: f64 = 0.9;

/// Below this agreement of repetitions, a single verdict says little.
const MIN_REPEATS: f64 = 0.8;

/// What can be said about the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// There is too little to say anything.
    #[default]
    TooFew,
    /// The judge is broken or biased: its verdicts say nothing about the answers.
    Unusable,
    /// No difference between the sides can be seen.
    NoDifference,
    /// The judge prefers side one; whether it is right is not known.
    PrefersOne,
    /// The judge prefers side two; whether it is right is not known.
    PrefersTwo,
    /// Side one is better, by the judge and the user's own ratings together.
    OneBetter,
    /// Side two is better, by the judge and the user's own ratings together.
    TwoBetter,
}

impl Standing {
    /// Its name in [`Report::to_json`].
    pub fn name(self) -> &'static str {
        match self {
            Self::TooFew => "too_few",
            Self::Unusable => "unusable",
            Self::NoDifference => "no_difference",
            Self::PrefersOne => "prefers_one",
            Self::PrefersTwo => "prefers_two",
            Self::OneBetter => "one_better",
            Self::TwoBetter => "two_better",
        }
    }
}

/// The conclusion of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// For code.
    pub standing: Standing,
    /// The same, for people.
    pub sentence: String,
}

impl Conclusion {
    fn new(standing: Standing, sentence: String) -> Self {
        Self { standing, sentence }
    }
}

/// The first that applies: too little data, a broken judge, then the result.
pub(super) fn conclude(report: &Report) -> Conclusion {
    let fault = fault(report).map(|fault| Conclusion::new(Standing::Unusable, fault));
    if let Some(unreadable) = unreadable(report) {
        return Conclusion::new(Standing::Unusable, unreadable);
    }
    let Some(win_rate) = report.win_rate.filter(|_| report.n_complete >= MIN_PAIRS) else {
        let sentence = format!(
            "Nothing can be concluded: {} {} verdicts in both orders, and at least {MIN_PAIRS} are \
             needed.",
            report.n_complete,
            if report.n_complete == 1 {
                "pair has"
            } else {
                "pairs have"
            },
        );
        return Conclusion::new(Standing::TooFew, sentence);
    };
    fault.unwrap_or_else(|| match report.own.corrected {
        Ok(corrected) => by_both(report, corrected),
        Err(reason) => by_judge(report, win_rate, reason),
    })
}

fn unreadable(report: &Report) -> Option<String> {
    (report.failure_rate() > MAX_FAILURES).then(|| {
        format!(
            "Do not use this judge: {} of its outputs ({} of {}) could not be read.",
            percent(report.failure_rate()),
            report.n_failures(),
            report.n_requests,
        )
    })
}

/// Why the verdicts say nothing about the answers, if they do not.
fn fault(report: &Report) -> Option<String> {
    undecided(report)
        .or_else(|| position(report))
        .or_else(|| contradiction(report))
        .or_else(|| chance(report))
        .or_else(|| measures_length(report))
}

fn undecided(report: &Report) -> Option<String> {
    let verdicts = &report.verdicts;
    let draws = (verdicts.draw + verdicts.both_bad) as f64 / verdicts.total().max(1) as f64;
    (draws >= MAX_DRAWS).then(|| {
        format!(
            "This judge decides nothing: {} of its verdicts are draws or “both bad”.",
            percent(draws)
        )
    })
}

fn position(report: &Report) -> Option<String> {
    let rate = report.order.first_rate.filter(|rate| !rate.holds(0.5))?;
    let (place, rate) = if rate.value > 0.5 {
        ("first", rate.value)
    } else {
        ("second", 1.0 - rate.value)
    };
    (rate >= MAX_POSITION).then(|| {
        format!(
            "Do not use this judge: it picks the answer that stands {place} in {} of cases.",
            percent(rate)
        )
    })
}

fn contradiction(report: &Report) -> Option<String> {
    let consistency = report.order.consistency?.value;
    let kappa = report.order.kappa;
    let is_chance = kappa.is_none_or(|kappa| kappa.interval.low <= 0.0);
    (consistency < MIN_CONSISTENCY && is_chance).then(|| {
        format!(
            "Do not use this judge: it contradicts itself in {} of pairs when the order is \
             swapped, which cannot be distinguished from chance.",
            percent(1.0 - consistency)
        )
    })
}

fn chance(report: &Report) -> Option<String> {
    let own = &report.own;
    let kappa = |kappa: Estimate| format!(" (κ {})", share(kappa.value));
    (own.corrected == Err(NoCorrection::Chance)).then(|| {
        format!(
            "Do not use this judge: compared with {} of your own ratings, it cannot be \
             distinguished from chance{}.",
            own.n,
            own.kappa.map_or_else(String::new, kappa),
        )
    })
}

/// Only if there are no own ratings to show that it considers more than length.
fn measures_length(report: &Report) -> Option<String> {
    let rate = report.length.longer_rate?.value;
    let (kind, rate) = if rate > 0.5 {
        ("longer", rate)
    } else {
        ("shorter", 1.0 - rate)
    };
    (rate >= MAX_LONGER && report.own.corrected.is_err()).then(|| {
        format!(
            "Do not use this judge without ratings of your own: it picks the {kind} answer in {} \
             of cases, whichever side it is from.",
            percent(rate)
        )
    })
}

/// Concludes from a win rate that the user's own ratings corrected.
fn by_both(report: &Report, corrected: Estimate) -> Conclusion {
    let n = report.own.n;
    if corrected.holds(0.5) {
        let sentence = format!(
            "No difference can be seen: the interval of the win rate corrected by {n} of your own \
             ratings, {}, contains .5.",
            corrected.range()
        );
        return Conclusion::new(Standing::NoDifference, sentence);
    }
    let (name, rate, is_one) = winner(report, corrected);
    let sentence = format!(
        "{name} is better: its win rate, corrected by {n} of your own ratings, is {}, interval {}.",
        share(rate.value),
        rate.range()
    );
    let standing = if is_one {
        Standing::OneBetter
    } else {
        Standing::TwoBetter
    };
    Conclusion::new(standing, sentence)
}

/// Concludes from the judge alone.
fn by_judge(report: &Report, win_rate: Estimate, reason: NoCorrection) -> Conclusion {
    if win_rate.holds(0.5) {
        let sentence = format!(
            "No difference can be seen: the interval of the win rate, {}, contains .5.",
            win_rate.range()
        );
        return Conclusion::new(Standing::NoDifference, sentence);
    }
    let (name, rate, is_one) = winner(report, win_rate);
    let prefers = format!(
        "The judge prefers {name}: its win rate is {}, interval {}",
        share(rate.value),
        rate.range()
    );
    let controlled = report
        .length
        .win_rate
        .map(|c| if is_one { c } else { mirrored(c) });
    if let Some(controlled) = controlled.filter(|rate| rate.interval.low <= 0.5) {
        let sentence = format!(
            "{prefers}; but at equal length it is {}, interval {}, so length alone may explain it.",
            share(controlled.value),
            controlled.range()
        );
        return Conclusion::new(Standing::NoDifference, sentence);
    }
    let length = match controlled {
        Some(controlled) => format!(" ({} at equal length)", share(controlled.value)),
        None => ", and length may be the cause".to_owned(),
    };
    let sentence = format!(
        "{prefers}{length}. It is not known whether the judge is right: {}.",
        lacking(reason)
    );
    let standing = if is_one {
        Standing::PrefersOne
    } else {
        Standing::PrefersTwo
    };
    Conclusion::new(standing, sentence)
}

/// What is needed to find out whether the judge is right.
fn lacking(reason: NoCorrection) -> String {
    match reason {
        NoCorrection::TooFew { missing: 1 } => "1 more rating of your own is needed".to_owned(),
        NoCorrection::TooFew { missing } => {
            format!("{missing} more ratings of your own are needed")
        }
        NoCorrection::OneSided { .. } => "nearly all your own ratings are for one side".to_owned(),
        NoCorrection::Chance => "your own ratings do not confirm it".to_owned(),
    }
}

/// The name and win rate of the leading side, and whether it is side one.
fn winner(report: &Report, win_rate: Estimate) -> (&str, Estimate, bool) {
    let [one, two] = &report.sides;
    if win_rate.value > 0.5 {
        (&one.name, win_rate, true)
    } else {
        (&two.name, mirrored(win_rate), false)
    }
}

/// The win rate of the other side.
fn mirrored(rate: Estimate) -> Estimate {
    Estimate {
        value: 1.0 - rate.value,
        interval: Interval {
            low: 1.0 - rate.interval.high,
            high: 1.0 - rate.interval.low,
        },
    }
}

/// Warnings to read with the conclusion.
pub(super) fn warnings(report: &Report) -> Vec<String> {
    let mut warnings: Vec<String> = related(report).into_iter().collect();
    if report.n_missing() > 0 {
        warnings.push(format!(
            "{} of {} planned requests have no record yet.",
            report.n_missing(),
            report.planned
        ));
    }
    let n_incomplete = report.n_pairs - report.n_complete;
    if n_incomplete > 0 {
        warnings.push(format!(
            "{n_incomplete} of {} pairs lack a verdict in one of the orders and are left out.",
            report.n_pairs
        ));
    }
    if report.failure_rate() > SOME_FAILURES {
        warnings.push(format!(
            "{} of the outputs could not be read.",
            percent(report.failure_rate())
        ));
    }
    warnings.extend(leanings(report));
    let reason = report.length.reason.clone();
    warnings.extend(reason.filter(|_| report.n_complete > 0));
    if let (Err(reason), true) = (report.own.corrected, report.n_complete > 0) {
        warnings.push(reason.to_string());
    }
    warnings
}

/// The judge may prefer answers by models of its own family.
fn related(report: &Report) -> Option<String> {
    let relatives: Vec<(&str, String)> = report
        .sides
        .iter()
        .filter_map(|side| {
            let family = shared_family(&report.judge.model, side.model.as_deref()?)?;
            Some((side.name.as_str(), family))
        })
        .collect();
    match relatives.as_slice() {
        [] => None,
        [(name, family)] => Some(format!(
            "The judge and the model behind {name} seem to be of the same family ({family}), and \
             judges tend to prefer their own."
        )),
        [(_, family), ..] => Some(format!(
            "The judge seems to be of the same family ({family}) as the models it judges, and \
             judges tend to prefer their own."
        )),
    }
}

/// Biases that show in the figures but do not make the judge useless.
fn leanings(report: &Report) -> Vec<String> {
    let mut leanings = Vec::new();
    if let Some(rate) = report.order.first_rate.filter(|rate| !rate.holds(0.5)) {
        leanings.push(format!(
            "The judge leans towards the answer that stands {}: it picks the first in {} of cases; \
             pairs whose verdict flips with the order count as draws.",
            if rate.value > 0.5 { "first" } else { "second" },
            percent(rate.value)
        ));
    }
    if let Some(rate) = report.length.longer_rate.filter(|rate| !rate.holds(0.5)) {
        let (kind, rate) = match rate.value {
            0.5.. => ("longer", rate.value),
            value => ("shorter", 1.0 - value),
        };
        leanings.push(format!(
            "The judge leans towards the {kind} answer: it picks it in {} of cases; see the win \
             rate at equal length.",
            percent(rate)
        ));
    }
    if let Some(rate) = report.order.repeats.filter(|rate| rate.value < MIN_REPEATS) {
        leanings.push(format!(
            "When asked the same again, the judge says something else in {} of cases.",
            percent(1.0 - rate.value)
        ));
    }
    if report.judge.temperature == Some(0.0) && report.order.repeats.is_some() {
        leanings.push(
            "At temperature 0, repetitions are nearly copies, so their agreement says little."
                .to_owned(),
        );
    }
    leanings
}
