//! The model's weights, read from the ONNX file: the file is the only source, for the GPU as for
//! the CPU.
//!
//! The graph is followed from its output to its input. It has to be a BERT encoder with int8
//! weights as `cargo xtask models` writes it; anything else is refused, and the error says what was
//! found instead.

use std::borrow::Cow;

use tract_onnx::pb::NodeProto;

use crate::embed::EmbedError;
use crate::embed::cpu::fuse::{self, ATTENTION, LINEAR};
use crate::gpu::graph::{Graph, attribute, input, integer};
use crate::gpu::kernel::{LANES, check_layer};

/// All weights of an encoder.
pub(crate) struct Network {
    /// Values per token between layers.
    pub hidden: usize,
    pub heads: usize,
    /// What a layer norm adds to the variance.
    pub epsilon: f32,
    /// `[vocabulary, hidden]` in int8.
    pub words: Vec<u8>,
    /// One per word.
    pub word_scales: Vec<f32>,
    /// `[window, hidden]`
    pub positions: Vec<f32>,
    pub norm: Norm,
    /// From the first layer to the last.
    pub layers: Vec<Layer>,
}

/// Scale and shift for each value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Norm {
    pub scale: Vec<f32>,
    pub shift: Vec<f32>,
}

/// `xW + b` with int8 weights and one scale per output.
pub(crate) struct Linear {
    pub inputs: usize,
    pub outputs: usize,
    /// `[inputs, outputs]` in int8.
    pub weights: Vec<u8>,
    pub scales: Vec<f32>,
    pub bias: Vec<f32>,
    pub gelu: bool,
}

/// Attention and the two-layer network after it, each followed by a norm over the sum with its
/// input.
pub(crate) struct Layer {
    /// Queries, keys and values side by side.
    pub joint: Linear,
    pub mixed: Linear,
    pub norm: Norm,
    pub up: Linear,
    pub down: Linear,
    pub last_norm: Norm,
}

impl Network {
    /// Reads `model.onnx`.
    pub(crate) fn read(onnx: Cow<[u8]>) -> Result<Self, EmbedError> {
        let model = crate::onnx::read(onnx);
        let mut model =
            model.map_err(|error| EmbedError::Model(format!("model.onnx: {error:#}")))?;
        let mut graph = model.graph.take().unwrap_or_default();
        fuse::fuse(&mut graph);
        let network = Graph::new(&graph).network();
        let network = network.and_then(|network| network.check().map(|()| network));
        network.map_err(|what| EmbedError::Model(format!("model.onnx: {what}")))
    }

    /// Number of words in the vocabulary.
    pub(crate) fn vocabulary(&self) -> usize {
        self.word_scales.len()
    }

    /// The most tokens that a text may have.
    pub(crate) fn window(&self) -> usize {
        self.positions.len() / self.hidden
    }

    /// Number of values between the two layers after attention.
    pub(crate) fn wide(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.up.outputs)
    }

    /// Checks that the sizes fit together and are those the kernels are written for.
    fn check(&self) -> Result<(), String> {
        let hidden = self.hidden;
        let head = hidden / self.heads.max(1);
        let whole = self.heads > 0 && head * self.heads == hidden && head.is_multiple_of(4);
        if hidden == 0 || !hidden.is_multiple_of(LANES) || !whole || self.layers.is_empty() {
            return Err(format!(
                "{} layers of {hidden} values for {} heads",
                self.layers.len(),
                self.heads
            ));
        }
        let tables = self.words.len() == self.vocabulary() * hidden
            && self.window() > 0
            && self.positions.len() == self.window() * hidden;
        if !tables {
            return Err("the tables of words and places differ in width".to_owned());
        }
        let norms = self.layers.iter().flat_map(|it| [&it.norm, &it.last_norm]);
        for norm in norms.chain([&self.norm]) {
            if norm.scale.len() != hidden || norm.shift.len() != hidden {
                return Err(format!("a layer norm of {} values", norm.scale.len()));
            }
        }
        let wide = self.wide();
        for layer in &self.layers {
            layer.joint.check(hidden, 3 * hidden)?;
            layer.mixed.check(hidden, hidden)?;
            layer.up.check(hidden, wide)?;
            layer.down.check(wide, hidden)?;
        }
        Ok(())
    }
}

