//! The weights of a code language model, read from the ONNX file: the file is the only source, for
//! the GPU as for the CPU.
//!
//! [`super::reader`] follows the graph from its output to its inputs. It has to be the decoder that
//! `cargo xtask models code-lm` writes (`xtask/models/code-lm/graph.py`), of any size and training;
//! anything else is refused, and the error says what was found instead. That network has no rotary
//! positions: the steeper a head's slope, the less far it looks (ALiBi).

use tract_onnx::pb::GraphProto;

use super::reader::Reader;
use crate::gpu::kernel::{DEPTH, LANES, TILE, check_layer};

/// Number of tokens that the convolution before attention sees.
pub(crate) const TAPS: usize = 3;
/// The largest head size for which 32 keys and 32 values fit into a workgroup's memory.
const MOST_OF_HEAD: usize = 64;

/// All weights of a decoder.
pub(crate) struct Network {
    /// Values per token between layers.
    pub hidden: usize,
    pub heads: usize,
    /// What a norm adds to the mean square.
    pub epsilon: f32,
    /// The token embeddings, used for input and output.
    pub words: Table,
    /// The factor for rows of `words` on input.
    pub word_gain: f32,
    /// Hashed pairs of neighbouring tokens: (the token before · `pair_factor` + the token) modulo
    /// the table's rows.
    pub pairs: Table,
    pub pair_factor: u32,
    pub pair_projection: Linear,
    /// For each head: how much a score falls with each token of distance.
    pub slopes: Vec<f32>,
    /// From the first layer to the last.
    pub layers: Vec<Layer>,
}

/// Rows of int8 with one scale each, `[rows, width]`.
pub(crate) struct Table {
    pub width: usize,
    pub values: Vec<u8>,
    pub scales: Vec<f32>,
}

/// `xW` with int8 weights and one scale per output.
pub(crate) struct Linear {
    pub inputs: usize,
    pub outputs: usize,
    /// `[inputs, outputs]` in int8.
    pub weights: Vec<u8>,
    pub scales: Vec<f32>,
}

/// A causal convolution with attention, and the two-layer network after it; each is added to its
/// input.
pub(crate) struct Layer {
    /// `[TAPS, hidden]`, the token's own tap first.
    pub taps: Vec<f32>,
    /// Queries, keys and values side by side.
    pub joint: Linear,
    /// For the queries, one per head.
    pub query_gains: Vec<f32>,
    pub mixed: Linear,
    pub up: Linear,
    pub down: Linear,
}

impl Table {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.scales.len()
    }

    fn check(&self, width: usize) -> Result<(), String> {
        let right = self.width == width
            && self.rows() > 0
            && self.values.len() == self.rows() * width
            && width.is_multiple_of(DEPTH);
        match right {
            true => Ok(()),
            false => Err(format!(
                "a table of {} rows of {} values where {width} are expected",
                self.rows(),
                self.width
            )),
        }
    }
}

impl Linear {
    fn check(&self, inputs: usize, outputs: usize) -> Result<(), String> {
        let found = [self.inputs, self.outputs];
        let each = [self.scales.len()];
        check_layer(found, [inputs, outputs], self.weights.len(), &each)
    }

    /// Several products joined into one, their outputs concatenated.
    pub(super) fn side_by_side(parts: &[Self]) -> Result<Self, String> {
        let inputs = parts.first().map_or(0, |part| part.inputs);
        let is_whole = |part: &Self| {
            part.inputs == inputs && part.weights.len() == inputs * part.outputs && part.outputs > 0
        };
        if !parts.iter().all(is_whole) {
            return Err("queries, keys and values are made from different inputs".to_owned());
        }
        let mut rows: Vec<_> = parts
            .iter()
            .map(|part| part.weights.chunks_exact(part.outputs))
            .collect();
        let weights = (0..inputs).flat_map(|_| {
            let row: Vec<u8> = rows
                .iter_mut()
                .filter_map(Iterator::next)
                .flatten()
                .copied()
                .collect();
            row
        });
        Ok(Self {
            inputs,
            outputs: parts.iter().map(|part| part.outputs).sum(),
            weights: weights.collect(),
            scales: parts
                .iter()
                .flat_map(|part| &part.scales)
                .copied()
                .collect(),
        })
    }
}

impl Network {
    /// Reads a graph; the error says what is not as expected.
    pub(crate) fn read(graph: &GraphProto) -> Result<Self, String> {
        let network = Reader::new(graph)?.network()?;
        network.check().map(|()| network)
    }

    /// Number of tokens in the vocabulary.
    pub(crate) fn vocabulary(&self) -> usize {
        self.words.rows()
    }

    /// Number of values between the two layers after attention.
    pub(crate) fn wide(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.up.outputs)
    }

    /// The row of `pairs` for a token and the one before it; at the start of a row that is 0.
    /// `None` if the computation overflows 32 bits.
    pub(crate) fn pair(&self, before: u32, id: u32) -> Option<u32> {
        let sum = before.checked_mul(self.pair_factor)?.checked_add(id)?;
        sum.checked_rem(self.pairs.rows() as u32)
    }

    /// Checks that the sizes fit together and are those the kernels are written for.
    fn check(&self) -> Result<(), String> {
        let hidden = self.hidden;
        let head = hidden / self.heads.max(1);
        let whole = self.heads > 0
            && head * self.heads == hidden
            && head.is_multiple_of(4)
            && head <= MOST_OF_HEAD;
        if hidden == 0 || !hidden.is_multiple_of(LANES) || !whole || self.layers.is_empty() {
            return Err(format!(
                "{} layers of {hidden} values for {} heads",
                self.layers.len(),
                self.heads
            ));
        }
        self.words.check(hidden)?;
        self.pairs.check(self.pair_projection.inputs)?;
        self.pair_projection.check(self.pairs.width, hidden)?;
        let last = u32::try_from(self.vocabulary() - 1);
        let has_pairs = last.is_ok_and(|last| self.pair(last, last).is_some());
        if !self.vocabulary().is_multiple_of(TILE) || !has_pairs {
            return Err(format!("a vocabulary of {}", self.vocabulary()));
        }
        if self.slopes.len() != self.heads {
            return Err(format!(
                "{} slopes for {} heads",
                self.slopes.len(),
                self.heads
            ));
        }
        let wide = self.wide();
        for layer in &self.layers {
            if layer.taps.len() != TAPS * hidden || layer.query_gains.len() != self.heads {
                return Err("a convolution or gains of another width".to_owned());
            }
            layer.joint.check(hidden, 3 * hidden)?;
            layer.mixed.check(hidden, hidden)?;
            layer.up.check(hidden, wide)?;
            layer.down.check(wide, hidden)?;
        }
        Ok(())
    }
}
