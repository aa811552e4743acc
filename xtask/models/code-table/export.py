"""Writes the model's folder (int8 ONNX, tokenizer, manifest, licence) and the vectors that tests compare with."""

import hashlib
import json

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from cases import TEXTS
from minilm import session
from words import MAX_CHARACTERS, MAX_WORD, UNKNOWN, bag

ID = "footnote-code-table-1"
OPSET = 17
MAX_BYTES = 12_000_000
SMALLEST = 1e-12
"""Squared length of a text without tokens, so that its vector is zeros."""


def quantise(table):
    """int8 and one scale a row: the length of a row says how much its token matters, so rows cannot share one."""
    scales = np.abs(table).max(1) / 127
    divisors = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(table / divisors).astype(np.int8), scales.astype(np.float32)


def graph(table, scales):
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "ids"], ["rows_int8"]),
        node("Cast", ["rows_int8"], ["rows"], to=TensorProto.FLOAT),
        node("Gather", ["scales", "ids"], ["row_scales"]),
        node("Mul", ["row_scales", "weights"], ["factors"]),
        node("Unsqueeze", ["factors", "last"], ["columns"]),
        node("Mul", ["rows", "columns"], ["weighted"]),
        node("ReduceSum", ["weighted", "tokens"], ["sums"], keepdims=0),
        node("Mul", ["sums", "sums"], ["squares"]),
        node("ReduceSum", ["squares", "last"], ["lengths_squared"], keepdims=1),
        node("Max", ["lengths_squared", "smallest"], ["lengths_not_zero"]),
        node("Sqrt", ["lengths_not_zero"], ["lengths"]),
        node("Div", ["sums", "lengths"], ["embedding"]),
    ]
    constants = {
        "table": table,
        "scales": scales,
        "last": np.array([-1], np.int64),
        "tokens": np.array([1], np.int64),
        "smallest": np.array([SMALLEST], np.float32),
    }
    built = helper.make_graph(
        nodes,
        ID,
        [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"]),
            helper.make_tensor_value_info("weights", TensorProto.FLOAT, ["batch", "tokens"]),
        ],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", table.shape[1]])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="footnote")
    model.ir_version = 8
    onnx.checker.check_model(model, full_check=True)
    return model


def embed(runner, ids, weights):
    inputs = {"ids": np.asarray(ids, np.int64)[None], "weights": np.asarray(weights, np.float32)[None]}
    return runner.run(None, inputs)[0][0]


def write_model(folder, table):
    onnx.save(graph(*quantise(table)), folder / "model.onnx")
    size = (folder / "model.onnx").stat().st_size
    assert size <= MAX_BYTES, f"{size} bytes are more than {MAX_BYTES}"


def write_manifest(folder, table, training):
    manifest = {
        "id": ID,
        "dimension": table.shape[1],
        "vocabulary": table.shape[0],
        "max_characters": MAX_CHARACTERS,
        "max_word": MAX_WORD,
        "unknown": UNKNOWN,
        "pooling": "sum of rows, each times the square root of its token's count",
        "normalize": True,
        "opset": OPSET,
        "inputs": {
            "ids": {"type": "int64", "shape": ["batch", "tokens"], "meaning": "the tokens of a text, each once, in order"},
            "weights": {"type": "float32", "shape": ["batch", "tokens"], "meaning": "square roots of their counts; 0 pads"},
        },
        "outputs": {"embedding": {"type": "float32", "shape": ["batch", table.shape[1]]}},
        "initializers": {"table": "int8, one row a token", "scales": "float32, one a row: a row's values are int8 times it"},
        "files": {name: file_entry(folder / name) for name in ("model.onnx", "tokenizer.json")},
        "recipe": "xtask/models/code-table",
        "provenance": {
            "license": "MIT",
            "built_by": "python xtask/models/code-table/run.py WORK",
            "data": ["xtask/models/code-table/packages.json", "xtask/models/code-lm/packages.json"],
            "start": "all-MiniLM-L6-v2-int8",
            "training_pairs": training,
            "card": "xtask/models/code-table/MODEL_CARD.md",
        },
    }
    (folder / "model.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def file_entry(path):
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def write_vectors(folder, path):
    """Ids, weights and vectors of texts that are hard in one way or another, for other implementations to agree with."""
    tokenizer, runner = Tokenizer.from_file(str(folder / "tokenizer.json")), session(folder / "model.onnx")
    cases = []
    for text in TEXTS:
        ids, weights = bag(tokenizer, text)
        vector = [round(float(value), 6) for value in embed(runner, ids, weights)]
        case = {"text": text, "ids": ids.tolist(), "weights": [round(float(weight), 6) for weight in weights], "vector": vector}
        cases.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    head = json.dumps({"runtime": f"onnxruntime {onnxruntime.__version__}", "model": ID})
    path.write_text(head[:-1] + ', "cases": [\n' + ",\n".join(cases) + "\n]}\n", encoding="utf-8")


def run(root, work, table, training):
    folder = root / f"public/models/{ID}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_bytes((work / "tokenizer.json").read_bytes())
    write_model(folder, table)
    write_manifest(folder, table, training)
    # The model is part of Footnote and under its licence, MIT.
    (folder / "LICENSE").write_bytes((root / "xtask/models/code-lm/LICENSE").read_bytes())
    write_vectors(folder, root / "tests/fixtures/embeddings/table.json")
