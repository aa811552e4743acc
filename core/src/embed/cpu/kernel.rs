//! Products of 16-bit matrices with 32-bit sums, on 128-bit vectors: `i32x4.dot_i16x8_s` in the
//! browser, `pmaddwd` natively. Attention uses [`tile`], and so do linear layers where
//! [`super::bytes`] would be slower.
//!
//! With these instructions 16-bit activations cost no more than 8-bit ones, because the weights
//! have to be widened anyway. They keep the vectors the same to four digits, while 8-bit
//! activations change the second.

use bytemuck::cast;
use wide::{f32x4, i16x8, i32x4, i32x8};

use super::math::round;
use super::product::{COLUMNS, ROWS, Tile};

/// Values of a row that are packed at once; the depth of a product is a multiple of this.
pub(crate) const CHUNK: usize = 8;

/// For each of four rows: values `2k` and `2k + 1`, the first in the low half.
pub(crate) type RowStep = [i32; ROWS];
/// For each of eight columns: values `2k` and `2k + 1`, the first in the low half.
pub(crate) type ColumnStep = [i32; COLUMNS];

/// Multiplies a tile of rows with a panel of columns of the same depth.
#[inline]
pub(crate) fn tile(rows: &[RowStep], columns: &[ColumnStep]) -> Tile {
    let mut sums = [[i32x4::splat(0); 2]; ROWS];
    for (row, column) in rows.iter().zip(columns) {
        let [left, right]: [i16x8; 2] = cast(*column);
        for (sum, &pair) in sums.iter_mut().zip(row) {
            let pair: i16x8 = cast(i32x4::splat(pair));
            sum[0] += pair.dot(left);
            sum[1] += pair.dot(right);
        }
    }
    sums
}

/// The largest magnitude to quantise to: sums of `depth` products with magnitudes up to `other`
/// then stay within 31 bits.
pub(crate) fn limit(depth: usize, other: i32) -> f32 {
    let most = i64::from(i32::MAX) / (i64::from(other) * depth.max(1) as i64);
    most.clamp(1, i64::from(i16::MAX)) as f32
}

/// Two 16-bit values as one step of a row or column.
#[inline]
pub(crate) fn pair(first: i16, second: i16) -> i32 {
    cast([first, second])
}

/// Eight values times `factor`, rounded: four steps of a row or column. Magnitudes stay within 16
/// bits, because the factor comes from [`limit`] and the largest magnitude.
#[inline]
pub(crate) fn quantise(values: &[f32; CHUNK], factor: f32) -> [i32; CHUNK / 2] {
    let [left, right]: [f32x4; 2] = cast(*values);
    let whole: i32x8 = cast([round(left * factor, 0.0), round(right * factor, 0.0)]);
    cast(i16x8::from_i32x8_truncate(whole))
}

/// The largest magnitude of the values.
#[inline]
pub(crate) fn largest(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<4>();
    let most = chunks.iter().fold(f32x4::splat(0.0), |most, chunk| {
        most.fast_max(f32x4::from(*chunk).abs())
    });
    let most = most.to_array().into_iter().fold(0.0, f32::max);
    rest.iter().fold(most, |most, value| most.max(value.abs()))
}

/// Rows of activations, each with its own scale, so that one text or token does not change
/// another's vector.
pub(crate) struct Rows {
    steps: Vec<RowStep>,
    /// One for each row, padded to full tiles.
    scales: Vec<[f32; ROWS]>,
    depth: usize,
}

