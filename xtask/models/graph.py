"""The BERT encoder of all-MiniLM-L6-v2 as an ONNX graph (opset 17), from its safetensors weights.

Inputs:  input_ids [batch, tokens] int64; attention_mask [batch, tokens] int64, 1 for a token, 0 for padding.
Output:  last_hidden_state [batch, tokens, 384] float32. Pooling is left to the caller.

Devlin et al. 2018 (BERT), section 3; the sizes are those of Wang et al. 2020 (MiniLM), 6 layers.

Choices that make it small and quick, all exact in real arithmetic:
- one projection for query, key and value, so that an input is quantised once for the three;
- 1/sqrt(head size) is part of the query's weights;
- segment embeddings are part of the position embeddings, as texts have one segment;
- the position table ends at the window, so that longer inputs fail instead of being wrong.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

EPSILON = 1e-12


class Builder:
    """Collects nodes and initializers; every method returns the name of its output."""

    def __init__(self):
        self.nodes = []
        self.initializers = {}

    def tensor(self, name, value):
        self.initializers[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def op(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def linear(self, x, weight, bias, name):
        """`weight` is [inputs, outputs]."""
        weight = self.tensor(f"{name}.weight", weight)
        product = self.op("MatMul", [x, weight], f"{name}.product")
        return self.op("Add", [product, self.tensor(f"{name}.bias", bias)], name)

    def layer_norm(self, x, weight, bias, name):
        scale = self.tensor(f"{name}.scale", weight)
        shift = self.tensor(f"{name}.shift", bias)
        return self.op("LayerNormalization", [x, scale, shift], name, axis=-1, epsilon=EPSILON)

    def gelu(self, x, name):
        """x/2 · (1 + erf(x/√2)), in the order of operations that runtimes recognise and fuse."""
        scaled = self.op("Div", [x, self.tensor("sqrt2", np.float32(np.sqrt(2.0)))], f"{name}.scaled")
        erf = self.op("Erf", [scaled], f"{name}.erf")
        plus_one = self.op("Add", [erf, self.tensor("one", np.float32(1.0))], f"{name}.plus_one")
        product = self.op("Mul", [x, plus_one], f"{name}.full")
        return self.op("Mul", [product, self.tensor("half", np.float32(0.5))], name)


def embeddings(b, weights, window):
    """Word vectors are stored as int8 with one scale a word: 30,522 of them are half of the model."""
    words = weights["embeddings.word_embeddings.weight"]
    scales = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-8) / 127
    table = b.tensor("embeddings.words", np.round(words / scales).astype(np.int8))
    scales = b.tensor("embeddings.scales", scales.astype(np.float32))
    word = b.op("Gather", [table, "input_ids"], "embeddings.word.int8", axis=0)
    word = b.op("Cast", [word], "embeddings.word.float", to=TensorProto.FLOAT)
    scale = b.op("Gather", [scales, "input_ids"], "embeddings.word.scale", axis=0)
    word = b.op("Mul", [word, scale], "embeddings.word")
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    positions = weights["embeddings.position_embeddings.weight"][:window] + segment
    shape = b.op("Shape", ["input_ids"], "shape")
    tokens = b.op("Slice", [shape, b.tensor("i1", np.array([1])), b.tensor("i2", np.array([2]))], "tokens")
    table = b.tensor("embeddings.positions", positions.astype(np.float32))
    first = b.tensor("i0", np.array([0]))
    position = b.op("Slice", [table, first, tokens, first], "embeddings.position")
    total = b.op("Add", [word, position], "embeddings.sum")
    prefix = "embeddings.LayerNorm"
    return b.layer_norm(total, weights[f"{prefix}.weight"], weights[f"{prefix}.bias"], "embeddings")


def mask_bias(b):
    """0 where a token may be looked at, a large negative number where there is padding."""
    mask = b.op("Cast", ["attention_mask"], "mask.float", to=TensorProto.FLOAT)
    mask = b.op("Unsqueeze", [mask, b.tensor("mask.axes", np.array([1, 2]))], "mask.wide")
    inverse = b.op("Sub", [b.tensor("one", np.float32(1.0)), mask], "mask.inverse")
    return b.op("Mul", [inverse, b.tensor("mask.low", np.float32(-10000.0))], "mask.bias")


def attention(b, x, bias, weights, heads, prefix, name):
    parts = {p: weights[f"{prefix}.self.{p}.weight"].T for p in ("query", "key", "value")}
    biases = {p: weights[f"{prefix}.self.{p}.bias"] for p in ("query", "key", "value")}
    hidden = parts["query"].shape[0]
    scale = np.float32(1.0 / np.sqrt(hidden // heads))
    parts["query"], biases["query"] = parts["query"] * scale, biases["query"] * scale
    weight = np.concatenate([parts["query"], parts["key"], parts["value"]], axis=1)
    shift = np.concatenate([biases["query"], biases["key"], biases["value"]])
    joint = b.linear(x, weight, shift, f"{name}.qkv")
    outputs = [f"{name}.{p}.flat" for p in ("query", "key", "value")]
    b.nodes.append(helper.make_node("Split", [joint], outputs, name=f"{name}.split", axis=-1))
    shape = b.tensor("heads.shape", np.array([0, 0, heads, hidden // heads]))
    split = {}
    for part, flat, order in zip(("query", "key", "value"), outputs, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])):
        headed = b.op("Reshape", [flat, shape], f"{name}.{part}.heads")
        split[part] = b.op("Transpose", [headed], f"{name}.{part}", perm=order)
    scores = b.op("MatMul", [split["query"], split["key"]], f"{name}.scores")
    scores = b.op("Add", [scores, bias], f"{name}.masked")
    shares = b.op("Softmax", [scores], f"{name}.shares", axis=-1)
    context = b.op("MatMul", [shares, split["value"]], f"{name}.context.heads")
    context = b.op("Transpose", [context], f"{name}.context.wide", perm=[0, 2, 1, 3])
    joined = b.tensor("joined.shape", np.array([0, 0, hidden]))
    context = b.op("Reshape", [context, joined], f"{name}.context")
    dense = f"{prefix}.output.dense"
    return b.linear(context, weights[f"{dense}.weight"].T, weights[f"{dense}.bias"], f"{name}.output")


def layer(b, x, bias, weights, heads, index):
    prefix, name = f"encoder.layer.{index}", f"layer{index}"
    attended = attention(b, x, bias, weights, heads, f"{prefix}.attention", f"{name}.attention")
    norm = f"{prefix}.attention.output.LayerNorm"
    total = b.op("Add", [attended, x], f"{name}.attention.sum")
    x = b.layer_norm(total, weights[f"{norm}.weight"], weights[f"{norm}.bias"], f"{name}.attention.norm")
    up, down = f"{prefix}.intermediate.dense", f"{prefix}.output.dense"
    wide = b.linear(x, weights[f"{up}.weight"].T, weights[f"{up}.bias"], f"{name}.up")
    wide = b.gelu(wide, f"{name}.gelu")
    narrow = b.linear(wide, weights[f"{down}.weight"].T, weights[f"{down}.bias"], f"{name}.down")
    total = b.op("Add", [narrow, x], f"{name}.sum")
    norm = f"{prefix}.output.LayerNorm"
    return b.layer_norm(total, weights[f"{norm}.weight"], weights[f"{norm}.bias"], f"{name}.norm")


def build(weights, config, window):
    """The ONNX model: word vectors in int8, linear layers in float32."""
    b = Builder()
    x = embeddings(b, weights, window)
    bias = mask_bias(b)
    for index in range(config["num_hidden_layers"]):
        x = layer(b, x, bias, weights, config["num_attention_heads"], index)
    b.op("Identity", [x], "last_hidden_state")
    shape = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, shape + [config["hidden_size"]])
    graph = helper.make_graph(b.nodes, "all-MiniLM-L6-v2", inputs, [output], list(b.initializers.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