impl Linear {
    fn check(&self, inputs: usize, outputs: usize) -> Result<(), String> {
        let found = [self.inputs, self.outputs];
        let each = [self.scales.len(), self.bias.len()];
        check_layer(found, [inputs, outputs], self.weights.len(), &each)
    }
}

impl<'a> Graph<'a> {
    fn network(&self) -> Result<Network, String> {
        let mut value = match self.maker(self.output, "Identity") {
            Ok(node) => input(node, 0)?,
            Err(_) => self.output,
        };
        let mut layers = Vec::new();
        let mut heads = 0;
        // A layer ends with the norm of a sum that includes a linear layer, the embedding with that
        // of another sum.
        while self.linear_of_sum(value).is_ok() {
            let (layer, own_heads, before) = self.layer(value)?;
            layers.push(layer);
            heads = own_heads;
            value = before;
        }
        layers.reverse();
        let (norm, epsilon, sum) = self.norm(value)?;
        let word = self.maker_of_input(sum, "Mul")?;
        let place = self.maker_of_input(sum, "Slice")?;
        let scale = self.maker_of_input(word, "Gather")?;
        let row = self.maker(input(self.maker_of_input(word, "Cast")?, 0)?, "Gather")?;
        Ok(Network {
            hidden: norm.scale.len(),
            heads,
            epsilon,
            words: self.int8(input(row, 0)?)?.1,
            word_scales: self.floats(input(scale, 0)?)?,
            positions: self.floats(input(place, 0)?)?,
            norm,
            layers,
        })
    }

    /// The layer that computes `value`, its number of heads, and its input.
    fn layer(&self, value: &'a str) -> Result<(Layer, usize, &'a str), String> {
        let (last_norm, _, _) = self.norm(value)?;
        let (down, middle) = self.linear_of_sum(value)?;
        let up = self.maker(input(down, 0)?, LINEAR)?;
        let (norm, _, _) = self.norm(middle)?;
        let (mixed, before) = self.linear_of_sum(middle)?;
        let attention = self.maker(input(mixed, 0)?, ATTENTION)?;
        let joint = self.maker(input(attention, 0)?, LINEAR)?;
        if input(up, 0)? != middle || input(joint, 0)? != before {
            return Err(format!("{value} is not the sum of a layer and its input"));
        }
        let layer = Layer {
            joint: self.linear(joint)?,
            mixed: self.linear(mixed)?,
            norm,
            up: self.linear(up)?,
            down: self.linear(down)?,
            last_norm,
        };
        let is_plain = !layer.joint.gelu && !layer.mixed.gelu && !layer.down.gelu && layer.up.gelu;
        match is_plain {
            true => Ok((layer, integer(attention, "heads") as usize, before)),
            false => Err(format!("{value} has its GELU in another place")),
        }
    }

    /// For the sum that a layer norm is applied to: the linear layer, and the other addend.
    fn linear_of_sum(&self, value: &'a str) -> Result<(&'a NodeProto, &'a str), String> {
        let sum = self.maker(value, "LayerNormalization")?;
        let sum = self.maker(input(sum, 0)?, "Add")?;
        let linear = self.maker_of_input(sum, LINEAR)?;
        let mut others = sum
            .input
            .iter()
            .filter(|name| !linear.output.contains(name));
        let other = others.next().ok_or("a layer is added to itself")?;
        Ok((linear, other))
    }

    /// The layer norm that computes a value: its weights, its epsilon and the sum it is applied to.
    fn norm(&self, value: &str) -> Result<(Norm, f32, &'a NodeProto), String> {
        let node = self.maker(value, "LayerNormalization")?;
        let norm = Norm {
            scale: self.floats(input(node, 1)?)?,
            shift: self.floats(input(node, 2)?)?,
        };
        let epsilon = attribute(node, "epsilon").map_or(1e-5, |it| it.f);
        Ok((norm, epsilon, self.maker(input(node, 0)?, "Add")?))
    }

    fn linear(&self, node: &NodeProto) -> Result<Linear, String> {
        let (shape, weights) = self.int8(input(node, 1)?)?;
        let [inputs, outputs] = shape[..] else {
            return Err(format!("weights of the shape {shape:?}"));
        };
        Ok(Linear {
            inputs,
            outputs,
            weights,
            scales: self.floats(input(node, 2)?)?,
            bias: self.floats(input(node, 3)?)?,
            gelu: integer(node, "gelu") != 0,
        })
    }
}
