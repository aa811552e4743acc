"""What teaching is worth: made questions, a part of them left out, untaught against taught.

    python3 measure.py FOOTNOTE ARCHIVES WORK [COMMITS.jsonl ARCHIVES.json]

FOOTNOTE is the release binary, ARCHIVES the folder of the packages, WORK a folder for what is made on the way.
With COMMITS, each release of a package is taught its made questions and the commits asked of earlier releases, and asked
the commits that came after it.
"""

import json
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PACKAGES = [
    "flask-3.1.1.tar.gz",
    "click-8.1.7.tar.gz",
    "jinja2-3.1.6.tar.gz",
    "requests-2.32.5.tar.gz",
    "axum-0.8.8.crate",
    "rxjs-7.8.2.tgz",
    "django-5.2.4.tar.gz",
]
VARIANTS = {"both": [], "map": ["--only-shared"], "own": ["--only-own"]}
SHARE = 0.2
SEED = 5


def run(*args):
    done = subprocess.run([str(arg) for arg in args], capture_output=True, text=True)
    # 1 says that teaching is not worth it, or that nothing was made: figures tell that too.
    if done.returncode > 1:
        sys.exit(f"{args}\n{done.stderr}")
    return done.stdout, done.stderr


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]


def write(path, items):
    Path(path).write_text("".join(json.dumps(item) + "\n" for item in items))


def by_question(items):
    items = items[:]
    random.Random(SEED).shuffle(items)
    n = int(len(items) * SHARE)
    return items[n:], items[:n]


def by_file(items):
    files = sorted({file for item in items for file in item["gold_files"]})
    random.Random(SEED).shuffle(files)
    left_out = set(files[: int(len(files) * SHARE)])
    test = [it for it in items if set(it["gold_files"]) <= left_out]
    train = [it for it in items if not set(it["gold_files"]) & left_out]
    return train, test


def sets(footnote, archive, items, taught, work):
    """The set of files that each pipeline answers each question with."""
    write(work / "asked.jsonl", items)
    runs = work / "runs"
    for old in runs.glob("*"):
        old.unlink()
    run(footnote, "evaluate", work / "asked.jsonl", "--archive", archive, "--vectors-from", "table",
        "--pipeline", "footnote,taught", "--taught", taught, "--runs", runs)
    found = {}
    for path in runs.glob("*.json"):
        name = path.name.split(".")[-2]
        rows = json.loads(path.read_text())["rows"]
        found[name] = {id: set(row.get("set", [])) for id, row in rows.items()}
    return found


def marks(items, found):
    exact = [float(found.get(it["id"], set()) == set(it["gold_files"])) for it in items]
    recall = [len(found.get(it["id"], set()) & set(it["gold_files"])) / len(it["gold_files"]) for it in items]
    return exact, recall


def mean(values):
    return sum(values) / max(len(values), 1)


def interval(differences, draws=2000):
    draw = random.Random(1)
    n = len(differences)
    means = sorted(mean([differences[draw.randrange(n)] for _ in range(n)]) for _ in range(draws))
    return means[int(draws * 0.025)], means[int(draws * 0.975)]


def compared(items, found):
    (before, recall_before), (after, recall_after) = marks(items, found["footnote"]), marks(items, found["taught"])
    low, high = interval([b - a for a, b in zip(before, after)])
    return (f"{len(items)} | {mean(before):.3f} / {mean(recall_before):.3f} | "
            f"{mean(after):.3f} / {mean(recall_after):.3f} | {mean(after) - mean(before):+.3f} ({low:+.3f} to {high:+.3f})")


