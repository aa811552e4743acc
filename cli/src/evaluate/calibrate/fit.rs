//! Logistic regression by gradient descent with momentum, on standardised features.

use footnote_core::search::files::confidence::{Features, NAMES};

const STEPS: usize = 3_000;
const RATE: f64 = 0.2;
const MOMENTUM: f64 = 0.9;
/// The weight of the squared coefficients. It keeps those of redundant features small.
const RIDGE: f64 = 1e-3;

const N: usize = NAMES.len();

/// The maximum-likelihood coefficients for the labels, under that penalty.
pub fn fit<'a>(rows: impl Iterator<Item = &'a (f32, Features, bool)>) -> Features {
    let rows: Vec<([f64; N], f64)> = rows
        .map(|(_, features, label)| (features.map(f64::from), f64::from(u8::from(*label))))
        .collect();
    let (means, scales) = standards(&rows);
    let rows: Vec<([f64; N], f64)> = rows
        .into_iter()
        .map(|(features, label)| {
            (
                std::array::from_fn(|at| (features[at] - means[at]) / scales[at]),
                label,
            )
        })
        .collect();
    let (mut weights, mut speed) = ([0.0; N], [0.0; N]);
    for _ in 0..STEPS {
        let gradient = gradient(&rows, &weights);
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

/// The probability that the model gives a file.
pub fn probability(model: &Features, features: &Features) -> f64 {
    let sum: f32 = model.iter().zip(features).map(|(c, x)| c * x).sum();
    sigmoid(f64::from(sum))
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The mean and deviation of each feature; the constant keeps its value.
fn standards(rows: &[([f64; N], f64)]) -> ([f64; N], [f64; N]) {
    let n = rows.len().max(1) as f64;
    let mean = |at: usize| rows.iter().map(|(x, _)| x[at]).sum::<f64>() / n;
    let means: [f64; N] = std::array::from_fn(|at| if at == 0 { 0.0 } else { mean(at) });
    let spread = |at: usize| {
        let squares = rows.iter().map(|(x, _)| (x[at] - means[at]).powi(2));
        (squares.sum::<f64>() / n).sqrt()
    };
    let scales = std::array::from_fn(|at| if at == 0 { 1.0 } else { spread(at).max(1e-6) });
    (means, scales)
}

fn gradient(rows: &[([f64; N], f64)], weights: &[f64; N]) -> [f64; N] {
    let mut gradient = [0.0; N];
    for (features, label) in rows {
        let sum: f64 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
        let error = sigmoid(sum) - label;
        for (gradient, x) in gradient.iter_mut().zip(features) {
            *gradient += error * x / rows.len() as f64;
        }
    }
    for (at, (gradient, weight)) in gradient.iter_mut().zip(weights).enumerate() {
        *gradient += if at == 0 { 0.0 } else { RIDGE * weight };
    }
    gradient
}
