"""Measures what the model card shows, and writes report.json and the tables of the card."""

import json
from pathlib import Path

import numpy as np
import minilm
import table
from export import quantise
from sources import packages
from stages import fill

EACH = 200
"""Held-out pairs of a kind for MiniLM, which takes its time."""


def dequantised(rows):
    stored, scales = quantise(rows)
    return stored * scales[:, None]


def held_out_texts(path):
    """(number of the pair, kind, key, question, document) of the held-out pairs."""
    with open(path) as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            if row["h"]:
                yield number, row["k"], (row["p"], row["i"]), row["q"], row["d"]


def sample(work, data):
    """kind → at most EACH held-out pairs, the same for every model."""
    rng, usable, kinds = np.random.default_rng(7), data.usable(), {}
    for pair in held_out_texts(work / "pairs.jsonl"):
        if usable[pair[0]]:
            kinds.setdefault(pair[1], []).append(pair)
    chosen = {kind: [found[at] for at in rng.permutation(len(found))[:EACH]] for kind, found in kinds.items()}
    return {kind: found for kind, found in chosen.items() if len(found) > EACH // 4}


def by_minilm(folder, chosen):
    """MRR of MiniLM on a sample."""
    texts = [[pair[column] for pair in chosen] for column in (3, 4)]
    questions, documents = (minilm.mean_vectors(folder, some) for some in texts)
    scores = minilm.unit(questions) @ minilm.unit(documents).T
    return mrr(scores, [pair[2] for pair in chosen])


def mrr(scores, keys):
    for at, key in enumerate(keys):
        scores[at, [other for other, its in enumerate(keys) if its == key and other != at]] = -2
    return float((1 / (scores >= np.diag(scores)[:, None]).sum(1)).mean())


def by_table(rows, data, chosen):
    numbers = [pair[0] for pair in chosen]
    scores = table.unit(rows, data.questions[numbers])[0] @ table.unit(rows, data.documents[numbers])[0].T
    return mrr(scores, [pair[2] for pair in chosen])


def measure(work, folder):
    data, begin, trained = table.load_pairs(work), np.load(work / "start.npy"), np.load(work / "table.npy")
    models = {"start": begin, "trained": trained, "int8": dequantised(trained)}
    found = {}
    for kind, chosen in sample(work, data).items():
        found[kind] = {name: by_table(rows, data, chosen) for name, rows in models.items()}
        found[kind]["MiniLM"] = by_minilm(folder, chosen)
        found[kind]["pairs"] = len(chosen)
    return found, table.counts(data)


def rank_table(found):
    lines = ["| kind | held-out pairs | start | trained | int8 | MiniLM |", "|---|---|---|---|---|---|"]
    names = ("start", "trained", "int8", "MiniLM")
    for kind, row in sorted(found.items()):
        lines.append(f"| {kind} | {row['pairs']} | " + " | ".join(f"{row[name]:.3f}" for name in names) + " |")
    means = (np.mean([row[name] for row in found.values()]) for name in names)
    return "\n".join([*lines, "| **mean** | | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"])


def pair_table(counts):
    kinds = sorted({kind for _, kind in counts})
    rows = [f"| {kind} | {counts.get(('training', kind), 0):,} | {counts.get(('held out', kind), 0):,} |" for kind in kinds]
    totals = [sum(count for (split, _), count in counts.items() if split == name) for name in ("training", "held out")]
    return "\n".join(["| kind | training | held out |", "|---|---|---|", *rows, f"| **all** | {totals[0]:,} | {totals[1]:,} |"])


def data_table(sizes, listed):
    names = {"crates": "Rust crates", "npm": "npm packages", "pypi": "Python source distributions"}
    lines = ["| | packages | of them held out | MB of training text |", "|---|---|---|---|"]
    for registry, size in sizes["registry"].items():
        some = [row for row in listed if row["registry"] == registry]
        held_out = sum(row["held_out"] for row in some)
        lines.append(f"| {names[registry]} | {len(some)} | {held_out} | {size / 1e6:.0f} |")
    return "\n".join(lines)


def language_line(sizes):
    ranked = sorted(sizes["language"].items(), key=lambda entry: -entry[1])
    return "MB of training text: " + ", ".join(f"{language} {size / 1e6:.1f}" for language, size in ranked) + "."


def run(work, folder, here):
    sizes = json.loads((work / "corpus.json").read_text())
    found, counts = measure(work, folder)
    result = {"mrr": found, "pairs": {f"{split}, {kind}": count for (split, kind), count in sorted(counts.items())}, "bytes": sizes}
    result["history"] = json.loads((work / "history.json").read_text())
    (here / "report.json").write_text(json.dumps(result, indent=1) + "\n")
    card = here / "MODEL_CARD.md"
    tables = {"ranks": rank_table(found), "pairs": pair_table(counts), "data": data_table(sizes, packages())}
    card.write_text(fill(card.read_text(), tables | {"languages": language_line(sizes)}))
