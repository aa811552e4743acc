//! The kernels of the code language model, each against a plain reference.

use bytemuck::cast_slice;

use super::kernels::{Bound, Numbers, TIERS, near, near_by_share, run};
use crate::gpu::Tier;
use crate::gpu::kernel::{Kernel, LANES, TILE, kernel_scales};

const EPSILON: f32 = 1e-6;

/// A row divided by its root mean square.
fn normal(row: &[f32]) -> Vec<f32> {
    let mean = row.iter().map(|it| it * it).sum::<f32>() / row.len() as f32;
    row.iter().map(|it| it / (mean + EPSILON).sqrt()).collect()
}

#[test]
fn a_lookup_scales_rows_of_bytes_and_adds_them_on_request() {
    let (rows, width, ids) = (9, 72, [3u32, 0, 8, 3]);
    let mut numbers = Numbers(21);
    let table = numbers.bytes(rows * width);
    let scales = numbers.floats(rows);
    let before = numbers.floats(ids.len() * width);
    for adds in [false, true] {
        let own_rows = ids.iter().flat_map(|&id| {
            let start = id as usize * width;
            let row = table[start..start + width].iter();
            row.map(move |&value| (id as usize, value))
        });
        let expected: Vec<f32> = own_rows
            .zip(&before)
            .map(|((id, value), before)| {
                4.0 * f32::from(value) * scales[id] + if adds { *before } else { 0.0 }
            })
            .collect();
        let bound = [
            Bound::Read(cast_slice(&ids)),
            Bound::Read(cast_slice(&table)),
            Bound::Read(cast_slice(&scales)),
            Bound::Written(&before),
        ];
        let kernel = Kernel::Lookup {
            width,
            gain: 4.0,
            adds,
        };
        let own = run(kernel, Tier::Basic, &bound, (ids.len(), 1));
        near(&own, &expected, 1e-3, &format!("{kernel:?}"));
    }
}

#[test]
fn chosen_rows_are_divided_by_the_root_of_their_mean_square() {
    let hidden = 192;
    let x = Numbers(4).floats(5 * hidden);
    let chosen = [4u32, 1, 1];
    let expected = chosen.map(|row| normal(&x[row as usize * hidden..][..hidden]));
    for tier in TIERS {
        let bound = [
            Bound::Read(cast_slice(&chosen)),
            Bound::Read(cast_slice(&x)),
            Bound::Written(&vec![0.0; chosen.len() * hidden]),
        ];
        let kernel = Kernel::RootNorm {
            hidden,
            epsilon: EPSILON,
        };
        let own = run(kernel, tier, &bound, (chosen.len(), 1));
        near(&own, &expected.concat(), 1e-5, tier.name());
    }
}

#[test]
fn a_convolution_sees_its_token_and_those_before_it_of_the_same_row_alone() {
    let (hidden, taps) = (128, 3);
    let places = [0u32, 1, 2, 3, 0, 0, 1];
    let mut numbers = Numbers(13);
    let x = numbers.floats(places.len() * hidden);
    let weights = numbers.floats(taps * hidden);
    let mut expected = Vec::new();
    for (token, place) in places.iter().enumerate() {
        for column in 0..hidden {
            let seen = (0..taps).filter(|tap| *tap <= *place as usize);
            let parts = seen.map(|tap| {
                let row = normal(&x[(token - tap) * hidden..][..hidden]);
                row[column] * weights[tap * hidden + column]
            });
            expected.push(parts.sum::<f32>());
        }
    }
    for tier in TIERS {
        let bound = [
            Bound::Read(cast_slice(&places)),
            Bound::Read(cast_slice(&x)),
            Bound::Read(cast_slice(&weights)),
            Bound::Written(&vec![0.0; x.len()]),
        ];
        let kernel = Kernel::Convolution {
            hidden,
            taps,
            epsilon: EPSILON,
        };
        let own = run(kernel, tier, &bound, (places.len(), 1));
        near(&own, &expected, 1e-5, tier.name());
    }
}

#[test]
fn queries_and_keys_are_normed_by_head_and_values_stay() {
    let (rows, heads, size) = (23, 3, 64);
    let mut numbers = Numbers(17);
    let joint = numbers.floats(rows * 3 * heads * size);
    let gains = numbers.floats(2 * heads);
    let expected: Vec<f32> = joint
        .chunks_exact(size)
        .enumerate()
        .flat_map(|(at, part)| match gains.get(at % (3 * heads)) {
            Some(gain) => normal(part).iter().map(|it| it * gain).collect(),
            None => part.to_vec(),
        })
        .collect();
    let bound = [
        Bound::Uniform([rows as u32, 0, 0, 0]),
        Bound::Read(cast_slice(&gains)),
        Bound::Written(&joint),
    ];
    let kernel = Kernel::HeadNorm {
        heads,
        size,
        epsilon: EPSILON,
    };
    let groups = (rows * 2 * heads).div_ceil(LANES);
    let own = run(kernel, Tier::Basic, &bound, (groups, 1));
    near(&own, &expected, 1e-5, "queries, keys and values");
}

