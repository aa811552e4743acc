//! The kernels of `core/shaders`, each as one pipeline for sizes that are known when it is built.

use super::tier::Tier;

const PRODUCT: &str = include_str!("../../../shaders/product.wgsl");
const ATTENTION: &str = include_str!("../../../shaders/attention.wgsl");
const NORM: &str = include_str!("../../../shaders/norm.wgsl");
const EMBEDDING: &str = include_str!("../../../shaders/embedding.wgsl");
const POOL: &str = include_str!("../../../shaders/pool.wgsl");
const SUM: &str = include_str!("../../../shaders/sum.wgsl");
const SUM_SUBGROUPS: &str = include_str!("../../../shaders/sum_subgroups.wgsl");
const NORMALISE: &str = include_str!("../../../shaders/normalise.wgsl");

/// Rows and columns that a workgroup of a product makes; columns have to be a multiple of it.
pub(crate) const TILE: usize = 64;
/// Inputs of a product have to be a multiple of this.
pub(crate) const DEPTH: usize = 16;
/// Queries of a workgroup of attention, and lanes that share a row; rows have to be a multiple of it.
pub(crate) const LANES: usize = 64;

/// A kernel and its sizes. What it reads and writes is said in its file, one binding after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    Embedding {
        hidden: usize,
        epsilon: f32,
    },
    Product {
        inputs: usize,
        outputs: usize,
        gelu: bool,
    },
    Attention {
        heads: usize,
        /// Values of a head, a multiple of 4.
        size: usize,
        /// Whether a token sees only those before it.
        causal: bool,
    },
    Norm {
        hidden: usize,
        epsilon: f32,
    },
    Pool {
        hidden: usize,
    },
}

impl Kernel {
    /// Its WGSL for a device of this tier.
    pub(crate) fn source(self, tier: Tier) -> String {
        let sum = match tier {
            Tier::Subgroups => SUM_SUBGROUPS,
            Tier::Basic | Tier::F16 => SUM,
        };
        let constants = self.constants();
        let parts: &[&str] = match self {
            Self::Product { .. } => &[PRODUCT],
            Self::Attention { .. } => &[ATTENTION],
            Self::Pool { .. } => &[sum, POOL],
            Self::Norm { .. } => &[sum, NORMALISE, NORM],
            Self::Embedding { .. } => &[sum, NORMALISE, EMBEDDING],
        };
        [tier.header(), &constants, &parts.concat()].concat()
    }

    fn constants(self) -> String {
        match self {
            Self::Embedding { hidden, epsilon } | Self::Norm { hidden, epsilon } => {
                format!("const HIDDEN: u32 = {hidden}u;\nconst EPSILON: f32 = {epsilon:e}f;\n")
            }
            Self::Product {
                inputs,
                outputs,
                gelu,
            } => format!(
                "const INPUTS: u32 = {inputs}u;\nconst OUTPUTS: u32 = {outputs}u;\nconst GELU: bool = {gelu};\n"
            ),
            Self::Attention {
                heads,
                size,
                causal,
            } => format!(
                "const HEADS: u32 = {heads}u;\nconst QUADS: u32 = {}u;\nconst CAUSAL: bool = {causal};\n",
                size / 4
            ),
            Self::Pool { hidden } => format!("const HIDDEN: u32 = {hidden}u;\n"),
        }
    }

    /// Compiles it. What a device finds wrong goes to the error scope around this.
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
