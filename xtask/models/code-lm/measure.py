"""Bits per byte on held-out packages, by language: the model and its int8 form beside the baselines; and what repeats cost.

    measure.py WORK CHECKPOINT MODEL_FOLDER
"""

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

import export
from baselines import bits_per_byte, sample
from model import CONFIG
from tokens import END, encode_all

STRIDE = 384
NEAR = 128
IDENTIFIER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{4,}")


def windows(ids, context):
    """(start, end, first scored) so that every token but the first is scored once, with at least context − STRIDE before it."""
    start = 0
    while True:
        end = min(start + context, len(ids))
        yield start, end, 1 if start == 0 else context - STRIDE
        if end == len(ids):
            return
        start += STRIDE


def file_logs(score, ids):
    """Natural logarithms for every token of a file, by a function that scores one window."""
    row = np.concatenate([[END], ids]).astype(np.int64)
    parts = [score(row[start:end])[first - 1 :] for start, end, first in windows(row, CONFIG["context"])]
    return np.concatenate(parts)


def torch_scorer(model):
    def score(row):
        with torch.no_grad():
            return model(torch.from_numpy(row)[None])[0].numpy()

    return score


def onnx_scorer(path):
    runner = export.session(path)
    return lambda row: export.log_probabilities(runner, row)


def repeats(tokenizer, texts, logs, costs):
    """Adds (first token, later tokens) costs of identifiers at their first and later occurrences in a file."""
    for text, values in zip(texts, logs):
        encoding = tokenizer.encode(text)
        data, seen = text.encode(), {}
        starts = byte_starts(text, encoding)
        for match in IDENTIFIER.finditer(data):
            first, last = np.searchsorted(starts, [match.start(), match.end()])
            if last - first < 2 or int(starts[first]) != match.start():
                continue
            near = match.group() in seen and first - seen[match.group()] < NEAR
            kind = "repeated" if near else "first" if match.group() not in seen else None
            seen[match.group()] = first
            if kind:
                costs[kind, "first token"].append(-values[first])
                costs[kind, "later tokens"] += (-values[first + 1 : last]).tolist()


def byte_starts(text, encoding):
    """Byte offset of every token; a leading space is left out, so that a token starts with its word."""
    offsets = np.array([start for start, _ in encoding.offsets])
    lengths = np.cumsum([0] + [len(character.encode()) for character in text])
    spaces = np.array([text[start : start + 1] == " " and end - start > 1 for start, end in encoding.offsets])
    return lengths[offsets] + spaces


def run(work, checkpoint, folder):
    torch.set_num_threads(1)
    model, state = export.load(checkpoint)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    baselines = json.loads((work / "baselines.json").read_text())
    scorers = {"model": torch_scorer(model), "int8": onnx_scorer(folder / "model.onnx")}
    report = {"training_tokens": state["tokens"], "languages": {}}
    costs, sums = defaultdict(list), defaultdict(lambda: [0.0, 0])
    for language, texts in sample(work).items():
        ids = list(encode_all(tokenizer, texts))
        size = sum(len(text.encode()) for text in texts)
        logs = {name: [file_logs(score, row) for row in ids] for name, score in scorers.items()}
        row = {name: bits_per_byte(values, texts) for name, values in logs.items()} | baselines[language]
        repeats(tokenizer, texts, logs["model"], costs)
        for name, value in row.items():
            sums[name][0] += value * size
            sums[name][1] += size
        report["languages"][language] = {"bytes": size} | {name: round(value, 4) for name, value in row.items()}
    report["all"] = {name: round(total / size, 4) for name, (total, size) in sums.items()}
    report["repeats"] = {" ".join(key): {"nats": round(float(np.mean(v)), 3), "n": len(v)} for key, v in costs.items()}
    return report


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("work", type=Path)
    arguments.add_argument("checkpoint", type=Path)
    arguments.add_argument("folder", type=Path)
    given = arguments.parse_args()
    print(json.dumps(run(given.work, given.checkpoint, given.folder), indent=1))
