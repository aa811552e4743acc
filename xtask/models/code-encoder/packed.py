"""Tokenised pairs in one compressed file, cut into parts small enough to send to another machine.

Documents that several questions have are there once. Reading needs NumPy alone.
"""

import io
import json
import lzma
from dataclasses import dataclass, fields

import numpy as np

QUESTION, DOCUMENT = 64, 192
"""Tokens of a text at most, the two special ones included."""
CHARACTERS = 8
"""Of a text for each of its tokens at most: what comes later would be cut off anyway."""
LINE = 40
"""Characters of a manual that count as a line, as in mine.py."""
PORTION = 4_096
PART = 11_500_000
# Token numbers are two bytes wide, and copies of a function are near each other.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 26, "lc": 0, "lp": 1, "pb": 1}]


@dataclass
class Pairs:
    kinds: np.ndarray
    """Names."""
    question_tokens: np.ndarray
    """Of all questions, one after the other."""
    question_lengths: np.ndarray
    document: np.ndarray
    """A question's."""
    kind: np.ndarray
    split: np.ndarray
    document_tokens: np.ndarray
    document_lengths: np.ndarray
    package: np.ndarray
    """A document's, like all that follows."""
    source: np.ndarray
    """Number of the file in the package."""
    line: np.ndarray
    """Where it begins in it, about."""
    key: np.ndarray
    """The same for texts of one definition."""


def ids_of(tokenizer, texts, many):
    """(tokens of all texts, number of tokens of each)."""
    tokenizer.enable_truncation(many)
    parts, lengths = [], []
    for start in range(0, len(texts), PORTION):
        some = [text[: many * CHARACTERS] for text in texts[start : start + PORTION]]
        for encoding in tokenizer.encode_batch_fast(some):
            parts.append(np.array(encoding.ids, np.uint16))
            lengths.append(len(encoding.ids))
    return np.concatenate(parts), np.array(lengths, np.uint16)


class Numbers(dict):
    """Things → numbers, in the order in which they come."""

    def of(self, thing):
        return self.setdefault(thing, len(self))


def place(row):
    """File and line of a pair's document; pieces that no question is about have none."""
    file, _, start = row["i"].partition(":")
    if not file.isdigit():
        return -1, -1
    # The recipe of the table names sections by characters.
    return int(file), int(start) // (LINE if row["k"] == "section" else 1)


def gather(rows, tokenizer):
    """Pairs of rows of choose.py, a package's documents sorted by where they are."""
    kinds, packages, keys, documents = Numbers(), Numbers(), Numbers(), Numbers()
    questions, about, texts = [], [], []
    for split, row in rows:
        key = (row["p"], row["i"])
        document = documents.of((*key, row["d"]))
        if document == len(texts):
            texts.append(row["d"])
            about.append((packages.of(row["p"]), *place(row), keys.of(key)))
        if row["q"]:
            questions.append((row["q"], document, kinds.of(row["k"]), split))
    order = sorted(range(len(texts)), key=about.__getitem__)
    rank = np.argsort(np.array(order))
    questions.sort(key=lambda row: (rank[row[1]], row[2]))
    said, document, kind, split = zip(*questions)
    package, source, line, key = np.array(about, np.int32)[order].T
    return Pairs(
        np.array(list(kinds)),
        *ids_of(tokenizer, list(said), QUESTION),
        rank[list(document)].astype(np.int32),
        np.array(kind, np.uint8),
        np.array(split, np.uint8),
        *ids_of(tokenizer, [texts[at] for at in order], DOCUMENT),
        *(package, source, line, key),
    )


def save(pairs, folder):
    """Writes the parts; returns their sizes."""
    plain = io.BytesIO()
    np.savez(plain, **{field.name: getattr(pairs, field.name) for field in fields(Pairs)})
    data = lzma.compress(plain.getvalue(), format=lzma.FORMAT_XZ, filters=FILTERS)
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for number, start in enumerate(range(0, len(data), PART)):
        part = data[start : start + PART]
        (folder / f"pairs.{number}").write_bytes(part)
        sizes[f"pairs.{number}"] = len(part)
    (folder / "parts.json").write_text(json.dumps(sizes) + "\n")
    return sizes


def load(folder):
    """Reads them; all have to be there."""
    sizes = json.loads((folder / "parts.json").read_text())
    data = b"".join((folder / name).read_bytes() for name in sizes)
    if len(data) != sum(sizes.values()):
        raise ValueError(f"{folder} has {len(data)} bytes of {sum(sizes.values())}")
    stored = np.load(io.BytesIO(lzma.decompress(data)))
    return Pairs(**{field.name: stored[field.name] for field in fields(Pairs)})


def described(pairs):
    """Pairs by kind and split, and mean lengths, in lines to read."""
    lines = []
    for number, kind in enumerate(pairs.kinds):
        of_kind = pairs.kind == number
        counts = np.bincount(pairs.split[of_kind], minlength=3)
        said = pairs.question_lengths[of_kind].mean()
        shown = pairs.document_lengths[pairs.document[of_kind]].mean()
        lines.append(f"{kind:10} {counts} question {said:.1f} document {shown:.1f} tokens")
    lines.append(f"{len(pairs.document)} pairs, {len(pairs.package)} documents")
    return "\n".join(lines)
