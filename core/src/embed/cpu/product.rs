//! The two ways in which linear layers are multiplied, and what both offer.

use wide::i32x4;

/// Columns that a tile computes at once.
pub(crate) const COLUMNS: usize = 8;

/// Rows that a tile computes at once: the sums, two vectors of weights and a value of each row fill the registers.
pub(crate) const ROWS: usize = 4;

/// Sums of products of four rows and eight columns.
pub(crate) type Tile = [[i32x4; 2]; ROWS];

/// How linear layers are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Activations and weights of 16 bits: [`super::words`].
    Words,
    /// Activations of 7 or 14 bits, weights of 8: [`super::bytes`].
    Bytes,
}

impl Kernel {
    /// Bytes are faster where there is an instruction for them, and only there.
    pub(crate) const OF_THIS_BUILD: Kernel = match cfg!(target_feature = "relaxed-simd") {
        true => Kernel::Bytes,
        false => Kernel::Words,
    };
}

/// Weights that were packed for one way of multiplying them with rows of activations.
pub(crate) trait Product {
    /// Activations, quantised row by row and packed in tiles of [`ROWS`].
    type Rows;

    /// `weights` is `[inputs, outputs]`, row by row; both are multiples of [`COLUMNS`].
    fn pack(weights: &[i8], inputs: usize, outputs: usize) -> Self;

    /// Packs rows of as many values as there are inputs.
    fn quantise(&self, x: &[f32]) -> Self::Rows;

    /// The sums of a tile of rows and the `panel`-th eight outputs, and the scales of the rows.
    fn tile<'r>(&self, rows: &'r Self::Rows, tile: usize, panel: usize) -> (Tile, &'r [f32; ROWS]);
}
