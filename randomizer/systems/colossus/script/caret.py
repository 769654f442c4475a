"""What can be typed at the cursor of a script that is being written.

It works without the grammar, which knows whole statements only and is slow on long texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from randomizer.systems.colossus.script.tokens import SUBTRACT, statement_rows, tokens
from randomizer.systems.colossus.script.words import FUNCTIONS


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
    """What is expected at the cursor (None: unknown), and the word begun there.

    ``start`` is the offset in the line at which the statement begins.
    """

    wanted: Wanted | None
    fragment: str
    start: int = 0


def caret_at(line: str, column: int) -> Caret:
    """The caret before ``column`` (from 1) of ``line``; no statement spans lines."""
    before = line[: column - 1]
    row = (statement_rows(tokens(before)) or [[]])[-1]
    start = row[0].start_pos if row else len(before)
    last = next(reversed(list(tokens(before))), None)
    fragment = ""
    if last is not None and last.end_pos == len(before):
        if last.type == "COMMENT" or last.is_open_quote or last.is_number:
            return Caret(None, "")
        if last.is_word:
            fragment = str(row.pop())
            if row and row[-1].is_number and row[-1].touches(last):
                return Caret(None, "")
    return Caret(_wanted(row), fragment, start)


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
        yield before if before in (*FUNCTIONS, SUBTRACT) else "", tokens[at + 1 :]
