"""Questions with the block that answers them and blocks that do not, found in comments.

"pool":   the documentation sentence of a function; its blocks against those of the file's other functions.
"inside": a comment inside a function; the blocks that hold the lines below it against the others of that function.
Nothing but what a block says may tell the answer: comments are taken out of every block, and right and wrong blocks come
from the same cut. (Where the right block was just the commented lines, a model learned that the short one is right.)
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
            others = [other for other in units if other != unit and blocks[other]]
            if len(others) >= 3 and blocks[unit]:
                # The same blocks of each function, the first one with its name or any: neither may tell the answer.
                pick = (lambda held: held[0]) if rng.random() < 0.5 else rng.choice
                wrong = [pick(blocks[other]) for other in rng.sample(others, min(11, len(others)))]
                yield Example("pool", row["package"], language, pair.sentence, [pick(blocks[unit])], wrong)
        elif not pair.whole:
            about = set(range(pair.start, pair.end)) & set(bare[unit])
            groups = cut(lines, bare[unit])
            shares = [len(about.intersection(group)) / max(1, min(len(group), len(about))) for group in groups]
            right = [text_of(lines, group) for group, share in zip(groups, shares) if share >= 0.5]
            others = [text_of(lines, group) for group, share in zip(groups, shares) if share == 0]
            if right and len(others) >= 2:
                yield Example("inside", row["package"], language, pair.sentence, right, rng.sample(others, min(11, len(others))))


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
