"""Lets `verify` list what Footnote attaches by itself too: python3 attached.py FILE of verify."""

import pathlib
import sys

path = pathlib.Path(sys.argv[1])
text = path.read_text()
for old, new in [
    ("let claim = note.claim.as_ref()?;", "let claim = note.claim.as_ref();"),
    (".or(claim.lines)", ".or(claim.and_then(|claim| claim.lines))"),
    ("raw: &claim.raw,", 'raw: claim.map_or("attached", |claim| &claim.raw),'),
    ("map_or(claim.path.as_str(), |", 'map_or(claim.map_or("", |claim| &claim.path), |'),
]:
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
