"""Edges between the files of an archive as CPython finds them: `python_imports.py ARCHIVE.tar.gz`.

Imports are read with `ast`; modules are found with `importlib.machinery.PathFinder` on a search path
of the archive's own folders, so that nothing is imported and nothing of this machine is found.
Prints one JSON object a line: the importing and the imported file; one without the latter for each file
read.
"""

import ast
import importlib.machinery
import json
import pathlib
import sys
import tarfile
import tempfile


MANIFESTS = ["pyproject.toml", "setup.py"]


def search_path(root: pathlib.Path, file: pathlib.Path) -> list[str]:
    """The script's folder (above its packages), the projects around it, where projects keep packages."""
    folder = file.parent
    while (folder / "__init__.py").exists() and folder != root:
        folder = folder.parent
    projects = [up for up in file.parents if any((up / name).exists() for name in MANIFESTS)]
    roots = [folder, *(up for up in projects if up.is_relative_to(root)), root]
    return [str(path) for base in roots for path in (base, base / "src", base / "lib")]


def find(name: str, path: list[str]) -> importlib.machinery.ModuleSpec | None:
    """The module of that dotted name; packages are located, not run. Each part is asked for alone: for
    a dotted name, a package without `__init__.py` would ask for its parent among what was imported."""
    spec = None
    for part in name.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, path)
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or [])
    return spec


def bound(tree: ast.AST, package: str | None) -> set[str]:
    """Names that a module binds at its top, but not those of its submodules."""
    names: set[str] = set()
    stack = list(ast.iter_child_nodes(tree))
    while stack:
        node = stack.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
                continue
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.Import():
                names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
            case ast.ImportFrom():
                own = (node.level == 1 and not node.module) or node.module == package
                if not own:
                    names.update(alias.asname or alias.name for alias in node.names)
        stack.extend(ast.iter_child_nodes(node))
    return names


class Finder:
    def __init__(self, root: pathlib.Path):
        self.root = root
        self.bindings: dict[str, set[str]] = {}

    def relative(self, origin: str | None) -> str | None:
        path = pathlib.Path(origin) if origin and origin != "frozen" else None
        if path is None or not path.is_relative_to(self.root):
            return None
        return path.relative_to(self.root).as_posix()

    def binds(self, spec: importlib.machinery.ModuleSpec, module: str, name: str) -> bool:
        if not spec.has_location:
            return False
        if spec.origin not in self.bindings:
            tree = ast.parse(pathlib.Path(spec.origin).read_bytes())
            self.bindings[spec.origin] = bound(tree, module)
        return name in self.bindings[spec.origin]

    def edges(self, file: pathlib.Path):
        path = search_path(self.root, file)
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    spec = find(alias.name, path)
                    yield self.relative(spec.origin if spec else None)
            elif isinstance(node, ast.ImportFrom):
                module, where = node.module or "", path
                if node.level:
                    # A relative import starts from the folder, also in a package without `__init__.py`.
                    base = file.parents[node.level - 1]
                    where = [str(base if module else base.parent)]
                    module = module or base.name
                spec = find(module, where)
                if spec is None:
                    continue
                for alias in node.names:
                    inner = None
                    if alias.name != "*" and not self.binds(spec, module, alias.name):
                        locations = list(spec.submodule_search_locations or [])
                        inner = find(alias.name, locations)
                    yield self.relative((inner or spec).origin)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(folder, filter="data")
        (root,) = pathlib.Path(folder).resolve().iterdir()
        finder = Finder(root)
        for file in sorted(root.rglob("*.py")):
            origin = file.relative_to(root).as_posix()
            try:
                found = {edge for edge in finder.edges(file) if edge and edge != origin}
            except SyntaxError:
                continue
            print(json.dumps({"from": origin}))
            for edge in sorted(found):
                print(json.dumps({"from": origin, "to": edge}))


main()
