//! Multi-head self-attention (Vaswani et al. 2017, section 3.2), head by head, four queries at a
//! time.

use bytemuck::cast;
use wide::{f32x4, i32x4};

use super::kernel::{CHUNK, ColumnStep, RowStep, Rows, largest, limit, quantise, tile};
use super::math::{exp_of_negative, round};
use super::product::{COLUMNS, Kernel, ROWS};
use super::x86;

/// A key whose bias is lower than this is padding.
pub(crate) const PADDING: f32 = -1000.0;
/// Shares of attention are quantised so that 1 becomes this. With 15-bit values sums stay within 31
/// bits, because the shares of a query add up to 1.
pub(crate) const SHARE: f32 = 32_000.0;

/// The queries, keys and values of one text, side by side in each row, and how to attend over them.
pub(crate) struct Attention<'a> {
    /// `[tokens, 3 · hidden]`; queries are already scaled.
    pub joint: &'a [f32],
    /// Added to the score of each key; a large negative number for padding.
    pub bias: &'a [f32],
    pub hidden: usize,
    pub heads: usize,
}

impl Attention<'_> {
    /// Writes `[tokens, hidden]`.
    pub(crate) fn forward(&self, kernel: Kernel, out: &mut [f32]) {
        if x86::attend(kernel, self, out) {
            return;
        }
        let size = self.hidden / self.heads;
        for head in 0..self.heads {
            let queries = Rows::quantise(self.part(0, head), size, limit(size, 8191).min(8191.0));
            let keys = Keys::pack(self.part(1, head), self.bias, size);
            let values = Values::pack(self.part(2, head), self.bias, size);
            let out = out.chunks_mut(ROWS * self.hidden);
            for ((steps, scales), out) in queries.tiles().zip(out) {
                let shares = keys.shares(steps, scales);
                let rows = out.chunks_exact_mut(self.hidden);
                let rows = rows.filter_map(|row| row.get_mut(head * size..(head + 1) * size));
                values.mix(&shares, rows);
            }
        }
    }

    /// The rows of queries (0), keys (1) or values (2) of a head.
    pub(crate) fn part(
        &self,
        part: usize,
        head: usize,
    ) -> impl ExactSizeIterator<Item = &[f32]> + Clone {
        let size = self.hidden / self.heads;
        let start = part * self.hidden + head * size;
        let rows = self.joint.chunks_exact(3 * self.hidden);
        rows.map(move |row| row.get(start..start + size).unwrap_or_default())
    }
}

/// The keys of a head, in panels of eight.
struct Keys {
    panels: Vec<ColumnStep>,
    steps: usize,
    scales: Vec<f32>,
    /// Filled up with padding to full panels.
    bias: Vec<f32>,
}

impl Keys {
    fn pack<'a>(rows: impl ExactSizeIterator<Item = &'a [f32]>, bias: &[f32], size: usize) -> Self {
        let count = rows.len().next_multiple_of(COLUMNS);
        let steps = size / 2;
        let mut keys = Self {
            panels: vec![[0; COLUMNS]; count / COLUMNS * steps],
            steps,
            scales: vec![0.0; count],
            bias: bias.to_vec(),
        };
        keys.bias.resize(count, PADDING * 10.0);
        for (index, (row, scale)) in rows.zip(&mut keys.scales).enumerate() {
            let most = largest(row);
            if most <= 0.0 {
                continue;
            }
            *scale = most / 8191.0;
            let panel = keys.panels.iter_mut().skip(index / COLUMNS * steps);
            let (chunks, _) = row.as_chunks::<CHUNK>();
            let pairs = chunks
                .iter()
                .flat_map(|chunk| quantise(chunk, 8191.0 / most));
            for (step, pair) in panel.zip(pairs) {
                step[index % COLUMNS] = pair;
            }
        }
        keys
    }

    /// For four queries, the share of attention that each key gets, in steps over the keys.
    fn shares(&self, queries: &[RowStep], scales: &[f32; ROWS]) -> Vec<RowStep> {
        let count = self.scales.len();
        let mut scores = vec![0.0f32; ROWS * count];
        let (key_scales, _) = self.scales.as_chunks::<COLUMNS>();
        let (bias, _) = self.bias.as_chunks::<COLUMNS>();
        let panels = self.panels.chunks_exact(self.steps.max(1));
        for (index, ((panel, key_scales), bias)) in panels.zip(key_scales).zip(bias).enumerate() {
            let key_scales: [f32x4; 2] = cast(*key_scales);
            let bias: [f32x4; 2] = cast(*bias);
            let rows = scores.chunks_exact_mut(count);
            for ((sums, &scale), row) in tile(queries, panel).into_iter().zip(scales).zip(rows) {
                let value =
                    |s: usize| f32x4::from_i32x4(sums[s]) * (key_scales[s] * scale) + bias[s];
                if let Some(eight) = row.as_chunks_mut::<COLUMNS>().0.get_mut(index) {
                    *eight = cast([value(0), value(1)]);
                }
            }
        }
        let mut steps = vec![[0; ROWS]; count / 2];
        for (at, row) in scores.chunks_exact_mut(count.max(1)).enumerate() {
            pack_shares(row, &mut steps, at);
        }
        steps
    }
}

