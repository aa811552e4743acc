"""The whole recipe, one stage after the other. A stage whose product is there is not repeated.

    run.py WORK [STAGE …]

    fetch      archives of packages.json, sha256 checked
    corpus     texts without copies, generated and vendored files; held-out packages apart
    tokens     byte-level BPE and token ids
    pairs      code and the sentences of its comments
    baselines  a 5-gram model and xz on the held-out sample
    train      next-token loss at the full rate; goes on from its last checkpoint
    decay      the rate falls to zero, on windows of the full context
    tune       AMI as a contrastive objective
    export     ONNX, manifest and conformance vectors, into the repository
    report     measurements of the model card, into the repository

WORK holds archives and checkpoints (about 3 GB). `train` takes TRAIN_MINUTES of one core, enough for 60 M tokens at
12,000 a second; ask for `train` by name to train longer, and then for `decay tune export report`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# After this folder, so that where both have a module of one name this one's is meant.
sys.path.append(str(HERE.parent))

import stages

# A try of the whole recipe takes a share of the time: CODE_LM_SHARE=0.01. What it makes is of no use.
SHARE = float(os.environ.get("CODE_LM_SHARE", "1"))
TRAIN_MINUTES, DECAY_MINUTES, TUNE_MINUTES = 80 * SHARE, 10 * SHARE, 12 * SHARE
# Large buffers are kept by the allocator: giving them back costs more than half of the speed in page faults.
ALLOCATOR = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000", "MALLOC_TOP_PAD_": "268435456"}


def packages():
    return json.loads((HERE / "packages.json").read_text())


def fetch(work):
    import fetch as stage

    stage.run(packages(), work / "archives", work / "fetch")


def corpus(work):
    import corpus as stage

    sizes = stage.build(packages(), work / "archives", work)
    (work / "corpus.json").write_text(json.dumps(sizes, indent=1))


def tokens(work):
    import tokens as stage

    from model import CONFIG

    rows = list(stage.read(work / "train.jsonl"))
    tokenizer = stage.train(rows, work / "tokenizer.json", CONFIG["vocabulary"])
    np.save(work / "train.npy", stage.stream(tokenizer, rows))


def pairs(work):
    from tokenizers import Tokenizer

    import pairs as stage
    from tokens import read

    row, _ = stage.stream(Tokenizer.from_file(str(work / "tokenizer.json")), read(work / "train.jsonl"))
    np.save(work / "pairs.npy", row)


def script(work, name, *arguments):
    """Its own process, because the allocator's settings are read at the start of one."""
    command = [sys.executable, str(HERE / name), str(work), *map(str, arguments)]
    subprocess.run(command, check=True, env=os.environ | ALLOCATOR)


def baselines(work):
    script(work, "baselines.py")


def train(work):
    script(work, "train.py", "stable", "--minutes", TRAIN_MINUTES)


def decay(work):
    script(work, "train.py", "decay", "--minutes", DECAY_MINUTES)


def tune(work):
    script(work, "tune.py", "--minutes", TUNE_MINUTES)


def export(work):
    import export as stage

    stage.run(ROOT, work, work / "tuned.pt")


def report(work):
    script(work, "report.py", ROOT)


STAGES = {
    "fetch": (fetch, "fetched"),
    "corpus": (corpus, "corpus.json"),
    "tokens": (tokens, "train.npy"),
    "pairs": (pairs, "pairs.npy"),
    "baselines": (baselines, "baselines.json"),
    "train": (train, "stable.pt"),
    "decay": (decay, "decayed.pt"),
    "tune": (tune, "tuned.pt"),
    "export": (export, None),
    "report": (report, None),
}


if __name__ == "__main__":
    stages.run(STAGES, sys.argv[1], sys.argv[2:])
