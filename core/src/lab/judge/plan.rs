//! The requests of a run: each pair in both orders, several times, shuffled.

use std::collections::BTreeSet;

use super::prompt::{self, Prompt};
use super::record::{Record, Side};
use super::verdict::{Failure, Verdict};
use super::{Judge, Template};
use crate::hash::fingerprint;
use crate::random::Random;

/// How often each pair is judged in each order (RepoQA-SA, section 6: k = 3).
pub const REPETITIONS: u32 = 3;

/// Two answers to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The question's id, unique in a run.
    pub id: String,
    /// The question, as it was asked.
    pub question: String,
    /// The answers of side one and side two.
    pub answers: [String; 2],
    /// The reference answer, if the set has one; it is shown to the judge.
    pub reference: Option<String>,
}

impl Pair {
    /// The messages of a request in which the answer of `first` comes first.
    pub fn prompt(&self, first: Side) -> Prompt {
        let [one, two] = &self.answers;
        let answers = match first {
            Side::One => [one.as_str(), two],
            Side::Two => [two.as_str(), one],
        };
        prompt::pairwise(&self.question, answers, self.reference.as_deref())
    }

    /// Lengths of the two answers, in characters.
    pub fn lengths(&self) -> [usize; 2] {
        let [one, two] = &self.answers;
        [one.chars().count(), two.chars().count()]
    }

    /// The record of an output, or of the failure to read it.
    pub fn record(&self, request: &Request, outcome: Result<Verdict, Failure>) -> Record {
        Record {
            id: request.id.clone(),
            pair: self.id.clone(),
            first: request.first,
            repetition: request.repetition,
            verdict: outcome.map_err(|failure| failure.to_string()),
            lengths: self.lengths(),
        }
    }
}

/// One request to the judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// 16 hexadecimal digits that depend on everything that is sent, on the judge and on the
    /// repetition, but not on the seed: a resumed run finds its records, and a changed answer,
    /// prompt or judge is asked again.
    pub id: String,
    /// The index of its pair, from 0.
    pub index: usize,
    /// The side whose answer comes first.
    pub first: Side,
    /// The number of the repetition, from 0.
    pub repetition: u32,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// There is nothing to compare.
    #[error("there are no pairs of answers to judge")]
    NoPairs,
    /// Two pairs have the same id, so their verdicts could not be distinguished.
    #[error("two pairs have the same id: {0}")]
    Duplicate(String),
}

/// All requests of a run, in an order that depends on `seed`: whether a service answers early or
/// late, before or after a change, then affects both sides and both orders alike. There is at least
/// one repetition.
pub fn plan(
    pairs: &[Pair],
    judge: &Judge,
    repetitions: u32,
    seed: u64,
) -> Result<Vec<Request>, PlanError> {
    if pairs.is_empty() {
        return Err(PlanError::NoPairs);
    }
    let mut seen = BTreeSet::new();
    let mut requests = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        if !seen.insert(pair.id.as_str()) {
            return Err(PlanError::Duplicate(pair.id.clone()));
        }
        for first in Side::BOTH {
            requests.extend((0..repetitions.max(1)).map(|repetition| Request {
                id: id(pair, judge, first, repetition),
                index,
                first,
                repetition,
            }));
        }
    }
    Random::new(seed).shuffle(&mut requests);
    Ok(requests)
}

/// The requests of a plan that have no record yet. An output that could not be read has a record
/// too: asking until the judge complies would hide how often it does not.
pub fn remaining(plan: &[Request], records: &[Record]) -> Vec<Request> {
    let done: BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
    let is_open = |request: &&Request| !done.contains(request.id.as_str());
    plan.iter().filter(is_open).cloned().collect()
}

/// The ids of `count` pairs to rate by hand, drawn at random. Sensitivity and specificity hold for
/// all pairs only if the rated ones were not chosen by the judge's verdicts.
pub fn sample_to_rate(pairs: &[Pair], count: usize, seed: u64) -> Vec<String> {
    let mut ids: Vec<&str> = pairs.iter().map(|pair| pair.id.as_str()).collect();
    ids.sort_unstable();
    Random::new(seed).shuffle(&mut ids);
    ids.into_iter().take(count).map(str::to_owned).collect()
}

