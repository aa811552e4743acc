"""Which packages the table is trained on: those of the code language model and more of the same kind, less what is excluded; and their texts."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
OLDER = HERE.parent / "code-lm"


def excluded():
    """Names that no package may have; one that ends in * stands for all that begin so."""
    own = json.loads((HERE / "excluded.json").read_text())["groups"]
    names = json.loads((OLDER / "excluded.json").read_text())["names"]
    return sorted({plain(name) for name in names} | {plain(name) for group in own for name in group["names"]})


def plain(name):
    """Registries take some of these for the same name."""
    return name.lower().replace("_", "-").replace(".", "-")


def is_excluded(name, names):
    name = plain(name)
    return any(name.startswith(entry[:-1]) if entry.endswith("*") else name == entry for entry in names)


def packages():
    """All packages to train on or to hold out; the latter are marked in held-out.json."""
    names = excluded()
    listed = json.loads((OLDER / "packages.json").read_text())
    added = json.loads((HERE / "packages.json").read_text())
    held_out = set(json.loads((HERE / "held-out.json").read_text()))
    rows = [row for row in [*listed, *added] if not is_excluded(row["name"], names)]
    for row in rows:
        # What the code language model held out is not apart here: the table has its own.
        row.pop("held_out_paths", None)
        row["held_out"] = row["name"] in held_out
    return rows


def fetch(work):
    """Stage of a recipe: their archives, sha256 checked."""
    import fetch as stage

    stage.run(packages(), work / "archives", work / "fetch")


def corpus(work):
    """Stage of a recipe: texts without copies, generated and vendored files."""
    import gather

    sizes = gather.build(packages(), work / "archives", work / "texts.jsonl")
    (work / "corpus.json").write_text(json.dumps(sizes, indent=1))
