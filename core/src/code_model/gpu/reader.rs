//! Follows the graph of an ONNX file from its output to its inputs, and collects the weights.

use tract_onnx::pb::{GraphProto, NodeProto};

use super::network::{Layer, Linear, Network, Table};
use crate::gpu::graph::{Graph, attribute, input, integer};

/// Follows the graph. It checks every constant too: one that differs computes something else.
pub(super) struct Reader<'a> {
    graph: Graph<'a>,
    /// The first input.
    ids: &'a str,
}

/// The last part of the graph.
struct Ending<'a> {
    /// The output of the last layer.
    last: &'a str,
    epsilon: f32,
    /// The name of the stored token embeddings.
    words: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(graph: &'a GraphProto) -> Result<Self, String> {
        let names: Vec<&str> = graph.input.iter().map(|it| it.name.as_str()).collect();
        match names[..] {
            ["ids", "positions"] => Ok(Self {
                graph: Graph::new(graph),
                ids: "ids",
            }),
            _ => Err(format!("its inputs are {}", names.join(", "))),
        }
    }

    pub(super) fn network(&self) -> Result<Network, String> {
        let ending = self.ending()?;
        let (mut value, epsilon) = (ending.last, ending.epsilon);
        let mut layers = Vec::new();
        let mut slopes: Option<(&str, Vec<f32>)> = None;
        // A layer ends with a sum of its input and its result, the embedding with a sum of two
        // tables.
        while let Err(why) = self.is_embedding(value) {
            let (layer, bias, before) = self
                .layer(value, epsilon)
                .map_err(|other| format!("{other}; {why}"))?;
            let own = match slopes.take() {
                Some((name, own)) if name == bias => own,
                _ => self.slopes(bias)?,
            };
            slopes = Some((bias, own));
            layers.push(layer);
            value = before;
        }
        layers.reverse();
        let [token, pairs] = self.graph.made_of(value, "Add")?;
        let [row, gain] = self.graph.made_of(token, "Mul")?;
        let (words, stored) = self.rows(row, self.ids)?;
        if stored != ending.words {
            return Err("the vectors of words differ between input and output".to_owned());
        }
        let (pairs, pair_factor, pair_projection) = self.pairs(pairs)?;
        let slopes = slopes.map(|(_, slopes)| slopes).unwrap_or_default();
        Ok(Network {
            hidden: words.width,
            heads: slopes.len(),
            epsilon,
            word_gain: self.graph.float(gain)?,
            words,
            pairs,
            pair_factor,
            pair_projection,
            slopes,
            layers,
        })
    }

    /// The log-probabilities of the tokens after the requested places.
    fn ending(&self) -> Result<Ending<'a>, String> {
        let graph = &self.graph;
        let chosen = self.reshaped(graph.output, "Squeeze", &[-1])?;
        let [all, targets] = self.along(chosen, "GatherElements", "axis", 2)?;
        let targets = self.reshaped(targets, "Unsqueeze", &[-1])?;
        let [ids, next] = self.along(targets, "GatherElements", "axis", 1)?;
        let [positions, one] = graph.made_of(next, "Add")?;
        if ids != self.ids || positions != "positions" || graph.integers(one)? != [1] {
            return Err("it scores other tokens than those after the positions".to_owned());
        }
        let [logits] = self.along(all, "LogSoftmax", "axis", -1)?;
        let [states, words] = graph.made_of(logits, "MatMul")?;
        let words = self.transposed(words, &[1, 0])?;
        let (asked, epsilon) = self.normalised(states)?;
        let [last, places] = self.along(asked, "GatherND", "batch_dims", 1)?;
        if self.reshaped(places, "Unsqueeze", &[-1])? != "positions" {
            return Err("it scores other places than the positions".to_owned());
        }
        let stored = self.dequantised(words, 0)?;
        Ok(Ending {
            last,
            epsilon,
            words: stored,
        })
    }

    fn is_embedding(&self, value: &str) -> Result<(), String> {
        let [token, _] = self.graph.made_of(value, "Add")?;
        self.graph.maker(token, "Mul").map(|_| ())
    }

    /// The layer that computes `value`, the name of its bias, and its input.
    fn layer(&self, value: &'a str, epsilon: f32) -> Result<(Layer, &'a str, &'a str), String> {
        let graph = &self.graph;
        let [middle, down] = graph.made_of(value, "Add")?;
        let (wide, down) = self.linear(down)?;
        let [up, same] = graph.made_of(wide, "Mul")?;
        let [up_linear] = graph.made_of(up, "Relu")?;
        let (normal, up_linear) = self.linear(up_linear)?;
        self.is_normal_of(normal, middle, epsilon)?;
        let [before, mixed] = graph.made_of(middle, "Add")?;
        let (joined, mixed) = self.linear(mixed)?;
        let weighted = self.transposed(self.split(joined)?.0, &[0, 2, 1, 3])?;
        let [shares, value_heads] = graph.made_of(weighted, "MatMul")?;
        let [scores] = self.along(shares, "Softmax", "axis", -1)?;
        let [products, bias] = graph.made_of(scores, "Add")?;
        let [query, key] = graph.made_of(products, "MatMul")?;
        let [query, gains] = graph.made_of(query, "Mul")?;
        let (query, query_epsilon) = self.normalised(query)?;
        let (key, key_epsilon) = self.normalised(self.transposed(key, &[0, 1, 3, 2])?)?;
        let mut parts = Vec::new();
        let mut inputs = Vec::new();
        let query_gains = graph.floats(gains)?;
        for heads in [query, key, value_heads] {
            let (flat, count) = self.split(self.transposed(heads, &[0, 2, 1, 3])?)?;
            let (made_of, linear) = self.linear(flat)?;
            if count != Some(query_gains.len() as i64) {
                return Err(format!("{heads} is split into {count:?} heads"));
            }
            inputs.push(made_of);
            parts.push(linear);
        }
        let [convolved, others @ ..] = &inputs[..] else {
            return Err("there are no queries".to_owned());
        };
        if same != up || others.iter().any(|other| other != convolved) {
            return Err(format!("{value} mixes what does not belong together"));
        }
        if [query_epsilon, key_epsilon] != [epsilon, epsilon] {
            return Err("its norms differ".to_owned());
        }
        let layer = Layer {
            taps: self.convolution(convolved, before, epsilon)?,
            joint: Linear::side_by_side(&parts)?,
            query_gains,
            mixed,
            up: up_linear,
            down,
        };
        Ok((layer, bias, before))
    }

    /// The taps of a causal convolution over the norm of `of`: a sum of shifted copies.
    fn convolution(&self, value: &str, of: &str, epsilon: f32) -> Result<Vec<f32>, String> {
        let graph = &self.graph;
        let [sum, last] = graph.made_of(value, "Add")?;
        let [now, middle] = graph.made_of(sum, "Add")?;
        let [normal, tap] = graph.made_of(now, "Mul")?;
        self.is_normal_of(normal, of, epsilon)?;
        let mut taps = graph.floats(tap)?;
        for (part, range) in [(middle, [1, -1]), (last, [0, -2])] {
            let [shifted, tap] = graph.made_of(part, "Mul")?;
            let padded = self.sliced(shifted, range)?;
            let [start, pads] = graph.made_of(padded, "Pad")?;
            if start != normal || graph.integers(pads)? != [0, 2, 0, 0, 0, 0] {
                return Err(format!("{padded} is padded differently"));
            }
            taps.extend(graph.floats(tap)?);
        }
        Ok(taps)
    }

    /// The slopes of a bias that is −slope · distance, with a large negative value for later
    /// tokens.
    fn slopes(&self, bias: &str) -> Result<Vec<f32>, String> {
        let graph = &self.graph;
        let [future, never, past] = graph.made_of(bias, "Where")?;
        let [distance, zero] = graph.made_of(future, "Less")?;
        let [same, slopes] = graph.made_of(past, "Mul")?;
        let flat = self.reshaped(distance, "Unsqueeze", &[0])?;
        let [rows, columns] = graph.made_of(flat, "Sub")?;
        let [row, column] = [(rows, 1), (columns, 0)]
            .map(|(value, axis)| self.reshaped(value, "Unsqueeze", &[axis]));
        let (row, column) = (row?, column?);
        let places = input(graph.maker(row, "Slice")?, 0)?;
        let counts_up = graph
            .floats(places)?
            .iter()
            .zip(0u16..)
            .all(|(place, at)| *place == f32::from(at));
        if same != distance || row != column || !counts_up {
            return Err(format!("{bias} is not a distance between tokens"));
        }
        if graph.float(zero)? != 0.0 || graph.float(never)? > -1e4 {
            return Err(format!("{bias} lets tokens see those behind them"));
        }
        let slopes = graph.floats(slopes)?;
        Ok(slopes.iter().map(|slope| -slope).collect())
    }

    /// The table of pairs, the factor of the token before, and the projection.
    fn pairs(&self, value: &'a str) -> Result<(Table, u32, Linear), String> {
        let graph = &self.graph;
        let (row, projection) = self.linear(value)?;
        let scale = input(graph.maker_of_input(graph.maker(row, "Mul")?, "Gather")?, 1)?;
        let (table, _) = self.rows(row, scale)?;
        let [sum, count] = graph.made_of(scale, "Mod")?;
        let [scaled, ids] = graph.made_of(sum, "Add")?;
        let [before, factor] = graph.made_of(scaled, "Mul")?;
        let [none, earlier] = self.along(before, "Concat", "axis", 1)?;
        let [first, same] = graph.made_of(none, "Sub")?;
        let is_before = first == same
            && self.sliced(first, [0, 1])? == self.ids
            && self.sliced(earlier, [0, -1])? == self.ids;
        if !is_before || ids != self.ids || graph.integers(count)? != [table.rows() as i64] {
            return Err(format!("{scale} is not the number of a pair of neighbours"));
        }
        let factor = graph.integers(factor)?;
        match factor[..] {
            [factor] if factor > 0 => {
                let factor = u32::try_from(factor).map_err(|error| error.to_string())?;
                Ok((table, factor, projection))
            }
            _ => Err(format!("pairs are made with {factor:?}")),
        }
    }

    /// A table whose rows are selected by `ids`, and the name of its stored values.
    fn rows(&self, value: &str, ids: &str) -> Result<(Table, &'a str), String> {
        let graph = &self.graph;
        let [row, scale] = graph.made_of(value, "Mul")?;
        let [row] = graph.made_of(row, "Cast")?;
        let [stored, by] = self.along(row, "Gather", "axis", 0)?;
        let [scales, scales_by] = self.along(scale, "Gather", "axis", 0)?;
        if by != ids || scales_by != ids {
            return Err(format!("{value} is taken by {by} and {scales_by}"));
        }
        let (shape, values) = graph.int8(stored)?;
        let &[_, width] = &shape[..] else {
            return Err(format!("a table of the shape {shape:?}"));
        };
        let scales = graph.floats(scales)?;
        let table = Table {
            width,
            values,
            scales,
        };
        Ok((table, stored))
    }

    /// The input of a product, and its weights.
    fn linear(&self, value: &str) -> Result<(&'a str, Linear), String> {
        let [x, weight] = self.graph.made_of(value, "MatMul")?;
        let stored = self.dequantised(weight, 1)?;
        let (shape, weights) = self.graph.int8(stored)?;
        let &[inputs, outputs] = &shape[..] else {
            return Err(format!("weights of the shape {shape:?}"));
        };
        let scales = input(self.graph.maker(weight, "DequantizeLinear")?, 1)?;
        let linear = Linear {
            inputs,
            outputs,
            weights,
            scales: self.graph.floats(scales)?,
        };
        Ok((x, linear))
    }

    /// The name of stored int8 values that are scaled along an axis; their zero point is 0.
    fn dequantised(&self, value: &str, axis: i64) -> Result<&'a str, String> {
        let [stored, _, zero] = self.along(value, "DequantizeLinear", "axis", axis)?;
        let (_, zeros) = self.graph.int8(zero)?;
        match zeros.iter().all(|&zero| zero == 0) {
            true => Ok(stored),
            false => Err(format!("{zero} contains zero points other than 0")),
        }
    }

    /// What is divided by its root mean square, and the epsilon that is added.
    fn normalised(&self, value: &str) -> Result<(&'a str, f32), String> {
        let graph = &self.graph;
        let [x, root] = graph.made_of(value, "Div")?;
        let [shifted] = graph.made_of(root, "Sqrt")?;
        let [mean, epsilon] = graph.made_of(shifted, "Add")?;
        let node = graph.maker(mean, "ReduceMean")?;
        let axes = attribute(node, "axes").map_or(&[][..], |axes| &axes.ints);
        let keeps = attribute(node, "keepdims").is_none_or(|keeps| keeps.i == 1);
        let [one, other] = graph.made_of(input(node, 0)?, "Mul")?;
        if axes != [-1] || !keeps || one != x || other != x {
            return Err(format!(
                "{value} is not divided by the root of its mean square"
            ));
        }
        Ok((x, graph.float(epsilon)?))
    }

    fn is_normal_of(&self, value: &str, of: &str, epsilon: f32) -> Result<(), String> {
        match self.normalised(value)? {
            (found, own) if found == of && own == epsilon => Ok(()),
            (found, _) => Err(format!("{value} is the norm of {found}, not of {of}")),
        }
    }

    /// What is split into heads or joined again, and the number of heads.
    fn split(&self, value: &str) -> Result<(&'a str, Option<i64>), String> {
        let [x, shape] = self.graph.made_of(value, "Reshape")?;
        match self.graph.integers(shape)?[..] {
            [0, 0, _] => Ok((x, None)),
            [0, 0, heads, _] => Ok((x, Some(heads))),
            ref other => Err(format!("{value} has the shape {other:?}")),
        }
    }

    /// What gets or loses a dimension.
    fn reshaped(&self, value: &str, kind: &str, axes: &[i64]) -> Result<&'a str, String> {
        let [x, found] = self.graph.made_of(value, kind)?;
        match self.graph.integers(found)? {
            found if found == axes => Ok(x),
            found => Err(format!("{value} is made by {kind} along {found:?}")),
        }
    }

    fn transposed(&self, value: &str, order: &[i64]) -> Result<&'a str, String> {
        let node = self.graph.maker(value, "Transpose")?;
        let found = attribute(node, "perm").map_or(&[][..], |order| &order.ints);
        let [x] = self.graph.made_of(value, "Transpose")?;
        match found == order {
            true => Ok(x),
            false => Err(format!("{value} has its dimensions in the order {found:?}")),
        }
    }

    /// What a range of tokens is sliced from.
    fn sliced(&self, value: &str, range: [i64; 2]) -> Result<&'a str, String> {
        let [x, start, end, axis] = self.graph.made_of(value, "Slice")?;
        let found = [start, end, axis].map(|name| self.graph.integers(name));
        let expected = [range[0], range[1], 1].map(|value| Ok(vec![value]));
        match found == expected {
            true => Ok(x),
            false => Err(format!("{value} is another part of its tokens")),
        }
    }

    /// The inputs of a node of this kind whose attribute has this value.
    fn along<const N: usize>(
        &self,
        value: &str,
        kind: &str,
        name: &str,
        expected: i64,
    ) -> Result<[&'a str; N], String> {
        let node: &NodeProto = self.graph.maker(value, kind)?;
        match integer(node, name) {
            found if found == expected => self.graph.made_of(value, kind),
            found => Err(format!("{value} is made by {kind} with {name} {found}")),
        }
    }
}
