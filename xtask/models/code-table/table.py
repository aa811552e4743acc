"""Trains the table: a question's vector has to be closer to its document's than to those of the other documents of a batch."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

BATCH, GROUP, WRONG = 2048, 256, 256
TEMPERATURE, RATE, WARM_UP = 0.05, 2e-3, 50
PASSES = 2
"""A third brings nothing on held-out packages."""
DROPPED = 0.1
"""Share of a text's tokens that are left out at each turn."""
SHARES = {"comment": 0.35, "name": 0.35, "file": 0.25, "facts": 0.5, "section": 0.5}
"""What a turn takes of the kinds that are many or easy; all of the others."""
POOL = 1000


@dataclass
class Pairs:
    questions: sparse.csr_matrix
    documents: sparse.csr_matrix
    package: np.ndarray
    kind: np.ndarray
    same: np.ndarray
    """Pairs of one number are about one document."""
    held_out: np.ndarray
    kinds: list

    def usable(self):
        return (np.diff(self.questions.indptr) > 0) & (np.diff(self.documents.indptr) > 4)


def unit(table, bag):
    sums = bag @ table
    length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
    return sums / length, length


def mrr(table, pairs, rows):
    """Mean reciprocal rank of the right document among POOL."""
    inverse = []
    for start in range(0, len(rows) - POOL // 4, POOL):
        part = rows[start : start + POOL]
        scores = unit(table, pairs.questions[part])[0] @ unit(table, pairs.documents[part])[0].T
        scores[(pairs.same[part][:, None] == pairs.same[part]) & ~np.eye(len(part), dtype=bool)] = -2
        inverse.append(1 / (scores >= np.diag(scores)[:, None]).sum(1))
    return float(np.concatenate(inverse).mean()) if inverse else float("nan")


def measure(table, pairs, seed=3):
    """MRR on held-out packages by kind, and the mean of these."""
    rng, found = np.random.default_rng(seed), {}
    held_out = np.flatnonzero(pairs.held_out & pairs.usable())
    for number, kind in enumerate(pairs.kinds):
        rows = rng.permutation(held_out[pairs.kind[held_out] == number])
        if len(rows) > POOL // 4:
            found[kind] = mrr(table, pairs, rows[: 3 * POOL])
    found["mean"] = float(np.mean(list(found.values())))
    return found


def softmax(scores, axis):
    scores = np.exp(scores - scores.max(axis, keepdims=True))
    scores /= scores.sum(axis, keepdims=True)
    return scores


def gradient(table, questions, documents, same):
    """Of the mean of the losses in both directions, for all rows; and the loss. Documents after the questions' own are wrong ones."""
    a, a_length = unit(table, questions)
    b, b_length = unit(table, documents)
    scores = a @ b.T
    scores *= 1 / TEMPERATURE
    size = len(a)
    # Another question's document that is this one's own is no wrong answer.
    repeated = same[:, None] == same
    repeated[np.arange(size), np.arange(size)] = False
    scores[:, :size][repeated] = -100
    error, by_column = softmax(scores, 1), softmax(scores[:, :size], 0)
    right = np.arange(size)
    loss = -0.5 * sum(np.log(np.maximum(chances[right, right], 1e-37)).mean() for chances in (error, by_column))
    error[:, :size] += by_column
    error *= 0.5
    error[right, right] -= 1
    error *= 1 / (size * TEMPERATURE)
    to_a, to_b = error @ b, error.T @ a
    to_a = (to_a - a * (to_a * a).sum(1, keepdims=True)) / a_length
    to_b = (to_b - b * (to_b * b).sum(1, keepdims=True)) / b_length
    both = sparse.vstack([questions, documents], format="csr")
    return both.T @ np.concatenate([to_a, to_b]), float(loss)


def thinned(bag, rng):
    """Without some of its tokens: a text's meaning must not hang on one word."""
    bag = bag.copy()
    bag.data *= rng.random(len(bag.data), np.float32) >= DROPPED
    return bag


class Adam:
    def __init__(self, table):
        self.mean, self.square, self.steps = np.zeros_like(table), np.zeros_like(table), 0

    def step(self, table, slope, rate):
        self.steps += 1
        self.mean *= 0.9
        self.mean += 0.1 * slope
        self.square *= 0.999
        slope *= slope
        slope *= 0.001
        self.square += slope
        down = np.sqrt(self.square / (1 - 0.999**self.steps))
        down += 1e-8
        np.divide(self.mean, down, out=down)
        down *= rate / (1 - 0.9**self.steps)
        table -= down


def batches(pairs, rng):
    """Groups of one package after the other, so that many wrong answers are of the package that the right one is of."""
    share = np.array([SHARES.get(kind, 1) for kind in pairs.kinds])[pairs.kind]
    rows = rng.permutation(np.flatnonzero(~pairs.held_out & pairs.usable() & (rng.random(len(share)) < share)))
    packages = rng.permutation(pairs.package.max() + 1)
    order = rows[np.argsort(packages[pairs.package[rows]], kind="stable")]
    groups = [order[at : at + GROUP] for at in range(0, len(order) - GROUP + 1, GROUP)]
    rng.shuffle(groups)
    many = BATCH // GROUP
    for at in range(0, len(groups) - many + 1, many):
        yield np.concatenate(groups[at : at + many])


def distractors(pairs):
    """package → its documents without a question."""
    rows = np.flatnonzero((np.diff(pairs.questions.indptr) == 0) & (np.diff(pairs.documents.indptr) > 4) & ~pairs.held_out)
    rows = rows[np.argsort(pairs.package[rows], kind="stable")]
    names, starts = np.unique(pairs.package[rows], return_index=True)
    return dict(zip(names.tolist(), np.split(rows, starts[1:])))


def wrong(pairs, batch, found, rng):
    """Some of the distractors of the packages that a batch is of."""
    packages = [package for package in pairs.package[rng.choice(batch, WRONG)].tolist() if package in found]
    return np.array([rng.choice(found[package]) for package in packages], np.int64)


def train(table, pairs, passes=PASSES, say=print):
    """The best table by held-out MRR, and what was measured."""
    rng, adam, without = np.random.default_rng(1), Adam(table), distractors(pairs)
    total = len(list(batches(pairs, np.random.default_rng(1)))) * passes
    history = [measure(table, pairs)]
    say("start", rounded(history[0]))
    best = table.copy()
    for turn in range(passes):
        losses = []
        for batch in batches(pairs, rng):
            rate = RATE * min(1, (adam.steps + 1) / WARM_UP) * max(0.02, 1 - adam.steps / total)
            shown = np.concatenate([batch, wrong(pairs, batch, without, rng)])
            questions, documents = thinned(pairs.questions[batch], rng), thinned(pairs.documents[shown], rng)
            slope, loss = gradient(table, questions, documents, pairs.same[batch])
            adam.step(table, slope, rate)
            losses.append(loss)
        history.append(measure(table, pairs) | {"loss": float(np.mean(losses))})
        say("pass", turn + 1, rounded(history[-1]))
        if history[-1]["mean"] == max(one["mean"] for one in history):
            best = table.copy()
    return best, history


def rounded(found):
    return {key: round(value, 3) for key, value in found.items()}


def load(pairs_path, tokenizer):
    """Bags of all pairs. Texts are read in portions: all of them together do not fit."""
    from words import bags

    packages, kinds, same = {}, {}, {}
    columns, parts, texts = defaultdict(list), defaultdict(list), ([], [])

    def flush():
        for name, some in zip(("questions", "documents"), texts):
            if some:
                parts[name].append(bags(tokenizer, some))
                some.clear()

    with open(pairs_path) as file:
        for line in file:
            row = json.loads(line)
            texts[0].append(row["q"])
            texts[1].append(row["d"])
            columns["package"].append(packages.setdefault(row["p"], len(packages)))
            columns["kind"].append(kinds.setdefault(row["k"], len(kinds)))
            columns["same"].append(same.setdefault((row["p"], row["i"]), len(same)))
            columns["held_out"].append(row["h"])
            if len(texts[0]) == 20_000:
                flush()
    flush()
    stacked = [sparse.vstack(parts[name], format="csr") for name in ("questions", "documents")]
    arrays = [np.array(columns[name]) for name in ("package", "kind", "same", "held_out")]
    return Pairs(*stacked, *arrays, list(kinds))


def save_pairs(pairs, folder):
    sparse.save_npz(folder / "questions.npz", pairs.questions, compressed=False)
    sparse.save_npz(folder / "documents.npz", pairs.documents, compressed=False)
    names = ("package", "kind", "same", "held_out")
    np.savez(folder / "pairs.npz", kinds=np.array(pairs.kinds), **{name: getattr(pairs, name) for name in names})


def load_pairs(folder):
    rest = np.load(folder / "pairs.npz")
    bags = [sparse.load_npz(folder / f"{name}.npz") for name in ("questions", "documents")]
    arrays = [rest[name] for name in ("package", "kind", "same", "held_out")]
    return Pairs(*bags, *arrays, [str(kind) for kind in rest["kinds"]])


def counts(pairs):
    """Pairs by kind and split."""
    split = np.where(pairs.held_out, "held out", "training")
    return dict(Counter(zip(split[pairs.usable()].tolist(), np.array(pairs.kinds)[pairs.kind[pairs.usable()]].tolist())))
