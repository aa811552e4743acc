//! Products of 8-bit weights with 7-bit activations and, where those are too small, 14-bit ones:
//! `i32x4.relaxed_dot_i8x16_i7x16_add`, sixteen products per instruction.
//!
//! A row's step is a share of its mean magnitude, so that most values fit into 7 bits. The channels
//! that carry a transformer's large values are multiplied a second time, by the part that exceeds 7
//! bits. What the relaxed instruction does with the eighth bit of its second operand depends on the
//! machine; here that bit is never set.

use bytemuck::cast;
use wide::{f32x4, i8x16, i16x8, i16x16, i32x4, i32x8};

use super::dot::dot;
use super::math::round;
use super::product::{COLUMNS, Product, ROWS, Tile};

/// Values that one instruction multiplies and adds per column.
const GROUP: usize = 4;
/// Values of a row that are packed at once.
const CHUNK: usize = 16;
/// Added to a signed 7-bit value to make it positive.
const ZERO: i32 = 64;
/// Values up to this many mean magnitudes fit into 7 bits: a smaller range is more exact, but
/// leaves more to the second product.
const RANGE: f32 = 3.5;
/// The largest magnitude of a quantised value: the part that exceeds 7 bits then fits into 7 bits
/// too.
const LARGEST: f32 = 8100.0;
/// [`ZERO`] four times.
const ZEROS: i32 = i32::from_ne_bytes([ZERO as u8; GROUP]);

/// Four values of each row, one byte each.
type RowStep = [i32; ROWS];
/// Four weights of each of eight columns.
type ColumnStep = [i8x16; 2];

/// Weights as panels of eight columns.
#[derive(Debug)]
pub(crate) struct Panels {
    steps: Vec<ColumnStep>,
    /// The sum of each column's weights.
    totals: Vec<[i32; COLUMNS]>,
    depth: usize,
}

/// Rows of activations, each with its own scale, in tiles.
pub(crate) struct Rows {
    steps: Vec<RowStep>,
    scales: Vec<[f32; ROWS]>,
    /// The offset that was added to the values of each row.
    zeros: Vec<[i32; ROWS]>,
    /// Groups with values that exceed 7 bits: their index, and the part that exceeds. Ordered by
    /// tile.
    large: Vec<(usize, RowStep)>,
    /// Where the large groups of each tile end.
    ends: Vec<usize>,
}

impl Product for Panels {
    type Rows = Rows;

    fn pack(weights: &[i8], inputs: usize, outputs: usize) -> Self {
        let mut panels = Self {
            steps: Vec::with_capacity(weights.len() / (GROUP * COLUMNS)),
            totals: Vec::with_capacity(outputs / COLUMNS),
            depth: inputs,
        };
        for start in (0..outputs).step_by(COLUMNS) {
            let mut totals = [0; COLUMNS];
            for rows in weights.chunks_exact(GROUP * outputs) {
                let mut step = [0; GROUP * COLUMNS];
                for (k, row) in rows.chunks_exact(outputs).enumerate() {
                    for (c, (total, &weight)) in
                        totals.iter_mut().zip(row.iter().skip(start)).enumerate()
                    {
                        step[c * GROUP + k] = weight;
                        *total += i32::from(weight);
                    }
                }
                panels.steps.push(cast(step));
            }
            panels.totals.push(totals);
        }
        panels
    }

    fn quantise(&self, x: &[f32]) -> Rows {
        let groups = self.depth / GROUP;
        let tiles = (x.len() / self.depth).div_ceil(ROWS);
        let mut rows = Rows {
            steps: vec![[0; ROWS]; tiles * groups],
            scales: vec![[0.0; ROWS]; tiles],
            zeros: vec![[0; ROWS]; tiles],
            large: Vec::new(),
            ends: Vec::with_capacity(tiles),
        };
        let mut left = Left::new(groups);
        for (index, tile) in x.chunks(ROWS * self.depth).enumerate() {
            let steps = &mut rows.steps[index * groups..][..groups];
            for (at, row) in tile.chunks_exact(self.depth).enumerate() {
                let (scale, zero) = grid(row);
                pack_row(row, scale, zero, steps, at, &mut left);
                rows.scales[index][at] = scale;
                rows.zeros[index][at] = zero;
            }
            left.take_into(&mut rows.large);
            rows.ends.push(rows.large.len());
        }
        rows
    }

