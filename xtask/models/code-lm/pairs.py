"""Turns comments and what they stand above into training text: code, separator, sentence."""

import random

import numpy as np

from comments import pairs
from tokens import END, SEPARATOR, encode_all

MAX_CODE_TOKENS = 200
WITHOUT_CODE = 0.1


def code_of(lines, pair):
    """The lines that a sentence is about, without the comment that says it."""
    return "\n".join(line for number, line in enumerate(lines[pair.start : pair.end], pair.start) if number not in pair.comment)


def collect(corpus):
    """(language, whole, code, sentence) of a corpus, one of each sentence a package."""
    seen = set()
    for row in corpus:
        if row["language"] == "text":
            continue
        lines = row["text"].split("\n")
        for pair in pairs(lines, row["language"]):
            key = (row["package"], pair.sentence.lower())
            if key not in seen:
                seen.add(key)
                yield row["language"], pair.whole, code_of(lines, pair), pair.sentence


def stream(tokenizer, corpus, seed=11):
    """One row of tokens: end, code, separator, sentence, end, … A tenth of the sentences stand without code."""
    found = list(collect(corpus))
    rng = random.Random(seed)
    rng.shuffle(found)
    codes = encode_all(tokenizer, [code for _, _, code, _ in found])
    sentences = encode_all(tokenizer, [said for _, _, _, said in found])
    parts = []
    for code, said in zip(codes, sentences):
        parts.append(np.array([END], np.uint16))
        if rng.random() >= WITHOUT_CODE:
            parts.append(code[:MAX_CODE_TOKENS])
        parts += [np.array([SEPARATOR], np.uint16), said]
    return np.concatenate(parts), len(found)