impl Rows {
    /// Packs rows of `depth` values, a multiple of [`CHUNK`]; `limit` is that of [`limit`].
    pub(crate) fn quantise<'a>(
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
        let mut tiles = packed
            .steps
            .chunks_exact_mut((depth / 2).max(1))
            .zip(&mut packed.scales);
        let mut current = tiles.next();
        for (index, row) in rows.enumerate() {
            if index > 0 && index % ROWS == 0 {
                current = tiles.next();
            }
            if let Some((steps, scales)) = &mut current {
                scales[index % ROWS] = pack_row(row, limit, steps, index % ROWS);
            }
        }
        packed
    }

    /// A tile with the scales of its rows.
    #[inline]
    pub(crate) fn tile(&self, index: usize) -> (&[RowStep], &[f32; ROWS]) {
        let steps = self.depth / 2;
        (&self.steps[index * steps..][..steps], &self.scales[index])
    }

    /// Each tile with the scales of its rows.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = (&[RowStep], &[f32; ROWS])> {
        self.steps
            .chunks_exact((self.depth / 2).max(1))
            .zip(&self.scales)
    }
}

/// Packs a row into place `at` of a tile; returns its scale.
fn pack_row(row: &[f32], limit: f32, steps: &mut [RowStep], at: usize) -> f32 {
    let most = largest(row);
    if most <= 0.0 || !most.is_finite() {
        return 0.0;
    }
    let factor = limit / most;
    let (chunks, _) = row.as_chunks::<CHUNK>();
    let (steps, _) = steps.as_chunks_mut::<{ CHUNK / 2 }>();
    for (chunk, steps) in chunks.iter().zip(steps) {
        for (step, pair) in steps.iter_mut().zip(quantise(chunk, factor)) {
            step[at] = pair;
        }
    }
    most / limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Packs columns of 16-bit values into a panel.
    fn panel(columns: &[Vec<i16>]) -> Vec<ColumnStep> {
        (0..columns[0].len() / 2)
            .map(|k| std::array::from_fn(|c| pair(columns[c][2 * k], columns[c][2 * k + 1])))
            .collect()
    }

    proptest! {
        #[test]
        fn a_tile_equals_the_sums_written_out(
            rows in prop::collection::vec(prop::collection::vec(-8191i16..=8191, 32), ROWS),
            columns in prop::collection::vec(prop::collection::vec(-8191i16..=8191, 32), COLUMNS),
        ) {
            let steps: Vec<RowStep> = (0..16)
                .map(|k| std::array::from_fn(|r| pair(rows[r][2 * k], rows[r][2 * k + 1])))
                .collect();
            let sums = tile(&steps, &panel(&columns));
            for (r, row) in rows.iter().enumerate() {
                for (c, column) in columns.iter().enumerate() {
                    let expected: i32 = row.iter().zip(column).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
                    prop_assert_eq!(sums[r][c / 4].to_array()[c % 4], expected);
                }
            }
        }

        #[test]
        fn rows_come_back_within_half_a_step(
            rows in prop::collection::vec(prop::collection::vec(-9f32..9.0, 16), 1..10)
        ) {
            let limit = limit(16, 127);
            let packed = Rows::quantise(rows.iter().map(Vec::as_slice), 16, limit);
            let mut seen = 0;
            for (t, (steps, scales)) in packed.tiles().enumerate() {
                for (r, scale) in scales.iter().enumerate() {
                    let Some(row) = rows.get(t * ROWS + r) else { continue };
                    seen += 1;
                    for (k, step) in steps.iter().enumerate() {
                        let [first, second]: [i16; 2] = cast(step[r]);
                        prop_assert!((f32::from(first) * scale - row[2 * k]).abs() <= scale * 0.51);
                        prop_assert!((f32::from(second) * scale - row[2 * k + 1]).abs() <= scale * 0.51);
                    }
                }
            }
            prop_assert_eq!(seen, rows.len());
        }
    }

    #[test]
    fn the_largest_values_of_the_model_cannot_overflow_a_sum() {
        for (depth, other) in [(384, 127), (1536, 127), (32, 8191), (256, 127)] {
            let most = limit(depth, other) as i64 * i64::from(other) * depth as i64;
            assert!(most <= i64::from(i32::MAX), "depth {depth}: {most}");
        }
    }
}
