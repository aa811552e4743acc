//! `xW + b` with int8 weights, one scale for each output.

use bytemuck::cast;
use wide::f32x4;

use super::kernel::{COLUMNS, ColumnStep, ROWS, Rows, Tile, limit, pair, tile};
use crate::embed::EmbedError;

/// Rows that are multiplied with all panels before the next rows, so that they stay in cache.
const BLOCK: usize = 128;

/// What is done to each output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    None,
    Gelu,
}

/// The weights of a layer, packed for [`tile`].
#[derive(Debug)]
pub struct Linear {
    inputs: usize,
    outputs: usize,
    /// `outputs / COLUMNS` panels of `inputs / 2` steps.
    panels: Vec<ColumnStep>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// `weights` is `[inputs, outputs]`, row by row; `scales` and `bias` have one value an output.
    pub fn new(
        weights: &[i8],
        inputs: usize,
        scales: &[f32],
        bias: &[f32],
    ) -> Result<Self, EmbedError> {
        let outputs = scales.len();
        if weights.len() != inputs * outputs || bias.len() != outputs {
            return Err(EmbedError::Model(
                "a layer's weights, scales and bias differ in size".to_owned(),
            ));
        }
        if inputs == 0 || !inputs.is_multiple_of(COLUMNS) || !outputs.is_multiple_of(COLUMNS) {
            return Err(EmbedError::Model(format!(
                "a layer of {inputs} × {outputs} values"
            )));
        }
        let mut panels = Vec::with_capacity(inputs / 2 * outputs / COLUMNS);
        for start in (0..outputs).step_by(COLUMNS) {
            for rows in weights.chunks_exact(2 * outputs) {
                let (even, odd) = rows.split_at(outputs);
                let mut step = [0; COLUMNS];
                let columns = even.iter().zip(odd).skip(start);
                for (lane, (&first, &second)) in step.iter_mut().zip(columns) {
                    *lane = pair(first.into(), second.into());
                }
                panels.push(step);
            }
        }
        Ok(Self {
            inputs,
            outputs,
            panels,
            scales: scales.to_vec(),
            bias: bias.to_vec(),
        })
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `x` is `[rows, inputs]`; returns `[rows, outputs]`.
    pub fn forward(&self, x: &[f32], activation: Activation) -> Vec<f32> {
        let rows = x.len() / self.inputs;
        let mut y = vec![0.0; rows * self.outputs];
        let blocks = x
            .chunks(BLOCK * self.inputs)
            .zip(y.chunks_mut(BLOCK * self.outputs));
        for (x, y) in blocks {
            self.forward_block(x, y, activation);
        }
        y
    }

    fn forward_block(&self, x: &[f32], y: &mut [f32], activation: Activation) {
        let rows = Rows::quantise(
            x.chunks_exact(self.inputs),
            self.inputs,
            limit(self.inputs, 127),
        );
        let panels = self.panels.chunks_exact(self.inputs / 2);
        let (scales, _) = self.scales.as_chunks::<COLUMNS>();
        let (bias, _) = self.bias.as_chunks::<COLUMNS>();
        for (index, ((panel, scales), bias)) in panels.zip(scales).zip(bias).enumerate() {
            let tiles = rows.tiles().zip(y.chunks_mut(ROWS * self.outputs));
            for ((steps, row_scales), y) in tiles {
                let sums = tile(steps, panel);
                let y = y.chunks_exact_mut(self.outputs);
                store(sums, row_scales, scales, bias, activation, y, index);
            }
        }
    }
}

/// Writes a tile into eight columns of up to four rows, the `index`-th eight of each.
#[inline]
fn store<'a>(
    sums: Tile,
    row_scales: &[f32; ROWS],
    scales: &[f32; COLUMNS],
    bias: &[f32; COLUMNS],
    activation: Activation,
    rows: impl Iterator<Item = &'a mut [f32]>,
    index: usize,
) {
    let scales: [f32x4; 2] = cast(*scales);
    let bias: [f32x4; 2] = cast(*bias);
    for ((sums, &row_scale), row) in sums.into_iter().zip(row_scales).zip(rows) {
        let (columns, _) = row.as_chunks_mut::<COLUMNS>();
        let Some(columns) = columns.get_mut(index) else {
            continue;
        };
        let half = |side: usize| {
            let value = f32x4::from_i32x4(sums[side]) * (scales[side] * row_scale) + bias[side];
            match activation {
                Activation::None => value,
                Activation::Gelu => gelu(value),
            }
        };
        *columns = cast([half(0), half(1)]);
    }
}

