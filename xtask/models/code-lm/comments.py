"""Finds (code, sentence) pairs in source of any language: a comment or docstring and the lines that it stands for.

Works on lines and indentation alone, so one routine serves all 16 languages.
"""

import re
from dataclasses import dataclass

HASH = {"python", "ruby", "bash"}
DEFINITION = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|internal|static|final|override|open|abstract|async|inline|const|unsafe|virtual"
    r"|extern|pub(?:\([^)]*\))?|suspend|data|sealed|case|implicit|lazy|@\w+)\s+)*"
    r"(?:def|fn|func|function|fun|class|struct|impl|interface|trait|enum|object|module|type|void|init|constructor)\b"
    r"|^\s*[\w:<>,*&\[\]?. ]+\([^;=]*\)\s*(?:const|noexcept|override|throws [\w., ]+|->.*|:.*)?\s*\{\s*$"
)
SKIPPED = re.compile(
    r"copyright|licen[cs]e|todo|fixme|xxx|noqa|eslint|prettier|pragma|nolint|type: ignore|rustfmt|clippy|istanbul|ts-ignore|https?:"
    r"|region\b|-{3}|={3}|\*{3}|#{3}|SPDX|@(?:ts|param|return|type|see|inherit|file|internal|hide|private)|\\(?:param|return|file)",
    re.IGNORECASE,
)
WORDS = re.compile(r"[A-Za-z]{2,}")
CLOSER = re.compile(r"^\s*(?:[})\]]|end\b|fi\b|done\b|esac\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|\{)")


@dataclass
class Comment:
    start: int
    end: int
    """First line after the comment."""
    indent: int
    text: str
    """What it says, without its marks."""


@dataclass
class Pair:
    sentence: str
    start: int
    end: int
    """The lines that the sentence is about, comment not among them."""
    comment: range
    whole: bool
    """A definition with its documentation, rather than some lines inside one."""


def indent_of(line):
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def comments(lines, language):
    """Every run of lines that are comment and nothing else."""
    index = 0
    while index < len(lines):
        end, text = read_comment(lines, index, language)
        if end > index:
            yield Comment(index, end, indent_of(lines[index]), text)
        index = max(end, index + 1)


def read_comment(lines, start, language):
    """(line after the comment that starts here, its text); `start` itself if none starts here."""
    mark = ("#",) if language in HASH else ("//",) if language != "php" else ("//", "#")
    end, parts = start, []
    first = lines[start].strip()
    if first.startswith("/*") and language not in HASH:
        while end < len(lines) and end - start < 80:
            parts.append(lines[end].strip())
            end += 1
            if "*/" in parts[-1]:
                break
        if not parts[-1].endswith("*/"):
            return start, ""
        return end, "\n".join(part.strip("/* \t") for part in parts)
    while end < len(lines) and (line := lines[end].strip()).startswith(mark) and not line.startswith("#!"):
        # Rust and C# attributes and C's preprocessor look like comments only where `#` is one.
        parts.append(line.lstrip("/#!").strip())
        end += 1
    return end, "\n".join(parts)


def docstring(lines, index):
    """(line after, text) of a Python docstring at this line, else None."""
    line = lines[index].strip() if index < len(lines) else ""
    match = re.match(r'[rbuRBU]?("""|\'\'\')', line)
    if not match:
        return None
    quote = match.group(1)
    rest = line[match.end() :]
    if quote in rest:
        return index + 1, rest.split(quote)[0]
    parts = [rest]
    for end in range(index + 1, min(index + 80, len(lines))):
        if quote in lines[end]:
            return end + 1, "\n".join([*parts, lines[end].strip().split(quote)[0]])
        parts.append(lines[end].strip())
    return None


def sentence(text):
    """The first sentence of a comment if it is prose about code, else None."""
    paragraph = re.sub(r"</?\w+>|`+|\{@\w+ ?|\*\*|\[`?|`?\]", "", text.strip().split("\n\n")[0])
    flat = re.split(r"(?<=[a-z)0-9])[.!?:](?:\s|$)| @\w+ ", re.sub(r"\s+", " ", paragraph))[0].strip(" .:-–*#/")
    words = WORDS.findall(flat)
    if not 3 <= len(words) <= 40 or len(flat) > 260 or SKIPPED.search(flat):
        return None
    letters = sum(character.isalpha() or character == " " for character in flat)
    if letters < 0.8 * len(flat) or flat.endswith((";", "{", "}", ",")) or not flat[0].isalnum():
        return None
    return flat


def extent(lines, start):
    """The line after the statement, definition or run of statements that begins at `start`."""
    base = indent_of(lines[start])
    index, deeper = start + 1, False
    while index < len(lines) and index - start < 150:
        line = lines[index]
        if not line.strip():
            if not deeper:
                break
            following = next((l for l in lines[index + 1 : index + 4] if l.strip()), "")
            if indent_of(following) <= base and not CLOSER.match(following):
                break
        elif indent_of(line) < base:
            break
        elif indent_of(line) == base:
            if deeper and not CLOSER.match(line):
                break
            if line.strip().startswith(("//", "#", "/*")):
                break
        else:
            deeper = True
        index += 1
    return index


def pairs(lines, language):
    """Every documented definition and commented run of lines of a file."""
    if language == "python":
        yield from documented_in_python(lines)
    for comment in comments(lines, language):
        said = sentence(comment.text)
        start = comment.end
        while start < len(lines) and lines[start].strip().startswith(("#[", "@", "[")) and start - comment.end < 4:
            start += 1
        if said is None or start >= len(lines) or not lines[start].strip():
            continue
        whole = bool(DEFINITION.match(lines[start]))
        end = extent(lines, start)
        if indent_of(lines[start]) == comment.indent and (3 if whole else 1) <= end - comment.end <= (80 if whole else 14):
            yield Pair(said, comment.end, end, range(comment.start, comment.end), whole)


def documented_in_python(lines):
    for index, line in enumerate(lines):
        if not re.match(r"\s*(?:async )?def \w+", line):
            continue
        head = index
        while head < len(lines) and head - index < 12 and not lines[head].rstrip().endswith(":"):
            head += 1
        found = docstring(lines, head + 1)
        if found is None:
            continue
        after, text = found
        end = extent(lines, index)
        said = sentence(text)
        if said is not None and 2 <= end - after <= 80:
            yield Pair(said, index, end, range(head + 1, after), True)
