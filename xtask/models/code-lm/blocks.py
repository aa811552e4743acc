"""Cuts the functions of a file into blocks of 3 to 12 lines, without their comments."""

import re

from comments import DEFINITION, comments, docstring, extent, indent_of

TYPE = re.compile(r"\b(?:class|struct|impl|interface|trait|enum|object|module|namespace|extension|type)\b")
LEAST, USUAL, MOST = 3, 6, 12


def comment_lines(lines, language):
    """Numbers of the lines that are nothing but comment or docstring."""
    numbers = set()
    for comment in comments(lines, language):
        numbers.update(range(comment.start, comment.end))
    if language == "python":
        for index in range(1, len(lines)):
            if lines[index - 1].rstrip().endswith(":") and (found := docstring(lines, index)):
                numbers.update(range(index, found[0]))
    return numbers


def functions(lines):
    """Line ranges of functions and methods; what is inside a function belongs to it."""
    index = 0
    while index < len(lines):
        line = lines[index]
        if DEFINITION.match(line) and not TYPE.search(line.split("(")[0]):
            end = extent(lines, index)
            if end - index >= 4:
                yield range(index, end)
                index = end
                continue
        index += 1


def cut(lines, numbers):
    """Groups of line numbers: cut at blank lines, at a return to the outermost indentation, and at MOST lines."""
    groups, current = [], []
    for number in numbers:
        if not lines[number].strip():
            if len(current) >= LEAST:
                groups.append(current)
                current = []
            continue
        back = len(current) >= USUAL and indent_of(lines[number]) <= min(indent_of(lines[n]) for n in current)
        if back or len(current) >= MOST:
            groups.append(current)
            current = []
        current.append(number)
    if current:
        if groups and len(current) < LEAST and len(groups[-1]) + len(current) <= MOST:
            groups[-1] += current
        else:
            groups.append(current)
    return groups


def text_of(lines, numbers):
    return "\n".join(lines[number] for number in numbers)
