//! `xW + b` with int8 weights and one scale per output.

use bytemuck::cast;
use wide::f32x4;

use super::math::gelu;
use super::product::{COLUMNS, Kernel, Product, ROWS, Tile};
use super::{bytes, words, x86};
use crate::embed::EmbedError;

/// Rows that are multiplied by all panels before the next rows, so that they stay in cache.
const BLOCK: usize = 128;

/// The function applied to each output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Activation {
    None,
    Gelu,
}

/// A layer: its weights in a kernel's layout, with one scale and one bias per output.
#[derive(Debug)]
pub(crate) struct Linear {
    inputs: usize,
    outputs: usize,
    weights: Weights,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

#[derive(Debug)]
enum Weights {
    Words(words::Panels),
    Bytes(bytes::Panels),
    X86(x86::Panels),
}

impl Linear {
    /// `weights` is `[inputs, outputs]`, row by row; `scales` and `bias` have one value per output.
    pub(crate) fn new(
        weights: &[i8],
        inputs: usize,
        scales: &[f32],
        bias: &[f32],
        kernel: Kernel,
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
        let weights = match (kernel, x86::Panels::pack(weights, inputs, outputs, kernel)) {
            (_, Some(panels)) => Weights::X86(panels),
            (Kernel::Bytes, None) => Weights::Bytes(Product::pack(weights, inputs, outputs)),
            (_, None) => Weights::Words(Product::pack(weights, inputs, outputs)),
        };
        Ok(Self {
            inputs,
            outputs,
            weights,
            scales: scales.to_vec(),
            bias: bias.to_vec(),
        })
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// `x` is `[rows, inputs]`; returns `[rows, outputs]`.
    pub(crate) fn forward(&self, x: &[f32], activation: Activation) -> Vec<f32> {
        let rows = x.len() / self.inputs;
        let mut y = vec![0.0; rows * self.outputs];
        let blocks = x
            .chunks(BLOCK * self.inputs)
            .zip(y.chunks_mut(BLOCK * self.outputs));
        for (x, y) in blocks {
            match &self.weights {
                Weights::Words(words) => self.forward_block(words, x, y, activation),
                Weights::Bytes(bytes) => self.forward_block(bytes, x, y, activation),
                Weights::X86(panels) => {
                    panels.forward(x, y, &self.scales, &self.bias, activation);
                }
            }
        }
        y
    }

    fn forward_block(
        &self,
        weights: &impl Product,
        x: &[f32],
        y: &mut [f32],
        activation: Activation,
    ) {
        let rows = weights.quantise(x);
        let (scales, _) = self.scales.as_chunks::<COLUMNS>();
        let (bias, _) = self.bias.as_chunks::<COLUMNS>();
        for (panel, (scales, bias)) in scales.iter().zip(bias).enumerate() {
            for (index, y) in y.chunks_mut(ROWS * self.outputs).enumerate() {
                let (sums, row_scales) = weights.tile(&rows, index, panel);
                let y = y.chunks_exact_mut(self.outputs);
                store(sums, row_scales, scales, bias, activation, y, panel);
            }
        }
    }
}

/// Writes a tile into up to four rows, at their `index`-th eight columns.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_multiplies_scales_and_adds() {
        let (inputs, outputs) = (16, 8);
        let weights: Vec<i8> = (0..inputs * outputs)
            .map(|i| (i * 37 % 255) as u8 as i8)
            .collect();
        let scales: Vec<f32> = (0..outputs).map(|o| 0.01 + o as f32 * 0.003).collect();
        let bias: Vec<f32> = (0..outputs).map(|o| o as f32 - 4.0).collect();
        for (kernel, tolerance) in [(Kernel::Words, 1e-2), (Kernel::Bytes, 1.5)] {
            let linear = Linear::new(&weights, inputs, &scales, &bias, kernel).unwrap();
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
                        (actual - expected).abs() < tolerance,
                        "{row},{output}: {actual} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_layer_of_odd_sizes_is_refused() {
        assert!(Linear::new(&[0; 12], 3, &[1.0; 4], &[0.0; 4], Kernel::Words).is_err());
        assert!(Linear::new(&[0; 64], 8, &[1.0; 8], &[0.0; 7], Kernel::Words).is_err());
        assert!(Linear::new(&[0; 63], 8, &[1.0; 8], &[0.0; 8], Kernel::Words).is_err());
    }
}
