//! Turns rated or judged pairs of answers into preferences to tune on.

use super::{Preference, Why};
use crate::lab::judge::{self, Pair, Ratings, Record, Side, outcomes};

/// For each pair, the answer that the user preferred; if the user did not rate it, the one that the
/// judge chose in both orders. Pairs without a winner teach nothing and are left out.
pub fn of_pairs(pairs: &[Pair], ratings: &Ratings, records: &[Record]) -> Vec<Preference> {
    let judged = outcomes(records);
    let preference = |pair: &Pair| {
        let rated = ratings.get(&pair.id).copied();
        let outcome = rated.or_else(|| judged.get(&pair.id).copied())?;
        let [one, two] = &pair.answers;
        let (side, chosen, rejected) = match outcome {
            judge::Preference::One => (Side::One, one, two),
            judge::Preference::Two => (Side::Two, two, one),
            judge::Preference::Draw => return None,
        };
        let why = match rated {
            // A preference has no scale, so the better answer gets one point more.
            Some(_) => Why::Rating {
                chosen: 1.0,
                rejected: 0.0,
            },
            None => Why::Judge {
                win_rate: win_rate(records, &pair.id, side),
            },
        };
        Some(Preference {
            id: pair.id.clone(),
            question: pair.question.clone(),
            chosen: chosen.clone(),
            rejected: rejected.clone(),
            why,
        })
    };
    pairs.iter().filter_map(preference).collect()
}

/// The share of a pair's verdicts that a side won; a draw counts as half.
fn win_rate(records: &[Record], pair: &str, side: Side) -> f64 {
    let of_pair = records.iter().filter(|record| record.pair == pair);
    let scores = of_pair.filter_map(|record| {
        let verdict = record.verdict.as_ref().ok()?;
        let score = judge::Preference::new(*verdict, record.first).score();
        Some(match side {
            Side::One => score,
            Side::Two => 1.0 - score,
        })
    });
    let scores: Vec<f64> = scores.collect();
    match scores.len() {
        0 => 0.0,
        n => scores.iter().sum::<f64>() / n as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::judge::Verdict;

    fn pair(id: &str) -> Pair {
        Pair {
            id: id.to_owned(),
            question: format!("what does {id} do?"),
            answers: ["one".to_owned(), "two".to_owned()],
            reference: None,
        }
    }

    fn record(pair: &str, first: Side, verdict: Verdict) -> Record {
        Record {
            id: format!("{pair} {}", first.name()),
            pair: pair.to_owned(),
            first,
            repetition: 0,
            verdict: Ok(verdict),
            lengths: [3, 3],
        }
    }

    #[test]
    fn the_user_comes_before_the_judge_and_draws_are_left_out() {
        let pairs = ["rated", "judged", "flips", "drawn", "unsaid"].map(pair);
        let ratings = Ratings::from([
            ("rated".to_owned(), judge::Preference::Two),
            ("drawn".to_owned(), judge::Preference::Draw),
        ]);
        let both = |pair: &str, verdicts: [Verdict; 2]| {
            let [one, two] = verdicts;
            [record(pair, Side::One, one), record(pair, Side::Two, two)]
        };
        let records = [
            both("rated", [Verdict::First, Verdict::Second]),
            both("judged", [Verdict::First, Verdict::Second]),
            both("flips", [Verdict::First, Verdict::First]),
            both("drawn", [Verdict::First, Verdict::Second]),
        ]
        .concat();
        let made = of_pairs(&pairs, &ratings, &records);
        let made: Vec<(&str, &str, Why)> = made
            .iter()
            .map(|it| (it.id.as_str(), it.chosen.as_str(), it.why))
            .collect();
        let by_user = Why::Rating {
            chosen: 1.0,
            rejected: 0.0,
        };
        assert_eq!(
            made,
            [
                ("rated", "two", by_user),
                ("judged", "one", Why::Judge { win_rate: 1.0 }),
            ]
        );
    }
}
