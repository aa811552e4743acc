//! The agreement of merged files' annotators, in pairs and all together.

use serde_json::{Map, Value, json};

use super::coefficients::{Agreement, Level, Undefined, alpha, kappa, weighted_kappa};
use super::merge::Merged;
use super::review::Review;
use super::rubric::SCORES;

/// How far two annotators agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The name of the one.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// Cohen's κ for keeping and deleting.
    pub keep: Agreement,
    /// κ with quadratic weights for the rating.
    pub rating: Agreement,
    /// κ with quadratic weights for the five scores, in the order of [`SCORES`].
    pub scores: [Agreement; 5],
}

/// Krippendorff's α for one scale, at three levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Values are the same or not.
    pub nominal: Agreement,
    /// Values have an order.
    pub ordinal: Agreement,
    /// Differences between values count.
    pub interval: Agreement,
}

/// How far annotators agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One entry for every two annotators.
    pub pairs: Vec<Pair>,
    /// Krippendorff's α for keeping and deleting (nominal), over all annotators.
    pub keep: Agreement,
    /// α for the rating.
    pub rating: Levels,
    /// α for the five scores, in the order of [`SCORES`].
    pub scores: [Levels; 5],
}

fn keep(review: &Review) -> Option<u8> {
    review.keep.map(u8::from)
}

fn score(review: &Review, at: usize) -> Option<u8> {
    review.scores.get(at).copied().flatten()
}

impl Merged {
    /// Computes the agreement of the annotators. Missing values are left out and do not count as
    /// disagreement.
    pub fn agreement(&self) -> Report {
        let rating = |review: &Review| review.rating;
        let mut pairs = Vec::new();
        for (first, one) in self.annotators.iter().enumerate() {
            for (second, other) in self.annotators.iter().enumerate().skip(first + 1) {
                let both = |value: &dyn Fn(&Review) -> Option<u8>| self.both(first, second, value);
                pairs.push(Pair {
                    first: one.clone(),
                    second: other.clone(),
                    keep: kappa(&both(&keep)),
                    rating: weighted_kappa(&both(&rating)),
                    scores: [0, 1, 2, 3, 4]
                        .map(|at| weighted_kappa(&both(&|review| score(review, at)))),
                });
            }
        }
        Report {
            pairs,
            keep: self.alpha(&self.units(&keep), Level::Nominal),
            rating: self.levels(&rating),
            scores: [0, 1, 2, 3, 4].map(|at| self.levels(&|review| score(review, at))),
        }
    }

    /// The values of both annotators for the questions that both judged.
    fn both(
        &self,
        first: usize,
        second: usize,
        value: &dyn Fn(&Review) -> Option<u8>,
    ) -> Vec<(u8, u8)> {
        let pair = |reviews: &[Option<Review>]| {
            let of = |at: usize| value(reviews.get(at)?.as_ref()?);
            Some((of(first)?, of(second)?))
        };
        let questions = self.questions.iter();
        questions.filter_map(|it| pair(&it.reviews)).collect()
    }

    /// The values of each question.
    fn units(&self, value: &dyn Fn(&Review) -> Option<u8>) -> Vec<Vec<u8>> {
        let questions = self.questions.iter();
        questions
            .map(|it| it.reviews.iter().flatten().filter_map(value).collect())
            .collect()
    }

    fn levels(&self, value: &dyn Fn(&Review) -> Option<u8>) -> Levels {
        let units = self.units(value);
        Levels {
            nominal: self.alpha(&units, Level::Nominal),
            ordinal: self.alpha(&units, Level::Ordinal),
            interval: self.alpha(&units, Level::Interval),
        }
    }

    fn alpha(&self, units: &[Vec<u8>], level: Level) -> Agreement {
        if self.annotators.len() < 2 {
            return Agreement::undefined(Undefined::FewRaters);
        }
        alpha(units, level)
    }
}

impl Report {
    /// The report as JSON: a coefficient is a number, or null with the reason beside it.
    pub fn to_json(&self) -> Value {
        let pairs = self.pairs.iter().map(|pair| {
            json!({
                "annotators": [pair.first, pair.second],
                "keep": agreement(&pair.keep),
                "rating": agreement(&pair.rating),
                "scores": by_score(&pair.scores, agreement),
            })
        });
        json!({
            "pairs": pairs.collect::<Vec<Value>>(),
            "all": {
                "keep": agreement(&self.keep),
                "rating": levels(&self.rating),
                "scores": by_score(&self.scores, levels),
            },
        })
    }
}

fn agreement(it: &Agreement) -> Value {
    json!({
        "coefficient": it.coefficient.ok(),
        "reason": it.coefficient.err().map(|why| why.to_string()),
        "agreed": it.agreed,
        "n": it.n,
    })
}

