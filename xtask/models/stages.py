"""What the recipes of this folder share: how stages are run, and how a model card gets its tables."""

import time
from pathlib import Path


def run(stages, work, asked):
    """STAGES: name → (what to call with the folder WORK, its last product or None). Without names in ASKED, those whose product is missing."""
    work = Path(work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    for name, (stage, product) in stages.items():
        if asked and name not in asked:
            continue
        if not asked and product and (work / product).exists():
            print(f"=== {name}: done before")
            continue
        print(f"=== {name}", flush=True)
        began = time.monotonic()
        stage(work)
        print(f"    {time.monotonic() - began:.0f} s", flush=True)


def fill(card, tables):
    """Replaces what stands between `<!-- NAME -->` and `<!-- end -->`."""
    for name, text in tables.items():
        head, rest = card.split(f"<!-- {name} -->\n", 1)
        _, tail = rest.split("<!-- end -->", 1)
        card = f"{head}<!-- {name} -->\n{text}\n<!-- end -->{tail}"
    return card
