"""Edges between the files of an archive by Dart's rules: `dart_imports.py ARCHIVE`.

No Dart SDK is needed: Pygments' lexer tells directives from comments and strings. A URI `package:name/path`
is `lib/path` of the folder whose `pubspec.yaml` has that name, any other a path from the file, which is
what the language specification says of them. Prints one JSON object a line: the importing and the imported
file; one without the latter for each file read.
"""

import json
import pathlib
import re
import sys
import tarfile
import tempfile

from pygments.lexers import DartLexer
from pygments.token import Comment, String, Text


def uris(text: str) -> list[str]:
    """The URIs of `import`, `export`, `part` and `part of`, each directive up to its semicolon."""
    found, directive, string = [], False, None
    for kind, value in DartLexer(stripnl=False).get_tokens(text):
        if kind in Comment or (kind in Text and not value.strip()):
            continue
        if kind in String:
            string = (string or "") + value
            continue
        if directive and string is not None:
            found.append(string.strip().strip("r").strip("'\""))
        string = None
        word = value.strip()
        if word in ("import", "export", "part"):
            directive = True
        elif ";" in value or word in ("class", "{", "("):
            directive = directive and "(" in value
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(folder, filter="data")
        (root,) = pathlib.Path(folder).resolve().iterdir()
        packages: dict[str, list[pathlib.Path]] = {}
        for manifest in root.rglob("pubspec.yaml"):
            if name := re.search(r"^name:\s*(\S+)", manifest.read_text(), re.M):
                packages.setdefault(name[1].strip("'\""), []).append(manifest.parent)
        for file in sorted(root.rglob("*.dart")):
            origin = file.relative_to(root).as_posix()
            print(json.dumps({"from": origin}))
            edges = set()
            for uri in uris(file.read_text(errors="replace")):
                if uri.startswith("package:"):
                    name, _, path = uri.removeprefix("package:").partition("/")
                    targets = [at / "lib" / path for at in packages.get(name, [])]
                else:
                    targets = [] if ":" in uri else [(file.parent / uri).resolve()]
                edges |= {at for at in targets if at.is_file() and at != file and at.is_relative_to(root)}
            for edge in sorted(edge.relative_to(root).as_posix() for edge in edges):
                print(json.dumps({"from": origin, "to": edge}))


main()
