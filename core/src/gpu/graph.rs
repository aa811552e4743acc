//! An ONNX graph, read from its output to its inputs to find the weights of a known network.
//!
//! Anything unexpected is an error that says what was found instead.

use std::collections::HashMap;

use tract_onnx::pb::{AttributeProto, GraphProto, NodeProto, TensorProto, tensor_proto::DataType};

/// Which node computes each value, and the stored tensors.
pub(crate) struct Graph<'a> {
    makers: HashMap<&'a str, &'a NodeProto>,
    tensors: HashMap<&'a str, &'a TensorProto>,
    /// The first output.
    pub(crate) output: &'a str,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(graph: &'a GraphProto) -> Self {
        let mut makers = HashMap::new();
        for node in &graph.node {
            makers.extend(node.output.iter().map(|output| (output.as_str(), node)));
        }
        let tensors = graph.initializer.iter();
        Self {
            makers,
            tensors: tensors
                .map(|tensor| (tensor.name.as_str(), tensor))
                .collect(),
            output: graph
                .output
                .first()
                .map_or("", |output| output.name.as_str()),
        }
    }

    /// The node that computes a value; it has to be of this kind.
    pub(crate) fn maker(&self, value: &str, kind: &str) -> Result<&'a NodeProto, String> {
        let maker = self.makers.get(value).copied();
        let found = maker.map_or("an input", |node| node.op_type.as_str());
        maker
            .filter(|node| node.op_type == kind)
            .ok_or_else(|| format!("{value} comes from {found}, not from {kind}"))
    }

    /// The inputs of the node of this kind that computes `value`.
    pub(crate) fn made_of<const N: usize>(
        &self,
        value: &str,
        kind: &str,
    ) -> Result<[&'a str; N], String> {
        let node = self.maker(value, kind)?;
        let inputs: Vec<&str> = node.input.iter().map(String::as_str).collect();
        let count = inputs.len();
        inputs
            .try_into()
            .map_err(|_| format!("{value} is made by {kind} of {count} inputs, not of {N}"))
    }

    /// Among the nodes that compute a node's inputs, the only one of this kind.
    pub(crate) fn maker_of_input(
        &self,
        node: &NodeProto,
        kind: &str,
    ) -> Result<&'a NodeProto, String> {
        let inputs = node.input.iter();
        let mut makers = inputs.filter_map(|input| self.maker(input, kind).ok());
        match (makers.next(), makers.next()) {
            (Some(maker), None) => Ok(maker),
            _ => Err(format!("{} has not one input from {kind}", node.name)),
        }
    }

    fn tensor(&self, name: &str, kind: DataType) -> Result<&'a TensorProto, String> {
        let tensor = self.tensors.get(name).copied();
        tensor
            .filter(|tensor| tensor.data_type == kind as i32)
            .ok_or_else(|| format!("{name} is not stored as {}", kind.as_str_name()))
    }

    /// Stored floats, as bytes or one by one.
    pub(crate) fn floats(&self, name: &str) -> Result<Vec<f32>, String> {
        let tensor = self.tensor(name, DataType::Float)?;
        let (values, _) = tensor.raw_data.as_chunks::<4>();
        let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes));
        Ok(values.chain(tensor.float_data.iter().copied()).collect())
    }

    /// The single float that is stored under a name.
    pub(crate) fn float(&self, name: &str) -> Result<f32, String> {
        match self.floats(name)?[..] {
            [value] => Ok(value),
            ref all => Err(format!("{name} contains {} numbers, not one", all.len())),
        }
    }

    /// Stored integers, as bytes or one by one.
    pub(crate) fn integers(&self, name: &str) -> Result<Vec<i64>, String> {
        let tensor = self.tensor(name, DataType::Int64)?;
        let (values, _) = tensor.raw_data.as_chunks::<8>();
        let values = values.iter().map(|bytes| i64::from_le_bytes(*bytes));
        Ok(values.chain(tensor.int64_data.iter().copied()).collect())
    }

    /// The shape and bytes of a stored int8 tensor.
    pub(crate) fn int8(&self, name: &str) -> Result<(Vec<usize>, Vec<u8>), String> {
        let tensor = self.tensor(name, DataType::Int8)?;
        let shape = tensor.dims.iter().map(|&size| size as usize).collect();
        Ok((shape, tensor.raw_data.to_vec()))
    }
}

/// A node's input, by position.
pub(crate) fn input(node: &NodeProto, index: usize) -> Result<&str, String> {
    let input = node.input.get(index).map(String::as_str);
    input.ok_or_else(|| format!("{} has {} inputs", node.name, node.input.len()))
}

/// A node's attribute.
pub(crate) fn attribute<'a>(node: &'a NodeProto, name: &str) -> Option<&'a AttributeProto> {
    node.attribute
        .iter()
        .find(|attribute| attribute.name == name)
}

/// A node's integer attribute; 0 if it has none.
pub(crate) fn integer(node: &NodeProto, name: &str) -> i64 {
    attribute(node, name).map_or(0, |attribute| attribute.i)
}
