//! The kernels of `core/shaders`, each compiled to one pipeline for sizes that are known when it is
//! built.

use super::tier::Tier;

const PRODUCT: &str = include_str!("../../shaders/product.wgsl");
const ATTENTION: &str = include_str!("../../shaders/attention.wgsl");
const NORM: &str = include_str!("../../shaders/norm.wgsl");
const EMBEDDING: &str = include_str!("../../shaders/embedding.wgsl");
const POOL: &str = include_str!("../../shaders/pool.wgsl");
const SUM: &str = include_str!("../../shaders/sum.wgsl");
const SUM_SUBGROUPS: &str = include_str!("../../shaders/sum_subgroups.wgsl");
const NORMALISE: &str = include_str!("../../shaders/normalise.wgsl");
const ALIBI: &str = include_str!("../../shaders/alibi.wgsl");
const NO_ALIBI: &str = include_str!("../../shaders/no_alibi.wgsl");
const LOOKUP: &str = include_str!("../../shaders/lookup.wgsl");
const ROOT_NORM: &str = include_str!("../../shaders/root_norm.wgsl");
const CONVOLUTION: &str = include_str!("../../shaders/convolution.wgsl");
const HEAD_NORM: &str = include_str!("../../shaders/head_norm.wgsl");
const VOCABULARY: &str = include_str!("../../shaders/vocabulary.wgsl");
const LOG_PROBABILITY: &str = include_str!("../../shaders/log_probability.wgsl");

/// Rows and columns that a workgroup of a product computes; the number of columns has to be a
/// multiple of it.
pub(crate) const TILE: usize = 64;
/// The number of inputs of a product has to be a multiple of this.
pub(crate) const DEPTH: usize = 16;
/// Queries per workgroup of attention, and lanes that share a row; the length of a row has to be a
/// multiple of it.
pub(crate) const LANES: usize = 64;

/// Weights are read as 128ths, so that products fit into half precision.
const WEIGHT_UNIT: f32 = 128.0;

/// The scales of int8 weights in the form that product kernels expect.
pub(crate) fn kernel_scales(scales: &[f32]) -> Vec<f32> {
    scales.iter().map(|scale| scale * WEIGHT_UNIT).collect()
}

/// Checks that a layer of int8 weights has the `due` inputs and outputs, that its parts have the
/// sizes that follow (`each` are those with one value per output), and that kernels can multiply
/// it.
pub(crate) fn check_layer(
    found: [usize; 2],
    due: [usize; 2],
    weights: usize,
    each: &[usize],
) -> Result<(), String> {
    let [inputs, outputs] = due;
    let is_right = found == due
        && weights == inputs * outputs
        && each.iter().all(|&size| size == outputs)
        && inputs.is_multiple_of(DEPTH)
        && outputs.is_multiple_of(TILE);
    let [own, other] = found;
    match is_right {
        true => Ok(()),
        false => Err(format!(
            "a layer of {own} × {other} values where {inputs} × {outputs} are expected"
        )),
    }
}

/// The function applied to a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    None = 0,
    Gelu = 1,
    /// The square of the positive part.
    SquaredRelu = 2,
}

/// A kernel and its sizes. Its file says what it reads and writes, in the order of its bindings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    Embedding {
        hidden: usize,
        epsilon: f32,
    },
    Product {
        inputs: usize,
        outputs: usize,
        activation: Activation,
        /// Whether the result is added to the output buffer.
        adds: bool,
    },
    Attention {
        heads: usize,
        /// Values per head, a multiple of 4.
        size: usize,
        /// Whether a token does not see later ones.
        causal: bool,
        /// Whether scores fall with the distance, by slopes that are bound last. Only if it is
        /// causal.
        alibi: bool,
    },
    Norm {
        hidden: usize,
        epsilon: f32,
    },
    Pool {
        hidden: usize,
    },
    Lookup {
        /// Values per row, a multiple of 4.
        width: usize,
        gain: f32,
        /// Whether the result is added to the output buffer.
        adds: bool,
    },
    RootNorm {
        hidden: usize,
        epsilon: f32,
    },
    Convolution {
        hidden: usize,
        taps: usize,
        epsilon: f32,
    },
    HeadNorm {
        heads: usize,
        /// Values per head, a multiple of 4.
        size: usize,
        epsilon: f32,
    },
    Vocabulary {
        inputs: usize,
        words: usize,
        /// Parts of the vocabulary that are processed in parallel.
        slices: usize,
    },
    LogProbability {
        slices: usize,
    },
}

