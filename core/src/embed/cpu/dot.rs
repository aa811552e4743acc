//! Four products added to a sum, in four columns at once: the only instruction that differs between
//! the two builds of the encoder.

use wide::{i8x16, i32x4};

/// Adds to each of four columns' sums its four weights times the same four values, which have 7
/// bits.
#[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
#[inline(always)]
pub(crate) fn dot(weights: i8x16, values: i32, sums: i32x4) -> i32x4 {
    use bytemuck::cast;
    use std::arch::wasm32::{i32x4_relaxed_dot_i8x16_i7x16_add, i32x4_splat};
    cast(i32x4_relaxed_dot_i8x16_i7x16_add(
        cast(weights),
        i32x4_splat(values),
        cast(sums),
    ))
}

/// The same, but slow; tests run it natively.
#[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
#[inline]
pub(crate) fn dot(weights: i8x16, values: i32, sums: i32x4) -> i32x4 {
    use bytemuck::cast;
    use wide::{i16x8, u8x16};
    let values = i16x8::from_u8x16_low(cast(i32x4::splat(values)));
    // Weights go to the high bytes of 16-bit numbers and are shifted down with their sign.
    let (zero, weights) = (u8x16::splat(0), cast(weights));
    let left: i16x8 = cast(u8x16::unpack_low(zero, weights));
    let right: i16x8 = cast(u8x16::unpack_high(zero, weights));
    let [a, b, c, d] = ((left >> 8i32).dot(values)).to_array();
    let [e, f, g, h] = ((right >> 8i32).dot(values)).to_array();
    sums + i32x4::new([a + b, c + d, e + f, g + h])
}
