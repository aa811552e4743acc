"""The trained model as an ONNX graph (opset 17) of plain operators.

Inputs:  ids [batch, tokens] int64, the first of each row the end token;
         positions [batch, scored] int64: the token at position p + 1 is scored from what stands up to p.
Output:  log_probabilities [batch, scored] float32, natural logarithm.

Scoring is half of the work and is done only where asked: a question after a block asks for the question's tokens.
Rows of a batch may be padded on the right with any token: nothing looks ahead.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from model import PAIR_FACTOR, SLOPES

OPSET = 17
EPSILON = 1e-6
# Windows may be longer than the trained context; perplexities there are worth less.
MAX_TOKENS = 2048


class Builder:
    """Collects nodes and initializers; every method returns the name of its output."""

    def __init__(self, int8):
        self.int8 = int8
        self.nodes = []
        self.initializers = {}

    def tensor(self, name, value):
        self.initializers[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def int64(self, *values):
        return self.tensor("i" + "_".join(map(str, values)), np.array(values, dtype=np.int64))

    def float(self, name, value):
        return self.tensor(name, np.float32(value))

    def op(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def linear(self, x, weight, name):
        """`weight` is [outputs, inputs], as PyTorch has it."""
        return self.op("MatMul", [x, self.matrix(f"{name}.weight", weight.T, 1)], name)

    def matrix(self, name, value, axis):
        """A matrix of float32, or of int8 with a scale for each index of `axis`, dequantised when the graph is loaded."""
        if not self.int8:
            return self.tensor(name, value.astype(np.float32))
        quantised, scale = quantise(value, axis)
        stored = self.tensor(f"{name}.int8", quantised)
        zero = self.tensor(f"{name}.zero", np.zeros(len(scale), np.int8))
        return self.op("DequantizeLinear", [stored, self.tensor(f"{name}.scale", scale), zero], name, axis=axis)

    def rows(self, ids, name, value):
        """Rows of a table by id; an int8 table stays int8 and the rows are scaled."""
        if not self.int8:
            return self.op("Gather", [self.tensor(f"{name}.weight", value), ids], name, axis=0)
        quantised, scale = quantise(value, 0)
        stored = self.op("Gather", [self.tensor(f"{name}.weight.int8", quantised), ids], f"{name}.int8.rows", axis=0)
        row = self.op("Cast", [stored], f"{name}.rows", to=TensorProto.FLOAT)
        scales = self.tensor(f"{name}.scales", scale[:, None])
        return self.op("Mul", [row, self.op("Gather", [scales, ids], f"{name}.row.scale", axis=0)], name)

    def normalise(self, x, name):
        square = self.op("Mul", [x, x], f"{name}.square")
        mean = self.op("ReduceMean", [square], f"{name}.mean", axes=[-1], keepdims=1)
        root = self.op("Sqrt", [self.op("Add", [mean, self.float("epsilon", EPSILON)], f"{name}.shifted")], f"{name}.root")
        return self.op("Div", [x, root], name)


def quantise(value, axis):
    other = 1 - axis
    scale = np.maximum(np.abs(value).max(axis=other, keepdims=True), 1e-8) / 127
    return np.round(value / scale).astype(np.int8), scale.reshape(-1).astype(np.float32)


def embeddings(b, weights, config):
    """Each token's vector plus one of the pair that it makes with the token before."""
    earlier = b.op("Slice", ["ids", b.int64(0), b.int64(-1), b.int64(1)], "earlier")
    # The first token of a row has none before it: the end token's 0 stands in.
    first = b.op("Slice", ["ids", b.int64(0), b.int64(1), b.int64(1)], "first")
    none = b.op("Sub", [first, first], "none")
    before = b.op("Concat", [none, earlier], "before", axis=1)
    mixed = b.op("Add", [b.op("Mul", [before, b.int64(PAIR_FACTOR)], "hash.scaled"), "ids"], "hash.sum")
    pair = b.op("Mod", [mixed, b.int64(config["pairs"])], "pair")
    token = b.rows("ids", "tokens", weights["tokens"])
    token = b.op("Mul", [token, b.float("token.gain", 4.0)], "token")
    pairs = b.linear(b.rows(pair, "pairs", weights["pairs"]), weights["pair_projection"], "pairs.projected")
    return b.op("Add", [token, pairs], "embedded")


def attention_bias(b):
    """[heads, T, T]: −slope × distance, and minus a lot for tokens still to come."""
    tokens = b.op("Slice", [b.op("Shape", ["ids"], "shape"), b.int64(1), b.int64(2)], "length")
    table = b.tensor("places", np.arange(MAX_TOKENS, dtype=np.float32))
    places = b.op("Slice", [table, b.int64(0), tokens, b.int64(0)], "place")
    rows = b.op("Unsqueeze", [places, b.int64(1)], "place.row")
    columns = b.op("Unsqueeze", [places, b.int64(0)], "place.column")
    distance = b.op("Unsqueeze", [b.op("Sub", [rows, columns], "distance"), b.int64(0)], "distance.heads")
    slopes = b.tensor("slopes", -np.array(SLOPES, dtype=np.float32)[:, None, None])
    past = b.op("Mul", [distance, slopes], "bias.past")
    future = b.op("Less", [distance, b.float("zero", 0.0)], "future")
    return b.op("Where", [future, b.float("never", -30000.0), past], "bias")


