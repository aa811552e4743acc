//! Attention with the steps of [`super::super::attention`], eight queries at a time.

use fearless_simd::prelude::*;
use wide::f32x4;

use super::super::attention::{Attention, PADDING, SHARE, real};
use super::super::kernel::limit;
use super::super::math::exp_of_negative;
use super::super::product::Kernel;
use super::rows::{Rows, pack, round};
use super::{COLUMNS, ColumnStep, Found, Machine, ROWS, RowStep};

/// Writes `[tokens, hidden]`. Does nothing and returns false if the kernel's instructions are
/// missing or heads do not fill whole tiles.
pub(crate) fn attend(kernel: Kernel, attention: &Attention, out: &mut [f32]) -> bool {
    if !(attention.hidden / attention.heads).is_multiple_of(COLUMNS) {
        return false;
    }
    match Found::of(kernel) {
        Some(Found::Avx2(machine)) => machine.vectorize(
            #[inline(always)]
            || forward(machine, attention, out),
        ),
        Some(Found::Avx512(machine)) => machine.vectorize(
            #[inline(always)]
            || forward(machine, attention, out),
        ),
        None => return false,
    }
    true
}

#[inline(always)]
fn forward<M: Machine>(machine: M, attention: &Attention, out: &mut [f32]) {
    let hidden = attention.hidden;
    let size = hidden / attention.heads;
    for head in 0..attention.heads {
        let most = limit(size, 8191).min(8191.0);
        let queries = Rows::quantise(machine, attention.part(0, head), size, most);
        let keys = Keys::pack(machine, attention.part(1, head), attention.bias, size);
        let values = Values::pack(machine, attention.part(2, head), attention.bias, size);
        let mut shares = keys.no_shares();
        for ((steps, scales), out) in queries.tiles().zip(out.chunks_mut(ROWS * hidden)) {
            keys.shares(machine, steps, scales, &mut shares);
            let rows = out.chunks_exact_mut(hidden);
            let rows = rows.filter_map(|row| row.chunks_exact_mut(size).nth(head));
            values.mix(machine, &shares.steps, rows);
        }
    }
}

/// The keys of a head, in panels.
struct Keys {
    panels: Vec<ColumnStep>,
    /// Steps of a panel.
    depth: usize,
    scales: Vec<f32>,
    /// Filled up with padding to full panels.
    bias: Vec<f32>,
}

/// Eight rows of scores, and the shares computed from them.
struct Shares {
    scores: Vec<f32>,
    steps: Vec<RowStep>,
}

impl Keys {
    #[inline(always)]
    fn pack<'a, M: Machine>(
        machine: M,
        rows: impl ExactSizeIterator<Item = &'a [f32]>,
        bias: &[f32],
        size: usize,
    ) -> Self {
        let rows = Rows::quantise(machine, rows, size, 8191.0);
        let depth = size / 2;
        let tiles = rows.scales.len().next_multiple_of(COLUMNS / ROWS);
        let mut panels = vec![[[0; ROWS]; COLUMNS / ROWS]; tiles * ROWS / COLUMNS * depth];
        // A tile of rows is a quarter of a panel of columns.
        for (tile, (steps, _)) in rows.tiles().enumerate() {
            let panel = panels.chunks_exact_mut(depth).nth(tile * ROWS / COLUMNS);
            for (column, step) in panel.unwrap_or_default().iter_mut().zip(steps) {
                column[tile % (COLUMNS / ROWS)] = *step;
            }
        }
        let mut keys = Self {
            panels,
            depth,
            scales: rows.scales.into_flattened(),
            bias: bias.to_vec(),
        };
        keys.scales.resize(tiles * ROWS, 0.0);
        keys.bias.resize(tiles * ROWS, PADDING * 10.0);
        keys
    }

    fn no_shares(&self) -> Shares {
        let count = self.scales.len();
        Shares {
            scores: vec![0.0; ROWS * count],
            steps: vec![[0; ROWS]; count / 2],
        }
    }

    /// For eight queries, the share of attention that each key gets, in steps over the keys.
    #[inline(always)]
    fn shares<M: Machine>(
        &self,
        machine: M,
        queries: &[RowStep],
        scales: &[f32; ROWS],
        shares: &mut Shares,
    ) {
        let width = M::f32s::LEN;
        let count = self.scales.len();
        let panels = self.panels.chunks_exact(self.depth);
        let factors = self.scales.chunks_exact(COLUMNS);
        let factors = factors.zip(self.bias.chunks_exact(COLUMNS));
        for (index, (panel, (key_scales, bias))) in panels.zip(factors).enumerate() {
            let sums = machine.multiply(queries, panel);
            let rows = shares.scores.chunks_exact_mut(count);
            for ((sums, &scale), row) in sums.iter().zip(scales).zip(rows) {
                let row = row.chunks_exact_mut(COLUMNS).nth(index).unwrap_or_default();
                let parts = sums.chunks_exact(width).zip(row.chunks_exact_mut(width));
                let factors = key_scales.chunks_exact(width).zip(bias.chunks_exact(width));
                for ((sums, out), (key_scales, bias)) in parts.zip(factors) {
                    let sums: M::f32s = M::i32s::from_slice(machine, sums).to_float();
                    let key_scales = M::f32s::from_slice(machine, key_scales) * scale;
                    (sums * key_scales + M::f32s::from_slice(machine, bias)).store_slice(out);
                }
            }
        }
        for (at, row) in shares.scores.chunks_exact_mut(count.max(1)).enumerate() {
            let factor = SHARE / powers(machine, row);
            pack(machine, row, factor, &mut shares.steps, at);
        }
    }
}

