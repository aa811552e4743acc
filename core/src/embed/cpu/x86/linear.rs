//! `xW + b`, as [`super::super::linear`] computes it with [`super::super::words`].

use fearless_simd::prelude::*;

use super::super::kernel::{limit, pair};
use super::super::linear::Activation;
use super::super::math::gelu;
use super::super::product::Kernel;
use super::rows::Rows;
use super::{COLUMNS, ColumnStep, Found, Machine, ROWS, Sums};

/// Weights as 16 bits: `outputs / COLUMNS` panels of `inputs / 2` steps.
#[derive(Debug)]
pub(crate) struct Panels {
    found: Found,
    steps: Vec<ColumnStep>,
    depth: usize,
}

impl Panels {
    /// Packs `[inputs, outputs]`, row by row; `None` if the kernel's instructions are missing or
    /// the layer does not fill whole tiles.
    pub(crate) fn pack(
        weights: &[i8],
        inputs: usize,
        outputs: usize,
        kernel: Kernel,
    ) -> Option<Self> {
        let found = Found::of(kernel)?;
        if !inputs.is_multiple_of(COLUMNS) || !outputs.is_multiple_of(COLUMNS) {
            return None;
        }
        let mut steps = Vec::with_capacity(inputs / 2 * outputs / COLUMNS);
        for start in (0..outputs).step_by(COLUMNS) {
            for rows in weights.chunks_exact(2 * outputs) {
                let (even, odd) = rows.split_at(outputs);
                let mut step = [[0; ROWS]; COLUMNS / ROWS];
                let columns = even.iter().zip(odd).skip(start);
                for (lane, (&first, &second)) in step.as_flattened_mut().iter_mut().zip(columns) {
                    *lane = pair(first.into(), second.into());
                }
                steps.push(step);
            }
        }
        Some(Self {
            found,
            steps,
            depth: inputs,
        })
    }

    /// Computes rows of outputs `y` from rows of inputs `x`.
    pub(crate) fn forward(
        &self,
        x: &[f32],
        y: &mut [f32],
        scales: &[f32],
        bias: &[f32],
        activation: Activation,
    ) {
        match self.found {
            Found::Avx2(machine) => machine.vectorize(
                #[inline(always)]
                || self.multiply(machine, x, y, scales, bias, activation),
            ),
            Found::Avx512(machine) => machine.vectorize(
                #[inline(always)]
                || self.multiply(machine, x, y, scales, bias, activation),
            ),
        }
    }

    #[inline(always)]
    fn multiply<M: Machine>(
        &self,
        machine: M,
        x: &[f32],
        y: &mut [f32],
        scales: &[f32],
        bias: &[f32],
        activation: Activation,
    ) {
        let rows = x.chunks_exact(self.depth);
        let rows = Rows::quantise(machine, rows, self.depth, limit(self.depth, 127));
        let outputs = scales.len();
        let panels = self.steps.chunks_exact(self.depth / 2);
        let factors = scales.chunks_exact(COLUMNS).zip(bias.chunks_exact(COLUMNS));
        for (index, (panel, (scales, bias))) in panels.zip(factors).enumerate() {
            for ((steps, row_scales), y) in rows.tiles().zip(y.chunks_mut(ROWS * outputs)) {
                let sums = machine.multiply(steps, panel);
                let y = y
                    .chunks_exact_mut(outputs)
                    .filter_map(|row| row.chunks_exact_mut(COLUMNS).nth(index));
                match activation {
                    Activation::None => store(machine, &sums, row_scales, scales, bias, y, |v| v),
                    Activation::Gelu => store(machine, &sums, row_scales, scales, bias, y, gelu),
                }
            }
        }
    }
}

/// Writes a tile into the columns of its rows.
#[inline(always)]
fn store<'a, M: Machine>(
    machine: M,
    sums: &Sums,
    row_scales: &[f32; ROWS],
    scales: &[f32],
    bias: &[f32],
    rows: impl Iterator<Item = &'a mut [f32]>,
    activation: impl Fn(M::f32s) -> M::f32s,
) {
    let width = M::f32s::LEN;
    for ((sums, &row_scale), row) in sums.iter().zip(row_scales).zip(rows) {
        let parts = sums.chunks_exact(width).zip(row.chunks_exact_mut(width));
        let factors = scales.chunks_exact(width).zip(bias.chunks_exact(width));
        for ((sums, out), (scales, bias)) in parts.zip(factors) {
            let sums: M::f32s = M::i32s::from_slice(machine, sums).to_float();
            let scales = M::f32s::from_slice(machine, scales) * row_scale;
            let value = sums * scales + M::f32s::from_slice(machine, bias);
            activation(value).store_slice(out);
        }
    }
}
