"""Writes the model's folder (int8 ONNX, tokenizer, manifest, licence) and the log-probabilities that tests compare with."""

import hashlib
import json

import numpy as np
import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer

import graph
from model import CONFIG, CodeModel
from tokens import END, SEPARATOR, SPECIAL, encode_all

NAME = "footnote-code-lm"
VERSION = "1"
MAX_BYTES = 8_000_000
SNIPPETS, SNIPPET_TOKENS = 100, 64


def load(checkpoint):
    model = CodeModel()
    saved = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(saved["model"])
    return model.eval(), saved["state"]


def weights_of(model):
    return {name: value.detach().numpy() for name, value in model.state_dict().items()}


def session(path, plain=False):
    """onnxruntime on one thread; `plain`: no rewriting, so that the result is that of the graph as it is written."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if plain:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def log_probabilities(runner, ids):
    """Of every token but the first of one row."""
    positions = np.arange(len(ids) - 1, dtype=np.int64)[None]
    return runner.run(None, {"ids": np.asarray(ids, dtype=np.int64)[None], "positions": positions})[0][0]


def write_models(model, work, folder):
    """The f32 graph stays in the work folder; the int8 graph is the one that ships."""
    weights = weights_of(model)
    for path, int8 in ((work / "model-f32.onnx", False), (folder / "model.onnx", True)):
        built = graph.build(weights, CONFIG, int8)
        onnx.checker.check_model(built)
        onnx.save(built, path)
    size = (folder / "model.onnx").stat().st_size
    assert size <= MAX_BYTES, f"{size} bytes are more than {MAX_BYTES}"


def write_manifest(folder, training):
    manifest = {
        "id": f"{NAME}-{VERSION}",
        "name": NAME,
        "version": VERSION,
        "context": CONFIG["context"],
        "vocabulary": CONFIG["vocabulary"],
        "tokens": {"end": END, "separator": SEPARATOR, "names": SPECIAL},
        "format": "every row is <end> text, or <end> code <separator> sentence; a sentence without code is "
        "<end> <separator> sentence. Texts are encoded without adding tokens, and what looks like one of ours inside "
        "a text is ordinary text (set_encode_special_tokens).",
        "opset": graph.OPSET,
        "inputs": {
            "ids": {"type": "int64", "shape": ["batch", "tokens"], "max_tokens": graph.MAX_TOKENS},
            "positions": {
                "type": "int64",
                "shape": ["batch", "scored"],
                "meaning": "p asks for the log-probability of ids[p + 1] given ids[0..=p]; 0 ≤ p < tokens − 1",
            },
        },
        "outputs": {"log_probabilities": {"type": "float32", "shape": ["batch", "scored"], "unit": "nat"}},
        "files": {name: file_entry(folder / name) for name in ("model.onnx", "tokenizer.json")},
        "provenance": {
            "license": "MIT",
            "built_by": "cargo xtask models code-lm",
            "data": "xtask/models/code-lm/packages.json",
            "training_tokens": training["tokens"],
            "card": "xtask/models/code-lm/MODEL_CARD.md",
        },
    }
    (folder / "model.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def file_entry(path):
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def snippets(tokenizer, fixtures):
    """(block, text, ids) of at most SNIPPET_TOKENS tokens from the project's own sample sources. Every fifth has a block
    before the separator. All of them are what the tokenizer makes of their text, so that texts can be compared too."""
    paths = [p for p in sorted(fixtures.rglob("*")) if p.is_file() and p.name != "expected.txt"]
    rows = [ids.tolist() for ids in encode_all(tokenizer, [p.read_text("utf-8") for p in paths])]
    rng = np.random.default_rng(9)
    cases = []
    while len(cases) < SNIPPETS:
        ids = rows[len(cases) % len(rows)]
        length = int(rng.integers(2, SNIPPET_TOKENS))
        start = int(rng.integers(max(1, len(ids) - length)))
        taken = ids[start : start + length]
        cut = len(taken) * 2 // 3 if len(cases) % 5 == 4 else 0
        block, text = (tokenizer.decode(part, skip_special_tokens=False) for part in (taken[:cut], taken[cut:]))
        if [ids.tolist() for ids in encode_all(tokenizer, [block, text])] != [taken[:cut], taken[cut:]]:
            continue
        sign = [SEPARATOR] if cut else []
        cases.append((block if cut else None, text, [END, *taken[:cut], *sign, *taken[cut:]]))
    return cases


def tokenised(tokenizer, fixtures):
    """Texts with their ids, so that another tokenizer can be compared: the sample sources' first lines, and oddities."""
    paths = [p for p in sorted(fixtures.rglob("*")) if p.is_file() and p.name != "expected.txt"]
    texts = [p.read_text("utf-8")[:160] for p in paths[::2]]
    texts += ["", " ", "\r\n\tx\r\n\r\n  y", "naïve Größe 名前 🦀 e\u0301", "HTTPServerError2XX __init__ a--b", "<|end|> <|about|>"]
    for text, ids in zip(texts, encode_all(tokenizer, texts)):
        yield json.dumps({"text": text, "ids": ids.tolist()}, ensure_ascii=False, separators=(",", ":"))


def write_conformance(folder, fixtures, path):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    runner = session(folder / "model.onnx", plain=True)
    cases = []
    for block, text, ids in snippets(tokenizer, fixtures):
        values = [round(float(value), 5) for value in log_probabilities(runner, ids)]
        case = {"block": block, "text": text, "ids": ids, "log_probabilities": values}
        cases.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    head = json.dumps({"runtime": f"onnxruntime {onnxruntime.__version__}", "model": f"{NAME}-{VERSION}"})
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = ",\n".join(tokenised(tokenizer, fixtures))
    body = head[:-1] + ', "cases": [\n' + ",\n".join(cases) + '\n], "texts": [\n' + texts + "\n]}\n"
    path.write_text(body, encoding="utf-8")


def write_licence(root, folder):
    """The model is part of Footnote and under its licence, MIT."""
    (folder / "LICENSE").write_text((root / "xtask/models/code-lm/LICENSE").read_text())


def run(root, work, checkpoint):
    folder = root / f"public/models/{NAME}-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    model, training = load(checkpoint)
    tokenizer = json.loads((work / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    write_models(model, work, folder)
    write_manifest(folder, training)
    write_licence(root, folder)
    write_conformance(folder, root / "tests/fixtures/languages", root / "tests/fixtures/code-lm/conformance.json")
    return folder
