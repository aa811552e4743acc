"""The whole recipe, one stage after the other. A stage whose product is there is not repeated.

    run.py WORK [STAGE …]

    fetch   archives of the packages of ../code-table, sha256 checked
    corpus  texts without copies, generated and vendored files, as there
    mine    questions and what answers them, as there, and English of manuals
    pack    the pairs that are trained on, tokenised, in parts to send
    train   by hand, on one accelerator (MODEL_CARD.md); this checks that its results are there
    export  ONNX, manifest and tokenizer of the variant in chosen.json, into WORK

WORK holds archives, texts, pairs and what the training gave (WORK/tuned).
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# After this folder, so that where both have a module of one name this one's is meant.
sys.path += [str(HERE.parent / name) for name in ("code-table", "", "code-lm")]
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

import stages
from sources import corpus, fetch
from tokenizers import Tokenizer

MINILM = ROOT / "public/models/all-MiniLM-L6-v2-int8"


def mine(work):
    import mine as stage

    kinds = stage.build(work / "texts.jsonl", work / "mined.jsonl")
    (work / "mined.json").write_text(json.dumps(kinds, indent=1))


def pack(work):
    import choose
    import packed

    tokenizer = Tokenizer.from_file(str(MINILM / "tokenizer.json"))
    pairs = packed.gather(choose.rows(work / "mined.jsonl"), tokenizer)
    print(packed.described(pairs))
    print(packed.save(pairs, work / "packed"))


def train(work):
    if not list((work / "tuned").glob("*.0")):
        sys.exit("train.py has to be run on an accelerator first; MODEL_CARD.md says how")


def export(work):
    import export as stage

    chosen = json.loads((HERE / "chosen.json").read_text())
    stage.run(work, chosen["variant"], chosen["share"], work / stage.ID)


STAGES = {
    "fetch": (fetch, None),
    "corpus": (corpus, "corpus.json"),
    "mine": (mine, "mined.json"),
    "pack": (pack, "packed/parts.json"),
    "train": (train, None),
    "export": (export, None),
}


if __name__ == "__main__":
    stages.run(STAGES, sys.argv[1], sys.argv[2:])
