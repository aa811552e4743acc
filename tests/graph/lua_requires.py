"""Edges between the files of an archive as Lua finds them: `lua_requires.py ARCHIVE [FOLDER…]`.

FOLDER is a folder of the archive that is on `package.path` when its code or its tests run. The compiler
(`luac5.3 -l`) tells which constant strings the global functions `require`, `dofile` and `loadfile` are
called with, directly or through `pcall`; Lua's own `package.searchpath` says which file is meant.
Nothing of the archive is run. Prints one JSON object a line: the requiring and the required file; one
without the latter for each file read.
"""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

GLOBAL = re.compile(r'\tGETTABUP\s+(\d+) \d+ -\d+\t; \S+ "(\w+)"')
STRING = re.compile(r'\tLOADK\s+(\d+) -\d+\t; "(.*)"$')
CALL = re.compile(r"\t(?:TAIL)?CALL\s+(\d+) ")


def required(file: pathlib.Path) -> list[tuple[str, str]] | None:
    """The constant arguments of `require` and its like, from the compiler's listing."""
    listed = subprocess.run(["luac5.3", "-l", "-p", file], capture_output=True, text=True, errors="replace")
    if listed.returncode != 0:
        return None
    found, held = [], {}
    for line in listed.stdout.splitlines():
        if match := GLOBAL.search(line):
            held[int(match[1])] = ("global", match[2])
        elif match := STRING.search(line):
            held[int(match[1])] = ("string", match[2])
        elif match := CALL.search(line):
            at = int(match[1])
            called = held.get(at, ("", ""))
            if called in (("global", "pcall"), ("global", "xpcall")):
                called, at = held.get(at + 1, ("", "")), at + 1
            kind, argument = held.get(at + 1, ("", ""))
            if called[0] == "global" and called[1] in ("require", "dofile", "loadfile") and kind == "string":
                found.append((called[1], argument))
            held = {register: value for register, value in held.items() if register < at}
    return found


def find(root: pathlib.Path, folders: list[str], how: str, name: str) -> pathlib.Path | None:
    if how != "require":
        path = root / name
        return path if path.is_file() else None
    path = ";".join(f"{root / folder}/?.lua;{root / folder}/?/init.lua" for folder in folders)
    code = "io.write(package.searchpath(arg[1], arg[2]) or '')"
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(code)
        script.flush()
        found = subprocess.run(["lua5.3", script.name, name, path], capture_output=True, text=True).stdout
    return pathlib.Path(found).resolve() if found else None


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(folder, filter="data")
        (root,) = pathlib.Path(folder).resolve().iterdir()
        known: dict[tuple[str, str], pathlib.Path | None] = {}
        for file in sorted(root.rglob("*.lua")):
            calls = required(file)
            if calls is None:
                continue
            origin = file.relative_to(root).as_posix()
            print(json.dumps({"from": origin}))
            edges = set()
            for call in calls:
                if call not in known:
                    known[call] = find(root, sys.argv[2:] or [""], *call)
                target = known[call]
                if target and target != file and target.is_relative_to(root):
                    edges.add(target.relative_to(root).as_posix())
            for edge in sorted(edges):
                print(json.dumps({"from": origin, "to": edge}))


main()