    #[inline]
    fn tile<'r>(&self, rows: &'r Rows, tile: usize, panel: usize) -> (Tile, &'r [f32; ROWS]) {
        let groups = self.depth / GROUP;
        let steps = &rows.steps[tile * groups..][..groups];
        let columns = &self.steps[panel * groups..][..groups];
        let start = tile.checked_sub(1).map_or(0, |before| rows.ends[before]);
        let large = &rows.large[start..rows.ends[tile]];
        let mut sums = multiply_large(large, columns);
        let totals: [i32x4; 2] = cast(self.totals[panel]);
        for (sums, &zero) in sums.iter_mut().zip(&rows.zeros[tile]) {
            for (sum, total) in sums.iter_mut().zip(totals) {
                *sum = (*sum << 7) - total * i32x4::splat(zero);
            }
        }
        (multiply(steps, columns, sums), &rows.scales[tile])
    }
}

/// Sums of products of a tile's large groups, using the parts that exceed 7 bits.
#[inline]
fn multiply_large(large: &[(usize, RowStep)], columns: &[ColumnStep]) -> Tile {
    let mut sums = [[i32x4::splat(0); 2]; ROWS];
    let mut offsets = [i32x4::splat(0); 2];
    for (group, row) in large {
        let Some(column) = columns.get(*group) else {
            continue;
        };
        for side in 0..2 {
            offsets[side] = dot(column[side], ZEROS, offsets[side]);
            for r in 0..ROWS {
                sums[r][side] = dot(column[side], row[r], sums[r][side]);
            }
        }
    }
    sums.map(|sums| [sums[0] - offsets[0], sums[1] - offsets[1]])
}

/// Adds the products of all groups of a tile to the sums.
#[inline]
fn multiply(steps: &[RowStep], columns: &[ColumnStep], mut sums: Tile) -> Tile {
    for (row, column) in steps.iter().zip(columns) {
        for r in 0..ROWS {
            for side in 0..2 {
                sums[r][side] = dot(column[side], row[r], sums[r][side]);
            }
        }
    }
    sums
}

/// The parts of a tile's values that exceed 7 bits.
struct Left {
    steps: Vec<RowStep>,
    is_large: Vec<bool>,
}

impl Left {
    fn new(groups: usize) -> Self {
        Self {
            steps: vec![[ZEROS; ROWS]; groups],
            is_large: vec![false; groups],
        }
    }

    /// Adds four groups of a row, starting at `group`, of which at least one is large.
    #[cold]
    fn add(&mut self, group: usize, at: usize, values: [i32x4; GROUP]) {
        let slots = self.steps.iter_mut().zip(&mut self.is_large).skip(group);
        for (value, (step, is_large)) in values.into_iter().zip(slots) {
            let high = value >> 7;
            if high != i32x4::splat(0) {
                [step[at], ..] = bytes([high + i32x4::splat(ZERO); GROUP]);
                *is_large = true;
            }
        }
    }

    /// Moves the large groups into a list and empties itself.
    fn take_into(&mut self, list: &mut Vec<(usize, RowStep)>) {
        for (group, (step, is_large)) in self.steps.iter_mut().zip(&mut self.is_large).enumerate() {
            if std::mem::take(is_large) {
                list.push((group, std::mem::replace(step, [ZEROS; ROWS])));
            }
        }
    }
}

/// A row's step, and the offset of its values in steps. The offset makes most values positive, so
/// that rows with hardly any negative values, as after GELU, have more room for large ones.
fn grid(row: &[f32]) -> (f32, i32) {
    let (fours, _) = row.as_chunks::<4>();
    let nothing = f32x4::splat(0.0);
    let mut sum = nothing;
    let (mut least, mut most) = (nothing, nothing);
    for four in fours {
        let four = f32x4::from(*four);
        sum += four.abs();
        least = least.fast_min(four);
        most = most.fast_max(four);
    }
    let least = least.to_array().into_iter().fold(0.0, f32::min);
    let most = most.to_array().into_iter().fold(-least, f32::max);
    let mean = sum.reduce_add() / row.len() as f32;
    let scale = (mean * (RANGE / 63.0)).max(most / LARGEST);
    if scale <= 0.0 || !scale.is_finite() {
        return (0.0, 0);
    }
    (scale, ((-least / scale).ceil() as i32).min(ZERO))
}