/// Replaces each score by its exponential, the largest being 1; returns their sum.
#[inline(always)]
fn powers<M: Machine>(machine: M, scores: &mut [f32]) -> f32 {
    let width = M::f32s::LEN;
    let mut most = M::f32s::splat(machine, f32::MIN);
    for chunk in scores.chunks_exact(width) {
        most = most.max(M::f32s::from_slice(machine, chunk));
    }
    let most = M::f32s::splat(machine, most.reduce_max());
    for chunk in scores.chunks_exact_mut(width) {
        let score = M::f32s::from_slice(machine, chunk);
        exp_of_negative(score - most).store_slice(chunk);
    }
    // In fours, whatever the width: the order of additions determines the last digit.
    let mut sum = f32x4::splat(0.0);
    for four in scores.as_chunks::<4>().0 {
        sum += f32x4::from(*four);
    }
    sum.reduce_add()
}

/// The values of a head, in panels of columns, with steps over the keys.
struct Values {
    panels: Vec<ColumnStep>,
    /// Steps of a panel.
    depth: usize,
    scales: Vec<f32>,
}

impl Values {
    #[inline(always)]
    fn pack<'a, M: Machine>(
        machine: M,
        rows: impl ExactSizeIterator<Item = &'a [f32]> + Clone,
        bias: &[f32],
        size: usize,
    ) -> Self {
        let width = M::f32s::LEN;
        let depth = rows.len().next_multiple_of(COLUMNS) / 2;
        let mut most = vec![0.0f32; size];
        for (row, _) in real(rows.clone(), bias) {
            for (most, value) in most.chunks_exact_mut(width).zip(row.chunks_exact(width)) {
                let value = M::f32s::from_slice(machine, value).abs();
                value
                    .max(M::f32s::from_slice(machine, most))
                    .store_slice(most);
            }
        }
        let top = f32::from(i16::MAX);
        let factor = |&most: &f32| if most > 0.0 { top / most } else { 0.0 };
        let factors: Vec<f32> = most.iter().map(factor).collect();
        let mut panels = vec![[[0; ROWS]; COLUMNS / ROWS]; size / COLUMNS * depth];
        for (row, key) in real(rows, bias) {
            let parts = row.chunks_exact(COLUMNS).zip(factors.chunks_exact(COLUMNS));
            for ((values, factors), panel) in parts.zip(panels.chunks_exact_mut(depth)) {
                if let Some(step) = panel.get_mut(key / 2) {
                    join(machine, step, values, factors, key % 2 == 1);
                }
            }
        }
        let scales = most.iter().map(|most| most / top / SHARE).collect();
        Self {
            panels,
            depth,
            scales,
        }
    }

    /// Sums the values weighted by shares, for up to eight queries.
    #[inline(always)]
    fn mix<'a, M: Machine>(
        &self,
        machine: M,
        shares: &[RowStep],
        rows: impl Iterator<Item = &'a mut [f32]>,
    ) {
        let width = M::f32s::LEN;
        let mut rows: Vec<&mut [f32]> = rows.collect();
        let panels = self.panels.chunks_exact(self.depth.max(1));
        let panels = panels.zip(self.scales.chunks_exact(COLUMNS));
        for (index, (panel, scales)) in panels.enumerate() {
            let sums = machine.multiply(shares, panel);
            for (sums, row) in sums.iter().zip(&mut rows) {
                let out = row.chunks_exact_mut(COLUMNS).nth(index).unwrap_or_default();
                let parts = sums.chunks_exact(width).zip(scales.chunks_exact(width));
                for ((sums, scales), out) in parts.zip(out.chunks_exact_mut(width)) {
                    let sums: M::f32s = M::i32s::from_slice(machine, sums).to_float();
                    (sums * M::f32s::from_slice(machine, scales)).store_slice(out);
                }
            }
        }
    }
}

/// Puts quantised values into the low or high halves of a step.
#[inline(always)]
fn join<M: Machine>(
    machine: M,
    step: &mut ColumnStep,
    values: &[f32],
    factors: &[f32],
    high: bool,
) {
    let width = M::f32s::LEN;
    let steps = step.as_flattened_mut().chunks_exact_mut(width);
    let parts = values.chunks_exact(width).zip(factors.chunks_exact(width));
    for (step, (values, factors)) in steps.zip(parts) {
        let factors = M::f32s::from_slice(machine, factors);
        let whole = round(machine, M::f32s::from_slice(machine, values) * factors);
        let half = if high { whole << 16 } else { whole & 0xffff };
        (M::i32s::from_slice(machine, step) | half).store_slice(step);
    }
}
