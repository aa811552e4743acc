"""The pairs of ../code-table, and pairs of ordinary English, in two processes.

english  a sentence of a manual or of documentation      what stands around it, without it

A small model that is tuned on code alone forgets English.
"""

import json
import random
import re
from collections import Counter
from itertools import groupby
from multiprocessing import Pool

from comments import pairs as commented
from gather import read
from questions import WORD, Package, capped, prose_of

PROCESSES = 2
ENGLISH = "english"
LINE = 40
"""Characters of a manual that count as a line: in a key is where a document begins, about."""
CAP = 120
"""Pairs of English that a package has at most."""
SENTENCE = re.compile(r"(?<=[a-z`)][.!?])\s+(?=[A-Z`])")
PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
MARKUP = re.compile(r"[|{}<>=]|::|```|https?:")


def is_prose(paragraph):
    """Text, not code, a table or a list of links: nearly all of it is words."""
    letters = sum(character.isalpha() or character in " ,." for character in paragraph)
    return not MARKUP.search(paragraph) and letters > 0.9 * len(paragraph)


def passages(package, at):
    """(place, text, what follows) of the paragraphs of a manual and of comments."""
    row = package.rows[at]
    if row["language"] == "text":
        found = list(PARAGRAPH.finditer(row["text"]))
        texts = [" ".join(match[0].split()) for match in found]
        for number, text in enumerate(texts):
            yield found[number].start() // LINE, text, "".join(texts[number + 1 : number + 2])
    elif row["language"] != "changes":
        for pair in commented(package.lines[at], row["language"]):
            yield pair.start, prose_of(package.lines[at], pair.comment), ""


def english(package):
    """Sentences of manuals and of documentation, each with the text that it was taken from."""
    # Its own, so that it does not depend on what else was mined.
    rng = random.Random(f"{package.name} {ENGLISH}")
    for at in range(len(package.rows)):
        for place, text, following in passages(package, at):
            sentences = SENTENCE.split(text)
            if not 2 <= len(sentences) <= 12 or not is_prose(text):
                continue
            taken = rng.randrange(len(sentences))
            rest = " ".join(sentences[:taken] + sentences[taken + 1 :])
            rest = " ".join([rest, *filter(is_prose, [following])]).strip()
            if 5 <= len(WORD.findall(sentences[taken])) <= 60 and len(rest) > 80:
                yield f"{at}:{place}", sentences[taken], rest


def of_package(group):
    """All pairs of one package, those of English last."""
    (name, held_out), rows = group
    package = Package(name, rows)
    pairs = list(capped(package))
    found = list(english(package))
    rng = random.Random(name)
    for key, said, text in rng.sample(found, min(CAP, len(found))):
        pairs.append({"p": name, "k": ENGLISH, "i": key, "q": said, "d": text})
    for pair in pairs:
        pair["h"] = held_out
    lines = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    return lines, Counter(pair["k"] for pair in pairs)


def packages(texts):
    """(name and whether it is held out, its rows), one package after the other."""
    for key, rows in groupby(read(texts), key=lambda row: (row["package"], row["held_out"])):
        yield key, list(rows)


def build(texts, out):
    """Writes the pairs of all packages in their order; returns how many of each kind."""
    kinds = Counter()
    with Pool(PROCESSES) as pool, open(out, "w") as file:
        for lines, count in pool.imap(of_package, packages(texts)):
            file.write(lines)
            kinds.update(count)
    return dict(sorted(kinds.items()))