def heads(b, x, config, name):
    size = config["width"] // config["heads"]
    split = b.op("Reshape", [x, b.int64(0, 0, config["heads"], size)], f"{name}.split")
    return b.op("Transpose", [split], name, perm=[0, 2, 1, 3])


def convolve(b, x, taps, name):
    """Three causal taps a channel, as a sum of shifted copies."""
    pads = b.int64(0, 2, 0, 0, 0, 0)
    padded = b.op("Pad", [x, pads], f"{name}.padded")
    total = b.op("Mul", [x, b.tensor(f"{name}.tap0", taps[0])], f"{name}.now")
    for tap, (start, end) in ((1, (1, -1)), (2, (0, -2))):
        shifted = b.op("Slice", [padded, b.int64(start), b.int64(end), b.int64(1)], f"{name}.shifted{tap}")
        part = b.op("Mul", [shifted, b.tensor(f"{name}.tap{tap}", taps[tap])], f"{name}.part{tap}")
        total = b.op("Add", [total, part], f"{name}.sum{tap}")
    return total


def attention(b, x, weights, prefix, config):
    width, name = config["width"], f"{prefix}attention"
    x = convolve(b, b.normalise(x, f"{name}.normal"), weights[f"{prefix}taps"], f"{name}.convolution")
    parts = np.split(weights[f"{prefix}query_key_value"], 3)
    query, key, value = (
        heads(b, b.linear(x, part, f"{name}.{kind}"), config, f"{name}.{kind}.heads")
        for kind, part in zip(("query", "key", "value"), parts)
    )
    gain = weights[f"{prefix}query_gain"] * (width // config["heads"]) ** -0.5
    query = b.op("Mul", [b.normalise(query, f"{name}.query.unit"), b.tensor(f"{name}.gain", gain)], f"{name}.query.scaled")
    key = b.op("Transpose", [b.normalise(key, f"{name}.key.unit")], f"{name}.key.transposed", perm=[0, 1, 3, 2])
    scores = b.op("Add", [b.op("MatMul", [query, key], f"{name}.products"), "bias"], f"{name}.scores")
    weighted = b.op("MatMul", [b.op("Softmax", [scores], f"{name}.weights", axis=-1), value], f"{name}.weighted")
    joined = b.op("Transpose", [weighted], f"{name}.transposed", perm=[0, 2, 1, 3])
    joined = b.op("Reshape", [joined, b.int64(0, 0, width)], f"{name}.joined")
    return b.linear(joined, weights[f"{prefix}output"], name)


def feed_forward(b, x, weights, prefix):
    name = f"{prefix}feed_forward"
    up = b.op("Relu", [b.linear(b.normalise(x, f"{name}.normal"), weights[f"{prefix}up"], f"{name}.up")], f"{name}.relu")
    return b.linear(b.op("Mul", [up, up], f"{name}.hidden"), weights[f"{prefix}down"], name)


def scored(b, x, weights):
    """Log-probability of the token after each asked position."""
    index = b.op("Unsqueeze", ["positions", b.int64(-1)], "positions.index")
    states = b.normalise(b.op("GatherND", [x, index], "asked", batch_dims=1), "final")
    words = b.matrix("tokens.weight", weights["tokens"], 0)
    words = b.op("Transpose", [words], "words.transposed", perm=[1, 0])
    everything = b.op("LogSoftmax", [b.op("MatMul", [states, words], "logits")], "log_softmax", axis=-1)
    following = b.op("Add", ["positions", b.int64(1)], "positions.next")
    targets = b.op("GatherElements", ["ids", following], "targets", axis=1)
    targets = b.op("Unsqueeze", [targets, b.int64(-1)], "targets.index")
    chosen = b.op("GatherElements", [everything, targets], "chosen", axis=2)
    return b.op("Squeeze", [chosen, b.int64(-1)], "log_probabilities")


def build(weights, config, int8):
    """`weights`: name → numpy array, by the names of `CodeModel`'s parameters."""
    b = Builder(int8)
    x = embeddings(b, weights, config)
    attention_bias(b)
    for layer in range(config["layers"]):
        prefix = f"layers.{layer}."
        x = b.op("Add", [x, attention(b, x, weights, prefix, config)], f"{prefix}attended")
        x = b.op("Add", [x, feed_forward(b, x, weights, prefix)], f"{prefix}out")
    scored(b, x, weights)
    graph = helper.make_graph(
        b.nodes,
        "code-lm",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"]),
            helper.make_tensor_value_info("positions", TensorProto.INT64, ["batch", "scored"]),
        ],
        [helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, ["batch", "scored"])],
        list(b.initializers.values()),
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
