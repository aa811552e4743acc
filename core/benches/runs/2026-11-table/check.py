"""Check that no question in paraphrases.jsonl borrows a word from its answer.

A question's content words may not share a stem, the first five letters or an
embedded piece with any word of the gold function (signature, docstring,
comments, body), of its enclosing classes' names or of its file's path.

Usage: check.py [QUESTIONS.jsonl [ARCHIVES_DIR [ARCHIVES.json]]]
"""

import ast
import json
import re
import sys
import tarfile
from pathlib import Path

STOP = set(
    """a about above after against all already among an and another any are as at
    be because been before between both but by can could did do does each for
    from had has have how i if in inside into is it its me my no not of off on
    once onto or our out over own so some such than that the their them then
    there these they this those through to too under until up us was way we were
    what when whenever where whether which while who whose why will with without
    would you your""".split()
)
SUFFIXES = ("ies", "ing", "ion", "es", "ed", "er", "ly", "s", "e")
FIELDS = {"id", "archive", "query", "gold_files", "gold_spans", "source"}


def stem(word):
    """Strip endings until none is left, keeping at least three letters."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return stem(word[: -len(suffix)])
    return word


def words(text):
    """Lower-cased words, identifiers both whole and split at case and underscores."""
    found = set()
    for run in re.findall(r"[^\W_]+", text):
        found.add(run.lower())
        for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", run):
            found.add(part.lower())
    return {word for word in found if len(word) > 1}


def clash(asked, gold):
    """Say why the two words are too alike, or return None."""
    a, g = stem(asked), stem(gold)
    if a == g:
        return "same stem"
    if min(len(asked), len(gold)) >= 5 and asked[:5] == gold[:5]:
        return "same first five letters"
    if len(a) >= 4 and a in gold or len(g) >= 5 and g in asked:
        return "one inside the other"
    return None


def scopes(tree, outer=()):
    """Yield (first line, last line, dotted name) of every function and class."""
    for node in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = (*outer, node.name)
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            yield start, node.end_lineno, ".".join(name)
        yield from scopes(node, name)


class Archive:
    def __init__(self, path):
        self.tar = tarfile.open(path)
        self.top = self.tar.next().name.split("/")[0]

    def text(self, file):
        return self.tar.extractfile(f"{self.top}/{file}").read().decode()


def problems(row, archive):
    """Print the question with its gold functions, yielding every complaint."""
    query, names = row["query"], []
    if set(row) != FIELDS:
        yield f"fields are {sorted(row)}"
    if not 6 <= len(query.split()) <= 14:
        yield f"{len(query.split())} words, want 6 to 14"
    if row["gold_files"] != [span["file"] for span in row["gold_spans"]]:
        yield "gold_files and gold_spans name different files"
    for span in row["gold_spans"]:
        source = archive.text(span["file"])
        known = {(s, e): name for s, e, name in scopes(ast.parse(source))}
        name = known.get((span["start"], span["end"]))
        if name is None:
            yield f"{span} is not exactly one function or class"
            continue
        names.append(name)
        body = source.splitlines()[span["start"] - 1 : span["end"]]
        gold_words = words("\n".join([span["file"], name, *body]))
        for asked in sorted(words(query) - STOP):
            for gold in sorted(gold_words):
                if why := clash(asked, gold):
                    yield f"{asked!r} ~ {gold!r} in {name}: {why}"
    print(f"{row['id']}  {', '.join(names)}  <-  {query}")


def main(
    questions=Path(__file__).with_name("paraphrases.jsonl"),
    archives="/tmp/ev/archives",
    index="/work/shared/evaluation/dev/archives.json",
):
    index = json.loads(Path(index).read_text())
    opened, ids, bad = {}, set(), 0
    for line in Path(questions).read_text().splitlines():
        row = json.loads(line)
        key = row["archive"]
        if key not in opened:
            opened[key] = Archive(Path(archives, index[key]["file"]))
        found = list(problems(row, opened[key]))
        if row["id"] in ids:
            found.append("id used twice")
        ids.add(row["id"])
        for complaint in found:
            print(f"VIOLATION {row['id']}: {complaint}")
        bad += len(found)
    print(f"{len(ids)} questions, {bad} violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
