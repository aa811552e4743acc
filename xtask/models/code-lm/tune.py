"""Fine-tunes for what the model is for: AMI(b, q), how much a block tells about a question.

Among the blocks of an example, the one that the question is about should leave the question least surprising: a softmax
over −NLL(q | b) of the candidates (InfoNCE with the negative log-likelihood as score). Half of the work is plain
next-token loss on ordinary windows, so that perplexities stay sound.

    tune.py WORK --minutes 15        from decayed.pt to tuned.pt
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import contrast
import optimiser
import train
from loss import CrossEntropy
from model import CodeModel
from tokens import END, SEPARATOR, encode_all, read

ROW_TOKENS, BLOCK_TOKENS, QUESTION_TOKENS = 96, 74, 20
EXAMPLES, CANDIDATES = 20, 4
LANGUAGE_TOKENS, LANGUAGE_LENGTH = 4096, 256
EACH = 1500
# A tenth of the full rate: at 0.3 the plain prediction lost 0.035 bits per byte for no better order of blocks.
RATE = 0.1
CONTRAST_WEIGHT = 1.0


def encoded_examples(work):
    """[(question ids, [positive ids], [negative ids])] of the training packages, made once."""
    path = work / "contrast.json"
    if path.is_file():
        return json.loads(path.read_text())
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    found = contrast.collect(read(work / "train.jsonl"), EACH)
    texts = [text for e in found for text in (e.question, *e.positives, *e.negatives)]
    ids = iter(encode_all(tokenizer, texts))
    rows = []
    for e in found:
        question = next(ids).tolist()
        positives = [next(ids).tolist() for _ in e.positives]
        rows.append((question, positives, [next(ids).tolist() for _ in e.negatives]))
    path.write_text(json.dumps(rows))
    return rows


def pack(rows, length):
    """(ids [rows, length], row and position of every question token, its id), padded on the right."""
    ids = np.full((len(rows), length), END, dtype=np.int64)
    places, targets = [], []
    for number, (block, question) in enumerate(rows):
        row = [END, *block, SEPARATOR, *question]
        ids[number, : len(row)] = row
        start = len(block) + 1
        places += [(number, start + offset) for offset in range(len(question))]
        targets += question
    return torch.from_numpy(ids), torch.tensor(places), torch.tensor(targets)


def question_loss(hidden, embedding, ids, places, targets, rows):
    """Mean negative log-likelihood of each row's question."""
    states = hidden(ids)[places[:, 0], places[:, 1]]
    each = F.cross_entropy((states @ embedding.t()).float(), targets, reduction="none")
    total = torch.zeros(rows).index_add(0, places[:, 0], each)
    return total / torch.bincount(places[:, 0], minlength=rows)


def draw(examples, rng):
    """EXAMPLES × CANDIDATES rows, the positive first in each group."""
    rows = []
    while len(rows) < EXAMPLES * CANDIDATES:
        question, positives, negatives = examples[rng.randrange(len(examples))]
        if len(question) < 3 or len(negatives) < 2:
            continue
        positive = rng.choice(positives)
        others = [negatives[i % len(negatives)] for i in rng.sample(range(max(len(negatives), CANDIDATES)), CANDIDATES - 1)]
        rows += [(block[:BLOCK_TOKENS], question[:QUESTION_TOKENS]) for block in (positive, *others)]
    return rows


def contrastive_loss(model, hidden, scale, rows):
    ids, places, targets = pack(rows, ROW_TOKENS)
    losses = question_loss(hidden, model.tokens.to(torch.bfloat16), ids, places, targets, len(rows))
    scores = -losses.view(EXAMPLES, CANDIDATES) * scale.exp()
    right = (scores.argmax(1) == 0).float().mean()
    return F.cross_entropy(scores, torch.zeros(EXAMPLES, dtype=torch.long)), right


def language_loss(model, hidden, code, pairs):
    rows = LANGUAGE_TOKENS // LANGUAGE_LENGTH
    windows = torch.from_numpy(
        np.concatenate([code.windows(rows - rows // 4, LANGUAGE_LENGTH), pairs.windows(rows // 4, LANGUAGE_LENGTH)])
    )
    states = hidden(windows[:, :-1])
    return CrossEntropy.apply(states.reshape(-1, states.shape[-1]), model.tokens, windows[:, 1:].reshape(-1))


def run(work, minutes):
    torch.set_num_threads(1)
    rng = random.Random(17)
    examples = encoded_examples(work)
    model = CodeModel()
    optimisers = optimiser.build(model)
    state = train.restore(work / "decayed.pt", model, optimisers)
    scale = torch.nn.Parameter(torch.tensor(5.0).log())
    optimisers.append(torch.optim.Adam([{"params": [scale], "lr": 0.01, "full_rate": 0.01}]))
    code, pairs = train.streams(work)
    code.taken, pairs.taken = state["code"], state["pairs"]
    hidden = torch.compile(lambda ids: model.hidden(ids, torch.bfloat16), dynamic=False)
    log, begin, seen, sums = open(work / "tune.jsonl", "a"), time.time(), 0, np.zeros(3)
    while (done := (time.time() - begin) / 60 / minutes) < 1.0:
        optimiser.set_rate(optimisers, RATE * min(1.0, (seen + 1) / 30) * (1.0 - done))
        contrastive, right = contrastive_loss(model, hidden, scale, draw(examples, rng))
        language = language_loss(model, hidden, code, pairs)
        (CONTRAST_WEIGHT * contrastive + language).backward()
        for o in optimisers:
            o.step()
            o.zero_grad(set_to_none=True)
        seen += 1
        sums += (contrastive.item(), right.item(), language.item())
        if seen % 20 == 0:
            names = ("contrastive", "right", "language")
            row = dict(zip(names, (sums / 20).round(4).tolist())) | {"step": seen, "scale": round(scale.exp().item(), 2)}
            log.write(json.dumps(row | {"seconds": round(time.time() - begin)}) + "\n")
            log.flush()
            sums[:] = 0
    state["tokens"] += seen * LANGUAGE_TOKENS
    state |= {"tuning_steps": seen, "tuning_examples": seen * EXAMPLES}
    train.remember(work / "tuned.pt", model, optimisers[:2], state, code, pairs)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("work", type=Path)
    arguments.add_argument("--minutes", type=float, required=True)
    given = arguments.parse_args()
    run(given.work, given.minutes)
