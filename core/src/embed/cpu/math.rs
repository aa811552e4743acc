//! Functions of several values at once, only as exact as the model needs.

use std::ops::{Add, Mul, Neg, Sub};

use bytemuck::cast;
use wide::{f32x4, i32x4};

/// Added to a value below 2²² in magnitude, it leaves the nearest integer in the lowest bits.
pub(crate) const ROUNDER: f32 = 12_582_912.0;

/// The nearest integers plus the integer `offset`; magnitudes have to be below 2²¹.
///
/// A conversion would have to check for values that fit no integer in the browser; this is one
/// addition.
#[inline]
pub(crate) fn round(x: f32x4, offset: f32) -> i32x4 {
    let bits: i32x4 = cast(x + (ROUNDER + offset));
    bits - i32x4::splat(ROUNDER.to_bits() as i32)
}

/// Vectors that the functions accept. The same operations in the same order give the same bits for
/// any width.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Add<f32, Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f32, Output = Self>
    + Neg<Output = Self>
{
    /// The maximum of each value and `least`.
    fn at_least(self, least: f32) -> Self;
    fn magnitude(self) -> Self;
    fn reciprocal(self) -> Self;
    /// The values times 2 to the power of the integers that adding [`ROUNDER`] left in the bits of
    /// `rounded`.
    fn times_power(self, rounded: Self) -> Self;
}

impl Lanes for f32x4 {
    #[inline(always)]
    fn at_least(self, least: f32) -> Self {
        self.fast_max(f32x4::splat(least))
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        f32x4::splat(1.0) / self
    }

    #[inline(always)]
    fn times_power(self, rounded: Self) -> Self {
        let whole: i32x4 = cast(rounded);
        let bits: i32x4 = cast(self);
        cast(bits + (whole << 23))
    }
}

/// `eˣ` for values that are not positive, to five digits.
///
/// The integer part of the power of 2 goes into the exponent's bits; for the rest a polynomial is
/// used, exact to 2e-7 on −½…½.
#[inline(always)]
pub(crate) fn exp_of_negative<V: Lanes>(x: V) -> V {
    const P: [f32; 6] = [
        1.0,
        std::f32::consts::LN_2,
        0.240_221_08,
        0.055_503_324,
        0.009_676_012,
        0.001_339_887_4,
    ];
    // For lower values the result would not be a normal number.
    let x = x.at_least(-87.0) * std::f32::consts::LOG2_E;
    let rounded = x + ROUNDER;
    let rest = x - (rounded + -ROUNDER);
    let series = ((((rest * P[5] + P[4]) * rest + P[3]) * rest + P[2]) * rest + P[1]) * rest + P[0];
    series.times_power(rounded)
}

/// `x/2 · (1 + erf(x/√2))`, with the error function of Abramowitz and Stegun 1964, formula 7.1.26,
/// whose error is at most 1.5e-7.
#[inline(always)]
pub(crate) fn gelu<V: Lanes>(x: V) -> V {
    const P: f32 = 0.327_591_1;
    const A: [f32; 5] = [
        0.254_829_6,
        -0.284_496_74,
        1.421_413_8,
        -1.453_152,
        1.061_405_4,
    ];
    let z = x.magnitude() * std::f32::consts::FRAC_1_SQRT_2;
    let t = (z * P + 1.0).reciprocal();
    let series = ((((t * A[4] + A[3]) * t + A[2]) * t + A[1]) * t + A[0]) * t;
    // The tail is the difference from x for a positive x, and the result's magnitude for a negative
    // one.
    let tail = x.magnitude() * 0.5 * series * exp_of_negative(-(z * z));
    x.at_least(0.0) - tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_gives_the_nearest_whole_number() {
        for (x, offset, expected) in [
            (0.4, 0.0, 0),
            (-0.6, 64.0, 63),
            (8126.7, 64.0, 8191),
            (-900.2, 0.0, -900),
        ] {
            assert_eq!(
                round(f32x4::splat(x), offset).to_array(),
                [expected; 4],
                "{x}"
            );
        }
    }

    #[test]
    fn powers_follow_the_exact_function() {
        for step in 0..8700 {
            let x = -0.01 * step as f32;
            let [actual, ..] = exp_of_negative(f32x4::splat(x)).to_array();
            let expected = f64::from(x).exp();
            let error = (f64::from(actual) - expected).abs() / expected;
            assert!(error < 1e-5, "exp({x}) is {actual}, not {expected}");
        }
        assert!(exp_of_negative(f32x4::splat(-1e9)).to_array()[0] < 1e-37);
    }

    #[test]
    fn gelu_follows_the_exact_function() {
        // Values of x/2 · (1 + erf(x/√2)) from a table of the normal distribution: x · Φ(x).
        let cases = [
            (0.0, 0.0),
            (1.0, 0.841_344_7),
            (-1.0, -0.158_655_3),
            (2.0, 1.954_499_7),
            (-2.0, -0.045_500_26),
            (0.5, 0.345_731_2),
            (-3.0, -0.004_049_69),
            (9.0, 9.0),
            (-9.0, 0.0),
            (60.0, 60.0),
            (-60.0, 0.0),
        ];
        for (x, expected) in cases {
            let [actual, ..] = gelu(f32x4::splat(x)).to_array();
            assert!(
                (actual - expected).abs() < 2e-6,
                "gelu({x}) is {actual}, not {expected}"
            );
        }
    }
}
