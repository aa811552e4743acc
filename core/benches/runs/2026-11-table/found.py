"""found.py SET.jsonl PER_QUERY.jsonl…: of how many questions a line of the gold span, or the gold file, is among the best ten."""

import json
import sys


def overlaps(place, spans):
    path, _, lines = place.rpartition(":")
    first, _, last = lines.partition("-")
    first, last = int(first), int(last or first)
    return any(path == span["file"] and first <= span["end"] and span["start"] <= last for span in spans)


def main(questions, *measured):
    gold = {row["id"]: row for row in map(json.loads, open(questions))}
    for name in measured:
        runs = {}
        for row in map(json.loads, open(name)):
            runs.setdefault(row["strategy"], []).append(row)
        for run, rows in runs.items():
            lines = sum(any(overlaps(it, gold[row["id"]]["gold_spans"]) for it in row["lines"]) for row in rows)
            files = sum(any(it in gold[row["id"]]["gold_files"] for it in row["files"]) for row in rows)
            print(f"{name} {run}: lines {lines}, file {files} of {len(rows)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
