"""Which pairs are trained on: so many of each kind, as evenly from all packages as there are."""

import json
import random
from collections import defaultdict

from mine import ENGLISH
from questions import DISTRACTOR
from splits import CODE, MANUALS, PLAIN, TRAIN

TARGETS = {
    "doc": 50_000,
    "comment": 40_000,
    "ask": 35_000,
    "name": 35_000,
    "facts": 35_000,
    "test": 30_000,
    "long": 25_000,
    "keys": 20_000,
    "issue": 20_000,
    "error": 18_000,
    "section": 18_000,
    "english": 25_000,
    "prose": 10_000,
    "change": 8_000,
    "file": 6_000,
    DISTRACTOR: 12_000,
}
"""Kinds that are like each other, and paths, which say little, have less than there is of them."""
HELD_OUT = 1_000
"""Of a kind, for choosing a model."""
ENGLISH_APART = 20
"""One package in so many gives its English to the held-out pairs, and none to training."""


def split_of(row):
    """What a pair is for, or None: manuals that measure English are no part of training at all."""
    if row["h"]:
        return CODE
    if random.Random(row["p"]).randrange(ENGLISH_APART) == 0:
        if row["k"] == ENGLISH:
            return PLAIN
        if row["k"] in MANUALS:
            return None
    return TRAIN


def evenly(rows, many):
    """`many` of (package, number): first one of every package, then a second, and so forth."""
    rng, by_package = random.Random(11), defaultdict(list)
    for package, number in rows:
        by_package[package].append(number)
    turns = []
    for numbers in by_package.values():
        rng.shuffle(numbers)
        turns += [(turn, rng.random(), number) for turn, number in enumerate(numbers)]
    return [number for _, _, number in sorted(turns)[:many]]


def chosen(path):
    """number of the line → what it is for."""
    found = defaultdict(list)
    with open(path) as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            split = split_of(row)
            if split is not None and not (row["k"] == DISTRACTOR and split != TRAIN):
                found[split, row["k"]].append((row["p"], number))
    splits = {}
    for (split, kind), rows in found.items():
        many = TARGETS[kind] if split == TRAIN else HELD_OUT
        splits.update(dict.fromkeys(evenly(rows, many), split))
    return splits


def rows(path):
    """(what it is for, pair) of all that are chosen, in the order of the file."""
    splits = chosen(path)
    with open(path) as file:
        for number, line in enumerate(file):
            if number in splits:
                yield splits[number], json.loads(line)
