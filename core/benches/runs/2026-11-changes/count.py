"""Counts what changed between two versions of a package without Footnote: with Python's `ast`, and with `syn` where
the program in `rust_count` is given.

python3 count.py OLD_FOLDER NEW_FOLDER [FOOTNOTE.json [RUST_COUNT]]

Which files belong together is what `git diff --no-index -M50%` says. Definitions are functions, methods and classes,
by qualified name. A signature is all before the body; a body is without documentation and without the definitions in
it. With the output of `footnote changes OLD NEW --json` the two lists are compared.
"""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path


KINDS_OF = {".py": ("function", "method", "class")}
# Types apart: `syn` and Footnote agree on what an associated type is, and not on its owner.
OF_RUST = ("function", "method", "struct", "enum", "trait", "constant")
RUST_COUNT = None


def definitions_of_rust(path):
    """As `definitions`, by `syn`."""
    told = subprocess.run([RUST_COUNT, str(path)], capture_output=True, text=True, check=True)
    found = {}
    for name, kind, head, inner in json.loads(told.stdout)["definitions"]:
        if kind in OF_RUST:
            found.setdefault(name, []).append((head, inner))
    return found


def definitions(path):
    """Qualified name -> list of (signature, body) in order."""
    if path.suffix == ".rs":
        return definitions_of_rust(path)
    found = {}
    try:
        tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    except SyntaxError as error:
        print(f"not parsed: {path}: {error}", file=sys.stderr)
        return found
    visit(tree, "", found)
    return found


KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def visit(node, owner, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, KINDS):
            name = f"{owner}.{child.name}" if owner else child.name
            found.setdefault(name, []).append((signature(child), body(child)))
            visit(child, name, found)
        else:
            visit(child, owner, found)


def signature(node):
    parts = [type(node).__name__]
    parts += [ast.dump(it) for it in node.decorator_list]
    if isinstance(node, ast.ClassDef):
        parts += [ast.dump(it) for it in node.bases + node.keywords]
    else:
        parts += [ast.dump(node.args), ast.dump(node.returns) if node.returns else ""]
    return "\n".join(parts)


class Without(ast.NodeTransformer):
    """Replaces inner definitions, and leaves out assignments of constants of classes, which are definitions."""

    def hole(self, node):
        return None

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = hole


def body(node):
    statements = node.body
    if ast.get_docstring(node, clean=False) is not None:
        statements = statements[1:]
    if isinstance(node, ast.ClassDef):
        statements = [it for it in statements if not is_constant(it)]
    module = ast.Module(body=statements, type_ignores=[])
    copy = ast.parse(ast.unparse(ast.fix_missing_locations(module))) if statements else module
    return ast.dump(Without().visit(copy))


def is_constant(statement):
    """`NAME = …` in capitals, alone: Footnote calls it a constant of the class."""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id.upper() == statement.targets[0].id
    )


def pairs(old, new):
    """(status, old path, new path) of all files that differ."""
    command = ["git", "diff", "--no-index", "--name-status", "-M50%", "-l0", "-z", str(old), str(new)]
    fields = subprocess.run(command, capture_output=True, text=True).stdout.split("\0")
    at = 0
    while at < len(fields) - 1:
        status = fields[at]
        if status[0] in "RC":
            yield status[0], Path(fields[at + 1]), Path(fields[at + 2])
            at += 3
        else:
            path = Path(fields[at + 1])
            yield status[0], *({"A": (None, path), "D": (path, None)}.get(status[0], sides(old, new, path)))
            at += 2


def sides(old, new, path):
    rest = path.relative_to(new if path.is_relative_to(new) else old)
    return old / rest, new / rest


def changes(old, new):
    """Set of (what, qualified name, path in the newer version, else in the older)."""
    listed = Counter()
    files = Counter()
    for status, before, after in pairs(old, new):
        moved_only = status == "R" and before.read_bytes() == after.read_bytes()
        files["moved" if moved_only else status] += 1
        shown = (after or before).relative_to(new if after else old).as_posix()
        if Path(shown).suffix not in KINDS_OF or moved_only:
            continue
        was = definitions(before) if before else {}
        now = definitions(after) if after else {}
        for name in was.keys() | now.keys():
            for what in compare(was.get(name, []), now.get(name, [])):
                listed[what, name, shown] += 1
    return files, listed


def compare(was, now):
    """What happened to the definitions of one name in two files."""
    was, now = list(was), list(now)
    for same in [lambda a, b: a == b, lambda a, b: a[1] == b[1], lambda a, b: a[0] == b[0], lambda a, b: True]:
        for before in list(was):
            after = next((it for it in now if same(before, it)), None)
            if after is not None:
                was.remove(before)
                now.remove(after)
                parts = [part for part, at in (("signature", 0), ("body", 1)) if before[at] != after[at]]
                if parts:
                    yield " ".join(parts)
    yield from ["removed"] * len(was)
    yield from ["added"] * len(now)


def of_footnote(path):
    """The same list out of Footnote's JSON; what it calls renamed or moved counts as removed and added."""
    shown = json.loads(Path(path).read_text())
    listed = Counter()
    skipped = Counter()
    for it in shown["definitions"]:
        side = it["new"] or it["old"]
        if side["kind"] not in KINDS_OF.get(Path(it["file"]).suffix, ()):
            skipped[side["kind"]] += 1
            continue
        if it["what"] == "changed":
            what = " ".join(part for part in ("signature", "body") if it[part])
            listed[what, side["name"], it["file"]] += 1
        elif it["what"] in ("renamed", "moved"):
            skipped[it["what"]] += 1
            print("footnote:", it["what"], it["old"]["name"], it["old"]["path"], "->", side["name"], side["path"])
        else:
            listed[it["what"], side["name"], it["file"]] += 1
    return listed, skipped


def main():
    global RUST_COUNT
    old, new = Path(sys.argv[1]), Path(sys.argv[2])
    if len(sys.argv) > 4:
        RUST_COUNT = sys.argv[4]
        KINDS_OF[".rs"] = OF_RUST
    files, listed = changes(old, new)
    print("files, git:", dict(sorted(files.items())))
    counts = Counter()
    for (what, _, _), n in listed.items():
        counts[what] += n
    print("definitions, counted:", dict(sorted(counts.items())), "in all", sum(counts.values()))
    if len(sys.argv) > 3:
        ours, skipped = of_footnote(sys.argv[3])
        counts = Counter()
        for (what, _, _), n in ours.items():
            counts[what] += n
        print("definitions, footnote:", dict(sorted(counts.items())), "in all", sum(counts.values()))
        print("left out of the comparison:", dict(sorted(skipped.items())))
        both = sum((ours & listed).values())
        print("in both:", both)
        for name, rest in (("only counted:", listed - ours), ("only footnote:", ours - listed)):
            for entry in sorted(rest.elements()):
                print(name, *entry)


main()
