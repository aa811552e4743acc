//! Linear layers and attention on the processor's own vectors: 8 values with AVX2, 16 with AVX-512.
//!
//! They give the same bits as [`super::words`] and [`super::attention`]: products of 16-bit numbers
//! with 32-bit sums are exact, and everything else is done in the same order. `fearless_simd`
//! detects the instructions when the program runs; its tokens prove that they exist, so nothing
//! here is unsafe.

mod attention;
mod kernel;
mod linear;
mod rows;
#[cfg(test)]
mod tests;

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{f32x8, f32x16, i32x8, i32x16};

use super::math::Lanes;
use super::product::Kernel;

pub(crate) use attention::attend;
pub(crate) use linear::Panels;

/// Rows that a tile computes at once.
const ROWS: usize = 8;
/// Columns that a tile computes at once. The depth of a product is a multiple of this too.
pub(crate) const COLUMNS: usize = 32;

/// Two consecutive values of each row, the first in the low half.
type RowStep = [i32; ROWS];
/// The same of each column.
type ColumnStep = [RowStep; COLUMNS / ROWS];
/// Sums of products of each row and column.
type Sums = [[i32; COLUMNS]; ROWS];

/// The instructions that were found on this processor.
#[derive(Clone, Copy, Debug)]
enum Found {
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Found {
    /// The instructions that a kernel needs; `None` if it needs none or the processor lacks them.
    fn of(kernel: Kernel) -> Option<Self> {
        let level = fearless_simd::Level::new();
        match kernel {
            Kernel::Avx512 => level.as_avx512().map(Self::Avx512),
            Kernel::Avx2 => level.as_avx2().map(Self::Avx2),
            Kernel::Words | Kernel::Bytes => None,
        }
    }
}

/// The fastest kernel of this processor.
pub(crate) fn fastest() -> Kernel {
    let kernels = [Kernel::Avx512, Kernel::Avx2];
    let has = |kernel: &Kernel| Found::of(*kernel).is_some();
    kernels.into_iter().find(has).unwrap_or(Kernel::Words)
}

/// A set of instructions that multiplies tiles.
trait Machine: Simd<f32s: Lanes> {
    /// Multiplies a tile of rows with a panel of columns of the same depth.
    fn multiply(self, rows: &[RowStep], columns: &[ColumnStep]) -> Sums;
}

impl Machine for Avx2 {
    #[inline(always)]
    fn multiply(self, rows: &[RowStep], columns: &[ColumnStep]) -> Sums {
        kernel::avx2(self, rows, columns)
    }
}

impl Machine for Avx512 {
    #[inline(always)]
    fn multiply(self, rows: &[RowStep], columns: &[ColumnStep]) -> Sums {
        kernel::avx512(self, rows, columns)
    }
}

macro_rules! lanes {
    ($floats:ident, $integers:ident) => {
        impl<S: Simd> Lanes for $floats<S> {
            #[inline(always)]
            fn at_least(self, least: f32) -> Self {
                self.max(least)
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn reciprocal(self) -> Self {
                Self::splat(self.token(), 1.0) / self
            }

            #[inline(always)]
            fn times_power(self, rounded: Self) -> Self {
                let whole: $integers<S> = rounded.bitcast();
                let bits: $integers<S> = self.bitcast();
                (bits + (whole << 23)).bitcast()
            }
        }
    };
}

lanes!(f32x8, i32x8);
lanes!(f32x16, i32x16);
