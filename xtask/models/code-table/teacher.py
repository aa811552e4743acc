"""What MiniLM makes of sentences, and the table whose sums come closest to that.

MiniLM reads ordinary language well: which words matter, and which mean the same. Its vectors of sentences about code teach the table
that before the pairs teach it code.
"""

import json
import random

import numpy as np
import scipy.sparse as sparse

from minilm import mean_vectors, unit
from words import bags

SENTENCES = 100_000
KINDS = {"doc", "comment", "long", "prose", "change", "section", "error", "test", "keys"}
MAX_SENTENCE = 300
PRIOR = 0.3
"""How much a row holds to its token's own vector; what few sentences have stays near it."""
TURNS, ITERATIONS = 3, 15


def sentences(pairs_path, seed=4):
    """Some of the training pairs' questions, short ones first, so that batches need little padding."""
    found = {}
    with open(pairs_path) as file:
        for line in file:
            row = json.loads(line)
            if row["k"] in KINDS and not row["h"]:
                found[row["q"].split("\n")[0][:MAX_SENTENCE]] = None
    return sorted(random.Random(seed).sample(list(found), min(SENTENCES, len(found))), key=lambda said: (len(said), said))


def lesson(folder, tokenizer, said):
    """(bags of length one, MiniLM's vectors of length one) of sentences."""
    bag = bags(tokenizer, said)
    known = np.diff(bag.indptr) > 0
    lengths = np.sqrt(np.asarray(bag.multiply(bag).sum(1)).ravel()[known])
    return (sparse.diags(1 / lengths) @ bag[known]).tocsr().astype(np.float32), unit(mean_vectors(folder, said)[known])


def save(path, bag, vectors):
    sparse.save_npz(path / "lesson-bags.npz", bag, compressed=False)
    np.save(path / "lesson.npy", vectors.astype(np.float16))


def load(path):
    return sparse.load_npz(path / "lesson-bags.npz"), np.load(path / "lesson.npy").astype(np.float32)


def shortened(vectors, tokens, numbers):
    """Sentences' and tokens' vectors in the sentences' first principal components, each of length one."""
    mean = vectors.mean(0)
    directions = np.linalg.eigh((vectors - mean).T @ (vectors - mean))[1][:, ::-1][:, :numbers]
    return unit((vectors - mean) @ directions), unit((unit(tokens) - mean) @ directions)


def rare_first(rows, bag):
    """Rows long where few sentences have their token."""
    frequency, many = np.bincount(bag.indices, minlength=bag.shape[1]), bag.shape[0]
    return rows * (np.log(1 + many / (frequency + 1)) / np.log(1 + many))[:, None].astype(np.float32)


def closer(bag, wanted, rows, prior):
    """Rows whose sums are closer to what is wanted, not far from the prior: ridge regression by conjugate gradients."""
    turned = bag.T.tocsr()
    rows = rows.copy()
    rest = turned @ (wanted - bag @ rows) + PRIOR * (prior - rows)
    step, size = rest.copy(), (rest * rest).sum(0)
    for _ in range(ITERATIONS):
        down = turned @ (bag @ step) + PRIOR * step
        share = size / ((step * down).sum(0) + 1e-12)
        rows += share * step
        rest -= share * down
        before, size = size, (rest * rest).sum(0)
        step = rest + size / (before + 1e-12) * step
    return rows


def table(bag, vectors, tokens, numbers, say=print):
    """The start table. Only directions matter, so a sentence may be as long as its tokens make it."""
    wanted, prior = shortened(vectors, tokens, numbers)
    prior = rare_first(prior, bag)
    prior[0] = 0
    rows = prior
    for turn in range(TURNS):
        lengths = np.maximum((bag @ rows * wanted).sum(1, keepdims=True), 0.05)
        rows = closer(bag, lengths / lengths.mean() * wanted, rows, prior)
        say("turn", turn + 1, "cosine with the teacher", round(float((unit(bag @ rows) * wanted).sum(1).mean()), 3))
    return np.ascontiguousarray(rows, np.float32)
