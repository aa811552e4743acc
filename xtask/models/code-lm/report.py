"""Measures the trained model and writes what the model card shows: report.json, the loss curve and the tables of the card.

    report.py WORK ROOT
"""

import json
import sys
from pathlib import Path

import ami
import export
import measure

# A process of its own.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from stages import fill

EACH = 45
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 300, 50, 40


def curve(work):
    """[(million tokens, nats a token, phase)] of the whole training."""
    rows = [json.loads(line) for line in (work / "loss.jsonl").read_text().splitlines()]
    return [(row["tokens"] / 1e6, row["loss"], row["phase"]) for row in rows]


def picture(points):
    """The loss curve as an SVG that needs nothing else."""
    last = max(x for x, _, _ in points)
    low, high = 2.0, 6.0
    place = lambda x, y: (LEFT + x / last * (WIDTH - LEFT - 10), 10 + (high - min(y, high)) / (high - low) * (HEIGHT - BOTTOM - 10))
    lines = []
    for phase, colour in (("stable", "#2b6cb0"), ("decay", "#c05621")):
        path = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y, p in points if p == phase)
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
    for value in (2, 3, 4, 5, 6):
        _, y = place(0, value)
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
    step = 10 if last > 25 else 5
    for value in range(0, int(last) + 1, step):
        x, _ = place(value, low)
        lines.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value}</text>')
    title = "nats a token over millions of training tokens; blue: full rate, orange: falling rate at 512 tokens"
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}" text-anchor="middle">{title}</text>')
    style = '<style>text{font:12px sans-serif;fill:#444}</style><rect width="100%" height="100%" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{style}{"".join(lines)}</svg>\n'


def languages_table(measured):
    names = ["model", "int8", "5-gram", "xz, one stream", "xz, by file"]
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    rows = {"**all**": measured["all"]} | measured["languages"]
    for language, row in rows.items():
        lines.append(f"| {language} | " + " | ".join(f"{row[name]:.3f}" for name in names) + " |")
    return "\n".join(lines)


def ami_table(before, after):
    lines = ["| | pool: first | pool: AUC | inside: first | inside: AUC |", "|---|---|---|---|---|"]
    rows = [("chance", before, "random"), ("BM25", before, "BM25")]
    for score in ("AMI", "AMI on content words", "BM25 + AMI", "AMI, foreign question"):
        rows += [(f"{score}, before fine-tuning", before, score), (f"{score}, fine-tuned", after, score)]
    for label, result, score in rows:
        cells = []
        for kind in ("pool", "inside"):
            value = result[kind][score]
            cells += [f"{100 * value['accuracy']:.1f} ± {100 * value['accuracy_error']:.1f}", f"{value['auc']:.3f}"]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def repeats_table(measured):
    lines = ["| identifier | first token | later tokens |", "|---|---|---|"]
    for kind in ("first", "repeated"):
        cells = [f"{measured['repeats'][f'{kind} {part}']['nats']:.2f}" for part in ("first token", "later tokens")]
        lines.append(f"| {kind} occurrence | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def corpus_table(corpus):
    """Megabytes by language."""
    lines = ["| MB | training | held out |", "|---|---|---|"]
    for language in sorted(corpus["train"]):
        lines.append(f"| {language} | {corpus['train'][language] / 1e6:.2f} | {corpus['held-out'].get(language, 0) / 1e6:.2f} |")
    totals = [sum(corpus[split].values()) / 1e6 for split in ("train", "held-out")]
    return "\n".join([*lines, f"| **all** | {totals[0]:.1f} | {totals[1]:.1f} |"])


def training_table(state, points):
    stable = max(x for x, _, phase in points if phase == "stable")
    decay = max(x for x, _, _ in points) - stable
    tuned = state["tokens"] / 1e6 - stable - decay
    return "\n".join(
        [
            "| | tokens |",
            "|---|---|",
            f"| next token, full rate, windows of 256 | {stable:.1f} M |",
            f"| next token, rate falling to zero, windows of 512 | {decay:.1f} M |",
            f"| fine-tuning, next-token half | {tuned:.1f} M |",
            f"| **all next-token training** | **{state['tokens'] / 1e6:.1f} M** |",
            f"| fine-tuning, questions with four blocks each | {state['tuning_examples']:,} questions |",
        ]
    )


def kept(path, checkpoint, make):
    """A measurement of a checkpoint, made again only if the checkpoint is newer."""
    if not path.is_file() or path.stat().st_mtime < checkpoint.stat().st_mtime:
        path.write_text(json.dumps(make(), indent=1))
    return json.loads(path.read_text())


def ami_of(work, name):
    checkpoint = work / f"{name}.pt"
    return kept(work / f"ami-{name}.json", checkpoint, lambda: ami.run(work, checkpoint, EACH))


def run(work, root):
    folder = root / f"public/models/{export.NAME}-{export.VERSION}"
    here = root / "xtask/models/code-lm"
    tuned = work / "tuned.pt"
    measured = kept(work / "measured.json", tuned, lambda: measure.run(work, tuned, folder))
    before, after = ami_of(work, "decayed"), ami_of(work, "tuned")
    _, state = export.load(tuned)
    corpus = json.loads((work / "corpus.json").read_text())
    report = {"training": state, "corpus": corpus, "measured": measured, "ami": {"before": before, "after": after}}
    points = curve(work)
    (here / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    (here / "loss.svg").write_text(picture(points))
    card = here / "MODEL_CARD.md"
    tables = {"corpus": corpus_table(corpus), "training": training_table(state, points)}
    tables |= {"languages": languages_table(measured), "ami": ami_table(before, after), "repeats": repeats_table(measured)}
    card.write_text(fill(card.read_text(), tables))


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
