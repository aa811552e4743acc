//! Rows of 16-bit numbers, each with its own scale, in tiles, like [`super::super::kernel::Rows`].

use fearless_simd::prelude::*;

use super::super::math::ROUNDER;
use super::{Machine, ROWS, RowStep};

/// Quantised rows, in tiles.
pub(crate) struct Rows {
    /// `depth / 2` for each tile.
    pub steps: Vec<RowStep>,
    /// One for each row, padded to full tiles.
    pub scales: Vec<[f32; ROWS]>,
    depth: usize,
}

impl Rows {
    /// Packs rows of `depth` values, a multiple of two vectors; magnitudes go up to `limit`.
    #[inline(always)]
    pub(crate) fn quantise<'a, M: Machine>(
        machine: M,
        rows: impl ExactSizeIterator<Item = &'a [f32]>,
        depth: usize,
        limit: f32,
    ) -> Self {
        let tiles = rows.len().div_ceil(ROWS);
        let mut packed = Self {
            steps: vec![[0; ROWS]; tiles * depth / 2],
            scales: vec![[0.0; ROWS]; tiles],
            depth,
        };
        for (index, row) in rows.enumerate() {
            let (tile, at) = (index / ROWS, index % ROWS);
            let most = largest(machine, row);
            if most <= 0.0 || !most.is_finite() {
                continue;
            }
            let steps = packed.steps.chunks_exact_mut(depth / 2).nth(tile);
            if let (Some(steps), Some(scales)) = (steps, packed.scales.get_mut(tile)) {
                scales[at] = most / limit;
                pack(machine, row, limit / most, steps, at);
            }
        }
        packed
    }

    /// Each tile with the scales of its rows.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = (&[RowStep], &[f32; ROWS])> {
        self.steps.chunks_exact(self.depth / 2).zip(&self.scales)
    }
}

/// Packs a row times `factor`, rounded, into place `at` of the steps.
#[inline(always)]
pub(crate) fn pack<M: Machine>(
    machine: M,
    row: &[f32],
    factor: f32,
    steps: &mut [RowStep],
    at: usize,
) {
    let width = M::f32s::LEN;
    for (values, steps) in row
        .chunks_exact(2 * width)
        .zip(steps.chunks_exact_mut(width))
    {
        let (left, right) = values.split_at(width);
        let left = round(machine, M::f32s::from_slice(machine, left) * factor);
        let right = round(machine, M::f32s::from_slice(machine, right) * factor);
        let words = left.narrow(right);
        for (step, &pair) in steps.iter_mut().zip(words.bitcast::<M::i32s>().as_slice()) {
            step[at] = pair;
        }
    }
}

/// The nearest integers, as [`super::super::math::round`].
#[inline(always)]
pub(crate) fn round<M: Machine>(machine: M, x: M::f32s) -> M::i32s {
    let bits: M::i32s = (x + ROUNDER).bitcast();
    bits - M::i32s::splat(machine, ROUNDER.to_bits() as i32)
}

/// The largest magnitude of the values; their number has to be a multiple of the vector's.
#[inline(always)]
pub(crate) fn largest<M: Machine>(machine: M, values: &[f32]) -> f32 {
    let mut most = M::f32s::splat(machine, 0.0);
    for chunk in values.chunks_exact(M::f32s::LEN) {
        most = most.max(M::f32s::from_slice(machine, chunk).abs());
    }
    most.reduce_max()
}
