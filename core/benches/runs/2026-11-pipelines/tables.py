"""Writes the tables of this record out of what `footnote evaluate --json` wrote, and draws the length curve.

python3 tables.py FOLDER > tables.md      # reads FOLDER/*.json, writes length.svg beside this file
"""

import json
import sys
from pathlib import Path

SETS = ["commits", "swe-qa", "semble", "sivru"]
HEAD = ("| pipeline | budget | n | acc@1 | nDCG@10 | gold lines (n) | gold files | cross-file (n) | files | used "
        "| neighbours | ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|")


def rows(folder, names):
    found = []
    for name in names:
        path = folder / f"{name}.json"
        if path.exists():
            found += json.loads(path.read_text())
    return found


def share(value, n):
    return "–" if value is None else f"{value:.3f} ({n})"


def line(row):
    cells = [row["pipeline"], row["budget"], row["n"], f"{row['acc_1']:.3f}", f"{row['ndcg_10']:.3f}"]
    cells += [share(row["gold_lines"], row["n_gold_lines"]), f"{row['gold_files']:.3f}"]
    cells += [share(row["cross_file"], row["n_cross_file"]), f"{row['files']:.1f}", f"{row['used']:.0%}"]
    cells += [f"{row['neighbours']:.1f}", f"{sum(row['milliseconds']):.0f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def presets(folder):
    for name in SETS:
        found = rows(folder, [name, f"m-{name}", f"m2-{name}"])
        if found:
            print(f"\n## {name}\n\n{HEAD}")
            for row in found:
                print(line(row))


def expansion(folder):
    print("\n## Grounded at its own budget (12,000 characters)\n")
    print("| set | variant | n | gold files | cross-file (n) | files | neighbours |\n|---|---|---|---|---|---|---|")
    for name in SETS:
        for prefix, variant in [("g", "as published"), ("g0", "without imports"), ("gk", "without both, top-k")]:
            for row in rows(folder, [f"{prefix}-{name}"]):
                cells = [name, variant, row["n"], f"{row['gold_files']:.3f}"]
                cells += [share(row["cross_file"], row["n_cross_file"]), f"{row['files']:.2f}"]
                print("| " + " | ".join(map(str, cells + [f"{row['neighbours']:.1f}"])) + " |")


def length(folder):
    """Share of gold files in 4,000 tokens, by the tokens that lines are chosen of."""
    curves = {}
    print("\n## Length\n\n| set | candidates | gold files | gold lines | files | ms |\n|---|---|---|---|---|---|")
    for name in SETS:
        for row in rows(folder, [f"c-{name}"]):
            tokens = row["pipeline"].partition("read=")[2]
            if not tokens:
                continue
            lines = "–" if row["gold_lines"] is None else f"{row['gold_lines']:.3f}"
            ms = sum(row["milliseconds"])
            print(f"| {name} | {int(tokens):,} | {row['gold_files']:.3f} | {lines} | {row['files']:.1f} | {ms:.0f} |")
            curves.setdefault(name, []).append((int(tokens), row["gold_files"]))
    if curves:
        (Path(__file__).parent / "length.svg").write_text(drawn(curves))


def drawn(curves):
    """An SVG with a line for each set; the axis of tokens is logarithmic."""
    from math import log

    wide, high, left, top = 620, 320, 60, 24
    span = log(200_000 / 10_000)
    x = lambda tokens: left + (wide - left - 90) * log(tokens / 10_000) / span
    y = lambda value: top + (high - top - 46) * (1 - value)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">',
           f'<rect width="{wide}" height="{high}" fill="#fff"/>']
    for value in (0, 0.25, 0.5, 0.75, 1):
        out.append(f'<path d="M{left} {y(value)}H{wide - 90}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(value) + 4}" text-anchor="end">{value:.2f}</text>')
    for tokens in (10_000, 20_000, 50_000, 100_000, 200_000):
        out.append(f'<text x="{x(tokens)}" y="{high - 26}" text-anchor="middle">{tokens // 1000}k</text>')
    out.append(f'<text x="{(left + wide - 90) / 2}" y="{high - 8}" text-anchor="middle">tokens that lines are chosen of</text>')
    out.append('<text x="8" y="14">share of gold files in 4,000 tokens</text>')
    for (name, points), colour in zip(curves.items(), ["#0b5d4f", "#1c55b8", "#9a4a00", "#7a30d8"]):
        path = " ".join(f"{x(tokens):.1f},{y(value):.1f}" for tokens, value in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last = points[-1]
        out.append(f'<text x="{x(last[0]) + 6}" y="{y(last[1]) + 4}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


folder = Path(sys.argv[1])
presets(folder)
expansion(folder)
length(folder)
