//! The weights of the fitted mix: logistic regression on the blocks of all questions, and how well
//! it works on repositories left out of the fit.

use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;

use footnote_core::compress::score::fitted::{Features, NAMES};
use footnote_core::compress::{Budget, Scored};

use super::pools::Gold;
use super::{Row, kept, share_kept};
use crate::Result;

const STEPS: usize = 800;
const RATE: f64 = 0.3;
const MOMENTUM: f64 = 0.9;
/// The weight of the squared coefficients. It keeps those of redundant features small.
const RIDGE: f64 = 1e-3;
const N: usize = NAMES.len();

/// A question in one setting, kept until the weights are known.
pub struct Held {
    pub set: usize,
    pub repository: String,
    pub gold: Rc<Gold>,
    pub pool: String,
    pub suffix: String,
    pub scored: Scored,
    pub budgets: Vec<(f32, Budget)>,
    pub names: BTreeSet<String>,
    /// Whether the weights are fitted on it.
    pub is_example: bool,
}

/// A block: its features, the share of its lines that are gold, and its weight.
type Example = (Features, f64, f64);

/// Adds rows for the mix with weights fitted on all other repositories; prints the weights fitted
/// on all of them.
pub fn left_out(held: &[Held], rows: &mut Vec<Row>) -> Result<()> {
    let repositories: BTreeSet<&str> = held.iter().map(|held| held.repository.as_str()).collect();
    for repository in &repositories {
        let others = held.iter().filter(|held| held.repository != *repository);
        let weights = fit(&examples(others));
        for own in held.iter().filter(|held| held.repository == *repository) {
            own.measure(&weights, rows);
        }
    }
    let weights = fit(&examples(held.iter()));
    let mut line = std::io::stderr();
    for (name, weight) in NAMES.iter().zip(weights) {
        writeln!(line, "{name}: {weight:.3}")?;
    }
    Ok(())
}

impl Held {
    fn measure(&self, weights: &Features, rows: &mut Vec<Row>) {
        let values = self.scored.fitted_values(weights);
        for (keep, budget) in &self.budgets {
            let snippets = self.scored.compress_by(&values, budget);
            rows.push(Row {
                set: self.set,
                strategy: format!("fitted, left out{}", self.suffix),
                pool: self.pool.clone(),
                keep: *keep,
                gold_lines: kept(&self.gold, &snippets) as f64 / self.gold.lines.len() as f64,
                names: share_kept(&self.names, &snippets),
            });
        }
    }
}

/// Each block weighs by its number of lines, and all questions weigh the same.
fn examples<'a>(held: impl Iterator<Item = &'a Held>) -> Vec<Example> {
    let mut examples = Vec::new();
    for held in held.filter(|held| held.is_example) {
        let pieces = held.scored.block_lines();
        let all: u32 = pieces
            .iter()
            .flatten()
            .map(|(_, lines)| lines.count())
            .sum();
        for (lines, features) in pieces.iter().zip(held.scored.features()) {
            for ((file, lines), features) in lines.iter().zip(features) {
                let numbers = lines.start().0..=lines.end().0;
                let gold = numbers
                    .filter(|line| held.gold.lines.contains(&(*file, *line)))
                    .count();
                let n = f64::from(lines.count());
                examples.push((features, gold as f64 / n, n / f64::from(all.max(1))));
            }
        }
    }
    let sum: f64 = examples.iter().map(|example| example.2).sum();
    for example in &mut examples {
        example.2 /= sum;
    }
    examples
}

/// The maximum-likelihood weights for the shares, under that penalty.
fn fit(examples: &[Example]) -> Features {
    let (means, scales) = standards(examples);
    let rows: Vec<([f64; N], f64, f64)> = examples
        .iter()
        .map(|(features, share, weight)| {
            let x = std::array::from_fn(|at| (f64::from(features[at]) - means[at]) / scales[at]);
            (x, *share, *weight)
        })
        .collect();
    let (mut weights, mut speed) = ([0.0; N], [0.0; N]);
    for _ in 0..STEPS {
        let mut gradient = weights.map(|weight| RIDGE * weight);
        gradient[0] = 0.0;
        for (x, share, weight) in &rows {
            let sum: f64 = x.iter().zip(weights).map(|(x, w)| x * w).sum();
            let error = weight * (1.0 / (1.0 + (-sum).exp()) - share);
            gradient
                .iter_mut()
                .zip(x)
                .for_each(|(gradient, x)| *gradient += error * x);
        }
        for at in 0..N {
            speed[at] = MOMENTUM * speed[at] - RATE * gradient[at];
            weights[at] += speed[at];
        }
    }
    // Back to unstandardised features; the first one is the constant 1.
    let shift: f64 = (1..N).map(|at| weights[at] * means[at] / scales[at]).sum();
    std::array::from_fn(|at| match at {
        0 => (weights[0] - shift) as f32,
        _ => (weights[at] / scales[at]) as f32,
    })
}

/// The mean and deviation of each feature; the constant keeps its value.
fn standards(examples: &[Example]) -> ([f64; N], [f64; N]) {
    let mean = |at: usize| {
        let values = examples
            .iter()
            .map(|(x, _, weight)| f64::from(x[at]) * weight);
        values.sum::<f64>()
    };
    let means: [f64; N] = std::array::from_fn(|at| if at == 0 { 0.0 } else { mean(at) });
    let spread = |at: usize| {
        let squares = examples
            .iter()
            .map(|(x, _, weight)| (f64::from(x[at]) - means[at]).powi(2) * weight);
        squares.sum::<f64>().sqrt()
    };
    let scales = std::array::from_fn(|at| if at == 0 { 1.0 } else { spread(at).max(1e-6) });
    (means, scales)
}
