//! The ways to multiply in linear layers and attention, and the interface that the portable ones
//! share.

use wide::i32x4;

use super::x86;

/// Columns that a tile computes at once.
pub(crate) const COLUMNS: usize = 8;

/// Rows that a tile computes at once: the sums, two vectors of weights and a value of each row fill
/// the registers.
pub(crate) const ROWS: usize = 4;

/// Sums of products of four rows and eight columns.
pub(crate) type Tile = [[i32x4; 2]; ROWS];

/// How linear layers and attention are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// 16-bit activations and weights: [`super::words`].
    Words,
    /// Activations of 7 or 14 bits, weights of 8 bits: [`super::bytes`].
    Bytes,
    /// The numbers of [`Kernel::Words`], 8 values at once: [`super::x86`]. Without AVX2 it falls
    /// back to that kernel.
    Avx2,
    /// The same, 16 values at once, with the instructions of Ice Lake and Zen 4.
    Avx512,
}

impl Kernel {
    /// The fastest kernel of this build on this processor. Bytes are faster only where there is an
    /// instruction for them.
    pub(crate) fn fastest() -> Kernel {
        match cfg!(target_feature = "relaxed-simd") {
            true => Kernel::Bytes,
            false => x86::fastest(),
        }
    }
}

/// Weights, packed for one way to multiply them by rows of activations.
pub(crate) trait Product {
    /// Activations, quantised row by row and packed in tiles of [`ROWS`].
    type Rows;

    /// `weights` is `[inputs, outputs]`, row by row; both are multiples of [`COLUMNS`].
    fn pack(weights: &[i8], inputs: usize, outputs: usize) -> Self;

    /// Packs rows that have as many values as there are inputs.
    fn quantise(&self, x: &[f32]) -> Self::Rows;

    /// The sums for a tile of rows and the `panel`-th eight outputs, and the scales of the rows.
    fn tile<'r>(&self, rows: &'r Self::Rows, tile: usize, panel: usize) -> (Tile, &'r [f32; ROWS]);
}
