//! The code language model on a device: weights, memory and the list of kernels that compute the
//! log-probabilities of tokens.

use bytemuck::cast_slice;
use wgpu::{Buffer, BufferUsages};

use super::network::{Layer, Linear, Network, TAPS, Table};
use crate::code_model::rows::Row;
use crate::gpu::Tier;
use crate::gpu::batch::queries;
use crate::gpu::kernel::{Activation, Kernel, LANES, TILE, kernel_scales};
use crate::gpu::steps::{self, Runner, Step, Steps};

/// Most tokens per batch. A large device needs thousands to be busy; memory is 9 kB per token.
pub(crate) const MAX_TOKENS: usize = 4096;
/// Parts of the vocabulary that are processed in parallel, because a batch may score only a few
/// tokens.
const SLICES: usize = 16;

/// What a kernel is dispatched over.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// One workgroup per token.
    Tokens,
    /// Tiles of 64 tokens by 64 of this many outputs.
    Tiles { outputs: usize },
    /// One invocation for each query and key of this many heads.
    Heads { heads: usize },
    /// One workgroup for 64 queries of a row and one head.
    Queries { heads: usize },
    /// One workgroup for each token whose successor is scored.
    Scored,
    /// One workgroup for a slice of the vocabulary and 64 of those tokens.
    Slices,
    /// One invocation for each of those tokens.
    Each,
}

/// Weights and memory on a device, ready to run.
pub(crate) struct Program {
    memory: Memory,
    runner: Runner<Grid>,
}

/// The buffers of a batch; only the results for the scored tokens leave the device.
struct Memory {
    /// The tokens of the batch.
    batch: Buffer,
    words: Buffer,
    pairs: Buffer,
    places: Buffer,
    blocks: Buffer,
    /// The number of scored tokens, and for each the token before it, from which it is predicted.
    asked: Buffer,
    scored: Buffer,
    targets: Buffer,
    /// The numbers of all tokens, in order.
    every: Buffer,
    /// `[tokens, hidden]`
    x: Buffer,
    joint: Buffer,
    /// What a layer computes from `x` before and after attention.
    normal: Buffer,
    mixed: Buffer,
    wide: Buffer,
    parts: Buffer,
    found: Buffer,
    logarithms: Buffer,
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
            let steps = Steps::new(device, tier);
            let memory = Memory::new(device, &steps, network);
            let builder = Builder {
                network,
                memory: &memory,
                steps,
            };
            let steps = builder.all();
            (memory, steps)
        };
        let (memory, steps) = steps::checked(device, make).await?;
        Ok(Self {
            memory,
            runner: Runner::new(device, queue, steps),
        })
    }

    /// The natural logarithms of the probabilities of all scored tokens, row by row. The batch has
    /// at least one scored token.
    pub(crate) async fn run(&self, batch: &Packed) -> Result<Vec<f32>, String> {
        let memory = &self.memory;
        let (tokens, scored) = (batch.words.len(), batch.scored.len());
        let write = |buffer, numbers: &[u32]| self.runner.write(buffer, numbers);
        write(&memory.batch, &[tokens as u32, 0, 0, 0]);
        write(&memory.words, &batch.words);
        write(&memory.pairs, &batch.pairs);
        write(&memory.places, &batch.places);
        write(&memory.blocks, batch.blocks.as_flattened());
        write(&memory.asked, &[scored as u32, 0, 0, 0]);
        write(&memory.scored, &batch.scored);
        write(&memory.targets, &batch.targets);
        let size = |grid| match grid {
            Grid::Tokens => (tokens, 1),
            Grid::Tiles { outputs } => (outputs / TILE, tokens.div_ceil(TILE)),
            Grid::Heads { heads } => ((tokens * 2 * heads).div_ceil(LANES), 1),
            Grid::Queries { heads } => (batch.blocks.len(), heads),
            Grid::Scored => (scored, 1),
            Grid::Slices => (SLICES, scored.div_ceil(TILE)),
            Grid::Each => (scored.div_ceil(LANES), 1),
        };
        let made = (&memory.logarithms, &memory.read_back);
        self.runner.run(size, made, scored).await
    }
}