/// Packs a row into place `at` of a tile.
fn pack_row(row: &[f32], scale: f32, zero: i32, steps: &mut [RowStep], at: usize, left: &mut Left) {
    // A row of zeros or NaN.
    let factor = if scale > 0.0 { 1.0 / scale } else { return };
    let (chunks, _) = row.as_chunks::<CHUNK>();
    let (fours, _) = steps.as_chunks_mut::<{ CHUNK / GROUP }>();
    for (index, (chunk, steps)) in chunks.iter().zip(fours).enumerate() {
        let values: [f32x4; GROUP] = cast(*chunk);
        let whole = values.map(|value| round(value * factor, zero as f32));
        let [a, b, c, d] = whole;
        if ((a | b | c | d) >> 7) != i32x4::splat(0) {
            left.add(index * GROUP, at, whole);
        }
        let low = bytes(whole.map(|value| value & i32x4::splat(127)));
        for (step, four) in steps.iter_mut().zip(low) {
            step[at] = four;
        }
    }
}

/// Sixteen 7-bit values as bytes, four by four.
#[inline]
fn bytes(values: [i32x4; GROUP]) -> [i32; GROUP] {
    let halves: [i32x8; 2] = cast(values);
    let words: i16x16 = cast(halves.map(i16x8::from_i32x8_saturate));
    cast(i8x16::from_i16x16_saturate(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEPTH: usize = 32;

    /// The integers that a tile's rows stand for.
    fn whole(rows: &Rows, tile: usize) -> [Vec<i32>; ROWS] {
        let groups = DEPTH / GROUP;
        let start = if tile == 0 { 0 } else { rows.ends[tile - 1] };
        std::array::from_fn(|r| {
            let steps = &rows.steps[tile * groups..][..groups];
            let low = steps.iter().flat_map(|step| step[r].to_ne_bytes());
            let zero = rows.zeros[tile][r];
            let mut values: Vec<i32> = low.map(|low| i32::from(low) - zero).collect();
            for (group, step) in &rows.large[start..rows.ends[tile]] {
                for (k, high) in step[r].to_ne_bytes().into_iter().enumerate() {
                    assert!(high < 128);
                    values[group * GROUP + k] += (i32::from(high) - ZERO) * 128;
                }
            }
            values
        })
    }

    /// Mostly small values, some a hundred times as large, as in a transformer.
    fn row() -> impl Strategy<Value = Vec<f32>> {
        let value = prop_oneof![9 => -1f32..1.0, 1 => -100f32..100.0];
        prop::collection::vec(value, DEPTH)
    }

    proptest! {
        #[test]
        fn a_tile_equals_the_sums_written_out(
            x in prop::collection::vec(row(), 1..10),
            weights in prop::collection::vec(-127i8..=127, DEPTH * 2 * COLUMNS),
        ) {
            let panels = Panels::pack(&weights, DEPTH, 2 * COLUMNS);
            let rows = panels.quantise(&x.concat());
            for (index, panel) in (0..x.len()).zip([0, 1].into_iter().cycle()) {
                let (sums, _) = panels.tile(&rows, index / ROWS, panel);
                let values = &whole(&rows, index / ROWS)[index % ROWS];
                for c in 0..COLUMNS {
                    let column = weights.iter().skip(panel * COLUMNS + c).step_by(2 * COLUMNS);
                    let expected: i32 = values.iter().zip(column).map(|(v, &w)| v * i32::from(w)).sum();
                    prop_assert_eq!(sums[index % ROWS][c / 4].to_array()[c % 4], expected);
                }
            }
        }

        #[test]
        fn rows_come_back_within_half_a_step(x in prop::collection::vec(row(), 1..10)) {
            let panels = Panels::pack(&[0; DEPTH * COLUMNS], DEPTH, COLUMNS);
            let rows = panels.quantise(&x.concat());
            prop_assert!(rows.steps.iter().flatten().all(|four| four.to_ne_bytes().iter().all(|&low| low < 128)));
            for (index, row) in x.iter().enumerate() {
                let scale = rows.scales[index / ROWS][index % ROWS];
                for (value, expected) in whole(&rows, index / ROWS)[index % ROWS].iter().zip(row) {
                    prop_assert!((*value as f32 * scale - expected).abs() <= scale * 0.51);
                }
            }
        }
    }

    #[test]
    fn a_row_of_zeros_gives_zeros() {
        let panels = Panels::pack(&[127; DEPTH * COLUMNS], DEPTH, COLUMNS);
        let rows = panels.quantise(&[0.0; DEPTH]);
        let (sums, scales) = panels.tile(&rows, 0, 0);
        assert_eq!((sums[0][0].to_array(), scales[0]), ([0; 4], 0.0));
    }
}
