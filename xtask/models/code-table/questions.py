"""Mines (question, document) pairs of several kinds: real questions are not docstrings, so these are not only docstrings.

doc      the sentence that documents a definition        the definition without it
comment  a comment inside a function                     the lines below it
long     all of a documentation text                     the definition without it
ask      such a sentence as a question or a request      the definition without it
keys     a few words of such a sentence                  the definition without it
name     the name of a definition, in words              the definition, its name taken out of half of them
test     what a test says that it tests                  the function that it calls
prose    a sentence of the manual that names a symbol    its definition
change   a line of the list of changes that names one    its definition
error    a message                                       the function that raises it, without it
facts    a question with names that a definition holds   the definition
issue    a report: message, calls, traceback, headings   the function that it is about
file     the words of a path                             some of the file
section  a heading                                       the text below it

Besides, tests and lists of changes of every package as wrong answers: they repeat the words of what they are about.
"""

import json
import random
import re
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import PurePosixPath

from comments import pairs as commented
from definitions import definitions, words_of
from gather import read
from phrases import FACTS, ISSUES, NAMES, REQUESTS, STATEMENTS

MAX_CODE = 2_500
MAX_QUESTION = 1_000
CAPS = {"doc": 4000, "comment": 1200, "long": 1000, "ask": 1800, "keys": 1200, "name": 1500, "test": 1500, "prose": 1500, "facts": 1500}
DISTRACTOR = "distractor"
CAP, DISTRACTORS = 600, 600
"""Of the other kinds. A package has no more pairs of a kind than this, so that none outweighs the rest."""

TEST_PATH = re.compile(r"(^|/)(tests?|specs?|__tests__|testing)(/|$)|(^|/)test_|[_.-](test|spec)s?\.", re.IGNORECASE)
CASE = re.compile(r"""\b(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])(?P<said>.{8,120}?)\1""")
IDENTIFIER = re.compile(r"\b(?=\w*(?:[a-z]_[a-z]|[a-z][A-Z]))[A-Za-z]\w{4,}")
CALL = re.compile(r"\b([A-Za-z_]\w{3,})\s*[(!]")
SYMBOL = re.compile(r"`{1,2}~?([\w.:]*?)([A-Za-z_]\w{3,})(?:\(\))?`{1,2}")
MESSAGE = re.compile(
    r"""(?:raise |throw |panic!|bail!|anyhow!|\.expect|\bErr\(|[Ee]rror|warn|logger|log\.)[^"'`]*(["'`])(?P<said>[^"'`]{15,200})\1"""
)
WORD = re.compile(r"[A-Za-z]{2,}")
HEADING = re.compile(r"^#{1,4} (?P<md>.{4,80})$|^(?P<rst>\S.{3,80})\n[=\-~^]{4,}$", re.MULTILINE)
STOP = set(
    "a an and are as at be by can do does for from has have if in into is it its may not of on or over should so such that the their"
    " then there these they this to used uses using was we when where which will with you your".split()
)
class Package:
    """One package's files and what is defined in them."""

    def __init__(self, name, rows):
        self.name = name
        self.rows = rows
        self.rng = random.Random(name)
        self.lines = [row["text"].split("\n") for row in rows]
        self.defined = [self.find(at) for at in range(len(rows))]
        places = defaultdict(list)
        for at, found in enumerate(self.defined):
            if not TEST_PATH.search(rows[at]["path"]):
                for definition in found:
                    places[definition.name].append((at, definition))
        # A name that stands for one thing only says which definition is meant.
        self.unique = {name: found[0] for name, found in places.items() if len(found) == 1}

    def find(self, at):
        row = self.rows[at]
        return [] if row["language"] in ("text", "changes") else list(definitions(self.lines[at], row["language"]))

    def is_source(self, at):
        return self.rows[at]["language"] not in ("text", "changes")

    def enclosing(self, at, line):
        """The innermost definition around a line, or one that begins just below it."""
        best = None
        for definition in self.defined[at]:
            if definition.start > line + 4:
                break
            if definition.end > line:
                best = definition
        return best

    def document(self, at, start, end, without=()):
        """(key, text) as an index has it: path, then perhaps the owner, then code; often with the code that follows."""
        rng, lines = self.rng, self.lines[at]
        if rng.random() < 0.2:
            end = min(len(lines), end + rng.randrange(5, 40))
        code = "\n".join(lines[number] for number in range(start, min(end, len(lines))) if number not in without)
        return f"{at}:{start}", f"{self.header(at, start)}\n{code[:MAX_CODE]}"

    def header(self, at, line):
        path = PurePosixPath(self.rows[at]["path"])
        chance = self.rng.random()
        shown = str(path) if chance < 0.5 else path.name if chance < 0.8 else "/".join(path.parts[-2:])
        around = self.enclosing(at, line)
        if around is None or self.rng.random() < 0.3:
            return shown
        owner = around.owner or (around.name if around.is_owner else "")
        chance = self.rng.random()
        if chance < 0.4:
            return f"{shown} {owner}.{around.name}" if around.owner else f"{shown} {around.name}"
        return f"{shown}\nclass {owner}" if owner else shown


