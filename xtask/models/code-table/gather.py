"""Unpacks the archives into texts.jsonl: one row a file, without copies, generated and vendored files, held-out packages first."""

import json
import random
import re
import tarfile
import zipfile
from collections import Counter
from pathlib import PurePosixPath

from corpus import Seen, package_texts
from sources import excluded, plain

# Bytes of all packages together: without a limit a few large bundles in C would be a third of it.
MAX_LANGUAGE = {"c": 14_000_000, "cpp": 14_000_000, "text": 40_000_000}
MAX_OTHER_LANGUAGE = 120_000_000
CHANGELOG = re.compile(r"(^|/)(changelog|changes|history|news|releases?)[^/]*\.(md|rst|txt)$", re.IGNORECASE)
MAX_CHANGELOG = 400_000
BUILT = re.compile(r"(^|/)(dist[^/]*|cjs|umd|esm\d*|lib-[^/]+|bundles?|fesm\d+|minified|compiled)/")


def inside(name):
    """The path in the package: archives hold one folder with everything in it."""
    return name.split("/", 1)[-1]


def vendored(path, names):
    """Is it in a folder that is called as an excluded package? Then it may be a copy of that."""
    return any(plain(folder) in names for folder in PurePosixPath(path).parts[:-1])


def changelogs(path):
    """Texts of the files that list changes, which the code language model's corpus leaves out."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if CHANGELOG.search(info.filename) and info.file_size < MAX_CHANGELOG:
                    yield info.filename, archive.read(info).decode("utf-8", "replace")
        return
    with tarfile.open(path) as archive:
        for info in archive:
            if info.isfile() and CHANGELOG.search(info.name) and info.size < MAX_CHANGELOG:
                yield info.name, archive.extractfile(info).read().decode("utf-8", "replace")


def rows_of(package, archives, rng, names):
    """(language, path, text) of one package: its sources, its documentation, its changelogs."""
    for language, name, text in package_texts(package, archives, rng):
        path = inside(name)
        if not vendored(path, names) and not BUILT.search(path):
            yield language, path, text
    for name, text in changelogs(archives / package["file"]):
        yield "changes", inside(name), text


def build(packages, archives, out):
    """Writes the rows; returns bytes by registry, language and split."""
    names, seen, rng = set(excluded()), Seen(), random.Random(5)
    packages = sorted(packages, key=lambda package: (package["registry"], package["name"]))
    rng.shuffle(packages)
    # Held-out packages first: what a training package shares with them is dropped from training.
    packages.sort(key=lambda package: not package["held_out"])
    sizes = {"language": Counter(), "registry": Counter(), "held out": Counter()}
    with open(out, "w") as file:
        for package in packages:
            for language, path, text in rows_of(package, archives, rng, names):
                size, full = len(text.encode()), sizes["language"][language] > MAX_LANGUAGE.get(language, MAX_OTHER_LANGUAGE)
                if (full and not package["held_out"]) or (language != "changes" and seen.is_copy(text)):
                    continue
                if package["held_out"]:
                    sizes["held out"][language] += size
                else:
                    sizes["language"][language] += size
                    sizes["registry"][package["registry"]] += size
                row = {"package": package["name"], "held_out": package["held_out"], "language": language, "path": path, "text": text}
                file.write(json.dumps(row) + "\n")
    return {key: dict(sorted(size.items())) for key, size in sizes.items()}


def read(path):
    with open(path) as file:
        yield from map(json.loads, file)
