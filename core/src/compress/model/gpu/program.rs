//! The code language model on a device: weights, memory and the list of kernels that makes
//! log-probabilities of tokens.

use bytemuck::cast_slice;
use wgpu::{Buffer, BufferUsages};

use super::network::{Layer, Linear, Network, TAPS, Table};
use crate::compress::model::rows::Row;
use crate::gpu::Tier;
use crate::gpu::batch::queries;
use crate::gpu::kernel::{Activation, Kernel, LANES, TILE, kernel_scales};
use crate::gpu::steps::{self, Runner, Step, Steps};

/// Tokens that are computed at once. A large device needs thousands to be busy; memory is 9 kB a
/// token.
pub(crate) const MAX_TOKENS: usize = 4096;
/// Parts of the vocabulary that are gone through at the same time: a batch may ask for few tokens.
const SLICES: usize = 16;

/// What a kernel is dispatched over.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// A workgroup a token.
    Tokens,
    /// 64 tokens by 64 of these outputs.
    Tiles { outputs: usize },
    /// An invocation for each query and key of these heads.
    Heads { heads: usize },
    /// 64 queries of a row by a head.
    Queries { heads: usize },
    /// A workgroup for each token whose successor is scored.
    Scored,
    /// A slice of the vocabulary by 64 of those tokens.
    Slices,
    /// An invocation for each of those tokens.
    Each,
}

/// Weights and memory on a device, ready to run.
pub(crate) struct Program {
    memory: Memory,
    runner: Runner<Grid>,
}

/// What a batch goes through; of it only what was found of each scored token leaves the device.
struct Memory {
    /// Tokens of the batch.
    batch: Buffer,
    words: Buffer,
    pairs: Buffer,
    places: Buffer,
    blocks: Buffer,
    /// How many tokens are scored, and before each of them the token from which it is predicted.
    asked: Buffer,
    scored: Buffer,
    targets: Buffer,
    /// Each token by its own number.
    every: Buffer,
    /// `[tokens, hidden]`
    x: Buffer,
    joint: Buffer,
    /// What a layer makes of `x` before and after attention.
    normal: Buffer,
    mixed: Buffer,
    wide: Buffer,
    parts: Buffer,
    found: Buffer,
    logarithms: Buffer,
    read_back: Buffer,
}

impl Program {
    /// Uploads the weights and compiles the kernels. What the device finds wrong is the error.
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

    /// The natural logarithms of the probabilities of all scored tokens, row after row. The batch
    /// has a scored token at least.
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

/// Rows one behind the other, without padding.
///
/// Nothing that one row computes serves another. A question stands behind its block, so all that is
/// known of its tokens depends on the block; what rows have in common before that is their first
/// token.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    words: Vec<u32>,
    /// Of each token with the one before it, the row of the table of pairs.
    pairs: Vec<u32>,
    /// Of each token in its row.
    places: Vec<u32>,
    /// Of each workgroup of attention its row's first token, the one past its last, and the first
    /// query.
    blocks: Vec<[u32; 4]>,
    /// The tokens from which the scored ones are predicted.
    scored: Vec<u32>,
    /// The scored ones.
    targets: Vec<u32>,
}

impl Packed {
    /// Puts rows together of at most [`MAX_TOKENS`]; none of their tokens is unknown to the
    /// network.
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
            // A row has two tokens at least.
            blocks: buffer((MAX_TOKENS / 2 + MAX_TOKENS / LANES) * 4, input),
            asked: count(),
            scored: numbers(),
            targets: numbers(),
            every: steps.upload(cast_slice(&every)),
            x: rows(hidden),
            joint: rows(3 * hidden),
            normal: rows(hidden),
            mixed: rows(hidden),
            // The rows of pairs lie here before the first layer.
            wide: rows(wide.max(network.pairs.width)),
            parts: rows(2 * SLICES),
            found: rows(1),
            logarithms: buffer(MAX_TOKENS, BufferUsages::STORAGE | BufferUsages::COPY_SRC),
            read_back: buffer(MAX_TOKENS, BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        }
    }
}

/// Makes the steps.
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

    /// Convolution, attention, and their sum with `x`.
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

    /// Rows of a table by their numbers; the table on the device.
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
        // The model has none; one addition is not worth a kernel of its own.
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
