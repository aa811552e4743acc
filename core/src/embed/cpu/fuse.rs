//! Rewrites the ONNX graph before tract reads it: the dozen small operators of a quantised linear
//! layer or an attention become one operator of [`super::ops`].
//!
//! The patterns are those of `onnxruntime.quantization.quantize_dynamic` and of the graph that
//! `cargo xtask models` writes. A graph without them stays as it is.

use std::collections::{HashMap, HashSet};

use tract_onnx::pb::{
    AttributeProto, GraphProto, NodeProto, TensorProto, attribute_proto::AttributeType,
};

/// Operator names, as registered with tract.
pub(crate) const LINEAR: &str = "FootnoteLinear";
pub(crate) const ATTENTION: &str = "FootnoteAttention";

/// How many layers were fused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fused {
    pub linear: usize,
    pub attention: usize,
}

/// Fuses all linear layers and attentions of a graph.
pub(crate) fn fuse(graph: &mut GraphProto) -> Fused {
    let fused = Fused {
        linear: replace(graph, "MatMulInteger", linear),
        attention: replace(graph, "Softmax", attention),
    };
    drop_unused(graph);
    fused
}

/// Replaces the surroundings of each node of a kind; returns how many were replaced.
fn replace(
    graph: &mut GraphProto,
    kind: &str,
    pattern: fn(&View, &NodeProto) -> Option<NodeProto>,
) -> usize {
    let view = View::new(graph);
    let found: Vec<NodeProto> = graph
        .node
        .iter()
        .filter(|node| node.op_type == kind)
        .filter_map(|node| pattern(&view, node))
        .collect();
    let count = found.len();
    for node in found {
        // It takes the place of the node whose output it takes over, so that the order stays
        // topological.
        if let Some(old) = graph.node.iter_mut().find(|old| old.output == node.output) {
            *old = node;
        }
    }
    count
}

/// Removes nodes that are no longer needed, the last first.
fn drop_unused(graph: &mut GraphProto) {
    let mut needed: HashSet<String> = graph
        .output
        .iter()
        .map(|output| output.name.clone())
        .collect();
    let mut kept = Vec::with_capacity(graph.node.len());
    for node in std::mem::take(&mut graph.node).into_iter().rev() {
        if node.output.iter().any(|output| needed.contains(output)) {
            needed.extend(node.input.iter().cloned());
            kept.push(node);
        }
    }
    kept.reverse();
    graph.node = kept;
    graph
        .initializer
        .retain(|tensor| needed.contains(&tensor.name));
}

/// Which nodes write and read each value.
struct View<'a> {
    makers: HashMap<&'a str, &'a NodeProto>,
    readers: HashMap<&'a str, Vec<&'a NodeProto>>,
    tensors: HashMap<&'a str, &'a TensorProto>,
}

impl<'a> View<'a> {
    fn new(graph: &'a GraphProto) -> Self {
        let mut readers: HashMap<&str, Vec<&NodeProto>> = HashMap::new();
        let mut makers = HashMap::new();
        for node in &graph.node {
            makers.extend(node.output.iter().map(|output| (output.as_str(), node)));
            for input in &node.input {
                readers.entry(input).or_default().push(node);
            }
        }
        let tensors = graph
            .initializer
            .iter()
            .map(|tensor| (tensor.name.as_str(), tensor));
        Self {
            makers,
            readers,
            tensors: tensors.collect(),
        }
    }

    /// The node that writes a value, if it is of this kind.
    fn maker(&self, value: &str, kind: &str) -> Option<&'a NodeProto> {
        self.makers
            .get(value)
            .copied()
            .filter(|node| node.op_type == kind)
    }

    /// The only reader of a node's first output, if it is of this kind.
    fn reader(&self, node: &NodeProto, kind: &str) -> Option<&'a NodeProto> {
        match self.readers.get(output(node)?)?.as_slice() {
            [reader] if reader.op_type == kind => Some(reader),
            _ => None,
        }
    }

    /// The input of a node that is a stored tensor.
    fn stored<'n>(&self, node: &'n NodeProto) -> Option<&'n str> {
        let mut inputs = node.input.iter().map(String::as_str);
        inputs.find(|input| self.tensors.contains_key(input))
    }
}

fn output(node: &NodeProto) -> Option<&str> {
    node.output.first().map(String::as_str)
}

