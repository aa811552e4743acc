"""fit.py PARTS.jsonl…: weights for the parts of a file's score, fitted with one repository left out after the other.

PARTS: what `footnote evaluate --parts` writes. Needs NumPy and SciPy. A softmax over a question's files, each repository
counted once; weights are drawn towards 1 (today's sum) and those of further features towards 0, by PULL.
"""

import collections
import json
import math
import sys

import numpy as np
from scipy.optimize import minimize

SHARED = [("ra_ap_", "rust-analyzer"), ("grep", "ripgrep"), ("ignore", "ripgrep"), ("globset", "ripgrep"), ("tantivy", "tantivy"),
          ("serde", "serde"), ("@trpc", "trpc")]
HUBS = ("mod.rs", "lib.rs", "__init__.py", "index.js", "index.ts", "main.rs", "main.py", "__main__.py")
SHARPNESS = 12.0


def repository(archive):
    name = archive.split(":", 1)[1].rsplit("@", 1)[0].lower()
    return next((shared for start, shared in SHARED if name.startswith(start)), name)


def features(question, names):
    files = question["files"]
    best = max(file["score"] for file in files) or 1
    most = {name: max(file["best"].get(name, 0) for file in files) or 1 for name in names}
    rows = []
    for file in files:
        parts = [file["parts"].get(name, 0) / best for name in names]
        hub = file["path"].rsplit("/", 1)[-1] in HUBS
        own = [hub, math.log2(1 + file["bytes"]) / 10 - 1.3, (file["path"].count("/") - 2) / 4, math.log1p(file["chunks"]) / 2]
        rows.append(parts + own + [file["best"].get(name, 0) / most[name] for name in ("table", "bm25", "file-meaning")])
    return np.array(rows, float)


def fit(cases, neutral, pull):
    count = collections.Counter(case["repository"] for case in cases)
    known = [case for case in cases if case["gold"].sum() > 0]

    def loss(weights):
        total, slope = 0.0, np.zeros_like(weights)
        for case in known:
            share = 1 / count[case["repository"]] / len(count)
            scores = SHARPNESS * (case["x"] @ weights)
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            wanted = case["gold"] / case["gold"].sum()
            total -= share * (wanted @ np.log(chance + 1e-12))
            slope += share * SHARPNESS * (case["x"].T @ (chance - wanted))
        away = weights - neutral
        return total + pull * away @ away, slope + 2 * pull * away

    return minimize(loss, neutral, jac=True, method="L-BFGS-B", options={"maxiter": 60}).x


def measure(case, weights):
    order = np.argsort(-(case["x"] @ weights), kind="stable")[:10]
    gain = sum(case["gold"][at] / math.log2(rank + 2) for rank, at in enumerate(order))
    return case["gold"][order[0]], gain / sum(1 / math.log2(rank + 2) for rank in range(min(10, case["n"])))


def report(name, cases, weights_of):
    found = collections.defaultdict(list)
    for case in cases:
        found[case["repository"]].append(measure(case, weights_of(case)))
    means = np.mean([np.mean(rows, axis=0) for rows in found.values()], axis=0)
    print(f"{name}: acc@1 {means[0]:.4f}, nDCG@10 {means[1]:.4f} over {len(found)} repositories")


def main(*files):
    questions = [json.loads(line) for file in files for line in open(file)]
    questions = [question for question in questions if question["files"]]
    names = sorted({name for question in questions for file in question["files"] for name in file["parts"]})
    cases = [{"repository": repository(it["archive"]), "n": it["gold"], "x": features(it, names),
              "gold": np.array([file["gold"] for file in it["files"]], float)} for it in questions]
    neutral = np.array([1.0] * len(names) + [0.0] * 7)
    report("today's sum", cases, lambda _: neutral)
    for pull in (0.01, 0.05, 0.3):
        fitted = fit(cases, neutral, pull)
        report(f"fitted, pull {pull}", cases, lambda _: fitted)
        left_out = {name: fit([it for it in cases if it["repository"] != name], neutral, pull) for name in {it["repository"] for it in cases}}
        report(f"left out, pull {pull}", cases, lambda case: left_out[case["repository"]])


if __name__ == "__main__":
    main(*sys.argv[1:])
