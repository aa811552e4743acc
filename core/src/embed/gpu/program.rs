//! The model on a device: weights, memory and the list of kernels that compute vectors from tokens.

use bytemuck::cast_slice;
use wgpu::{Buffer, BufferUsages};

use super::network::{Linear, Network, Norm};
use crate::gpu::Tier;
use crate::gpu::batch::queries;
use crate::gpu::kernel::{Activation, Kernel, LANES, TILE, kernel_scales};
use crate::gpu::steps::{self, Runner, Step, Steps};

/// Most tokens per batch. A large device needs thousands to be busy; memory is 15 kB per token.
pub(crate) const MAX_TOKENS: usize = 4096;
/// A text has at least the model's own two tokens.
const MAX_TEXTS: usize = MAX_TOKENS / 2;

/// What a kernel is dispatched over.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// One workgroup per token.
    Tokens,
    /// Tiles of 64 tokens by 64 of this many outputs.
    Tiles { outputs: usize },
    /// One workgroup for 64 queries of a text and one head.
    Queries { heads: usize },
    /// One workgroup per text.
    Texts,
}

/// Weights and memory on a device, ready to run.
pub(crate) struct Program {
    hidden: usize,
    memory: Memory,
    runner: Runner<Grid>,
}

/// The buffers of a batch; activations never leave the device.
struct Memory {
    /// Rows of the batch.
    batch: Buffer,
    tokens: Buffer,
    sequences: Buffer,
    blocks: Buffer,
    /// `[tokens, hidden]`
    x: Buffer,
    joint: Buffer,
    mixed: Buffer,
    /// The vectors to be added to `x`.
    added: Buffer,
    wide: Buffer,
    pooled: Buffer,
    read_back: Buffer,
}

impl Program {
    /// Uploads the weights and compiles the kernels. The error is what the device reports.
    pub(crate) async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        tier: Tier,
        network: &Network,
    ) -> Result<Self, String> {
        let make = || {
            let memory = Memory::new(device, network);
            let builder = Builder {
                network,
                memory: &memory,
                steps: Steps::new(device, tier),
            };
            let steps = builder.all();
            (memory, steps)
        };
        let (memory, steps) = steps::checked(device, make).await?;
        Ok(Self {
            hidden: network.hidden,
            memory,
            runner: Runner::new(device, queue, steps),
        })
    }

    /// One unit vector of `hidden` values for each text. The tokenised texts have at most
    /// [`MAX_TOKENS`] tokens in total, and at least two each.
    pub(crate) async fn run(&self, texts: &[&[u32]]) -> Result<Vec<f32>, String> {
        let packed = Packed::new(texts);
        let memory = &self.memory;
        let tokens = packed.tokens.len();
        let write = |buffer, numbers: &[u32]| self.runner.write(buffer, numbers);
        write(&memory.batch, &[tokens as u32, 0, 0, 0]);
        write(&memory.tokens, packed.tokens.as_flattened());
        write(&memory.sequences, packed.sequences.as_flattened());
        write(&memory.blocks, packed.blocks.as_flattened());
        let size = |grid| match grid {
            Grid::Tokens => (tokens, 1),
            Grid::Tiles { outputs } => (outputs / TILE, tokens.div_ceil(TILE)),
            Grid::Queries { heads } => (packed.blocks.len(), heads),
            Grid::Texts => (texts.len(), 1),
        };
        let made = (&memory.pooled, &memory.read_back);
        self.runner.run(size, made, texts.len() * self.hidden).await
    }
}

/// A batch's texts, packed without padding.
#[derive(Debug, Default, PartialEq, Eq)]
struct Packed {
    /// For each token: the word, and its place in its text.
    tokens: Vec<[u32; 2]>,
    /// For each text: the first token, and the one past its last.
    sequences: Vec<[u32; 2]>,
    /// For each workgroup of attention: its text's first token, the one past its last, and the
    /// first query.
    blocks: Vec<[u32; 4]>,
}

impl Packed {
    fn new(texts: &[&[u32]]) -> Self {
        let mut packed = Self::default();
        for text in texts {
            let start = packed.tokens.len() as u32;
            packed
                .tokens
                .extend(text.iter().zip(0..).map(|(&word, place)| [word, place]));
            let end = packed.tokens.len() as u32;
            packed.sequences.push([start, end]);
            packed.blocks.extend(queries(start, end));
        }
        packed
    }
}

