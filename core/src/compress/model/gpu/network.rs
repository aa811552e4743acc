//! The weights of a code language model, read out of the ONNX file: the file stays the only source,
//! for the GPU as for the processor.
//!
//! [`super::reader`] follows the graph from its output to its inputs; it has to be the decoder that
//! `cargo xtask models code-lm` writes (`xtask/models/code-lm/graph.py`), of any size and training;
//! anything else is refused with what was found instead. That network has no rotary positions: its
//! heads look less far the steeper their slope is (ALiBi).

use tract_onnx::pb::GraphProto;

use super::reader::Reader;
use crate::gpu::kernel::{DEPTH, LANES, TILE, check_layer};

/// Tokens that the convolution before attention sees.
pub(crate) const TAPS: usize = 3;
/// Values of a head of which 32 keys and as many values fit into the memory of a workgroup.
const MOST_OF_HEAD: usize = 64;

/// All weights of a decoder.
pub(crate) struct Network {
    /// Values of a token between layers.
    pub hidden: usize,
    pub heads: usize,
    /// What a norm adds to the mean square.
    pub epsilon: f32,
    /// Tokens, which are input and output.
    pub words: Table,
    /// What rows of `words` are multiplied with as input.
    pub word_gain: f32,
    /// Pairs of neighbours, hashed: (the token before · `pair_factor` + the token) modulo the
    /// table's rows.
    pub pairs: Table,
    pub pair_factor: u32,
    pub pair_projection: Linear,
    /// Of each head: how much a score falls with each token of distance.
    pub slopes: Vec<f32>,
    /// The first first.
    pub layers: Vec<Layer>,
}

/// Rows of int8 with a scale each, `[rows, width]`.
pub(crate) struct Table {
    pub width: usize,
    pub values: Vec<u8>,
    pub scales: Vec<f32>,
}

/// `xW` with int8 weights, one scale for each output.
pub(crate) struct Linear {
    pub inputs: usize,
    pub outputs: usize,
    /// `[inputs, outputs]` in int8.
    pub weights: Vec<u8>,
    pub scales: Vec<f32>,
}

/// A causal convolution with attention, and the two-layer network behind it; each is added to what
/// it got.
pub(crate) struct Layer {
    /// `[TAPS, hidden]`, that of the token itself first.
    pub taps: Vec<f32>,
    /// Queries, keys and values side by side.
    pub joint: Linear,
    /// Of each head, for its queries.
    pub query_gains: Vec<f32>,
    pub mixed: Linear,
    pub up: Linear,
    pub down: Linear,
}

impl Table {
    /// How many rows it has.
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
                "a table of {} rows of {} values where {width} are due",
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

    /// The outputs of several, one behind the other.
    pub(super) fn side_by_side(parts: &[Self]) -> Result<Self, String> {
        let inputs = parts.first().map_or(0, |part| part.inputs);
        let is_whole = |part: &Self| {
            part.inputs == inputs && part.weights.len() == inputs * part.outputs && part.outputs > 0
        };
        if !parts.iter().all(is_whole) {
            return Err("queries, keys and values are made of different inputs".to_owned());
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
    /// Reads a graph, or says what is other than expected.
    pub(crate) fn read(graph: &GraphProto) -> Result<Self, String> {
        let network = Reader::new(graph)?.network()?;
        network.check().map(|()| network)
    }

    /// Tokens that it knows.
    pub(crate) fn vocabulary(&self) -> usize {
        self.words.rows()
    }

    /// Values between the two layers behind attention.
    pub(crate) fn wide(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.up.outputs)
    }

    /// The row of `pairs` of a token after another; at the start of a row that other is 0. None if
    /// no 32 bits hold it.
    pub(crate) fn pair(&self, before: u32, id: u32) -> Option<u32> {
        let sum = before.checked_mul(self.pair_factor)?.checked_add(id)?;
        sum.checked_rem(self.pairs.rows() as u32)
    }

    /// Whether the sizes fit together and are those that the kernels are written for.
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