def short(name):
    """@scope/package → package."""
    return name.split("/")[-1]


def lower_first(text):
    return text[:1].lower() + text[1:]


def asked(package, at, start, said):
    """A sentence as somebody would ask for what it says, perhaps with the name of what it is about."""
    rng, about = package.rng, package.enclosing(at, start)
    phrase = rng.choice(STATEMENTS if rng.random() < 0.7 or about is None else REQUESTS)
    name = spelled(rng, about) if about else short(package.name)
    return phrase.format(p=short(package.name), s=lower_first(said), n=name, f=PurePosixPath(package.rows[at]["path"]).stem)


def spelled(rng, definition):
    """A definition's name as it is, with its owner, or in words."""
    chance = rng.random()
    if chance < 0.35:
        return definition.name
    if chance < 0.5 and definition.owner:
        return f"{definition.owner}.{definition.name}"
    return words_of(definition.name)


def keywords(rng, said):
    """What somebody types who is in a hurry: the words that say something, not all of them."""
    words = [word for word in re.findall(r"[\w.]+", said) if word.lower() not in STOP]
    if len(words) > 3 and rng.random() < 0.5:
        return " ".join(words[: rng.randint(2, 4)])
    return " ".join(word for word in words if rng.random() < 0.75)


def prose_of(lines, span):
    """A whole comment without marks, examples and lists of parameters."""
    said = []
    for number in span:
        line = lines[number].strip().strip("/#*!\"'").strip()
        if re.match(r"(>>>|:param|@\w+|```|Args:|Parameters|Returns:?$|Examples?:?$|---|===|\.\. )", line):
            if said:
                break
            continue
        said.append(line)
    return " ".join(" ".join(said).split())[:MAX_QUESTION]


def from_documentation(package, at):
    lines, language, rng = package.lines[at], package.rows[at]["language"], package.rng
    for pair in commented(lines, language):
        document = package.document(at, pair.start, pair.end, pair.comment)
        if not pair.whole:
            yield "comment", pair.sentence, document
            continue
        yield "doc", pair.sentence, document
        chance = rng.random()
        if chance < 0.4:
            yield "ask", asked(package, at, pair.start, pair.sentence), document
        elif chance < 0.6:
            yield "keys", keywords(rng, pair.sentence), document
        long = prose_of(lines, pair.comment)
        if len(long) > 1.6 * len(pair.sentence):
            yield "long", long, document


def from_names(package, at):
    rng = package.rng
    for definition in package.defined[at]:
        words = words_of(definition.name)
        if definition.end - definition.start < 4 or not 2 <= len(words.split()) <= 7 or definition.name.startswith("test"):
            continue
        key, text = package.document(at, definition.start, definition.end)
        if rng.random() < 0.5:
            text = re.sub(rf"(?<!\w){re.escape(definition.name)}(?!\w)", "", text)
        owner = words_of(definition.owner) or words_of(PurePosixPath(package.rows[at]["path"]).stem)
        said = definition.name if rng.random() < 0.15 else words
        yield "name", rng.choice(NAMES).format(n=said, o=owner, p=short(package.name)), (key, text)


