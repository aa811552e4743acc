//! Logistic regression by Newton's method with a ridge, for some tens of features, thousands of
//! rows and a few rounds.

/// Weight of the squared coefficients, for features scaled to deviation 1.
const RIDGE: f64 = 1.0;

/// Most rounds; it converges in fewer.
const ROUNDS: usize = 12;

/// The coefficients with the highest likelihood of the labels; the first feature is the constant 1.
/// Zeros if there are no rows.
pub(super) fn logistic<const N: usize>(rows: &[([f32; N], bool)]) -> Vec<f32> {
    let (means, scales) = standards(rows);
    let scaled: Vec<([f64; N], f64)> = rows
        .iter()
        .map(|(features, label)| {
            let value = |at: usize| match at {
                0 => 1.0,
                _ => (f64::from(get(features, at)) - get(&means, at)) / get(&scales, at),
            };
            (std::array::from_fn(value), f64::from(u8::from(*label)))
        })
        .collect();
    let mut weights = [0.0; N];
    for _ in 0..ROUNDS {
        let step = newton(&scaled, &weights);
        let size: f64 = step.iter().map(|value| value * value).sum();
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight -= step;
        }
        if size < 1e-10 {
            break;
        }
    }
    // Converts back to the unscaled features.
    let shift: f64 = (1..N)
        .map(|at| get(&weights, at) * get(&means, at) / get(&scales, at))
        .sum();
    let back = |at: usize| match at {
        0 => (get(&weights, 0) - shift) as f32,
        _ => (get(&weights, at) / get(&scales, at)) as f32,
    };
    (0..N).map(back).collect()
}

fn get<T: Copy + Default, const N: usize>(values: &[T; N], at: usize) -> T {
    values.get(at).copied().unwrap_or_default()
}

/// Mean and deviation of each feature.
fn standards<const N: usize>(rows: &[([f32; N], bool)]) -> ([f64; N], [f64; N]) {
    let n = rows.len().max(1) as f64;
    let column = |at: usize| rows.iter().map(move |(row, _)| f64::from(get(row, at)));
    let means: [f64; N] = std::array::from_fn(|at| column(at).sum::<f64>() / n);
    let scales = std::array::from_fn(|at| {
        let mean = get(&means, at);
        let spread = column(at).map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        spread.sqrt().max(1e-6)
    });
    (means, scales)
}

/// The step of Newton's method: the inverse of the curvature times the gradient.
fn newton<const N: usize>(rows: &[([f64; N], f64)], weights: &[f64; N]) -> [f64; N] {
    let mut gradient = [0.0; N];
    let mut curvature = [[0.0; N]; N];
    for (features, label) in rows {
        let sum: f64 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
        let p = 1.0 / (1.0 + (-sum).exp());
        let weight = (p * (1.0 - p)).max(1e-6);
        for ((row, gradient), x) in curvature.iter_mut().zip(&mut gradient).zip(features) {
            *gradient += (p - label) * x;
            for (cell, y) in row.iter_mut().zip(features) {
                *cell += weight * x * y;
            }
        }
    }
    for (at, (gradient, weight)) in gradient.iter_mut().zip(weights).enumerate() {
        let ridge = if at == 0 { 1e-3 } else { RIDGE };
        *gradient += ridge * weight;
        if let Some(cell) = curvature.get_mut(at).and_then(|row| row.get_mut(at)) {
            *cell += ridge;
        }
    }
    solved(curvature, gradient)
}

/// Solves `matrix · x = values` by Gaussian elimination with pivoting; the matrix is positive
/// definite.
fn solved<const N: usize>(mut matrix: [[f64; N]; N], mut values: [f64; N]) -> [f64; N] {
    for at in 0..N {
        let size = |row: &usize| matrix.get(*row).map_or(0.0, |row| get(row, at).abs());
        let pivot = (at..N)
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .unwrap_or(at);
        matrix.swap(at, pivot);
        values.swap(at, pivot);
        let (Some(&top), value) = (matrix.get(at), get(&values, at)) else {
            continue;
        };
        let lead = get(&top, at);
        if lead.abs() < 1e-12 {
            continue;
        }
        let below = matrix.iter_mut().zip(&mut values).skip(at + 1);
        for (row, own) in below {
            let factor = get(row, at) / lead;
            for (cell, top) in row.iter_mut().zip(&top) {
                *cell -= factor * top;
            }
            *own -= factor * value;
        }
    }
    let mut solution = [0.0; N];
    for at in (0..N).rev() {
        let Some(row) = matrix.get(at) else { continue };
        let known: f64 = row
            .iter()
            .zip(&solution)
            .skip(at + 1)
            .map(|(a, x)| a * x)
            .sum();
        let lead = get(row, at);
        if let Some(place) = solution.get_mut(at) {
            *place = match lead.abs() < 1e-12 {
                true => 0.0,
                false => (get(&values, at) - known) / lead,
            };
        }
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn coefficients_that_made_the_labels_are_found_again() {
        let truth = [-1.0f32, 2.0, 0.0, -3.0];
        let mut random = Random::new(7);
        let mut unit = move || random.below(1_000_000) as f32 / 1_000_000.0;
        let rows: Vec<([f32; 4], bool)> = (0..20_000)
            .map(|_| {
                let x = [1.0, unit() * 4.0 - 2.0, unit(), unit() * 2.0 - 1.0];
                let sum: f32 = x.iter().zip(&truth).map(|(x, c)| x * c).sum();
                (x, unit() < 1.0 / (1.0 + (-sum).exp()))
            })
            .collect();
        for (found, expected) in logistic(&rows).iter().zip(truth) {
            assert!((found - expected).abs() < 0.15, "{found} {expected}");
        }
    }

    #[test]
    fn features_that_say_the_same_and_labels_that_are_all_alike_give_numbers() {
        let rows: Vec<([f32; 3], bool)> = (0..50)
            .map(|at| ([1.0, at as f32, at as f32], true))
            .collect();
        assert!(logistic(&rows).iter().all(|value| value.is_finite()));
        let none: [([f32; 3], bool); 0] = [];
        assert_eq!(logistic(&none), [0.0; 3]);
    }
}
