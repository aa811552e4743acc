"""Questions with the block that answers them and blocks that do not, found in comments.

"pool":   the documentation sentence of a function; its blocks against those of the file's other functions.
"inside": a comment inside a function; the lines below it against the other blocks of that function.
Comments are taken out of every block, so that none tells the answer by having or lacking one.
"""

import random
from collections import defaultdict
from dataclasses import dataclass

from blocks import comment_lines, cut, functions, text_of
from comments import pairs


@dataclass
class Example:
    kind: str
    package: str
    language: str
    question: str
    positives: list
    negatives: list


def examples(row, rng):
    """All examples of one file of the corpus."""
    lines, language = row["text"].split("\n"), row["language"]
    found = [pair for pair in pairs(lines, language)]
    units = list(functions(lines)) if found else []
    if not units:
        return
    silent = comment_lines(lines, language)
    bare = {unit: [n for n in unit if n not in silent] for unit in units}
    blocks = {unit: [text_of(lines, group) for group in cut(lines, bare[unit])] for unit in units}
    for pair in found:
        unit = next((unit for unit in units if unit.start <= pair.start < unit.stop), None)
        if unit is None:
            continue
        if pair.whole and unit.start - pair.start in (0, -1):
            others = [block for other in units if other != unit for block in blocks[other]]
            if len(others) >= 3:
                yield Example("pool", row["package"], language, pair.sentence, blocks[unit], rng.sample(others, min(11, len(others))))
        elif not pair.whole:
            about = set(range(pair.start, pair.end))
            positive = text_of(lines, [n for n in bare[unit] if n in about])
            before = [n for n in bare[unit] if n < pair.start]
            after = [n for n in bare[unit] if n >= pair.end]
            others = [text_of(lines, group) for part in (before, after) for group in cut(lines, part)]
            if positive.strip() and len(others) >= 2:
                yield Example("inside", row["package"], language, pair.sentence, [positive], rng.sample(others, min(11, len(others))))


def collect(corpus, each, seed=13):
    """At most `each` examples of every kind and language."""
    rng = random.Random(seed)
    groups = defaultdict(list)
    for row in corpus:
        if row["language"] != "text":
            for example in examples(row, rng):
                groups[example.kind, example.language].append(example)
    chosen = []
    for key in sorted(groups):
        rng.shuffle(groups[key])
        chosen += groups[key][:each]
    rng.shuffle(chosen)
    return chosen