def from_facts(package, at):
    """Questions about a definition and what it has to do with others, by their names: most real ones have such names."""
    rng = package.rng
    for definition in package.defined[at]:
        if definition.end - definition.start < 6 or rng.random() < 0.5:
            continue
        body = "\n".join(package.lines[at][definition.start : definition.end])
        found = [name for name in dict.fromkeys(IDENTIFIER.findall(body)) if name != definition.name]
        if len(found) < 2:
            continue
        first, second = (name if rng.random() < 0.6 else words_of(name) for name in rng.sample(found, 2))
        said = rng.choice(FACTS).format(n=spelled(rng, definition), a=first, b=second, p=short(package.name), o=definition.owner or first)
        yield "facts", said, package.document(at, definition.start, definition.end)


def from_messages(package, at):
    for number, line in enumerate(package.lines[at]):
        match = len(line) < 300 and MESSAGE.search(line)
        if not match or len(WORD.findall(match["said"])) < 4:
            continue
        around = package.enclosing(at, number)
        if around and around.start < number and 4 <= around.end - around.start:
            said = re.sub(r"[{%][^}\s]*}?", " ", match["said"])
            document = package.document(at, around.start, around.end, {number})
            yield "error", said, document
            if package.rng.random() < 0.4:
                yield "issue", reported(package, said, package.rows[at]["path"], around, ""), document


def reported(package, said, path, about, body):
    """An issue: what happened, where it went wrong, what was called, and the words that every issue has."""
    line = package.rng.randrange(10, 900)
    trace = f'Traceback (most recent call last):\n  File "{path}", line {line}, in {about.name}\nError: {said}'
    phrase = package.rng.choice(ISSUES)
    return phrase.format(s=said, n=spelled(package.rng, about), p=short(package.name), t=trace, c=body[:500])


def tests_of(package, at):
    """(what a test says, its first line, the line after it)."""
    row, lines = package.rows[at], package.lines[at]
    for definition in package.defined[at]:
        of_rust = any("#[test]" in line or "::test]" in line for line in lines[max(0, definition.start - 3) : definition.start])
        if of_rust or (definition.name.startswith("test") and TEST_PATH.search(row["path"])):
            yield re.sub(r"^tests? ?", "", words_of(definition.name)), definition.start, definition.end
    if row["language"] in ("javascript", "typescript", "tsx") and TEST_PATH.search(row["path"]):
        for number, line in enumerate(lines):
            if len(line) < 300 and (match := CASE.search(line)):
                yield match["said"], number, min(len(lines), number + 25)


def from_tests(package, at):
    for said, start, end in tests_of(package, at):
        body = "\n".join(package.lines[at][start + 1 : end])
        called = [name for name in dict.fromkeys(CALL.findall(body)) if name in package.unique]
        if not called or len(said.split()) < 2:
            continue
        # The function that shares words with the test's name, else one of the first.
        shared = {name: len(set(words_of(name).split()) & set(said.lower().split())) for name in called}
        best = max(shared.values())
        name = package.rng.choice([name for name in called[:6] if shared[name] == best] or called[:1])
        other, definition = package.unique[name]
        question = f"{said}\n{body[:MAX_QUESTION]}" if package.rng.random() < 0.25 else said
        document = package.document(other, definition.start, definition.end)
        yield "test", question, document
        if package.rng.random() < 0.3:
            yield "issue", reported(package, said, package.rows[other]["path"], definition, body), document