impl Memory {
    fn new(device: &wgpu::Device, network: &Network) -> Self {
        let buffer = |values, usage| steps::buffer(device, values, usage);
        let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let rows = |width: usize| buffer(MAX_TOKENS * width, BufferUsages::STORAGE);
        let vectors = MAX_TEXTS * network.hidden;
        Self {
            batch: buffer(4, BufferUsages::UNIFORM | BufferUsages::COPY_DST),
            tokens: buffer(MAX_TOKENS * 2, input),
            sequences: buffer(MAX_TEXTS * 2, input),
            blocks: buffer((MAX_TEXTS + MAX_TOKENS / LANES) * 4, input),
            x: rows(network.hidden),
            joint: rows(3 * network.hidden),
            mixed: rows(network.hidden),
            added: rows(network.hidden),
            wide: rows(network.wide()),
            pooled: buffer(vectors, BufferUsages::STORAGE | BufferUsages::COPY_SRC),
            read_back: buffer(vectors, BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        }
    }
}

/// Builds the steps.
struct Builder<'a> {
    network: &'a Network,
    memory: &'a Memory,
    steps: Steps<'a, Grid>,
}

impl Builder<'_> {
    fn all(mut self) -> Vec<Step<Grid>> {
        let (network, memory) = (self.network, self.memory);
        let (hidden, epsilon, heads) = (network.hidden, network.epsilon, network.heads);
        let words = self.steps.upload(&network.words);
        let scales = self.steps.upload(cast_slice(&network.word_scales));
        let positions = self.steps.upload(cast_slice(&network.positions));
        let norm = self.norm_weights(&network.norm);
        let bound = [
            &memory.tokens,
            &words,
            &scales,
            &positions,
            &norm,
            &memory.x,
        ];
        self.steps
            .add(Kernel::Embedding { hidden, epsilon }, Grid::Tokens, &bound);
        let attention = Kernel::Attention {
            heads,
            size: hidden / heads,
            causal: false,
            alibi: false,
        };
        for layer in &network.layers {
            self.product(&layer.joint, &memory.x, &memory.joint);
            let bound = [&memory.blocks, &memory.joint, &memory.mixed];
            self.steps.add(attention, Grid::Queries { heads }, &bound);
            self.product(&layer.mixed, &memory.mixed, &memory.added);
            self.norm(&layer.norm);
            self.product(&layer.up, &memory.x, &memory.wide);
            self.product(&layer.down, &memory.wide, &memory.added);
            self.norm(&layer.last_norm);
        }
        let bound = [&memory.sequences, &memory.x, &memory.pooled];
        self.steps.add(Kernel::Pool { hidden }, Grid::Texts, &bound);
        self.steps.finish()
    }

    fn product(&mut self, linear: &Linear, x: &Buffer, y: &Buffer) {
        let weights = self.steps.upload(&linear.weights);
        let scales = kernel_scales(&linear.scales);
        let scales = self.steps.upload(cast_slice(&scales));
        let bias = self.steps.upload(cast_slice(&linear.bias));
        let outputs = linear.outputs;
        let product = Kernel::Product {
            inputs: linear.inputs,
            outputs,
            activation: match linear.gelu {
                true => Activation::Gelu,
                false => Activation::None,
            },
            adds: false,
        };
        let bound = [&self.memory.batch, x, &weights, &scales, &bias, y];
        self.steps.add(product, Grid::Tiles { outputs }, &bound);
    }

    /// Adds the result of the last product and applies the norm.
    fn norm(&mut self, norm: &Norm) {
        let weights = self.norm_weights(norm);
        let kernel = Kernel::Norm {
            hidden: self.network.hidden,
            epsilon: self.network.epsilon,
        };
        let bound = [&self.memory.added, &weights, &self.memory.x];
        self.steps.add(kernel, Grid::Tokens, &bound);
    }

    fn norm_weights(&self, norm: &Norm) -> Buffer {
        let pairs = norm.scale.iter().zip(&norm.shift);
        let pairs: Vec<[f32; 2]> = pairs.map(|(&scale, &shift)| [scale, shift]).collect();
        self.steps.upload(cast_slice(&pairs))
    }
}
