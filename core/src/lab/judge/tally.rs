//! Groups records into pairs: the judge's verdicts on each, in both orders and all repetitions.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Preference, Record, Side};
use super::verdict::Verdict;

/// The judge's verdicts on a pair.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    pub(super) id: String,
    /// Lengths of the answers of side one and side two, in characters.
    pub(super) lengths: [usize; 2],
    /// The majority of the repetitions when side one came first, and when side two did.
    pub(super) by_order: [Preference; 2],
    /// Number of verdicts for one of the two answers, and of those for the one that came first.
    pub(super) decided: [u64; 2],
    /// Number of pairs of repetitions of one request, and of those that agree.
    pub(super) repeats: [u64; 2],
}

impl Judged {
    /// The side that wins in both orders; otherwise a draw.
    pub(super) fn outcome(&self) -> Preference {
        match self.by_order {
            [one, two] if one == two => one,
            _ => Preference::Draw,
        }
    }
}

/// How often each verdict was given, over all readable records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// For side one.
    pub one: usize,
    /// Equally good.
    pub draw: usize,
    /// Both bad.
    pub both_bad: usize,
    /// For side two.
    pub two: usize,
    /// For the answer that came first, whichever side's it was.
    pub first: usize,
}

impl Verdicts {
    /// All verdicts together.
    pub fn total(&self) -> usize {
        self.one + self.two + self.draw + self.both_bad
    }

    fn add(&mut self, verdict: Verdict, first: Side) {
        match (verdict, Preference::new(verdict, first)) {
            (Verdict::BothBad, _) => self.both_bad += 1,
            (_, Preference::One) => self.one += 1,
            (_, Preference::Two) => self.two += 1,
            (_, Preference::Draw) => self.draw += 1,
        }
        self.first += usize::from(verdict == Verdict::First);
    }
}

/// The content of the records, whatever their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// Number of distinct requests with a record.
    pub(super) n_requests: usize,
    /// Number of requests, by reason.
    pub(super) failures: BTreeMap<String, usize>,
    pub(super) verdicts: Verdicts,
    /// Number of pairs with at least one record.
    pub(super) n_pairs: usize,
    /// Pairs with a verdict in both orders, sorted by id: only for these can the order not
    /// influence the score.
    pub(super) pairs: Vec<Judged>,
}

/// Why a request has no verdict although its records have some.
const CONTRADICTION: &str = "the records contain different verdicts for the same request";

type Requests<'r> = BTreeMap<(Side, u32), BTreeSet<&'r Record>>;

/// Groups records. A request that was recorded twice counts once: a verdict beats a failure, and
/// two different verdicts are a failure, since neither can be chosen.
pub(super) fn tally(records: &[Record]) -> Tally {
    let mut by_pair: BTreeMap<&str, Requests<'_>> = BTreeMap::new();
    for record in records {
        let requests = by_pair.entry(&record.pair).or_default();
        let key = (record.first, record.repetition);
        requests.entry(key).or_default().insert(record);
    }
    let mut tally = Tally {
        n_pairs: by_pair.len(),
        ..Tally::default()
    };
    for (id, requests) in by_pair {
        let mut verdicts: [Vec<Verdict>; 2] = [Vec::new(), Vec::new()];
        tally.n_requests += requests.len();
        for ((first, _), records) in &requests {
            match verdict(records) {
                Ok(verdict) => {
                    tally.verdicts.add(verdict, *first);
                    let [one, two] = &mut verdicts;
                    match first {
                        Side::One => one.push(verdict),
                        Side::Two => two.push(verdict),
                    }
                }
                Err(reason) => *tally.failures.entry(reason).or_default() += 1,
            }
        }
        let lengths = requests.values().flatten().map(|record| record.lengths);
        let lengths = lengths.min().unwrap_or_default();
        tally.pairs.extend(judged(id, lengths, &verdicts));
    }
    tally
}

/// The outcome of each pair that has a verdict in both orders, by the pair's id: the side that wins
/// in both orders, otherwise a draw.
pub fn outcomes(records: &[Record]) -> BTreeMap<String, Preference> {
    let judged = tally(records).pairs.into_iter();
    judged.map(|it| (it.id.clone(), it.outcome())).collect()
}

fn verdict(records: &BTreeSet<&Record>) -> Result<Verdict, String> {
    let verdicts: BTreeSet<Verdict> = records
        .iter()
        .filter_map(|record| record.verdict.clone().ok())
        .collect();
    let mut verdicts = verdicts.into_iter();
    match (verdicts.next(), verdicts.next()) {
        (Some(verdict), None) => Ok(verdict),
        (Some(_), Some(_)) => Err(CONTRADICTION.to_owned()),
        (None, _) => {
            let mut reasons = records.iter().filter_map(|r| r.verdict.as_ref().err());
            Err(reasons.next().cloned().unwrap_or_default())
        }
    }
}

