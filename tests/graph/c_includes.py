"""Edges between the C and C++ files of an archive as GCC finds them: `c_includes.py ARCHIVE [FOLDER…]`.

FOLDER is a folder of the archive that its build puts on the include path. The directives are read after GCC
took the comments away, so those of every condition count, not only those of this machine; each one is then
looked for by GCC alone (`-H`), from the folder of its file. Includes through a macro are left out.
Prints one JSON object a line: the including and the included file; one without the latter for each file read.
"""

import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

SUFFIXES = {".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp"}
DIRECTIVE = re.compile(r'^\s*#\s*(?:include|import)\s*(<[^>]+>|"[^"]+")', re.MULTILINE)


def directives(file: pathlib.Path) -> list[str]:
    """What the file includes, as written, without what stands in comments and strings."""
    command = ["gcc", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c++", file]
    text = subprocess.run(command, capture_output=True, check=False).stdout
    return DIRECTIVE.findall(text.decode(errors="replace"))


class Compiler:
    def __init__(self, include_path: list[pathlib.Path]):
        self.flags = [flag for folder in include_path for flag in ("-I", str(folder))]

    @functools.lru_cache(maxsize=None)
    def find(self, folder: pathlib.Path, written: str) -> pathlib.Path | None:
        """The file that one directive in `folder` opens."""
        command = ["gcc", "-x", "c++", *self.flags, "-E", "-H", "-o", "/dev/null", "-"]
        probe = f"#include {written}\n".encode()
        run = subprocess.run(command, cwd=folder, input=probe, capture_output=True, check=False)
        for line in run.stderr.decode(errors="replace").splitlines():
            if line.startswith(". "):
                return (folder / line[2:]).resolve()
        return None


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(temporary, filter="data")
        (root,) = pathlib.Path(temporary).resolve().iterdir()
        compiler = Compiler([root / folder for folder in sys.argv[2:]])
        files = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            written = list(pool.map(directives, files))
            wanted = [(file.parent, name) for file, names in zip(files, written) for name in names]
            list(pool.map(lambda pair: compiler.find(*pair), dict.fromkeys(wanted)))
        for file, names in zip(files, written):
            print(json.dumps({"from": file.relative_to(root).as_posix()}))
            found = {compiler.find(file.parent, name) for name in names}
            for target in sorted(target for target in found if target and target.is_relative_to(root)):
                if target != file:
                    edge = {"from": file.relative_to(root), "to": target.relative_to(root)}
                    print(json.dumps({key: value.as_posix() for key, value in edge.items()}))


main()
