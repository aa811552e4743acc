"""MiniLM's weights: read from the committed int8 file, and what training changed in them.

Training starts from the committed file, so that nothing large has to be sent to the machine that
trains. What comes back is the change, which is added to the published float32 weights: they and
the committed file's differ by a rounding that training does not depend on.
"""

import io
import zlib

import numpy as np

LAYERS, HIDDEN, HEADS = 6, 384, 12
PART = 15_000_000


def names():
    """Weights of the encoder under their published names, those of query, key and value joined."""
    yield "words"
    yield "positions"
    yield from ("norm.weight", "norm.bias")
    for layer in range(LAYERS):
        for part in ("qkv", "output", "up", "down", "attention.norm", "norm"):
            yield f"{layer}.{part}.weight"
            yield f"{layer}.{part}.bias"


def from_onnx(path):
    """The committed file's weights. Positions hold the segment's vector, as they do there."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(path)
    stored = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}

    def matrix(name):
        scale = stored[f"{name}_scale"].astype(np.float32)
        return np.ascontiguousarray((stored[f"{name}_quantized"].astype(np.float32) * scale).T)

    found = {
        "words": stored["embeddings.words"].astype(np.float32) * stored["embeddings.scales"],
        "positions": stored["embeddings.positions"],
        "norm.weight": stored["embeddings.scale"],
        "norm.bias": stored["embeddings.shift"],
    }
    for layer in range(LAYERS):
        for part, name in PARTS.items():
            found[f"{layer}.{part}.weight"] = matrix(f"layer{layer}.{name}.weight")
            found[f"{layer}.{part}.bias"] = stored[f"layer{layer}.{name}.bias"]
        for part in ("attention.norm", "norm"):
            found[f"{layer}.{part}.weight"] = stored[f"layer{layer}.{part}.scale"]
            found[f"{layer}.{part}.bias"] = stored[f"layer{layer}.{part}.shift"]
    # The query's share is divided by the root of a head's size there; here attention does that.
    for layer in range(LAYERS):
        for part in ("weight", "bias"):
            joint = found[f"{layer}.qkv.{part}"] = found[f"{layer}.qkv.{part}"].copy()
            joint[:HIDDEN] *= np.float32(np.sqrt(HIDDEN // HEADS))
    return {name: np.array(found[name], np.float32) for name in names()}


PARTS = {"qkv": "attention.qkv", "output": "attention.output", "up": "up", "down": "down"}
PUBLISHED = {
    "output": "attention.output.dense",
    "up": "intermediate.dense",
    "down": "output.dense",
    "attention.norm": "attention.output.LayerNorm",
    "norm": "output.LayerNorm",
}


def published(changes):
    """(published name, change) of all changes, query, key and value apart again."""
    yield "embeddings.word_embeddings.weight", changes["words"]
    yield "embeddings.position_embeddings.weight", changes["positions"]
    for part in ("weight", "bias"):
        yield f"embeddings.LayerNorm.{part}", changes[f"norm.{part}"]
        for layer in range(LAYERS):
            prefix = f"encoder.layer.{layer}"
            joint = np.split(changes[f"{layer}.qkv.{part}"], 3)
            for name, change in zip(("query", "key", "value"), joint):
                yield f"{prefix}.attention.self.{name}.{part}", change
            for name, full in PUBLISHED.items():
                yield f"{prefix}.{full}.{part}", changes[f"{layer}.{name}.{part}"]


def moved(weights, changes, share):
    """Published weights, moved by a share of the changes: an average of before and after."""
    weights = dict(weights)
    for name, change in published(changes):
        value = weights[name].astype(np.float32).copy()
        value[: len(change)] += np.float32(share) * change
        weights[name] = value
    return weights


def save_changes(before, after, folder, name):
    """Changes as int8 with a scale a row, in parts; returns how long the longest error is."""
    arrays, worst = {}, 0.0
    for key in before:
        change = after[key] - before[key]
        rows = change.reshape(len(change), -1)
        scale = np.abs(rows).max(1) / 127
        if change.ndim == 1:
            arrays[key] = change.astype(np.float32)
            continue
        stored = np.rint(rows / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
        error = np.linalg.norm(stored * scale[:, None] - rows) / (np.linalg.norm(rows) + 1e-12)
        worst = max(worst, float(error))
        arrays[key], arrays[f"{key}/scale"] = stored, scale.astype(np.float32)
    plain = io.BytesIO()
    np.savez(plain, **arrays)
    data = zlib.compress(plain.getvalue(), 1)
    for number, start in enumerate(range(0, len(data), PART)):
        (folder / f"{name}.{number}").write_bytes(data[start : start + PART])
    return worst


def load_changes(folder, name):
    """What save_changes wrote."""
    parts = sorted(folder.glob(f"{name}.[0-9]"))
    stored = np.load(io.BytesIO(zlib.decompress(b"".join(part.read_bytes() for part in parts))))
    found = {}
    for key in names():
        value = stored[key].astype(np.float32)
        scale = f"{key}/scale"
        found[key] = value * stored[scale][:, None] if scale in stored else value
    return found
