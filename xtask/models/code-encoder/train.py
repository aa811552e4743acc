"""Tunes MiniLM on the pairs, on one accelerator (or, for a look, on a processor).

    train.py PAIRS MODEL.onnx OUT --minutes M --variant NAME:lr=2e-5,batch=1024,… [--variant …]

PAIRS is what packed.py wrote, MODEL the committed encoder. Variants are trained one after the
other from the same start while time lasts. OUT gets each one's change of the weights in parts,
and report.json with measurements of the start, of each variant and of averages of both. Needs
PyTorch, NumPy and onnx; nothing is fetched.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "code-table"), str(HERE.parent / "code-lm")]

import bert
import packed
import weights as stored
from measure import Measure
from splits import MANUALS, TRAIN

SHARES = (0.25, 0.5, 0.75, 1.0)
"""Of the way from MiniLM to the tuned weights, for averages of both."""
WARM_UP = 0.1
DECAY = 0.01
CLIP = 1.0
SAME_DOCUMENT, SAME_QUESTION = 0.92, 0.95
"""Cosines of MiniLM from which on two documents, or questions, pass for the same."""
NEAR_LINES = 40
"""Documents of one file that begin so near each other may overlap."""
HARDEST, SKIPPED = 24, 2
"""Documents of a package from which wrong answers are drawn; the very first may be right ones."""
BROUGHT = 3
"""Variants whose changes are kept: more are too large to send."""
KEPT = 25.0
"""Seconds of the budget that a variant leaves for its measurements."""


@dataclass
class Variant:
    name: str
    lr: float = 2e-5
    batch: int = 1024
    group: int = 64
    """Pairs of a batch that are of one package."""
    hard: int = 1
    """Wrong documents a question, of its package."""
    anchor: float = 0.0
    """How much a question's vector is held to MiniLM's."""
    temperature: float = 0.05
    epochs: float = 1.0
    seed: int = 1


def variant(text):
    """NAME:key=value,… as a Variant."""
    name, _, rest = text.partition(":")
    kinds = {field.name: field.type for field in fields(Variant)}
    settings = dict(pair.split("=") for pair in rest.split(",") if pair)
    return Variant(name, **{key: kinds[key](value) for key, value in settings.items()})


def say(*words):
    print(f"[{time.monotonic() - BEGAN:6.1f} s]", *words, flush=True)


BEGAN = time.monotonic()


class Data:
    """The pairs on the device, with MiniLM's vectors of all texts."""

    def __init__(self, pairs, start, device):
        self.pairs, self.device = pairs, device
        self.questions = bert.Texts(pairs.question_tokens, pairs.question_lengths, device)
        self.documents = bert.Texts(pairs.document_tokens, pairs.document_lengths, device)
        self.key = torch.from_numpy(pairs.key).to(device)
        place = np.stack([pairs.package, pairs.source, pairs.line])
        self.place = torch.from_numpy(place).to(device)
        self.question_vectors = self.all_vectors(start, self.questions)
        say("questions read")
        self.document_vectors = self.all_vectors(start, self.documents)
        say("documents read")

    def all_vectors(self, start, texts):
        """In half precision."""
        with torch.no_grad():
            weights = bert.rounded(start, self.device)
            return bert.vectors(weights, texts, np.arange(len(texts.lengths))).half()

    def near(self, own, others):
        """Which documents may overlap with a question's own: they begin a few lines from it."""
        mine, its = self.place[:, own][:, :, None], self.place[:, others][:, None]
        near = (mine[2] - its[2]).abs() < NEAR_LINES
        near &= (mine[0] == its[0]) & (mine[1] == its[1]) & (mine[1] >= 0)
        return near | (self.key[own][:, None] == self.key[others])

    def tensor(self, rows):
        return torch.from_numpy(np.ascontiguousarray(rows)).to(self.device)