/// Rows packed without padding.
///
/// Rows share no computation. A question follows its block, so everything about its tokens depends
/// on the block; before that rows have only their first token in common.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    words: Vec<u32>,
    /// For each token, the row of the pair table for it and the token before it.
    pairs: Vec<u32>,
    /// The place of each token in its row.
    places: Vec<u32>,
    /// For each workgroup of attention: its row's first token, the one past its last, and the first
    /// query.
    blocks: Vec<[u32; 4]>,
    /// The tokens from which the scored ones are predicted.
    scored: Vec<u32>,
    /// The scored tokens.
    targets: Vec<u32>,
}

impl Packed {
    /// Packs rows of at most [`MAX_TOKENS`] tokens in total; the network has to know all of them.
    pub(crate) fn new(rows: &[&Row], network: &Network) -> Self {
        let mut packed = Self::default();
        for row in rows {
            let start = packed.words.len() as u32;
            let end = start + row.ids.len() as u32;
            let mut before = 0;
            for (&id, place) in row.ids.iter().zip(0..) {
                packed.words.push(id);
                packed.places.push(place);
                packed
                    .pairs
                    .push(network.pair(before, id).unwrap_or_default());
                before = id;
            }
            packed.blocks.extend(queries(start, end));
            for place in row.scored.clone() {
                packed.scored.push(start + place as u32 - 1);
                packed.targets.extend(row.ids.get(place));
            }
        }
        packed
    }
}