fn input(node: &NodeProto, index: usize) -> Option<&str> {
    node.input.get(index).map(String::as_str)
}

/// The input of a two-input node that is not `this`.
fn other<'a>(node: &'a NodeProto, this: &str) -> Option<&'a str> {
    node.input
        .iter()
        .map(String::as_str)
        .find(|input| *input != this)
}

/// DynamicQuantizeLinear → MatMulInteger → Cast → Mul (scales) → Add (bias), then GELU if it
/// follows. Inputs of the result: x, weights (inputs × outputs) in int8, scales and bias (one per
/// output).
fn linear(view: &View, product: &NodeProto) -> Option<NodeProto> {
    let quantised = view.maker(input(product, 0)?, "DynamicQuantizeLinear")?;
    let weights = input(product, 1)?;
    let whole = view.reader(product, "Cast")?;
    let scaled = view.reader(whole, "Mul")?;
    let scales = view.stored(view.maker(other(scaled, output(whole)?)?, "Mul")?)?;
    let sum = view.reader(scaled, "Add")?;
    let bias = view.stored(sum)?;
    let activated = gelu(view, sum);
    let inputs = [input(quantised, 0)?, weights, scales, bias];
    let gelu = integer("gelu", activated.is_some().into());
    Some(node(
        LINEAR,
        &inputs,
        output(activated.unwrap_or(sum))?,
        gelu,
    ))
}

/// Div (√2) → Erf → Add (1) → Mul (x) → Mul (½); returns the last node.
fn gelu<'a>(view: &View<'a>, x: &NodeProto) -> Option<&'a NodeProto> {
    let readers = view.readers.get(output(x)?)?;
    let of_kind = |kind| {
        readers
            .iter()
            .find(|reader| reader.op_type == kind)
            .copied()
    };
    let (scaled, full) = (of_kind("Div")?, of_kind("Mul")?);
    let error_function = view.reader(scaled, "Erf")?;
    let plus_one = view.reader(error_function, "Add")?;
    let same = std::ptr::eq(view.reader(plus_one, "Mul")?, full);
    view.reader(full, "Mul")
        .filter(|_| same && readers.len() == 2)
}

/// Split → heads → MatMul → Add (bias of padding) → Softmax → MatMul → heads joined.
/// Inputs of the result: the joint projection [batch, tokens, 3 · hidden], the bias.
fn attention(view: &View, softmax: &NodeProto) -> Option<NodeProto> {
    let masked = view.maker(input(softmax, 0)?, "Add")?;
    let scores = view.maker(input(masked, 0)?, "MatMul")?;
    let bias = input(masked, 1)?;
    let mixed = view.reader(softmax, "MatMul")?;
    let parts = [input(scores, 0)?, input(scores, 1)?, input(mixed, 1)?];
    let mut splits = Vec::new();
    let mut heads = None;
    for part in parts {
        let headed = view.maker(input(view.maker(part, "Transpose")?, 0)?, "Reshape")?;
        heads = shape(view.tensors.get(input(headed, 1)?)?).get(2).copied();
        let flat = input(headed, 0)?;
        splits.push((view.maker(flat, "Split")?, flat));
    }
    let split = splits.first()?.0;
    let in_order = splits
        .iter()
        .map(|(_, flat)| *flat)
        .eq(split.output.iter().map(String::as_str));
    let joined = view.reader(view.reader(mixed, "Transpose")?, "Reshape")?;
    let inputs = [input(split, 0)?, bias];
    in_order.then(|| {
        Some(node(
            ATTENTION,
            &inputs,
            output(joined)?,
            integer("heads", heads?),
        ))
    })?
}

/// A stored list of integers.
fn shape(tensor: &TensorProto) -> Vec<i64> {
    if !tensor.int64_data.is_empty() {
        return tensor.int64_data.clone();
    }
    tensor
        .raw_data
        .as_chunks::<8>()
        .0
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect()
}

fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Int.into(),
        i: value,
        ..AttributeProto::default()
    }
}

fn node(kind: &str, inputs: &[&str], output: &str, attribute: AttributeProto) -> NodeProto {
    NodeProto {
        input: inputs.iter().map(|&input| input.to_owned()).collect(),
        output: vec![output.to_owned()],
        name: output.to_owned(),
        op_type: kind.to_owned(),
        attribute: vec![attribute],
        ..NodeProto::default()
    }
}