fn levels(it: &Levels) -> Value {
    json!({
        "nominal": agreement(&it.nominal),
        "ordinal": agreement(&it.ordinal),
        "interval": agreement(&it.interval),
    })
}

fn by_score<T>(values: &[T; 5], json: fn(&T) -> Value) -> Value {
    let named = SCORES.iter().zip(values);
    let named = named.map(|(scale, value)| (scale.key.to_owned(), json(value)));
    Value::Object(named.collect::<Map<String, Value>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::agreement::file::{Annotations, read};
    use crate::lab::agreement::merge::merge;

    fn file(annotator: &str, reviews: impl Iterator<Item = (usize, String)>) -> Annotations {
        let mut jsonl = json!({"annotator": annotator, "set": "s", "format": 1}).to_string();
        for (id, rest) in reviews {
            jsonl += &format!("\n{{\"id\": \"q{id}\", {rest}}}");
        }
        let reading = read(&jsonl, "s", |_| true).unwrap();
        assert!(reading.rejected.is_empty(), "{:?}", reading.rejected);
        reading.annotations
    }

    /// The 50 grant proposals of Wikipedia's article on Cohen's kappa, as two annotators' files.
    fn readers(of: fn(usize) -> bool, name: &str) -> Annotations {
        file(name, (0..50).map(|n| (n, format!("\"keep\": {}", of(n)))))
    }

    #[test]
    fn two_files_give_the_kappa_of_a_published_example() {
        let merged = merge(vec![
            readers(|n| n < 25, "A"),
            readers(|n| n < 20 || (25..35).contains(&n), "B"),
        ]);
        let report = merged.agreement();
        let keep = report.pairs[0].keep;
        assert!((keep.coefficient.unwrap() - 0.4).abs() < 1e-12);
        assert_eq!((keep.agreed, keep.n), (Some(0.7), 50));
        assert_eq!(
            report.pairs[0].rating.coefficient,
            Err(Undefined::NoOverlap)
        );
        let contested = merged.questions.iter().take_while(|it| it.is_contested);
        assert_eq!(contested.count(), 15);
        let json = report.to_json();
        assert_eq!(json["pairs"][0]["annotators"], json!(["A", "B"]));
        assert!((json["pairs"][0]["keep"]["coefficient"].as_f64().unwrap() - 0.4).abs() < 1e-12);
        assert!(json["all"]["rating"]["ordinal"]["coefficient"].is_null());
        assert!(json["all"]["scores"]["clarity"]["nominal"]["reason"].is_string());
    }

    #[test]
    fn four_files_give_the_alpha_of_a_published_example() {
        const NONE: usize = 0;
        let rows: [[usize; 12]; 4] = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
            [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
        ];
        let files = ["A", "B", "C", "D"].iter().zip(&rows).map(|(name, row)| {
            let said = row.iter().enumerate().filter(|(_, value)| **value != NONE);
            let said = said.map(|(n, value)| {
                let rest = format!("\"rating\": {value}, \"scores\": {{\"relevance\": {value}}}");
                (n, rest)
            });
            file(name, said)
        });
        let report = merge(files.collect()).agreement();
        assert_eq!(report.pairs.len(), 6);
        assert_eq!(report.scores[2], report.rating);
        let rating = report.rating;
        for (actual, expected) in [
            (rating.nominal, 0.743),
            (rating.ordinal, 0.815),
            (rating.interval, 0.849),
        ] {
            assert!((actual.coefficient.unwrap() - expected).abs() < 5e-4);
            assert_eq!(actual.n, 11);
        }
        // A and C both rated units 2 to 9, B and D all but the last: pairs leave out what is
        // missing.
        let n: Vec<usize> = report.pairs.iter().map(|pair| pair.rating.n).collect();
        assert_eq!(n, [9, 8, 9, 9, 10, 10]);
    }

    #[test]
    fn one_annotator_agrees_with_nobody() {
        let report = merge(vec![readers(|n| n < 25, "A")]).agreement();
        assert!(report.pairs.is_empty());
        assert_eq!(report.keep.coefficient, Err(Undefined::FewRaters));
        let nobody = merge(Vec::new()).agreement();
        assert_eq!(nobody.rating.ordinal.coefficient, Err(Undefined::FewRaters));
    }

    #[test]
    fn people_who_rated_different_questions_do_not_overlap() {
        let half = |name: &str, from: usize| {
            file(
                name,
                (from..from + 5).map(|n| (n, "\"rating\": 4".to_owned())),
            )
        };
        let report = merge(vec![half("A", 0), half("B", 5)]).agreement();
        assert_eq!(
            report.pairs[0].rating.coefficient,
            Err(Undefined::NoOverlap)
        );
        assert_eq!(
            report.rating.interval.coefficient,
            Err(Undefined::NoOverlap)
        );
    }
}
