"""Judges the calls of a Python archive's graph by Jedi, which infers the types of objects.

python3 python_calls.py FOLDER < calls.jsonl

FOLDER is the unpacked archive, `calls.jsonl` what `footnote graph ARCHIVE --all-calls` printed.
Needs `jedi` (PyPI). Prints how many certain calls of methods and functions lead to the definition
that Jedi finds, to another, and how many Jedi knows nothing of; with `--wrong`, the second kind.
"""

import collections
import json
import pathlib
import re
import sys

import jedi


def definitions(scripts, project, root, path, line, name):
    """Returns where the names `name(` on a line are defined: a set of (path, line)."""
    if path not in scripts:
        scripts[path] = jedi.Script(path=root / path, project=project)
    text = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
    found = set()
    for match in re.finditer(rf"\b{re.escape(name)}\b(?=\s*\()", text[line - 1]):
        try:
            goto = scripts[path].goto(line, match.start(), follow_imports=True)
        except Exception:  # Jedi fails on some sources.
            continue
        for one in goto:
            where = one.module_path
            inside = where and root in where.parents
            found.add((str(where.relative_to(root)) if inside else "elsewhere", one.line))
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    project = jedi.Project(root, added_sys_path=[root, root / "src"])
    scripts, counts = {}, collections.Counter()
    for row in map(json.loads, sys.stdin):
        if row["weight"] < 1 or not row["from"].endswith(".py"):
            continue
        found = definitions(scripts, project, root, row["from"], row["line"], row["name"])
        # A class is called by its name; a parameter or a local variable is no definition.
        known = [one for one in found if one[1]]
        if not known:
            kind = "unknown"
        elif (row["to"], row["defined"]) in known:
            kind = "same"
        else:
            kind = "other"
            if "--wrong" in sys.argv:
                print(json.dumps(row), known)
        counts[kind] += 1
    print(json.dumps(counts))


main()
