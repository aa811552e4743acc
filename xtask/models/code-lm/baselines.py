"""Bits per byte of a 5-gram model and of xz on the held-out sample that the model is measured on.

    baselines.py WORK        writes baselines.json there
"""

import json
import lzma
import math
import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from ngram import KneserNey
from tokens import END, encode_all, read

BYTES_A_LANGUAGE = 120_000
MAX_FILE = 20_000
ORDER = 5
VOCABULARY = 8192


def sample(work):
    """language → texts of the held-out packages, files in random order."""
    chosen, size = defaultdict(list), defaultdict(int)
    rows = list(read(work / "held-out.jsonl"))
    random.Random(1).shuffle(rows)
    for row in rows:
        text, language = row["text"][:MAX_FILE], row["language"]
        if size[language] < BYTES_A_LANGUAGE:
            chosen[language].append(text)
            size[language] += len(text.encode())
    return dict(sorted(chosen.items()))


def bits_per_byte(logs, texts):
    return -sum(float(part.sum()) for part in logs) / math.log(2) / sum(len(text.encode()) for text in texts)


def xz(texts):
    """(bits per byte as one stream, and file by file)."""
    files = [text.encode() for text in texts]
    size = sum(map(len, files))
    return 8 * packed(b"".join(files)) / size, 8 * sum(map(packed, files)) / size


def packed(data):
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    return len(lzma.compress(data, format=lzma.FORMAT_XZ, filters=filters))


def run(work):
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    counting = KneserNey(np.load(work / "train.npy"), ORDER, VOCABULARY)
    rows = {}
    for language, texts in sample(work).items():
        logs = [counting.log_probabilities(np.concatenate([[END], ids])) for ids in encode_all(tokenizer, texts)]
        stream, files = xz(texts)
        rows[language] = {"5-gram": bits_per_byte(logs, texts), "xz, one stream": stream, "xz, by file": files}
    (work / "baselines.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    run(Path(sys.argv[1]))
