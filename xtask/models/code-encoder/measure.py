"""How well weights find held-out documents, and how far they have moved from MiniLM."""

import numpy as np
import torch

import bert
from splits import PLAIN, TRAIN

BEST = 10


def ranks(questions, documents, own, forbidden):
    """Rank of each question's own document; `forbidden` ones are no rivals."""
    scores = (questions @ documents.T).masked_fill(forbidden, -2)
    right = scores.gather(1, own[:, None])
    return 1 + (scores > right).sum(1)


def summary(found):
    found = found.float()
    inside = (found <= BEST).float()
    return {
        "mrr": round(float((inside / found).mean()), 4),
        "recall": round(float(inside.mean()), 4),
        "questions": len(found),
    }


class Measure:
    """Held-out questions of each kind, among the documents of the kind and of the package."""

    def __init__(self, pairs, questions, documents, base, device):
        self.pairs, self.questions, self.documents = pairs, questions, documents
        self.base, self.device = base, device
        self.rows = np.flatnonzero(pairs.split != TRAIN)
        self.shown = np.unique(pairs.document[self.rows])
        self.package = torch.from_numpy(pairs.package[self.shown]).to(device)
        self.key = torch.from_numpy(pairs.key[self.shown]).to(device)

    def __call__(self, weights):
        with torch.no_grad():
            return self.measured(bert.rounded(weights, self.device))

    def measured(self, weights):
        said = bert.vectors(weights, self.questions, self.rows)
        shown = bert.vectors(weights, self.documents, self.shown)
        found = {}
        for split, kind in sorted({*zip(self.pairs.split[self.rows], self.pairs.kind[self.rows])}):
            at = np.flatnonzero(
                (self.pairs.split[self.rows] == split) & (self.pairs.kind[self.rows] == kind)
            )
            if len(at) > 50:
                label = str(self.pairs.kinds[kind]) + (" apart" if split == PLAIN else "")
                found[label] = self.of_kind(said, shown, at)
        code = [row for label, row in found.items() if not label.endswith(" apart")]
        means = {side: mean([row[side]["mrr"] for row in code]) for side in ("kind", "package")}
        plain = self.pairs.split[self.rows] == PLAIN
        means["english"] = found.get("english apart", {}).get("kind", {}).get("mrr")
        means["same"] = self.near(said, plain)
        means["same code"] = self.near(said, ~plain)
        return {"means": means, "kinds": found}

    def near(self, said, which):
        """Mean cosine of questions' vectors with MiniLM's own."""
        at = np.flatnonzero(which)
        if len(at) == 0:
            return None
        there = torch.from_numpy(at).to(self.device)
        rows = torch.from_numpy(self.rows[at]).to(self.device)
        return round(float((said[there] * self.base[rows].float()).sum(1).mean()), 4)

    def of_kind(self, said, shown, at):
        wanted = self.pairs.document[self.rows[at]]
        own = torch.from_numpy(np.searchsorted(self.shown, wanted)).to(self.device)
        said = said[torch.from_numpy(at).to(self.device)]
        others = torch.ones(len(self.shown), dtype=torch.bool, device=self.device)
        others[own] = False
        same = self.key[own][:, None] == self.key[None]
        same.scatter_(1, own[:, None], False)
        elsewhere = self.package[own][:, None] != self.package[None]
        return {
            "kind": summary(ranks(said, shown, own, same | others[None])),
            "package": summary(ranks(said, shown, own, same | elsewhere)),
        }


def mean(numbers):
    return round(float(np.mean(numbers)), 4) if numbers else None