impl Memory {
    fn new(device: &wgpu::Device, steps: &Steps<Grid>, network: &Network) -> Self {
        let buffer = |values, usage| steps::buffer(device, values, usage);
        let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let count = || buffer(4, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let numbers = || buffer(MAX_TOKENS, input);
        let rows = |width: usize| buffer(MAX_TOKENS * width, BufferUsages::STORAGE);
        let every: Vec<u32> = (0..MAX_TOKENS as u32).collect();
        let (hidden, wide) = (network.hidden, network.wide());
        Self {
            batch: count(),
            words: numbers(),
            pairs: numbers(),
            places: numbers(),
            // A row has at least two tokens.
            blocks: buffer((MAX_TOKENS / 2 + MAX_TOKENS / LANES) * 4, input),
            asked: count(),
            scored: numbers(),
            targets: numbers(),
            every: steps.upload(cast_slice(&every)),
            x: rows(hidden),
            joint: rows(3 * hidden),
            normal: rows(hidden),
            mixed: rows(hidden),
            // Also holds the rows of pairs before the first layer.
            wide: rows(wide.max(network.pairs.width)),
            parts: rows(2 * SLICES),
            found: rows(1),
            logarithms: buffer(MAX_TOKENS, BufferUsages::STORAGE | BufferUsages::COPY_SRC),
            read_back: buffer(MAX_TOKENS, BufferUsages::MAP_READ | BufferUsages::COPY_DST),
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
        self.lookup(&network.pairs, 1.0, false, &memory.pairs, &memory.wide);
        self.product(
            &network.pair_projection,
            &memory.wide,
            &memory.x,
            Activation::None,
            false,
        );
        let words = self.lookup(
            &network.words,
            network.word_gain,
            true,
            &memory.words,
            &memory.x,
        );
        let slopes = self.steps.upload(cast_slice(&network.slopes));
        for layer in &network.layers {
            self.attention(layer, &slopes);
            self.norm(Grid::Tokens, &memory.every, &memory.normal);
            self.product(
                &layer.up,
                &memory.normal,
                &memory.wide,
                Activation::SquaredRelu,
                false,
            );
            self.product(&layer.down, &memory.wide, &memory.x, Activation::None, true);
        }
        self.norm(Grid::Scored, &memory.scored, &memory.normal);
        let scales = kernel_scales(&network.words.scales);
        let scales = self.steps.upload(cast_slice(&scales));
        let kernel = Kernel::Vocabulary {
            inputs: network.hidden,
            words: network.vocabulary(),
            slices: SLICES,
        };
        let bound = [
            &memory.asked,
            &memory.normal,
            &words,
            &scales,
            &memory.targets,
            &memory.parts,
            &memory.found,
        ];
        self.steps.add(kernel, Grid::Slices, &bound);
        let bound = [
            &memory.asked,
            &memory.parts,
            &memory.found,
            &memory.logarithms,
        ];
        self.steps.add(
            Kernel::LogProbability { slices: SLICES },
            Grid::Each,
            &bound,
        );
        self.steps.finish()
    }

    /// Convolution and attention, added to `x`.
    fn attention(&mut self, layer: &Layer, slopes: &Buffer) {
        let (network, memory) = (self.network, self.memory);
        let (hidden, heads, epsilon) = (network.hidden, network.heads, network.epsilon);
        let size = hidden / heads;
        let taps = self.steps.upload(cast_slice(&layer.taps));
        let convolution = Kernel::Convolution {
            hidden,
            taps: TAPS,
            epsilon,
        };
        let bound = [&memory.places, &memory.x, &taps, &memory.normal];
        self.steps.add(convolution, Grid::Tokens, &bound);
        self.product(
            &layer.joint,
            &memory.normal,
            &memory.joint,
            Activation::None,
            false,
        );
        let mut gains = layer.query_gains.clone();
        gains.resize(2 * heads, 1.0);
        let gains = self.steps.upload(cast_slice(&gains));
        let norm = Kernel::HeadNorm {
            heads,
            size,
            epsilon,
        };
        let bound = [&memory.batch, &gains, &memory.joint];
        self.steps.add(norm, Grid::Heads { heads }, &bound);
        let attention = Kernel::Attention {
            heads,
            size,
            causal: true,
            alibi: true,
        };
        let bound = [&memory.blocks, &memory.joint, &memory.mixed, slopes];
        self.steps.add(attention, Grid::Queries { heads }, &bound);
        self.product(
            &layer.mixed,
            &memory.mixed,
            &memory.x,
            Activation::None,
            true,
        );
    }

    /// Looks up rows of a table by number. Returns the table on the device.
    fn lookup(&mut self, table: &Table, gain: f32, adds: bool, ids: &Buffer, y: &Buffer) -> Buffer {
        let values = self.steps.upload(&table.values);
        let scales = self.steps.upload(cast_slice(&table.scales));
        let kernel = Kernel::Lookup {
            width: table.width,
            gain,
            adds,
        };
        self.steps
            .add(kernel, Grid::Tokens, &[ids, &values, &scales, y]);
        values
    }

    fn product(
        &mut self,
        linear: &Linear,
        x: &Buffer,
        y: &Buffer,
        activation: Activation,
        adds: bool,
    ) {
        let outputs = linear.outputs;
        let weights = self.steps.upload(&linear.weights);
        let scales = self
            .steps
            .upload(cast_slice(&kernel_scales(&linear.scales)));
        // The model has no bias; saving one addition is not worth another kernel.
        let bias = self.steps.upload(cast_slice(&vec![0f32; outputs]));
        let product = Kernel::Product {
            inputs: linear.inputs,
            outputs,
            activation,
            adds,
        };
        let bound = [&self.memory.batch, x, &weights, &scales, &bias, y];
        self.steps.add(product, Grid::Tiles { outputs }, &bound);
    }

    fn norm(&mut self, grid: Grid, rows: &Buffer, y: &Buffer) {
        let kernel = Kernel::RootNorm {
            hidden: self.network.hidden,
            epsilon: self.network.epsilon,
        };
        self.steps.add(kernel, grid, &[rows, &self.memory.x, y]);
    }
}
