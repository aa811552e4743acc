"""Whether two folders of results are the same: python3 same.py BEFORE AFTER."""

import json
import pathlib
import sys

before, after = map(pathlib.Path, sys.argv[1:3])
TIMES = {"ms", "ms_p50", "ms_p95"}


def without_times(value):
    return {key: kept for key, kept in value.items() if key not in TIMES}


def read(path):
    text = path.read_text()
    values = json.loads(text) if path.suffix == ".json" else map(json.loads, text.splitlines())
    return [without_times(value) for value in values]


for path in sorted(before.glob("*.json*")):
    a, b = read(path), read(after / path.name)
    assert len(a) == len(b), path.name
    differ = [(x, y) for x, y in zip(a, b) if x != y]
    rows = "questions × strategies" if path.suffix == ".jsonl" else "rows"
    print(f"{path.name}: {len(a)} {rows}, {len(differ)} differ")
    for x, y in differ[:40]:
        print("  ", x.get("strategy"), x.get("id") or x.get("set"))
        for key in x:
            if x[key] != y.get(key):
                print(f"      {key}: {x[key]}\n      → {y.get(key)}")
