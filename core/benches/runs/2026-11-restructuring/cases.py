"""Statements with citations whose outcome is compared, not judged.

python3 cases.py ARCHIVES_JSON ARCHIVE_DIR CORPUS_DIR OUT SET.jsonl…

Writes OUT/corpus (the answers of tests/fixtures/answers, one file each, their evidence and their
repository as an archive) and OUT/sets (one answer an archive of the sets, made of gold spans).
"""

import json
import pathlib
import re
import sys
import tarfile

archives, folder, corpus, out = map(pathlib.Path, sys.argv[1:5])
out.mkdir(parents=True, exist_ok=True)


def write_corpus():
    (out / "corpus").mkdir(exist_ok=True)
    with tarfile.open(out / "corpus" / "courier-1.4.0.tar.gz", "w:gz") as tar:
        tar.add(corpus / "repository", "courier-1.4.0")
    for path in sorted(corpus.glob("*.md")):
        if path.name == "README.md":
            continue
        for n, text in enumerate(path.read_text().split("=== ")[1:]):
            lines = text.split("\n")[1:]
            evidence = [line[10:] for line in lines if line.startswith("%evidence ")]
            kept = [row for row in lines if not row.startswith(("%evidence ", "--> "))]
            name = out / "corpus" / f"{path.stem}-{n:03}"
            name.with_suffix(".md").write_text("\n".join(kept).rstrip())
            if evidence:
                spans = []
                for written in evidence:
                    file, _, span = written.rpartition(":")
                    start, end = span.split("-")
                    spans.append({"file": file, "start": int(start), "end": int(end)})
                name.with_suffix(".json").write_text(json.dumps(spans))


def files_of(path):
    """Path without the single top folder -> text."""
    found = {}
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile():
                text = tar.extractfile(member).read().decode("utf-8", "replace")
                found[member.name.split("/", 1)[-1]] = text
    return found


def statements(item, files, other):
    """A right citation, one moved, one of another file, a quotation, one past the end, and none."""
    for span in item.get("gold_spans", []):
        text = files.get(span["file"])
        if text is None:
            continue
        rows = text.split("\n")
        start, end = span["start"], span["end"]
        row = rows[start - 1].strip() if start <= len(rows) else ""
        names = re.findall(r"[A-Za-z_]\w{3,}", row)[:3]
        what = " and ".join(f"`{name}`" for name in names) or "this"
        end = min(end, start + 40)
        place = f"{span['file']}:{start}-{end}"
        short = span["file"].split("/")[-1]
        yield f"The code uses {what} here [{place}]."
        yield f"The code uses {what} there [{span['file']}:{start + 60}-{end + 60}]."
        yield f"The code uses {what} [{other}:{start}-{end}]."
        yield f"It says `{row.replace('`', '')}` [{short}:{start}]."
        yield f"{what} is set [{span['file']}:{len(rows) + 5}-{len(rows) + 9}]."
        yield f"The code uses {what} here, see {item['query'].split('?')[0]}."


def main():
    write_corpus()
    (out / "sets").mkdir(exist_ok=True)
    known = json.loads(archives.read_text())
    answers = {}
    for path in sys.argv[5:]:
        for line in open(path):
            item = json.loads(line)
            answers.setdefault(known[item["archive"]]["file"], []).append(item)
    for name, items in answers.items():
        files = files_of(folder / name)
        spans = [span["file"] for item in items for span in item.get("gold_spans", [])]
        lines = []
        for n, item in enumerate(items):
            other = spans[(n + 1) % len(spans)] if spans else ""
            lines += statements(item, files, other)
            if "reference_answer" in item:
                lines.append(item["reference_answer"])
        (out / "sets" / f"{name}.md").write_text("\n\n".join(lines) + "\n")


main()