fn judged(id: &str, lengths: [usize; 2], verdicts: &[Vec<Verdict>; 2]) -> Option<Judged> {
    let [one, two] = verdicts;
    let mut judged = Judged {
        id: id.to_owned(),
        lengths,
        by_order: [majority(one, Side::One)?, majority(two, Side::Two)?],
        decided: [0, 0],
        repeats: [0, 0],
    };
    for verdicts in verdicts {
        let count = |wanted: Verdict| verdicts.iter().filter(|v| **v == wanted).count() as u64;
        let (first, second) = (count(Verdict::First), count(Verdict::Second));
        let draws = verdicts.len() as u64 - first - second;
        let [decided, for_first] = &mut judged.decided;
        *decided += first + second;
        *for_first += first;
        let n_pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let [repeats, agreeing] = &mut judged.repeats;
        *repeats += n_pairs(verdicts.len() as u64);
        *agreeing += n_pairs(first) + n_pairs(second) + n_pairs(draws);
    }
    Some(judged)
}

/// The verdict of most repetitions; a draw if no preference has more than every other.
fn majority(verdicts: &[Verdict], first: Side) -> Option<Preference> {
    let count = |wanted: Preference| {
        let preferences = verdicts.iter().map(|v| Preference::new(*v, first));
        preferences
            .filter(|preference| *preference == wanted)
            .count()
    };
    let (one, draw, two) = (
        count(Preference::One),
        count(Preference::Draw),
        count(Preference::Two),
    );
    match () {
        () if verdicts.is_empty() => None,
        () if one > two.max(draw) => Some(Preference::One),
        () if two > one.max(draw) => Some(Preference::Two),
        () => Some(Preference::Draw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pair: &str, first: Side, repetition: u32, letter: char) -> Record {
        Record {
            id: format!("{pair}{first:?}{repetition}"),
            pair: pair.to_owned(),
            first,
            repetition,
            verdict: Verdict::from_letter(letter).ok_or("unreadable".to_owned()),
            lengths: [3, 4],
        }
    }

    /// Records of one pair: the letters when side one came first, and when side two did.
    fn pair(orders: [&str; 2]) -> Vec<Record> {
        let of_side = |(side, letters): (Side, &str)| {
            let letters: Vec<char> = letters.chars().collect();
            (0..)
                .zip(letters)
                .map(move |(n, l)| record("q", side, n, l))
                .collect::<Vec<_>>()
        };
        Side::BOTH
            .into_iter()
            .zip(orders)
            .flat_map(of_side)
            .collect()
    }

    #[test]
    fn a_side_wins_only_if_it_wins_in_both_orders() {
        for (orders, expected) in [
            (["AAA", "BBB"], Some(Preference::One)),
            (["BBB", "AAA"], Some(Preference::Two)),
            (["AAA", "AAA"], Some(Preference::Draw)),
            (["AAB", "BBA"], Some(Preference::One)),
            (["AAA", "CCC"], Some(Preference::Draw)),
            (["ABC", "BBB"], Some(Preference::Draw)),
            (["CCD", "DDD"], Some(Preference::Draw)),
            (["A??", "?B?"], Some(Preference::One)),
            (["AAA", "???"], None),
            (["AAA", ""], None),
        ] {
            let tally = tally(&pair(orders));
            let outcome = tally.pairs.first().map(Judged::outcome);
            assert_eq!(outcome, expected, "{orders:?}");
            assert_eq!(tally.n_pairs, 1);
        }
    }

    #[test]
    fn verdicts_repeats_and_failures_are_counted() {
        let tally = tally(&pair(["AAB", "CD?"]));
        let expected = Verdicts {
            one: 2,
            draw: 1,
            both_bad: 1,
            two: 1,
            first: 2,
        };
        assert_eq!((tally.verdicts, tally.verdicts.total()), (expected, 5));
        assert_eq!(
            (tally.n_requests, tally.failures.values().sum::<usize>()),
            (6, 1)
        );
        assert_eq!(tally.failures["unreadable"], 1);
        let judged = &tally.pairs[0];
        assert_eq!(judged.decided, [3, 2]);
        // One of three pairs of repetitions agrees; both draws agree.
        assert_eq!(judged.repeats, [4, 2]);
    }

    #[test]
    fn a_request_recorded_twice_counts_once_and_a_contradiction_is_a_failure() {
        let once = pair(["A", "B"]);
        let mut twice = [once.clone(), once.clone()].concat();
        assert_eq!(tally(&twice), tally(&once));
        twice.push(record("q", Side::One, 0, '?'));
        assert_eq!(tally(&twice), tally(&once));
        twice.push(record("q", Side::One, 0, 'B'));
        let contradicted = tally(&twice);
        assert_eq!(contradicted.failures[CONTRADICTION], 1);
        assert!(contradicted.pairs.is_empty());
    }
}