/// Applies softmax to a row of scores and packs it into place `at` of the steps.
fn pack_shares(scores: &mut [f32], steps: &mut [RowStep], at: usize) {
    let (fours, _) = scores.as_chunks_mut::<4>();
    let most = fours.iter().fold(f32x4::splat(f32::MIN), |most, four| {
        most.fast_max(f32x4::from(*four))
    });
    let most = most.to_array().into_iter().fold(f32::MIN, f32::max);
    let mut sum = f32x4::splat(0.0);
    for four in fours.iter_mut() {
        let power = exp_of_negative(f32x4::from(*four) - most);
        sum += power;
        *four = power.to_array();
    }
    let factor = SHARE / sum.reduce_add();
    let (chunks, _) = scores.as_chunks::<CHUNK>();
    let (steps, _) = steps.as_chunks_mut::<{ CHUNK / 2 }>();
    for (chunk, steps) in chunks.iter().zip(steps) {
        for (step, pair) in steps.iter_mut().zip(quantise(chunk, factor)) {
            step[at] = pair;
        }
    }
}

/// The values of a head, in panels of eight columns, with steps over the keys.
struct Values {
    panels: Vec<ColumnStep>,
    steps: usize,
    scales: Vec<f32>,
}

impl Values {
    fn pack<'a>(
        rows: impl ExactSizeIterator<Item = &'a [f32]> + Clone,
        bias: &[f32],
        size: usize,
    ) -> Self {
        let steps = rows.len().next_multiple_of(COLUMNS) / 2;
        let mut most = vec![0.0f32; size];
        for (row, _) in real(rows.clone(), bias) {
            for (most, value) in most.iter_mut().zip(row) {
                *most = most.max(value.abs());
            }
        }
        let top = f32::from(i16::MAX);
        let factors: Vec<f32> = most
            .iter()
            .map(|&most| if most > 0.0 { top / most } else { 0.0 })
            .collect();
        let mut panels = vec![[0; COLUMNS]; size / COLUMNS * steps];
        for (row, key) in real(rows, bias) {
            let eights = row
                .as_chunks::<COLUMNS>()
                .0
                .iter()
                .zip(factors.as_chunks::<COLUMNS>().0);
            for ((values, factors), panel) in eights.zip(panels.chunks_exact_mut(steps)) {
                if let Some(step) = panel.get_mut(key / 2) {
                    *step = join(*step, values, factors, key % 2 == 1);
                }
            }
        }
        let scales = most.iter().map(|most| most / top / SHARE).collect();
        Self {
            panels,
            steps,
            scales,
        }
    }

    /// Sums the values weighted by shares, for up to four queries.
    fn mix<'a>(&self, shares: &[RowStep], rows: impl Iterator<Item = &'a mut [f32]>) {
        let mut rows: Vec<&mut [f32]> = rows.collect();
        let (scales, _) = self.scales.as_chunks::<COLUMNS>();
        let panels = self.panels.chunks_exact(self.steps.max(1)).zip(scales);
        for (index, (panel, scales)) in panels.enumerate() {
            let scales: [f32x4; 2] = cast(*scales);
            for (sums, row) in tile(shares, panel).into_iter().zip(&mut rows) {
                if let Some(eight) = row.as_chunks_mut::<COLUMNS>().0.get_mut(index) {
                    *eight = cast([0, 1].map(|s: usize| f32x4::from_i32x4(sums[s]) * scales[s]));
                }
            }
        }
    }
}

/// The rows that are not padding, with their positions.
pub(crate) fn real<'a>(
    rows: impl Iterator<Item = &'a [f32]>,
    bias: &[f32],
) -> impl Iterator<Item = (&'a [f32], usize)> {
    let rows = rows.zip(bias).enumerate();
    rows.filter(|(_, (_, bias))| **bias > PADDING)
        .map(|(place, (row, _))| (row, place))
}

/// Puts eight quantised values into the low or high halves of a step.
#[inline]
fn join(
    step: ColumnStep,
    values: &[f32; COLUMNS],
    factors: &[f32; COLUMNS],
    high: bool,
) -> ColumnStep {
    let step: [i32x4; 2] = cast(step);
    let values: [f32x4; 2] = cast(*values);
    let factors: [f32x4; 2] = cast(*factors);
    cast([0, 1].map(|side: usize| {
        let whole = round(values[side] * factors[side], 0.0);
        let half = if high {
            whole << 16
        } else {
            whole & i32x4::splat(0xffff)
        };
        step[side] | half
    }))
}
