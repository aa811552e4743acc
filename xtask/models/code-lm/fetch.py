"""Fetches the archives named in packages.json with the registries' own clients and checks each one's sha256."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def from_pypi(package, path, _):
    """`pip download` would build each source distribution only to read its metadata; its session fetches the file."""
    script = ROOT / "xtask/fixtures/pypi.py"
    name = package["name"].replace("_", "-").replace(".", "-")
    subprocess.run([sys.executable, str(script), name, package["file"], str(path)], check=True)


def from_npm(package, path, _):
    name = f"{package['name']}@{package['version']}"
    subprocess.run(["npm", "pack", "--silent", "--pack-destination", str(path.parent), name], check=True, stdout=subprocess.DEVNULL)


def from_crates(package, path, scratch):
    """cargo keeps the file of every dependency; a package that only depends on it fetches it."""
    folder = scratch / package["name"]
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src/lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n'
        f'{package["name"]} = {{ version = "={package["version"]}", default-features = false }}\n'
    )
    command = ["cargo", "metadata", "--format-version=1", "--manifest-path", str(folder / "Cargo.toml")]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    manifest = next(Path(p["manifest_path"]) for p in metadata["packages"] if p["name"] == package["name"])
    # <registry>/src/<index>/<name>-<version>/Cargo.toml → <registry>/cache/<index>/<file>
    index = manifest.parent.parent
    shutil.copyfile(index.parent.parent / "cache" / index.name / package["file"], path)


REGISTRIES = {"pypi": from_pypi, "npm": from_npm, "crates": from_crates}


# A client takes seconds for a package, nearly all of them waiting for its registry.
AT_ONCE = 8


def run(packages, folder, scratch):
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    missing = [it for it in packages if digest(folder / it["file"]) != it["sha256"]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        fetches = [pool.submit(fetch, package, folder, scratch) for package in missing]
        try:
            for number, fetched in enumerate(as_completed(fetches), 1):
                print(f"{number}/{len(missing)} {fetched.result()}", flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def fetch(package, folder, scratch):
    """Fetches one archive; returns what to call it."""
    path = folder / package["file"]
    REGISTRIES[package["registry"]](package, path, scratch)
    if digest(path) != package["sha256"]:
        sys.exit(f"sha256 is {digest(path)}, not {package['sha256']}: {package['file']}")
    return f"{package['registry']} {package['name']} {package['version']}"
