"""What can be typed at the cursor of a script that is being written.

It works on tokens without the grammar, which knows whole statements only and is slow on long texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from randomizer.systems.colossus.script.words import FUNCTIONS, STATEMENTS

_TOKEN = re.compile(r'"[^"]*"?|[A-Za-z._][A-Za-z0-9._]*|[0-9]+(?:\.[0-9]*)?|\S')
_FRAGMENT = re.compile(r"(?<![A-Za-z0-9._])[A-Za-z0-9._]*\Z")
_CODE = re.compile(r'(?:[^"#]|"[^"]*(?:"|\Z))*')


class Wanted(Enum):
    """What is expected at a place."""

    STATEMENT = auto()
    HEXES = auto()
    HEXES_OR_HAZARDS = auto()  # in the list of an AREA, which could end here
    LABEL_NAME = auto()  # between the parentheses of a label's use
    HAZARD = auto()
    HEXSIDES_WORD = auto()
    HEXSIDE = auto()


class Caret(NamedTuple):
    """What is expected at the cursor (None: unknown), and the word begun there."""

    wanted: Wanted | None
    fragment: str


def caret_at(line: str, column: int) -> Caret:
    """The caret before ``column`` (from 1) of ``line``; no statement spans lines."""
    before = line[: column - 1]
    code = _CODE.match(before)
    if code is None or code.end() < len(before):
        return Caret(None, "")  # in a comment
    if before.count('"') % 2:
        return Caret(None, "")  # in quotes
    found = _FRAGMENT.search(before)
    fragment = found[0] if found else ""
    if fragment[:1].isdigit():
        return Caret(None, "")
    row = _statement(_TOKEN.findall(before[: len(before) - len(fragment)]))
    return Caret(_wanted(row), fragment)


def _statement(tokens: Sequence[str]) -> Sequence[str]:
    """The tokens from the last keyword of a statement on."""
    starts = [at for at, token in enumerate(tokens) if token in STATEMENTS]
    return tokens[starts[-1] :] if starts else tokens


def _wanted(row: Sequence[str]) -> Wanted | None:
    match row[0] if row else "":
        case "":
            return Wanted.STATEMENT
        case "AREA" if "HAZARDS" in row:
            return None if row[-1] == "," else Wanted.HAZARD
        case "AREA":
            wanted = _in_list(row[1:])
            return Wanted.HEXES_OR_HAZARDS if wanted is Wanted.HEXES and _flat(row) else wanted
        case "STARTLIST":
            return _in_list(row[1:])
        case "LABEL" if "=" in row:
            return _in_list(row[row.index("=") + 1 :])
        case "PAIR":
            return _in_pair(row)
    return None


def _in_pair(row: Sequence[str]) -> Wanted | None:
    if "HEXSIDES" in row:
        return None if row[-1] == "," else Wanted.HEXSIDE
    if row[-1] == "(":
        return Wanted.HAZARD
    return Wanted.HEXSIDES_WORD if row[-1] == ")" and row.count(")") == 2 else None


def _flat(row: Sequence[str]) -> bool:
    return row.count("(") == row.count(")")


def _in_list(tokens: Sequence[str]) -> Wanted | None:
    """What is expected after ``tokens``, the beginning of a list."""
    open_by = list(_open_parentheses(tokens))
    function, inside = open_by[-1] if open_by else ("list", [])
    if not function:  # of a label or of coordinates
        return None if inside else Wanted.LABEL_NAME
    if function == "SOMEOF" and "," not in inside:
        return None  # the count of SOMEOF
    return Wanted.HEXES


def _open_parentheses(tokens: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """For every open parenthesis: the function before it, else "", and the tokens inside."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token == "(":
            opened.append(at)
        elif token == ")" and opened:
            opened.pop()
    for at in opened:
        before = tokens[at - 1] if at else ""
        yield before if before in (*FUNCTIONS, "SUBTRACT") else "", tokens[at + 1 :]