fn id(pair: &Pair, judge: &Judge, first: Side, repetition: u32) -> String {
    let prompt = pair.prompt(first);
    let temperature = judge.temperature.map(|t| t.to_string());
    let repetition = repetition.to_string();
    let parts = [
        Template::Pairwise.name(),
        &judge.model,
        temperature.as_deref().unwrap_or("default"),
        &judge.template,
        &pair.id,
        &prompt.system,
        &prompt.user,
        first.name(),
        &repetition,
    ];
    fingerprint(parts, 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(n: usize) -> Vec<Pair> {
        let pair = |n| Pair {
            id: format!("q{n}"),
            question: "why?".to_owned(),
            answers: [format!("one {n}"), format!("two {n}")],
            reference: None,
        };
        (0..n).map(pair).collect()
    }

    fn judge() -> Judge {
        Judge::new("some-model", Some(0.7))
    }

    fn sorted_ids(plan: &[Request]) -> Vec<&str> {
        let mut ids: Vec<&str> = plan.iter().map(|request| request.id.as_str()).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn each_pair_is_asked_in_both_orders_as_often_as_planned_and_shuffled() {
        let plan_of = |seed| plan(&pairs(10), &judge(), REPETITIONS, seed).unwrap();
        let (one, two) = (plan_of(1), plan_of(2));
        assert_eq!(one.len(), 60);
        for index in 0..10 {
            for first in Side::BOTH {
                let is_it = |r: &&Request| r.index == index && r.first == first;
                let mut found: Vec<u32> = one.iter().filter(is_it).map(|r| r.repetition).collect();
                found.sort_unstable();
                assert_eq!(found, [0, 1, 2]);
            }
        }
        assert_eq!(one, plan_of(1));
        assert_ne!(one, two);
        assert_eq!(sorted_ids(&one), sorted_ids(&two));
        let distinct: BTreeSet<&str> = one.iter().map(|r| r.id.as_str()).collect();
        assert_eq!(distinct.len(), 60);
    }

    #[test]
    fn a_resumed_run_requests_only_missing_outputs_and_changed_answers() {
        let mut pairs = pairs(3);
        let requests = plan(&pairs, &judge(), 1, 7).unwrap();
        let record = |request: &Request| {
            let pair = &pairs[request.index];
            pair.record(request, Err(Failure::Empty))
        };
        let records: Vec<Record> = requests.iter().take(4).map(record).collect();
        assert_eq!(remaining(&requests, &records), requests[4..]);
        let all: Vec<Record> = requests.iter().map(record).collect();
        assert!(remaining(&requests, &all).is_empty());
        pairs[1].answers[0].push('!');
        let changed = plan(&pairs, &judge(), 1, 7).unwrap();
        let open = remaining(&changed, &all);
        assert_eq!(open.iter().map(|r| r.index).collect::<Vec<_>>(), [1, 1]);
        let other = plan(&pairs, &Judge::new("other", Some(0.7)), 1, 7).unwrap();
        assert_eq!(remaining(&other, &all).len(), 6);
    }

    #[test]
    fn a_plan_that_cannot_be_evaluated_is_refused() {
        let twice = [pairs(1), pairs(1)].concat();
        assert_eq!(plan(&[], &judge(), 3, 1), Err(PlanError::NoPairs));
        let duplicate = PlanError::Duplicate("q0".to_owned());
        assert_eq!(plan(&twice, &judge(), 3, 1), Err(duplicate));
    }

    #[test]
    fn the_sample_to_rate_depends_on_the_seed_alone() {
        let mut pairs = pairs(50);
        let sample = sample_to_rate(&pairs, 30, 4);
        assert_eq!(sample.iter().collect::<BTreeSet<_>>().len(), 30);
        pairs.reverse();
        assert_eq!(sample, sample_to_rate(&pairs, 30, 4));
        assert_ne!(sample, sample_to_rate(&pairs, 30, 5));
        assert_eq!(sample_to_rate(&pairs, 99, 4).len(), 50);
    }

    #[test]
    fn the_prompt_shows_the_answers_in_the_order_of_the_request() {
        let pair = &pairs(1)[0];
        for (first, before, after) in [(Side::One, "one 0", "two 0"), (Side::Two, "two 0", "one 0")]
        {
            let user = pair.prompt(first).user;
            assert!(user.find(before).unwrap() < user.find(after).unwrap());
        }
    }
}
