"""Compares two files of vectors by key: python3 vectors.py BEFORE.bin AFTER.bin."""

import pathlib
import sys


def read(path):
    data = pathlib.Path(path).read_bytes()
    size = 16 + 4 + 384
    starts = range(0, len(data) // size * size, size)
    return {data[at : at + 16]: data[at + 16 : at + size] for at in starts}


before, after = map(read, sys.argv[1:3])
both = before.keys() & after.keys()
differ = sum(before[key] != after[key] for key in both)
print(f"{len(before)} and {len(after)} vectors, {len(both)} of the same texts, {differ} differ")
