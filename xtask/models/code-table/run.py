"""The whole recipe, one stage after the other. A stage whose product is there is not repeated.

    run.py WORK [STAGE …]

    fetch   archives of packages.json, here and in ../code-lm, sha256 checked
    corpus  texts without copies, generated and vendored files
    tokens  the vocabulary
    pairs   questions and what answers them, as bags of tokens
    lesson  MiniLM's vectors of all tokens and of some sentences
    start   the table that comes closest to them
    train   the table; the best by held-out packages is kept
    export  ONNX, manifest and tokenizer, into the repository; conformance vectors
    report  measurements of the model card, into the recipe's folder

WORK holds archives, texts and bags. One thread; set OMP_NUM_THREADS=1 where others use the machine too.
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# After this folder, so that where both have a module of one name this one's is meant.
sys.path += [str(HERE.parent / "code-lm"), str(HERE.parent)]
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import numpy as np
import stages
from sources import corpus, fetch
from tokenizers import Tokenizer

NUMBERS = 256
MINILM = ROOT / "public/models/all-MiniLM-L6-v2-int8"


def tokens(work):
    import gather
    import words

    vocabulary = words.choose(words.count(gather.read(work / "texts.jsonl")))
    words.save(words.tokenizer_of(vocabulary), work / "tokenizer.json")


def pairs(work):
    import questions
    import table

    kinds = questions.build(work / "texts.jsonl", work / "pairs.jsonl")
    table.save_pairs(table.load(work / "pairs.jsonl", Tokenizer.from_file(str(work / "tokenizer.json"))), work)
    (work / "kinds.json").write_text(json.dumps(kinds, indent=1))


def lesson(work):
    import minilm
    import teacher

    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    teacher.save(work, *teacher.lesson(MINILM, tokenizer, teacher.sentences(work / "pairs.jsonl")))
    np.save(work / "tokens.npy", minilm.vectors_of_tokens(MINILM, tokenizer.get_vocab()))


def start(work):
    import teacher

    np.save(work / "start.npy", teacher.table(*teacher.load(work), np.load(work / "tokens.npy"), NUMBERS))


def train(work):
    import table

    trained, history = table.train(np.load(work / "start.npy"), table.load_pairs(work))
    np.save(work / "table.npy", trained)
    (work / "history.json").write_text(json.dumps(history, indent=1))


def export(work):
    import export as stage
    import table

    data = table.load_pairs(work)
    stage.run(ROOT, work, np.load(work / "table.npy"), int((~data.held_out & data.usable()).sum()))


def report(work):
    import report as stage

    stage.run(work, MINILM, HERE)


STAGES = {
    "fetch": (fetch, None),
    "corpus": (corpus, "corpus.json"),
    "tokens": (tokens, "tokenizer.json"),
    "pairs": (pairs, "kinds.json"),
    "lesson": (lesson, "tokens.npy"),
    "start": (start, "start.npy"),
    "train": (train, "table.npy"),
    "export": (export, None),
    "report": (report, None),
}


if __name__ == "__main__":
    stages.run(STAGES, sys.argv[1], sys.argv[2:])
