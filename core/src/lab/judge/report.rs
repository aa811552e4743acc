//! The figures of a pairwise comparison.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Template;
use super::conclude::{Conclusion, conclude, warnings};
use super::estimate::{Estimate, bootstrap_share, insert};
use super::length::{Length, length, share_of, win_rate};
use super::own::{Own, Ratings, kappa_estimate, own};
use super::record::{Preference, Record};
use super::tally::{Judged, Verdicts, tally};

/// The judging model, with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    /// The service's name for it.
    pub model: String,
    /// The requested temperature; `None` if the service's default was used.
    pub temperature: Option<f64>,
    /// [`Template::hash`] of the prompt.
    pub template: String,
}

impl Judge {
    /// A judge with the current pairwise prompt.
    pub fn new(model: &str, temperature: Option<f64>) -> Self {
        Self {
            model: model.to_owned(),
            temperature,
            template: Template::Pairwise.hash(),
        }
    }
}

/// The origin of a side's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answerer {
    /// The name of the pipeline or run, as the report shows it.
    pub name: String,
    /// The model that wrote the answers; `None` if code did.
    pub model: Option<String>,
}

/// The data of a report.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The judge.
    pub judge: &'a Judge,
    /// Side one, whose win rate is reported, and side two.
    pub sides: &'a [Answerer; 2],
    /// Number of planned requests; those without a record are reported as missing.
    pub planned: usize,
    /// In any order.
    pub records: &'a [Record],
    /// The user's own ratings; may be empty.
    pub ratings: &'a Ratings,
}

/// Whether the judge agrees with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// Share of pairs on which the judge prefers the same side, or sees a draw, in both orders.
    pub consistency: Option<Estimate>,
    /// The same, beyond chance: Cohen's κ of the two orders; `None` if there is only one outcome.
    pub kappa: Option<Estimate>,
    /// Among verdicts for one of the two answers, the share for the one that came first; .5 is
    /// ideal.
    pub first_rate: Option<Estimate>,
    /// Among pairs of repetitions of one request, the share that agree; `None` without repetitions.
    pub repeats: Option<Estimate>,
}

/// The judge's results, and how far it can be trusted. Shares are between 0 and 1; intervals are 95
/// % bootstrap intervals over pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The judge.
    pub judge: Judge,
    /// Side one and side two.
    pub sides: [Answerer; 2],
    /// Number of planned requests.
    pub planned: usize,
    /// Number of requests with a record.
    pub n_requests: usize,
    /// Number of unreadable outputs, by reason.
    pub failures: BTreeMap<String, usize>,
    /// The verdicts of the readable outputs.
    pub verdicts: Verdicts,
    /// Number of pairs with a record.
    pub n_pairs: usize,
    /// Number of pairs with a verdict in both orders; all figures below are about these.
    pub n_complete: usize,
    /// Number of pairs that side one wins, draws and loses.
    pub outcomes: [usize; 3],
    /// The same as shares.
    pub outcome_shares: [Option<Estimate>; 3],
    /// The win rate of side one. A draw counts as half; a pair whose verdict flips with the order
    /// is a draw.
    pub win_rate: Option<Estimate>,
    /// Whether the judge agrees with itself.
    pub order: Order,
    /// Whether the judge rewards length.
    pub length: Length,
    /// Whether the judge agrees with the user.
    pub own: Own,
    /// Sentences to read with the figures.
    pub warnings: Vec<String>,
    /// The conclusion.
    pub conclusion: Conclusion,
}

impl Report {
    /// Computes all figures. The same records in another order give the same report.
    pub fn new(comparison: &Comparison<'_>) -> Self {
        let tally = tally(comparison.records);
        let pairs = &tally.pairs;
        let outcomes = [Preference::One, Preference::Draw, Preference::Two];
        let n_of = |wanted| pairs.iter().filter(|p| p.outcome() == wanted).count();
        let mut report = Self {
            judge: comparison.judge.clone(),
            sides: comparison.sides.clone(),
            planned: comparison.planned,
            n_requests: tally.n_requests,
            verdicts: tally.verdicts,
            n_pairs: tally.n_pairs,
            n_complete: pairs.len(),
            outcomes: outcomes.map(n_of),
            outcome_shares: outcomes.map(|wanted| share_of(pairs, wanted)),
            win_rate: win_rate(pairs),
            order: order(pairs),
            length: length(pairs),
            own: own(pairs, comparison.ratings),
            failures: tally.failures,
            warnings: Vec::new(),
            conclusion: Conclusion::default(),
        };
        report.conclusion = conclude(&report);
        report.warnings = warnings(&report);
        report
    }