def of_package(footnote, archive, work):
    work.mkdir(parents=True, exist_ok=True)
    (work / "runs").mkdir(exist_ok=True)
    run(footnote, "questions", archive, "--count", 2000, "--out", work / "all.jsonl")
    items = read(work / "all.jsonl")
    name = archive.name
    control(footnote, archive, work)
    for split, cut in [("left out", by_question), ("left out with their files", by_file)]:
        train, test = cut(items)
        write(work / "train.jsonl", train)
        variants = VARIANTS if split == "left out" else {"both": []}
        for variant, flags in variants.items():
            taught = work / f"{variant}.taught"
            _, told = run(footnote, "teach", archive, work / "train.jsonl", "--out", taught, *flags)
            seconds = told.split("taught in ")[1].split(";")[0]
            found = sets(footnote, archive, test, taught, work)
            print(f"| {name} | {split} | {variant} | {compared(test, found)} | {seconds} | {taught.stat().st_size // 1000} kB |", flush=True)
            if variant == "both" and split == "left out":
                kinds(test, found)
                found = sets(footnote, archive, train, taught, work)
                print(f"| {name} | memorised | both | {compared(train, found)} | | |", flush=True)


CONTROL = {}


def control(footnote, archive, work):
    """The marks that teaching gives itself: EM of the retrieval's files, every question left out in turn."""
    told, _ = run(footnote, "teach", archive, work / "all.jsonl")
    rows = [line.split("|")[1:3] for line in told.splitlines() if line.startswith("|")]
    marks = {row[0].strip(): row[1].strip() for row in rows if len(row) == 2}
    CONTROL[archive.name] = [marks[row] for row in ["untaught", "how many files alone", "taught", "taught shuffled files"]]


KINDS = defaultdict(lambda: [[], []])


def kinds(items, found):
    for item in items:
        for at, pipeline in enumerate(["footnote", "taught"]):
            exact, _ = marks([item], found[pipeline])
            KINDS[item["category"]][at] += exact


def commits(footnote, archives, work, path, list_path):
    work.mkdir(parents=True, exist_ok=True)
    (work / "runs").mkdir(exist_ok=True)
    files = {key: it["file"] for key, it in json.loads(Path(list_path).read_text()).items()}
    releases = defaultdict(lambda: defaultdict(list))
    for item in read(path):
        package, version = item["archive"].rsplit("@", 1)
        releases[package][tuple(int(part) for part in version.split("."))].append(item)
    differences = []
    for package, by_version in sorted(releases.items()):
        earlier = []
        for version, items in sorted(by_version.items()):
            archive = archives / files[items[0]["archive"]]
            run(footnote, "questions", archive, "--count", 2000, "--out", work / "made.jsonl")
            write(work / "earlier.jsonl", earlier or read(work / "made.jsonl")[:1])
            run(footnote, "teach", archive, work / "made.jsonl", work / "earlier.jsonl", "--out", work / "taught")
            write(work / "asked.jsonl", items)
            run(footnote, "evaluate", work / "asked.jsonl", "--archive", archive, "--vectors-from", "table",
                "--strategy", "default,default+taught", "--taught", work / "taught", "--per-query", work / "rows.jsonl")
            first = defaultdict(dict)
            for row in read(work / "rows.jsonl"):
                first[row["id"]][row["strategy"]] = row["acc@1"]
            differences += [(it["default"], it["default+taught"]) for it in first.values()]
            earlier += items
    before, after = [a for a, _ in differences], [b for _, b in differences]
    low, high = interval([b - a for a, b in differences])
    print(f"\ncommits: acc@1 {mean(before):.3f} untaught, {mean(after):.3f} taught, "
          f"{mean(after) - mean(before):+.3f} ({low:+.3f} to {high:+.3f}), {len(differences)} questions")


def main():
    footnote, archives, work = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    print("| package | questions | learnt | n | untaught EM / micro-recall | taught | EM gained | time | file |")
    print("|---|---|---|---|---|---|---|---|---|")
    for package in PACKAGES:
        of_package(footnote, archives / package, work / package)
    print("\n| kind | n | untaught EM | taught EM |\n|---|---|---|---|")
    for kind, (before, after) in sorted(KINDS.items()):
        print(f"| {kind} | {len(before)} | {mean(before):.3f} | {mean(after):.3f} |")
    print("\n| package | untaught | how many files alone | taught | control |\n|---|---|---|---|---|")
    for package, marks in CONTROL.items():
        print(f"| {package} | {' | '.join(marks)} |")
    if len(sys.argv) > 4:
        commits(footnote, archives, work / "commits", sys.argv[4], sys.argv[5])


main()
