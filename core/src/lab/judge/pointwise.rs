//! Scores of single answers, averaged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::estimate::{Estimate, bootstrap, insert};
use super::scores::{CRITERIA, Scores};
use crate::eval::average;

/// The five scores of one answer, or why there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRecord {
    /// The question's id.
    pub question: String,
    /// The number of the repetition, from 0.
    pub repetition: u32,
    /// The judge's scores, or why there are none.
    pub scores: Result<Scores, String>,
}

/// Means over the questions of a set; a question's own mean is first taken over its repetitions.
/// Intervals are 95 % bootstrap intervals over questions.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSummary {
    /// Number of questions with a record.
    pub n_questions: usize,
    /// Number of questions with scores.
    pub n_scored: usize,
    /// Number of records.
    pub n_records: usize,
    /// Number of unreadable outputs, by reason.
    pub failures: BTreeMap<String, usize>,
    /// Each 0 to 10, in the order of [`CRITERIA`].
    pub criteria: [Option<Estimate>; 5],
    /// 0 to 50.
    pub sum: Option<Estimate>,
    /// Mean over questions of the difference between the highest and the lowest sum of its
    /// repetitions; `None` without repetitions.
    pub repeat_spread: Option<f64>,
}

/// Averages a judge's scores for the answers of one run.
pub fn score_summary(records: &[ScoreRecord]) -> ScoreSummary {
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_question: BTreeMap<&str, Vec<(u32, Scores)>> = BTreeMap::new();
    for record in records {
        match &record.scores {
            Ok(scores) => {
                let scored = by_question.entry(&record.question).or_default();
                scored.push((record.repetition, *scores));
            }
            Err(reason) => *failures.entry(reason.clone()).or_default() += 1,
        }
    }
    for scored in by_question.values_mut() {
        // Sums of floating-point numbers depend on their order.
        scored.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.sum().total_cmp(&y.sum())));
    }
    let questions: Vec<Vec<(u32, Scores)>> = by_question.into_values().collect();
    let estimate = |value: &dyn Fn(&Scores) -> f64| {
        let means: Vec<f64> = questions
            .iter()
            .filter_map(|scored| average(scored.iter().map(|(_, scores)| value(scores))))
            .collect();
        bootstrap(&means, |drawn| average(drawn.iter().map(|value| **value)))
    };
    let criterion =
        |at: usize| estimate(&|scores: &Scores| scores.0.get(at).copied().unwrap_or(0.0));
    let all: BTreeSet<&str> = records
        .iter()
        .map(|record| record.question.as_str())
        .collect();
    ScoreSummary {
        n_questions: all.len(),
        n_scored: questions.len(),
        n_records: records.len(),
        failures,
        criteria: [0, 1, 2, 3, 4].map(criterion),
        sum: estimate(&Scores::sum),
        repeat_spread: average(questions.iter().filter_map(|scored| spread(scored))),
    }
}

fn spread(scored: &[(u32, Scores)]) -> Option<f64> {
    let sums = || scored.iter().map(|(_, scores)| scores.sum());
    let (low, high) = (sums().reduce(f64::min)?, sums().reduce(f64::max)?);
    (scored.len() > 1).then_some(high - low)
}

impl ScoreSummary {
    /// A JSON object. Its keys are stable; missing figures are null.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        for (criterion, estimate) in CRITERIA.iter().zip(self.criteria) {
            insert(&mut json, criterion, estimate);
        }
        insert(&mut json, "sum", self.sum);
        json.insert("n_questions".to_owned(), json!(self.n_questions));
        json.insert("n_scored".to_owned(), json!(self.n_scored));
        json.insert("n_records".to_owned(), json!(self.n_records));
        json.insert("failures".to_owned(), json!(self.failures));
        json.insert("repeat_spread".to_owned(), json!(self.repeat_spread));
        Value::Object(json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(question: &str, repetition: u32, scores: Option<[f64; 5]>) -> ScoreRecord {
        ScoreRecord {
            question: question.to_owned(),
            repetition,
            scores: scores.map(Scores).ok_or("the output is empty".to_owned()),
        }
    }

    #[test]
    fn questions_weigh_the_same_however_often_they_were_scored() {
        let mut records = vec![
            record("a", 0, Some([10.0, 8.0, 6.0, 4.0, 2.0])),
            record("a", 1, Some([10.0, 8.0, 6.0, 4.0, 6.0])),
            record("b", 0, Some([4.0; 5])),
            record("b", 1, None),
            record("c", 0, None),
        ];
        let thirds = [0.1, 0.2, 0.3].map(|x| record("d", (x * 10.0) as u32, Some([x; 5])));
        let mut backwards = thirds.to_vec();
        backwards.reverse();
        assert_eq!(score_summary(&thirds), score_summary(&backwards));
        let summary = score_summary(&records);
        assert_eq!(
            (summary.n_questions, summary.n_scored, summary.n_records),
            (3, 2, 5)
        );
        assert_eq!(summary.failures["the output is empty"], 2);
        assert_eq!(summary.criteria[0].unwrap().value, 7.0);
        assert_eq!(summary.sum.unwrap().value, (32.0 + 20.0) / 2.0);
        assert_eq!(summary.repeat_spread, Some(4.0));
        records.reverse();
        assert_eq!(score_summary(&records), summary);
        let json = summary.to_json();
        assert_eq!(
            (json["sum"].as_f64(), json["reasoning_ci95"][1].as_f64()),
            (Some(26.0), Some(4.0))
        );
    }

    #[test]
    fn nothing_is_null_rather_than_zero() {
        let json = score_summary(&[record("a", 0, None)]).to_json();
        assert!(json["sum"].is_null() && json["clarity_ci95"].is_null());
        assert_eq!(json["failures"]["the output is empty"], 1);
    }
}
