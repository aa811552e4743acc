"""Definitions in source of any language, found by lines and indentation: name, owner, extent."""

import re
from dataclasses import dataclass

from comments import extent, indent_of

MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|override|open|abstract|async|inline|const|unsafe|virtual"
    r"|extern|pub(?:\([^)]*\))?|suspend|data|sealed|declare|readonly|get|set)\s+)*"
)
KEYWORD = re.compile(
    rf"^\s*{MODIFIERS}(?P<kind>def|fn|func|function\*?|fun|class|struct|interface|trait|enum|object|protocol|macro_rules!)\s+"
    r"(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_$][\w$]*)"
)
IMPL = re.compile(r"^\s*(?:unsafe\s+)?impl\b.*?(?:\bfor\s+)?(?P<name>[A-Z]\w*)[^\s]*\s*(?:where.*)?\{\s*$")
ARROW = re.compile(
    r"^\s*(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)[^=]*=>|\w+\s*=>)"
)
METHOD = re.compile(r"^\s*(?:[\w<>,\[\]?.&*:~]+\s+){0,5}(?P<name>[A-Za-z_$][\w$]*)\s*\([^;]*\{\s*$")
NOT_NAMES = {"if", "for", "while", "switch", "catch", "return", "match", "else", "elif", "with", "new", "function", "describe", "it"}
OWNERS = {"class", "struct", "interface", "trait", "enum", "object", "protocol"}
BRACED = {"javascript", "typescript", "tsx", "java", "kotlin", "csharp", "c", "cpp", "swift", "php", "scala"}
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")


@dataclass
class Definition:
    name: str
    start: int
    end: int
    """The line after it."""
    owner: str
    """The class or the like that it is in, or nothing."""
    is_owner: bool


def head(line, language):
    """(name, whether others are in it) if a definition begins on this line."""
    match = KEYWORD.match(line)
    if match:
        return match["name"], match["kind"] in OWNERS
    if language == "rust" and (match := IMPL.match(line)):
        return match["name"], True
    if language in BRACED and (match := ARROW.match(line) or METHOD.match(line)) and match["name"] not in NOT_NAMES:
        return match["name"], False
    return None


def definitions(lines, language):
    """All of a file, outer ones before what is in them."""
    owners = []
    for number, line in enumerate(lines):
        if len(line) > 300 or not (found := head(line, language)):
            continue
        name, is_owner = found
        indent = indent_of(line)
        while owners and owners[-1][0] >= indent:
            owners.pop()
        yield Definition(name, number, extent(lines, number), owners[-1][1] if owners else "", is_owner)
        if is_owner:
            owners.append((indent, name))


def words_of(name):
    """get_HTTPResponse → get http response."""
    return " ".join(part.lower() for part in PART.findall(name))
