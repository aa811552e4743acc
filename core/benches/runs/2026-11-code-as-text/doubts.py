"""How often a description is doubted: its own, and one of another part.

    python3 doubts.py FOOTNOTE ARCHIVE…

Code writes all descriptions; they are handed back as a model's, once as they are and once shuffled (seed 1).
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

footnote, *archives = sys.argv[1:]
print("| archive | parts | own doubted | another's doubted |\n|---|---|---|---|")
for archive in archives:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "texts.jsonl"

        def described(rows=()):
            out.write_text("".join(json.dumps(row) + "\n" for row in rows))
            subprocess.run([footnote, "describe", archive, "--out", out], check=True)
            return [json.loads(line) for line in out.read_text().splitlines()]

        rows = described()
        texts = [row["text"] for row in rows]
        shares = []
        for order in (texts, random.Random(1).sample(texts, len(texts))):
            given = [{**row, "text": text, "writer": "m"} for row, text in zip(rows, order)]
            checked = [row for row in described(given) if row["writer"] == "m"]
            shares.append(sum(bool(row["doubts"]) for row in checked) / len(checked))
        name = Path(archive).name
        print(f"| {name} | {len(rows)} | {shares[0]:.1%} | {shares[1]:.1%} |")
