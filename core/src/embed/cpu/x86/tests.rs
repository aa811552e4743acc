//! If the processor lacks the instructions, these compare a kernel with itself.

use proptest::prelude::*;

use super::super::attention::Attention;
use super::super::linear::{Activation, Linear};
use super::super::product::Kernel;
use super::Found;

const KERNELS: [Kernel; 2] = [Kernel::Avx2, Kernel::Avx512];

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Mostly small values, some a hundred times as large, as in a transformer, and zeros.
fn values(count: usize) -> impl Strategy<Value = Vec<f32>> {
    let value = prop_oneof![8 => -1f32..1.0, 1 => -100f32..100.0, 1 => Just(0.0)];
    prop::collection::vec(value, count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_layer_gives_the_bits_that_it_gives_without_wide_vectors(
        (x, weights, factors) in (1usize..20).prop_flat_map(|rows| (
            values(rows * 64),
            prop::collection::vec(-127i8..=127, 64 * 96),
            values(96),
        )),
    ) {
        for activation in [Activation::None, Activation::Gelu] {
            let forward = |kernel| {
                let linear = Linear::new(&weights, 64, &factors, &factors, kernel).unwrap();
                bits(&linear.forward(&x, activation))
            };
            for kernel in KERNELS {
                prop_assert_eq!(forward(kernel), forward(Kernel::Words), "{:?}", kernel);
            }
        }
    }

    #[test]
    fn attention_gives_the_bits_that_it_gives_without_wide_vectors(
        (joint, padding) in (1usize..80).prop_flat_map(|tokens| (values(tokens * 192), 0..tokens)),
    ) {
        let tokens = joint.len() / 192;
        let real = |token| if token < tokens - padding { 0.0 } else { -10_000.0 };
        let bias: Vec<f32> = (0..tokens).map(real).collect();
        let attention = Attention { joint: &joint, bias: &bias, hidden: 64, heads: 2 };
        let forward = |kernel| {
            let mut out = vec![0.0; tokens * 64];
            attention.forward(kernel, &mut out);
            bits(&out)
        };
        for kernel in KERNELS {
            prop_assert_eq!(forward(kernel), forward(Kernel::Words), "{:?}", kernel);
        }
    }
}

#[test]
fn sizes_that_do_not_fill_a_tile_are_left_to_the_kernel_for_all_processors() {
    for kernel in KERNELS {
        let linear = Linear::new(&[1; 40 * 8], 40, &[1.0; 8], &[0.5; 8], kernel).unwrap();
        let y = linear.forward(&[1.0; 40], Activation::None);
        assert!(y.iter().all(|y| (y - 40.5).abs() < 1e-3), "{y:?}");
    }
}

#[test]
fn kernels_that_need_no_instructions_find_none() {
    assert!(Found::of(Kernel::Words).is_none() && Found::of(Kernel::Bytes).is_none());
}