/// For each row, by the formulas: the parts of all slices, and the logit of its target.
fn of_slices(
    logits: &[Vec<f32>],
    targets: &[u32],
    slices: usize,
    each: usize,
) -> (Vec<[f32; 2]>, Vec<f32>) {
    let mut parts = Vec::new();
    for row in logits {
        for slice in 0..slices {
            let end = ((slice + 1) * each).min(row.len());
            let own = &row[(slice * each).min(end)..end];
            let most = own.iter().copied().fold(-1e30, f32::max);
            parts.push([most, own.iter().map(|logit| (logit - most).exp()).sum()]);
        }
    }
    let found = logits
        .iter()
        .zip(targets)
        .map(|(row, &at)| row[at as usize]);
    (parts, found.collect())
}

#[test]
fn the_vocabulary_gives_the_largest_logit_and_a_sum_of_each_slice() {
    // The last slice is empty.
    let (rows, inputs, words, slices) = (70, 48, 320, 4);
    let mut numbers = Numbers(19);
    let x = numbers.floats(rows * inputs);
    let table = numbers.bytes(words * inputs);
    let scales: Vec<f32> = numbers.floats(words).iter().map(|it| it / 50.0).collect();
    let targets: Vec<u32> = (0..rows as u32)
        .map(|row| row * 37 % words as u32)
        .collect();
    let logits: Vec<Vec<f32>> = x
        .chunks_exact(inputs)
        .map(|x| {
            let of = |(word, scale): (&[i8], &f32)| {
                let sum: f32 = x.iter().zip(word).map(|(x, &w)| x * f32::from(w)).sum();
                sum * scale
            };
            table.chunks_exact(inputs).zip(&scales).map(of).collect()
        })
        .collect();
    let (parts, found) = of_slices(&logits, &targets, slices, 2 * TILE);
    for (tier, tolerance) in [(Tier::Basic, 2e-4), (Tier::F16, 5e-2)] {
        for (wants_parts, expected) in [(true, parts.as_flattened()), (false, &found)] {
            let none = vec![0.0; rows * slices * 2];
            let scales = kernel_scales(&scales);
            let (own_parts, own_found) = match wants_parts {
                true => (Bound::Written(&none), Bound::Scratch(rows)),
                false => (Bound::Scratch(none.len()), Bound::Written(&none[..rows])),
            };
            let bound = [
                Bound::Uniform([rows as u32, 0, 0, 0]),
                Bound::Read(cast_slice(&x)),
                Bound::Read(cast_slice(&table)),
                Bound::Read(cast_slice(&scales)),
                Bound::Read(cast_slice(&targets)),
                own_parts,
                own_found,
            ];
            let kernel = Kernel::Vocabulary {
                inputs,
                words,
                slices,
            };
            let own = run(kernel, tier, &bound, (slices, rows.div_ceil(TILE)));
            near_by_share(&own, expected, tolerance, tier.name());
        }
    }
}

#[test]
fn a_log_probability_is_the_targets_logit_less_the_logarithm_of_all() {
    let (rows, slices) = (66, 3);
    let logits: Vec<Vec<f32>> = Numbers(23)
        .floats(rows * 12)
        .chunks_exact(12)
        .map(|row| row.iter().map(|it| it * 30.0).collect())
        .collect();
    let targets: Vec<u32> = (0..rows as u32).map(|row| row % 12).collect();
    let (parts, found) = of_slices(&logits, &targets, slices, 4);
    let expected: Vec<f32> = logits
        .iter()
        .zip(&found)
        .map(|(row, found)| found - row.iter().map(|logit| logit.exp()).sum::<f32>().ln())
        .collect();
    let bound = [
        Bound::Uniform([rows as u32, 0, 0, 0]),
        Bound::Read(cast_slice(&parts)),
        Bound::Read(cast_slice(&found)),
        Bound::Written(&vec![0.0; rows]),
    ];
    let kernel = Kernel::LogProbability { slices };
    let own = run(kernel, Tier::Basic, &bound, (rows.div_ceil(LANES), 1));
    near(&own, &expected, 1e-4, "log-probabilities");
}