/// `x/2 · (1 + erf(x/√2))`, the error function by Abramowitz and Stegun 1964, formula 7.1.26, whose
/// error is at most 1.5e-7.
#[inline]
pub fn gelu(x: f32x4) -> f32x4 {
    const P: f32 = 0.327_591_1;
    const A: [f32; 5] = [
        0.254_829_6,
        -0.284_496_74,
        1.421_413_8,
        -1.453_152,
        1.061_405_4,
    ];
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = f32x4::splat(1.0) / (z * P + 1.0);
    let series = ((((t * A[4] + A[3]) * t + A[2]) * t + A[1]) * t + A[0]) * t;
    // For a positive x the tail is what is missing to x, for a negative one it is what is left.
    let tail = x.abs() * 0.5 * series * (-(z * z)).exp();
    x.fast_max(f32x4::splat(0.0)) - tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gelu_follows_the_exact_function() {
        // Values of x/2 · (1 + erf(x/√2)) from a table of the normal distribution: x · Φ(x).
        let cases = [
            (0.0, 0.0),
            (1.0, 0.841_344_7),
            (-1.0, -0.158_655_3),
            (2.0, 1.954_499_7),
            (-2.0, -0.045_500_26),
            (0.5, 0.345_731_2),
            (-3.0, -0.004_049_69),
            (9.0, 9.0),
            (-9.0, 0.0),
            (60.0, 60.0),
            (-60.0, 0.0),
        ];
        for (x, expected) in cases {
            let [actual, ..] = gelu(f32x4::splat(x)).to_array();
            assert!(
                (actual - expected).abs() < 2e-6,
                "gelu({x}) is {actual}, not {expected}"
            );
        }
    }

    #[test]
    fn a_layer_multiplies_scales_and_adds() {
        let (inputs, outputs) = (16, 8);
        let weights: Vec<i8> = (0..inputs * outputs)
            .map(|i| (i * 37 % 255) as u8 as i8)
            .collect();
        let scales: Vec<f32> = (0..outputs).map(|o| 0.01 + o as f32 * 0.003).collect();
        let bias: Vec<f32> = (0..outputs).map(|o| o as f32 - 4.0).collect();
        let linear = Linear::new(&weights, inputs, &scales, &bias).unwrap();
        let x: Vec<f32> = (0..inputs * 7)
            .map(|i| ((i * 29 % 97) as f32 - 48.0) / 10.0)
            .collect();
        let y = linear.forward(&x, Activation::None);
        assert_eq!(y.len(), 7 * outputs);
        for row in 0..7 {
            for output in 0..outputs {
                let sum: f32 = (0..inputs)
                    .map(|i| x[row * inputs + i] * f32::from(weights[i * outputs + output]))
                    .sum();
                let expected = sum * scales[output] + bias[output];
                let actual = y[row * outputs + output];
                assert!(
                    (actual - expected).abs() < 1e-2,
                    "{row},{output}: {actual} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_layer_of_odd_sizes_is_refused() {
        assert!(Linear::new(&[0; 12], 3, &[1.0; 4], &[0.0; 4]).is_err());
        assert!(Linear::new(&[0; 64], 8, &[1.0; 8], &[0.0; 7]).is_err());
        assert!(Linear::new(&[0; 63], 8, &[1.0; 8], &[0.0; 8]).is_err());
    }
}
