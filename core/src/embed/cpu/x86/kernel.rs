//! The products themselves: one value of a row at a time against 32 columns.

use std::arch::x86_64::*;

use bytemuck::cast;
use fearless_simd::{i32x8, i32x16, prelude::*};

use super::{ColumnStep, ROWS, RowStep, Sums};

fearless_simd::kernel!(
    /// `vpdpwssd`: 32 products per instruction, added to their sums at once. A tile's 16 vectors of
    /// sums stay in registers.
    pub(crate) fn avx512(machine: Avx512, rows: &[RowStep], columns: &[ColumnStep]) -> Sums {
        let mut sums = [[_mm512_setzero_si512(); 2]; ROWS];
        for (row, column) in rows.iter().zip(columns) {
            let column: [[i32; 16]; 2] = cast(*column);
            let left = i32x16::load_array_ref(machine, &column[0]).into();
            let right = i32x16::load_array_ref(machine, &column[1]).into();
            for (sum, &pair) in sums.iter_mut().zip(row) {
                let pair = _mm512_set1_epi32(pair);
                sum[0] = _mm512_dpwssd_epi32(sum[0], pair, left);
                sum[1] = _mm512_dpwssd_epi32(sum[1], pair, right);
            }
        }
        let mut tile = [[[0; 16]; 2]; ROWS];
        for (row, sum) in tile.iter_mut().zip(sums) {
            i32x16::simd_from(machine, sum[0]).store_array(&mut row[0]);
            i32x16::simd_from(machine, sum[1]).store_array(&mut row[1]);
        }
        cast(tile)
    }
);

fearless_simd::kernel!(
    /// `vpmaddwd`: 16 products per instruction, in four parts of a tile whose sums fit into the
    /// registers.
    pub(crate) fn avx2(machine: Avx2, rows: &[RowStep], columns: &[ColumnStep]) -> Sums {
        let mut tile = [[[0; 8]; 4]; ROWS];
        for top in [0, 4] {
            for side in [0, 2] {
                let mut sums = [[_mm256_setzero_si256(); 2]; 4];
                for (row, column) in rows.iter().zip(columns) {
                    let left = i32x8::load_array_ref(machine, &column[side]).into();
                    let right = i32x8::load_array_ref(machine, &column[side + 1]).into();
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let pair = _mm256_set1_epi32(row[top + r]);
                        sum[0] = _mm256_add_epi32(sum[0], _mm256_madd_epi16(pair, left));
                        sum[1] = _mm256_add_epi32(sum[1], _mm256_madd_epi16(pair, right));
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    i32x8::simd_from(machine, sum[0]).store_array(&mut tile[top + r][side]);
                    i32x8::simd_from(machine, sum[1]).store_array(&mut tile[top + r][side + 1]);
                }
            }
        }
        cast(tile)
    }
);
