//! Each kernel against a plain reference.

use bytemuck::cast_slice;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use pollster::block_on;
use wgpu::BufferUsages;
use wgpu::util::DeviceExt;

use super::device::device;
use crate::gpu::kernel::{self, Activation, Kernel, LANES, TILE, kernel_scales};
use crate::gpu::{Tier, read_back};

pub(super) const TIERS: [Tier; 3] = [Tier::Basic, Tier::F16, Tier::Subgroups];

/// Pseudo-random numbers between −1 and 1, the same everywhere.
pub(super) struct Numbers(pub u32);

impl Numbers {
    fn bits(&mut self) -> u32 {
        // Marsaglia 2003, xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    pub(super) fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| self.bits() as f32 / u32::MAX as f32 * 2.0 - 1.0)
            .collect()
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<i8> {
        (0..count).map(|_| (self.bits() >> 24) as i8).collect()
    }
}

/// A kernel's bindings, in order.
pub(super) enum Bound<'a> {
    Uniform([u32; 4]),
    Read(&'a [u8]),
    /// Initial values; the buffer then holds the kernel's result.
    Written(&'a [f32]),
    /// This many values that are also written, but not compared.
    Scratch(usize),
}

/// Runs a kernel once on a device of the tier; returns its result.
pub(super) fn run(kernel: Kernel, tier: Tier, bound: &[Bound], grid: (usize, usize)) -> Vec<f32> {
    let (device, queue) = device(tier);
    let scratch = vec![0; 1 << 16];
    let mut result = None;
    let mut buffers = Vec::new();
    for bound in bound {
        let (contents, usage): (&[u8], _) = match bound {
            Bound::Uniform(values) => (cast_slice(values), BufferUsages::UNIFORM),
            Bound::Read(bytes) => (bytes, BufferUsages::STORAGE),
            Bound::Written(values) => {
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
                (cast_slice(values), usage)
            }
            Bound::Scratch(values) => (&scratch[..values * 4], BufferUsages::STORAGE),
        };
        let description = wgpu::util::BufferInitDescriptor {
            label: None,
            contents,
            usage,
        };
        buffers.push(device.create_buffer_init(&description));
        if let Bound::Written(values) = bound {
            result = Some((buffers.len() - 1, values.len() as u64 * 4));
        }
    }
    let (written, bytes) = result.expect("a kernel writes something");
    let back = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let pipeline = kernel.pipeline(&device, tier);
    let group = kernel::bind(&device, &pipeline, &buffers.iter().collect::<Vec<_>>());
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(grid.0 as u32, grid.1 as u32, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&buffers[written], 0, &back, 0, bytes);
    queue.submit([encoder.finish()]);
    let read = block_on(read_back::read(&device, &back, bytes)).unwrap();
    read_back::floats(&read)
}

/// As [`near`], for large values: above 1, `tolerance` is relative.
pub(super) fn near_by_share(own: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(own.len(), expected.len(), "{what}");
    let share = |(own, expected): (&f32, &f32)| (own - expected) / expected.abs().max(1.0);
    let shares: Vec<f32> = own.iter().zip(expected).map(share).collect();
    near(&shares, &vec![0.0; own.len()], tolerance, what);
}

pub(super) fn near(own: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(own.len(), expected.len(), "{what}");
    for (at, (own, expected)) in own.iter().zip(expected).enumerate() {
        // Written so that NaN is not near.
        let is_near = (own - expected).abs() <= tolerance;
        assert!(is_near, "{what}: value {at} is {own}, not {expected}");
    }
}

#[test]
fn naga_accepts_every_kernel_of_every_tier() {
    let kernels = [
        Kernel::Embedding {
            hidden: 384,
            epsilon: 1e-12,
        },
        Kernel::Product {
            inputs: 384,
            outputs: 1536,
            activation: Activation::Gelu,
            adds: false,
        },
        Kernel::Product {
            inputs: 1536,
            outputs: 384,
            activation: Activation::SquaredRelu,
            adds: true,
        },
        Kernel::Attention {
            heads: 12,
            size: 32,
            causal: false,
            alibi: false,
        },
        Kernel::Attention {
            heads: 4,
            size: 64,
            causal: true,
            alibi: true,
        },
        Kernel::Norm {
            hidden: 384,
            epsilon: 1e-12,
        },
        Kernel::Pool { hidden: 384 },
        Kernel::Lookup {
            width: 192,
            gain: 4.0,
            adds: true,
        },
        Kernel::RootNorm {
            hidden: 192,
            epsilon: 1e-6,
        },
        Kernel::Convolution {
            hidden: 192,
            taps: 3,
            epsilon: 1e-6,
        },
        Kernel::HeadNorm {
            heads: 3,
            size: 64,
            epsilon: 1e-6,
        },
        Kernel::Vocabulary {
            inputs: 192,
            words: 8192,
            slices: 16,
        },
        Kernel::LogProbability { slices: 16 },
    ];
    for tier in TIERS {
        let capabilities = match tier {
            Tier::Basic => Capabilities::empty(),
            Tier::F16 => Capabilities::SHADER_FLOAT16,
            Tier::Subgroups => Capabilities::SHADER_FLOAT16 | Capabilities::SUBGROUP,
        };
        for kernel in kernels {
            let source = kernel.source(tier);
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
            let mut validator = Validator::new(ValidationFlags::all(), capabilities);
            let valid = validator
                .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
                .subgroup_operations(naga::valid::SubgroupOperationSet::all())
                .validate(&module);
            if let Err(error) = valid {
                panic!("{kernel:?} {tier:?}: {}", error.emit_to_string(&source));
            }
        }
    }
}

/// The activation of a product, in plain Rust.
type Plain = fn(f32) -> f32;

#[test]
fn a_product_multiplies_scales_adds_and_activates() {
    let (rows, inputs, outputs) = (70, 48, 128);
    let mut numbers = Numbers(7);
    let x = numbers.floats(rows * inputs);
    let weights = numbers.bytes(inputs * outputs);
    let scales: Vec<f32> = numbers
        .floats(outputs)
        .iter()
        .map(|it| it / 100.0)
        .collect();
    let stored_scales = kernel_scales(&scales);
    let bias = numbers.floats(outputs);
    let before = numbers.floats(rows * outputs);
    let activations: [(Activation, Plain); 3] = [
        (Activation::None, |x| x),
        (Activation::Gelu, gelu_of),
        (Activation::SquaredRelu, |x| x.max(0.0) * x.max(0.0)),
    ];
    for (tier, tolerance) in [(Tier::Basic, 2e-5), (Tier::F16, 3e-2)] {
        for (activation, function) in activations {
            let adds = activation != Activation::Gelu;
            let bound = [
                Bound::Uniform([rows as u32, 0, 0, 0]),
                Bound::Read(cast_slice(&x)),
                Bound::Read(cast_slice(&weights)),
                Bound::Read(cast_slice(&stored_scales)),
                Bound::Read(cast_slice(&bias)),
                Bound::Written(&before),
            ];
            let kernel = Kernel::Product {
                inputs,
                outputs,
                activation,
                adds,
            };
            let own = run(kernel, tier, &bound, (outputs / TILE, rows.div_ceil(TILE)));
            let mut expected = Vec::new();
            for (x, before) in x.chunks_exact(inputs).zip(before.chunks_exact(outputs)) {
                for output in 0..outputs {
                    let weights = weights.iter().skip(output).step_by(outputs);
                    let sum: f32 = x.iter().zip(weights).map(|(x, &w)| x * f32::from(w)).sum();
                    let value = function(sum * scales[output] + bias[output]);
                    expected.push(value + if adds { before[output] } else { 0.0 });
                }
            }
            near_by_share(&own, &expected, tolerance, &format!("{tier:?} {kernel:?}"));
        }
    }
}

/// `x/2 · (1 + erf(x/√2))`, with the error function as the sum of its series.
fn gelu_of(x: f32) -> f32 {
    let z = f64::from(x) / 2f64.sqrt();
    if z.abs() > 4.0 {
        return x.max(0.0);
    }
    let (mut term, mut sum) = (z, z);
    for n in 1..60 {
        let n = f64::from(n);
        term *= -z * z / n;
        sum += term / (2.0 * n + 1.0);
    }
    let error_function = sum * 2.0 / std::f64::consts::PI.sqrt();
    (f64::from(x) / 2.0 * (1.0 + error_function)) as f32
}

#[test]
fn attention_over_joined_sequences_equals_attention_over_each_alone() {
    let slopes = [0.0f32, 0.02, 0.2];
    for (heads, size, causal, alibi) in [
        (3, 32, false, false),
        (2, 64, true, false),
        (12, 32, true, false),
        (3, 64, true, true),
    ] {
        let lengths = [1, 64, 5, 130, 65, 2];
        let hidden = heads * size;
        let tokens: usize = lengths.iter().sum();
        let joint: Vec<f32> = Numbers(11).floats(tokens * 3 * hidden);
        let mut blocks: Vec<[u32; 4]> = Vec::new();
        let mut expected = Vec::new();
        let mut start = 0;
        for length in lengths {
            let end = start + length;
            let queries = (start..end).step_by(LANES);
            blocks.extend(queries.map(|query| [start as u32, end as u32, query as u32, 0]));
            let rows = &joint[start * 3 * hidden..end * 3 * hidden];
            let slope = |head: usize| if alibi { slopes[head] } else { 0.0 };
            expected.extend(attention(rows, heads, size, causal, slope));
            start = end;
        }
        let start = vec![0.0; tokens * hidden];
        let mut bound = vec![
            Bound::Read(cast_slice(&blocks)),
            Bound::Read(cast_slice(&joint)),
            Bound::Written(&start),
        ];
        if alibi {
            bound.push(Bound::Read(cast_slice(&slopes)));
        }
        let kernel = Kernel::Attention {
            heads,
            size,
            causal,
            alibi,
        };
        let own = run(kernel, Tier::Basic, &bound, (blocks.len(), heads));
        near(&own, &expected, 1e-5, &format!("{kernel:?}"));
    }
}

/// Attention over one sequence, `[tokens, 3, heads, size]`, by the formula.
fn attention(
    joint: &[f32],
    heads: usize,
    size: usize,
    causal: bool,
    slope: impl Fn(usize) -> f32,
) -> Vec<f32> {
    let hidden = heads * size;
    let tokens = joint.len() / (3 * hidden);
    let part = |part: usize, token: usize, head: usize| {
        let start = (token * 3 + part) * hidden + head * size;
        &joint[start..start + size]
    };
    let mut mixed = vec![0.0; tokens * hidden];
    for query in 0..tokens {
        for head in 0..heads {
            let seen = if causal { query + 1 } else { tokens };
            let scores = (0..seen).map(|key| {
                let pairs = part(0, query, head).iter().zip(part(1, key, head));
                let score = pairs.map(|(q, k)| q * k).sum::<f32>();
                let distance = query.saturating_sub(key) as f32;
                (score - slope(head) * distance).exp()
            });
            let shares: Vec<f32> = scores.collect();
            let total: f32 = shares.iter().sum();
            for (key, share) in shares.iter().enumerate() {
                let own = &mut mixed[query * hidden + head * size..][..size];
                for (own, value) in own.iter_mut().zip(part(2, key, head)) {
                    *own += share / total * value;
                }
            }
        }
    }
    mixed
}

/// Layer norm of a row; `norm` alternates scale and shift.
fn normalised(row: &[f32], norm: &[[f32; 2]]) -> Vec<f32> {
    let count = row.len() as f32;
    let mean = row.iter().sum::<f32>() / count;
    let variance = row.iter().map(|it| (it - mean).powi(2)).sum::<f32>() / count;
    let pairs = row.iter().zip(norm);
    pairs
        .map(|(it, [scale, shift])| (it - mean) / (variance + 1e-12).sqrt() * scale + shift)
        .collect()
}

#[test]
fn a_norm_adds_and_normalises_in_place() {
    let (rows, hidden) = (5, 192);
    let mut numbers = Numbers(3);
    let (x, y) = (numbers.floats(rows * hidden), numbers.floats(rows * hidden));
    let norm = numbers.floats(2 * hidden);
    let (pairs, _) = norm.as_chunks::<2>();
    let sums: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    let expected: Vec<f32> = sums
        .chunks_exact(hidden)
        .flat_map(|row| normalised(row, pairs))
        .collect();
    for tier in TIERS {
        let bound = [
            Bound::Read(cast_slice(&y)),
            Bound::Read(cast_slice(&norm)),
            Bound::Written(&x),
        ];
        let own = run(
            Kernel::Norm {
                hidden,
                epsilon: 1e-12,
            },
            tier,
            &bound,
            (rows, 1),
        );
        near(&own, &expected, 1e-5, tier.name());
    }
}

#[test]
fn an_embedding_is_the_norm_of_word_and_place() {
    let (vocabulary, window, hidden) = (11, 7, 128);
    let mut numbers = Numbers(5);
    let words = numbers.bytes(vocabulary * hidden);
    let scales = numbers.floats(vocabulary);
    let positions = numbers.floats(window * hidden);
    let norm = numbers.floats(2 * hidden);
    let tokens = [[3u32, 0], [10, 1], [0, 6], [3, 2]];
    let expected = tokens.iter().flat_map(|&[word, place]| {
        let (word, place) = (word as usize, place as usize);
        let row = (0..hidden).map(|at| {
            f32::from(words[word * hidden + at]) * scales[word] + positions[place * hidden + at]
        });
        normalised(&row.collect::<Vec<_>>(), norm.as_chunks::<2>().0)
    });
    let bound = [
        Bound::Read(cast_slice(&tokens)),
        Bound::Read(cast_slice(&words)),
        Bound::Read(cast_slice(&scales)),
        Bound::Read(cast_slice(&positions)),
        Bound::Read(cast_slice(&norm)),
        Bound::Written(&vec![0.0; tokens.len() * hidden]),
    ];
    let kernel = Kernel::Embedding {
        hidden,
        epsilon: 1e-12,
    };
    let own = run(kernel, Tier::Basic, &bound, (tokens.len(), 1));
    near(&own, &expected.collect::<Vec<_>>(), 2e-5, "embedding");
}

#[test]
fn a_pool_is_the_mean_of_each_sequence_at_unit_length() {
    let hidden = 128;
    let sequences = [[0u32, 1], [1, 4], [4, 6]];
    let mut x = Numbers(9).floats(6 * hidden);
    // The last sequence is zero and stays zero.
    x[4 * hidden..].fill(0.0);
    let expected = sequences.iter().flat_map(|&[start, end]| {
        let rows = x
            .chunks_exact(hidden)
            .take(end as usize)
            .skip(start as usize);
        let mut sum = vec![0.0f32; hidden];
        rows.for_each(|row| sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x));
        let length = sum.iter().map(|it| it * it).sum::<f32>().sqrt();
        sum.into_iter()
            .map(move |it| if length > 0.0 { it / length } else { 0.0 })
    });
    let expected: Vec<f32> = expected.collect();
    for tier in TIERS {
        let bound = [
            Bound::Read(cast_slice(&sequences)),
            Bound::Read(cast_slice(&x)),
            Bound::Written(&vec![1.0; sequences.len() * hidden]),
        ];
        let own = run(Kernel::Pool { hidden }, tier, &bound, (sequences.len(), 1));
        near(&own, &expected, 1e-6, tier.name());
    }
}