def hard_documents(data, rows):
    """[rows, HARDEST]: documents of the question's package that MiniLM takes for good answers."""
    pairs, device = data.pairs, data.device
    found = np.full((len(pairs.document), HARDEST), -1, np.int32)
    starts = np.flatnonzero(np.diff(pairs.package, prepend=-1))
    ends = np.append(starts[1:], len(pairs.package))
    package = pairs.package[pairs.document[rows]]
    manuals = np.isin(pairs.kinds[pairs.kind[rows]], MANUALS)
    for start, end in zip(starts, ends):
        of_package = package == pairs.package[start]
        mine = rows[of_package]
        if len(mine) == 0 or end - start < HARDEST + SKIPPED + 8:
            continue
        own = data.tensor(pairs.document[mine].astype(np.int64))
        there = data.document_vectors[start:end].float()
        right = data.document_vectors[own].float()
        wrong = data.question_vectors[data.tensor(mine)].float() @ there.T
        near = data.near(own, torch.arange(int(start), int(end), device=device))
        # Pieces of manuals may hold the very sentence.
        placed = data.place[1, start:end] >= 0
        near |= data.tensor(manuals[of_package])[:, None] & ~placed
        near |= right @ there.T > SAME_DOCUMENT
        best = wrong.masked_fill(near, -2).topk(HARDEST + SKIPPED).indices[:, SKIPPED:]
        found[mine] = (best + int(start)).cpu().numpy()
    return found


def batches(pairs, rows, settings, rng):
    """Groups of one package after the other, so that many wrong answers are of the right one's."""
    rank = rng.permutation(int(pairs.package.max()) + 1)
    order = rng.permutation(rows)
    order = order[np.argsort(rank[pairs.package[pairs.document[order]]], kind="stable")]
    size = settings.group
    groups = [order[at : at + size] for at in range(0, len(order) - size + 1, size)]
    rng.shuffle(groups)
    many = max(1, settings.batch // size)
    for at in range(0, len(groups) - many + 1, many):
        yield np.concatenate(groups[at : at + many])


def loss_of(data, weights, rows, hard, settings, rng):
    """A question has to be nearest to its own document, and that document to it."""
    pairs = data.pairs
    shown = pairs.document[rows].astype(np.int64)
    for _ in range(settings.hard):
        drawn = hard[rows, rng.integers(0, HARDEST, len(rows))].astype(np.int64)
        shown = np.concatenate([shown, np.unique(drawn[drawn >= 0])])
    said = bert.vectors(weights, data.questions, rows)
    found = bert.vectors(weights, data.documents, shown)
    scores = said @ found.T / settings.temperature
    forbidden = repeated(data, data.tensor(rows), data.tensor(shown))
    scores = scores.masked_fill(forbidden, -1e4)
    size = len(rows)
    own = torch.arange(size, device=data.device)
    loss = F.cross_entropy(scores, own) + F.cross_entropy(scores[:, :size].T, own)
    loss = 0.5 * loss
    if settings.anchor:
        before = data.question_vectors[data.tensor(rows)].float()
        loss = loss + settings.anchor * (1 - (said * before).sum(1).mean())
    return loss


def repeated(data, rows, shown):
    """Which documents are no wrong answers: nearly the own one, or answers to the same question."""
    size = len(rows)
    own = shown[:size]
    same = data.near(own, shown)
    documents = data.document_vectors[shown].float()
    same |= documents[:size] @ documents.T > SAME_DOCUMENT
    questions = data.question_vectors[rows].float()
    same[:, :size] |= questions @ questions.T > SAME_QUESTION
    same[:, :size].fill_diagonal_(False)
    return same


def optimiser(weights, lr, device):
    """Only matrices decay: vectors of words that no text has stay as they are."""
    matrices = [it for name, it in weights.items() if it.ndim == 2 and name[0].isdigit()]
    others = [it for name, it in weights.items() if not (it.ndim == 2 and name[0].isdigit())]
    groups = [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, fused=device.type == "cuda")


def rate(step, total):
    """Share of the learning rate: up, then down along a cosine."""
    warm = max(1, int(WARM_UP * total))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + float(np.cos(np.pi * (step - warm) / max(1, total - warm))))


