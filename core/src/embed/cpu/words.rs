//! 16-bit weights, multiplied by [`super::kernel`].

use super::kernel::{ColumnStep, Rows, limit, pair, tile};
use super::product::{COLUMNS, Product, ROWS, Tile};

/// `outputs / COLUMNS` panels of `inputs / 2` steps.
#[derive(Debug)]
pub(crate) struct Panels {
    steps: Vec<ColumnStep>,
    depth: usize,
}

impl Product for Panels {
    type Rows = Rows;

    fn pack(weights: &[i8], inputs: usize, outputs: usize) -> Self {
        let mut steps = Vec::with_capacity(inputs / 2 * outputs / COLUMNS);
        for start in (0..outputs).step_by(COLUMNS) {
            for rows in weights.chunks_exact(2 * outputs) {
                let (even, odd) = rows.split_at(outputs);
                let mut step = [0; COLUMNS];
                let columns = even.iter().zip(odd).skip(start);
                for (lane, (&first, &second)) in step.iter_mut().zip(columns) {
                    *lane = pair(first.into(), second.into());
                }
                steps.push(step);
            }
        }
        Self {
            steps,
            depth: inputs,
        }
    }

    fn quantise(&self, x: &[f32]) -> Rows {
        Rows::quantise(
            x.chunks_exact(self.depth),
            self.depth,
            limit(self.depth, 127),
        )
    }

    #[inline]
    fn tile<'r>(&self, rows: &'r Rows, index: usize, panel: usize) -> (Tile, &'r [f32; ROWS]) {
        let (steps, scales) = rows.tile(index);
        (
            tile(
                steps,
                &self.steps[panel * self.depth / 2..][..self.depth / 2],
            ),
            scales,
        )
    }
}