def from_prose(package, at):
    """Sentences of manuals, and items of lists of changes, that name a symbol which is defined once."""
    kind = "change" if package.rows[at]["language"] == "changes" else "prose"
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[*-] )", package.rows[at]["text"]):
        if len(paragraph) > 3_000 or "```" in paragraph:
            continue
        flat = " ".join(paragraph.split()).strip("*-# ")
        for said in [flat] if kind == "change" else re.split(r"(?<=[a-z`)][.!?]) ", flat):
            named = [name for _, name in SYMBOL.findall(said) if name in package.unique]
            if not named or not 4 <= len(WORD.findall(said)) <= 80 or len(said) > MAX_QUESTION:
                continue
            other, definition = package.unique[package.rng.choice(named)]
            if package.rng.random() < 0.4:
                said = SYMBOL.sub(lambda match: words_of(match[2]), said)
            yield kind, said, package.document(other, definition.start, definition.end)


def from_path(package, at):
    lines, rng = package.lines[at], package.rng
    words = words_of(re.sub(r"\W", "_", str(PurePosixPath(package.rows[at]["path"]).with_suffix(""))))
    kept = " ".join(words.split()[-rng.randint(2, 4) :])
    for _ in range(min(2, len(lines) // 30)):
        start = rng.randrange(len(lines))
        yield "file", rng.choice(NAMES).format(n=kept, o="", p=short(package.name)), package.document(at, start, start + 40)


def from_sections(package, at):
    text, path = package.rows[at]["text"], PurePosixPath(package.rows[at]["path"])
    found = list(HEADING.finditer(text))
    for match, following in zip(found, [*found[1:], None]):
        said = (match["md"] or match["rst"]).strip("# *`")
        body = text[match.end() : following.start() if following else None].strip()
        if len(WORD.findall(said)) >= 2 and len(body) > 120:
            yield "section", said, (f"{at}:{match.start()}", f"{path.name}\n{body[:MAX_CODE]}")


def of_package(package):
    for at, row in enumerate(package.rows):
        if row["language"] == "changes":
            yield from from_prose(package, at)
        elif row["language"] == "text":
            yield from from_prose(package, at)
            yield from from_sections(package, at)
        else:
            for source in (from_documentation, from_names, from_facts, from_messages, from_tests, from_path):
                yield from source(package, at)


def distractors(package):
    """Texts of tests, and of lists of changes and manuals, without a question."""
    texts = []
    for at, row in enumerate(package.rows):
        lines = package.lines[at]
        if package.is_source(at) and TEST_PATH.search(row["path"]):
            starts = [definition.start for definition in package.defined[at] if definition.end - definition.start > 3]
        elif not package.is_source(at):
            starts = range(0, len(lines), 25)
        else:
            continue
        texts += [package.document(at, start, start + 25)[1] for start in package.rng.sample(list(starts), min(30, len(starts)))]
    return package.rng.sample(texts, min(DISTRACTORS, len(texts)))


def capped(package):
    """At most so many of each kind, none said twice of one document, none with too few words."""
    found, seen, count = list(of_package(package)), set(), Counter()
    package.rng.shuffle(found)
    for kind, said, (key, text) in found:
        said = said.strip()
        if count[kind] >= CAPS.get(kind, CAP) or (key, said.lower()) in seen or len(WORD.findall(said)) < 2 or len(text) < 60:
            continue
        seen.add((key, said.lower()))
        count[kind] += 1
        yield {"p": package.name, "k": kind, "i": key, "q": said[:MAX_QUESTION], "d": text}
    for number, text in enumerate(distractors(package)):
        yield {"p": package.name, "k": DISTRACTOR, "i": f"distractor {number}", "q": "", "d": text}


def build(texts, out):
    """Writes the pairs of all packages, held-out ones too; returns how many of each kind."""
    kinds = Counter()
    with open(out, "w") as file:
        for (name, held_out), rows in groupby(read(texts), key=lambda row: (row["package"], row["held_out"])):
            for pair in capped(Package(name, list(rows))):
                pair["h"] = held_out
                kinds[pair["k"]] += 1
                file.write(json.dumps(pair, ensure_ascii=False) + "\n")
    return dict(sorted(kinds.items()))