def train(data, start, rows, hard, settings, deadline):
    """Tuned weights, and what was seen on the way."""
    weights = {name: value.clone().requires_grad_() for name, value in start.items()}
    steps, rng = optimiser(weights, settings.lr, data.device), np.random.default_rng(settings.seed)
    turns = int(np.ceil(settings.epochs))
    order = [it for _ in range(turns) for it in batches(data.pairs, rows, settings, rng)]
    total = max(1, int(len(order) * settings.epochs / turns))
    losses, began, recent = [], time.monotonic(), None
    for step in range(len(order)):
        if step >= total:
            break
        for group in steps.param_groups:
            group["lr"] = settings.lr * rate(step, total)
        loss = loss_of(data, bert.rounded(weights, data.device), order[step], hard, settings, rng)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), CLIP)
        steps.step()
        steps.zero_grad(set_to_none=True)
        losses.append(loss.detach())
        if step % 25 == 0 or step == total - 1:
            recent = float(torch.stack(losses[-25:]).mean())
            each = (time.monotonic() - began) / (step + 1)
            if step > 0:
                total = fitting(total, step, each, deadline)
            say(settings.name, f"step {step + 1}/{total}, loss {recent:.4f}, {each:.3f} s a step")
    found = {name: value.detach() for name, value in weights.items()}
    return found, {"steps": total, "seconds": round(time.monotonic() - began, 1), "loss": recent}


def fitting(total, step, each, deadline):
    """Fewer steps if not all of them fit into the time that is left."""
    left = int((deadline - KEPT - time.monotonic()) / each)
    return min(total, max(step + 2, step + 1 + left))


def average(start, tuned, share):
    return {name: start[name] + share * (tuned[name] - start[name]) for name in start}


def arrays(weights):
    return {name: value.float().cpu().numpy() for name, value in weights.items()}


def drop_worst(out, variants):
    """Leaves the changes of the best BROUGHT variants only."""
    there = [name for name in variants if list(out.glob(f"{name}.[0-9]"))]
    there.sort(key=lambda name: max(score(row) for row in variants[name]["shares"].values()))
    for name in there[:-BROUGHT]:
        for part in out.glob(f"{name}.[0-9]"):
            part.unlink()


def score(measured):
    """Code by package, and English at a quarter."""
    means = measured["means"]
    return (means["package"] or 0) + 0.25 * (means["english"] or 0)


def read(arguments):
    """Pairs, device, and the committed weights on it."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    pairs = packed.load(arguments.pairs)
    say(len(pairs.document), "pairs,", len(pairs.package), "documents on", device)
    return pairs, device, bert.on(device, stored.from_onnx(arguments.model))


def few(pairs, many, rng):
    """A part of the training pairs and all of the held-out ones, for a look on a processor."""
    rows = np.flatnonzero(pairs.split == TRAIN)
    return np.sort(rng.permutation(rows)[:many]) if many else rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--variant", type=variant, action="append", required=True)
    parser.add_argument("--limit", type=int, default=0, help="so many training pairs")
    arguments = parser.parse_args()
    deadline = BEGAN + 60 * arguments.minutes
    arguments.out.mkdir(parents=True, exist_ok=True)
    pairs, device, start = read(arguments)
    rows = few(pairs, arguments.limit, np.random.default_rng(1))
    data = Data(pairs, start, device)
    hard = hard_documents(data, rows)
    say(f"{(hard[rows, 0] >= 0).mean():.3f} of the pairs have hard documents")
    measure = Measure(pairs, data.questions, data.documents, data.question_vectors, device)
    report = {"pairs": len(rows), "start": measure(start), "variants": {}}
    say("start", report["start"]["means"])
    longest = 0.0
    for settings in arguments.variant:
        began = time.monotonic()
        if longest and began + 0.7 * longest > deadline:
            say(settings.name, "is left out: no time")
            continue
        tuned, seen = train(data, start, rows, hard, settings, deadline)
        lost = stored.save_changes(arrays(start), arrays(tuned), arguments.out, settings.name)
        say(settings.name, f"saved; rounding is {lost:.4f} of the change")
        entry = {"settings": vars(settings), **seen, "shares": {}}
        report["variants"][settings.name] = entry
        for share in SHARES:
            entry["shares"][str(share)] = measure(average(start, tuned, share))
            say(settings.name, share, entry["shares"][str(share)]["means"])
        drop_worst(arguments.out, report["variants"])
        (arguments.out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
        longest = max(longest, time.monotonic() - began)


if __name__ == "__main__":
    main()