impl Kernel {
    /// Its WGSL source for a device of this tier.
    pub(crate) fn source(self, tier: Tier) -> String {
        let constants: String = self
            .constants()
            .iter()
            .map(|(name, value)| format!("const {name}: {value};\n"))
            .collect();
        [tier.header(), &constants, &self.parts(tier).concat()].concat()
    }

    /// The files that its source is assembled from.
    fn parts(self, tier: Tier) -> Vec<&'static str> {
        let sum = match tier {
            Tier::Subgroups => SUM_SUBGROUPS,
            Tier::Basic | Tier::F16 => SUM,
        };
        match self {
            Self::Product { .. } => vec![PRODUCT],
            Self::Attention { alibi: true, .. } => vec![ALIBI, ATTENTION],
            Self::Attention { alibi: false, .. } => vec![NO_ALIBI, ATTENTION],
            Self::Pool { .. } => vec![sum, POOL],
            Self::Norm { .. } => vec![sum, NORMALISE, NORM],
            Self::Embedding { .. } => vec![sum, NORMALISE, EMBEDDING],
            Self::Lookup { .. } => vec![LOOKUP],
            Self::RootNorm { .. } => vec![sum, ROOT_NORM],
            Self::Convolution { .. } => vec![sum, CONVOLUTION],
            Self::HeadNorm { .. } => vec![HEAD_NORM],
            Self::Vocabulary { .. } => vec![VOCABULARY],
            Self::LogProbability { .. } => vec![LOG_PROBABILITY],
        }
    }

    /// The names of its constants, with types and values.
    fn constants(self) -> Vec<(&'static str, String)> {
        let count = |value: usize| format!("u32 = {value}u");
        let float = |value: f32| format!("f32 = {value:e}f");
        let switch = |value: bool| format!("bool = {value}");
        match self {
            Self::Embedding { hidden, epsilon }
            | Self::Norm { hidden, epsilon }
            | Self::RootNorm { hidden, epsilon } => {
                vec![("HIDDEN", count(hidden)), ("EPSILON", float(epsilon))]
            }
            Self::Product {
                inputs,
                outputs,
                activation,
                adds,
            } => vec![
                ("INPUTS", count(inputs)),
                ("OUTPUTS", count(outputs)),
                ("ACTIVATION", count(activation as usize)),
                ("ADDS", switch(adds)),
            ],
            Self::Attention {
                heads,
                size,
                causal,
                alibi: _,
            } => vec![
                ("HEADS", count(heads)),
                ("QUADS", count(size / 4)),
                ("CAUSAL", switch(causal)),
            ],
            Self::Pool { hidden } => vec![("HIDDEN", count(hidden))],
            Self::Lookup { width, gain, adds } => vec![
                ("WIDTH", count(width)),
                ("GAIN", float(gain)),
                ("ADDS", switch(adds)),
            ],
            Self::Convolution {
                hidden,
                taps,
                epsilon,
            } => vec![
                ("HIDDEN", count(hidden)),
                ("TAPS", count(taps)),
                ("EPSILON", float(epsilon)),
            ],
            Self::HeadNorm {
                heads,
                size,
                epsilon,
            } => vec![
                ("HEADS", count(heads)),
                ("QUADS", count(size / 4)),
                ("EPSILON", float(epsilon)),
            ],
            Self::Vocabulary {
                inputs,
                words,
                slices,
            } => vec![
                ("INPUTS", count(inputs)),
                ("WORDS", count(words)),
                ("SLICES", count(slices)),
            ],
            Self::LogProbability { slices } => vec![("SLICES", count(slices))],
        }
    }

    /// Compiles it. Device errors go to the surrounding error scope.
    pub(crate) fn pipeline(self, device: &wgpu::Device, tier: Tier) -> wgpu::ComputePipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(self.source(tier).into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    }
}

/// Binds buffers to a pipeline in the order of its kernel's bindings.
pub(crate) fn bind(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    })
}
