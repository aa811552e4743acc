//! The rules for choosing the set of files that are compared.

use std::fmt;

use super::Judged;

#[derive(Clone, Copy)]
pub enum Rule {
    /// This many files.
    Fixed(usize),
    /// At most four files, each with this share of the best score.
    Share(f32),
    /// The best file, and all others with at least this confidence.
    Confidence(f64),
    /// The number of files, taken by confidence, that has the highest expected F1.
    ExpectedF1,
}

impl Rule {
    pub const ALL: [Rule; 11] = [
        Rule::Fixed(1),
        Rule::Fixed(2),
        Rule::Fixed(3),
        Rule::Fixed(4),
        Rule::Share(0.9),
        Rule::Confidence(0.3),
        Rule::Confidence(0.35),
        Rule::Confidence(0.4),
        Rule::Confidence(0.5),
        Rule::Confidence(0.6),
        Rule::ExpectedF1,
    ];

    /// The ranks of the chosen files.
    pub fn choose(self, judged: &Judged) -> Vec<usize> {
        let files = &judged.case.files;
        let ranks = 0..files.len();
        match self {
            Rule::Fixed(n) => ranks.take(n).collect(),
            Rule::Share(share) => {
                let best = files.first().map_or(0.0, |&(score, _, _)| score);
                let good = files
                    .iter()
                    .take_while(|&&(score, _, _)| score >= share * best);
                (0..good.count().min(4)).collect()
            }
            Rule::Confidence(least) => {
                let confidences = judged.confidences.iter().enumerate();
                let wanted =
                    confidences.filter(|&(at, &confidence)| at == 0 || confidence >= least);
                wanted.map(|(at, _)| at).collect()
            }
            Rule::ExpectedF1 => {
                let mut order: Vec<usize> = ranks.collect();
                let confidence = |at: usize| judged.confidences.get(at).copied().unwrap_or(0.0);
                order.sort_by(|&a, &b| confidence(b).total_cmp(&confidence(a)));
                let sorted: Vec<f64> = order.iter().map(|&at| confidence(at)).collect();
                let f1 = |n: &usize| expected_f1(&sorted, *n);
                let best = (1..=sorted.len()).max_by(|a, b| f1(a).total_cmp(&f1(b)));
                order.truncate(best.unwrap_or(0));
                order
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Fixed(n) => write!(f, "the best {n}"),
            Rule::Share(share) => write!(f, "{share} of the best score"),
            Rule::Confidence(least) => write!(f, "confidence {least}"),
            Rule::ExpectedF1 => write!(f, "expected F1"),
        }
    }
}

/// E[2·found / (n + gold)] of the first `n` files, if each is gold with its own confidence,
/// independently of the others.
fn expected_f1(confidences: &[f64], n: usize) -> f64 {
    let (chosen, others) = confidences.split_at(n.min(confidences.len()));
    let (found, missed) = (counts(chosen), counts(others));
    let mut expected = 0.0;
    for (found, p) in found.iter().enumerate() {
        for (missed, q) in missed.iter().enumerate() {
            expected += p * q * 2.0 * found as f64 / (n + found + missed) as f64;
        }
    }
    expected
}

/// The probability of each number of successes.
fn counts(probabilities: &[f64]) -> Vec<f64> {
    let mut counts = vec![1.0];
    for p in probabilities {
        let mut next = vec![0.0; counts.len() + 1];
        for (at, count) in counts.iter().enumerate() {
            next[at] += count * (1.0 - p);
            next[at + 1] += count * p;
        }
        counts = next;
    }
    counts
}