    /// Number of planned requests without a record.
    pub fn n_missing(&self) -> usize {
        self.planned.saturating_sub(self.n_requests)
    }

    /// Number of outputs that could not be read.
    pub fn n_failures(&self) -> usize {
        self.failures.values().sum()
    }

    /// Share of outputs that could not be read.
    pub fn failure_rate(&self) -> f64 {
        self.n_failures() as f64 / self.n_requests.max(1) as f64
    }

    /// A JSON object. Its keys are stable; missing figures are null.
    pub fn to_json(&self) -> Value {
        let side = |side: &Answerer| json!({"name": side.name, "model": side.model});
        let [one, two] = &self.sides;
        let [wins, draws, losses] = self.outcomes;
        let [longer, equal, shorter] = self.length.n;
        let mut json = serde_json::Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("judge", json!(self.judge.model));
        put("temperature", json!(self.judge.temperature));
        put("prompt_hash", json!(self.judge.template));
        put("sides", json!([side(one), side(two)]));
        put("standing", json!(self.conclusion.standing.name()));
        put("conclusion", json!(self.conclusion.sentence));
        put("warnings", json!(self.warnings));
        put("n_planned", json!(self.planned));
        put("n_requests", json!(self.n_requests));
        put("n_missing", json!(self.n_missing()));
        put("n_failures", json!(self.n_failures()));
        put("failure_rate", json!(self.failure_rate()));
        put("failures", json!(self.failures));
        put("verdicts", verdicts_json(&self.verdicts));
        put("n_pairs", json!(self.n_pairs));
        put("n_complete_pairs", json!(self.n_complete));
        put("wins", json!(wins));
        put("draws", json!(draws));
        put("losses", json!(losses));
        put("n_longer", json!(longer));
        put("n_equal_length", json!(equal));
        put("n_shorter", json!(shorter));
        put("no_length_control", json!(self.length.reason));
        put("n_own_ratings", json!(self.own.n));
        let reason = self.own.corrected.err().map(|reason| reason.to_string());
        put("no_corrected_win_rate", json!(reason));
        for (key, estimate) in self.estimates() {
            insert(&mut json, key, estimate);
        }
        Value::Object(json)
    }

    /// All figures that have an interval.
    fn estimates(&self) -> [(&'static str, Option<Estimate>); 14] {
        let [wins, draws, losses] = self.outcome_shares;
        [
            ("win_share", wins),
            ("draw_share", draws),
            ("loss_share", losses),
            ("win_rate", self.win_rate),
            ("order_consistency", self.order.consistency),
            ("order_kappa", self.order.kappa),
            ("first_position_rate", self.order.first_rate),
            ("repeat_consistency", self.order.repeats),
            ("longer_rate", self.length.longer_rate),
            ("length_controlled_win_rate", self.length.win_rate),
            ("own_kappa", self.own.kappa),
            ("sensitivity", self.own.sensitivity),
            ("specificity", self.own.specificity),
            ("corrected_win_rate", self.own.corrected.ok()),
        ]
    }
}

fn verdicts_json(verdicts: &Verdicts) -> Value {
    json!({
        "one": verdicts.one,
        "draw": verdicts.draw,
        "both_bad": verdicts.both_bad,
        "two": verdicts.two,
        "first": verdicts.first,
    })
}

fn order(pairs: &[Judged]) -> Order {
    let by_order: Vec<(Preference, Preference)> = pairs
        .iter()
        .map(|pair| {
            let [one, two] = pair.by_order;
            (one, two)
        })
        .collect();
    let agree = |drawn: &[&(Preference, Preference)]| {
        let n = drawn.iter().filter(|(one, two)| one == two).count();
        ratio(n as u64, drawn.len() as u64)
    };
    let sum = |drawn: &[&Judged], counts: fn(&Judged) -> [u64; 2]| {
        let [all, part] = drawn.iter().fold([0, 0], |[all, part], pair| {
            let [more_all, more_part] = counts(pair);
            [all + more_all, part + more_part]
        });
        ratio(part, all)
    };
    Order {
        consistency: bootstrap_share(&by_order, agree),
        kappa: kappa_estimate(&by_order),
        first_rate: bootstrap_share(pairs, |drawn| sum(drawn, |pair| pair.decided)),
        repeats: bootstrap_share(pairs, |drawn| sum(drawn, |pair| pair.repeats)),
    }
}

fn ratio(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}
