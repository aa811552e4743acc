"""Interpolated Kneser–Ney on the same tokens and the same training text, as a measure of what counting alone reaches.

Chen and Goodman 1999, section 2.7, one discount for each order. An n-gram is named by the number of its (n−1)-gram prefix
and its last token, so that every order fits in 64 bits.
"""

import numpy as np


class KneserNey:
    def __init__(self, ids, order, vocabulary):
        self.order, self.vocabulary = order, vocabulary
        self.keys, self.tables = [], []
        counts, names, firsts = [], [ids.astype(np.int64)], [None]
        for n in range(2, order + 1):
            key = names[-1][:-1] * vocabulary + ids[-len(names[-1]) + 1 :]
            unique, first, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
            self.keys.append(unique)
            counts.append(count)
            firsts.append(first)
            names.append(inverse.astype(np.int64))
        # Below the highest order an n-gram counts once for each different token before it.
        for n in range(order, 1, -1):
            prefix = self.keys[n - 2] // vocabulary
            self.tables.insert(0, table(prefix, counts[n - 2], 0 if n == 2 else len(self.keys[n - 3]), vocabulary))
            if n > 2:
                suffix = names[n - 2][1:][firsts[n - 1]]
                counts[n - 3] = np.bincount(suffix, minlength=len(self.keys[n - 3]))
        before = np.bincount(self.keys[0] % vocabulary, minlength=vocabulary)
        self.single = (before + 0.5) / (before.sum() + 0.5 * vocabulary)

    def log_probabilities(self, ids):
        """Natural logarithms for every token of a row but the first."""
        ids = ids.astype(np.int64)
        context = ids[:-1].copy()
        target = ids[1:]
        probability = self.single[target]
        name = context
        for n in range(2, self.order + 1):
            if n > 2:
                # The context grows by one token to the left: the (n−1)-gram that ends at each position.
                name = np.concatenate([[-1], found[:-1]])
            known = name >= 0
            key = np.where(known, name * self.vocabulary + target, -1)
            found = lookup(self.keys[n - 2], key)
            count, total, kinds, discount = self.tables[n - 2]
            safe = np.where(known, name, 0)
            whole = np.where(known, total[safe], 0)
            own = np.where(found >= 0, np.maximum(count[np.maximum(found, 0)] - discount, 0), 0)
            mixed = (own + discount * kinds[safe] * probability) / np.maximum(whole, 1)
            probability = np.where(whole > 0, mixed, probability)
        return np.log(probability)


def table(prefix, count, prefixes, vocabulary):
    """(counts, total by prefix, kinds by prefix, discount)."""
    size = prefixes or vocabulary
    once, twice = (count == 1).sum(), (count == 2).sum()
    total = np.bincount(prefix, weights=count, minlength=size)
    kinds = np.bincount(prefix, minlength=size)
    return count.astype(np.float64), total, kinds, once / max(1, once + 2 * twice)


def lookup(keys, wanted):
    """Index of each wanted key, −1 where there is none."""
    index = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[index] == wanted, index, -1)
