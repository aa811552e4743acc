"""The files of each crate target as rustc reads them: `rust_modules.py CRATE.crate`.

`cargo metadata` lists the targets; `rustc --emit=dep-info` lists the files that a target's `mod` items
lead to, with every feature of the manifest and with tests. Prints one JSON object a line: the root file
of the target and a file of its module tree.
"""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(folder, filter="data")
        (root,) = pathlib.Path(folder).resolve().iterdir()
        command = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1"]
        metadata = subprocess.run(command, cwd=root, capture_output=True, check=True)
        (package,) = json.loads(metadata.stdout)["packages"]
        features = [f'feature="{name}"' for name in package["features"]]
        for target in package["targets"]:
            source = pathlib.Path(target["src_path"])
            out = pathlib.Path(folder) / "dep-info"
            rustc = ["rustc", "--edition", target["edition"], "--test", f"--emit=dep-info={out}"]
            for feature in features:
                rustc += ["--cfg", feature]
            # Dependencies are not there, so it ends with errors; the files are listed all the same.
            subprocess.run([*rustc, source], cwd=root, capture_output=True, check=False)
            if not out.exists():
                print(f"nothing known of {source.relative_to(root)}", file=sys.stderr)
                continue
            listed = re.findall(r"^(\S+):\s*$", out.read_text(), re.MULTILINE)
            out.unlink()
            for name in listed:
                path = (root / name).resolve()
                if path.suffix == ".rs" and path != source.resolve():
                    edge = {"from": source.relative_to(root), "to": path.relative_to(root)}
                    print(json.dumps({key: value.as_posix() for key, value in edge.items()}))


main()
