"""The words that an unfinished statement expects at the cursor: a hex, a hazard, a keyword.

    caret_at("AREA D4 SOMEOF(2,(ri", column=21)      # expects the name of a label, "ri" is written

No parser accepts a statement that is half written. So the tokens in front of the cursor are only
looked at from the outside: the keyword that they begin with, and the parenthesis that is open last.
Hexes, labels and functions form *lists*::

    AREA D4 (inside) SOMEOF(2,(rim)) HAZARDS Bog Lake,50.
         list of hexes                       hazards, here with a probability
    PAIR (Sand,0)(Plains,0) HEXSIDES d
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from randomizer.systems.colossus.script.tokens import SUBTRACT, Token, statement_rows, tokenize
from randomizer.systems.colossus.script.words import FUNCTIONS


class Expected(Enum):
    """The kind of word that a statement expects next."""

    STATEMENT = auto()
    """The keyword of a statement."""

    HEXES = auto()
    """A hex, a label or a function."""

    HEXES_OR_HAZARDS = auto()
    """A hex, a label or a function, or HAZARDS, the keyword after the list of an AREA."""

    LABEL_NAME = auto()
    """The name between the parentheses of a label's use."""

    HAZARD = auto()
    """The name of a hazard: ``Bog``."""

    HEXSIDES_WORD = auto()
    """The keyword HEXSIDES."""

    HEXSIDE = auto()
    """The letter of a hexside: ``d``."""


class Caret(NamedTuple):
    """The cursor in the middle of a statement that is being written."""

    expected: Expected | None
    """The next word, or the one that is begun; None where nothing can be completed.

    That is so in numbers, quotes and comments.
    """

    fragment: str
    """The beginning of a word in front of the cursor, "" for none."""

    start: int | None
    """The offset in the line at which the statement begins; None where nothing can be completed."""


NOTHING_EXPECTED = Caret(None, "", None)
"""The cursor where nothing can be completed."""


def caret_at(line: str, column: int) -> Caret:
    """Return the caret before ``column`` (from 1) of ``line``; no statement spans lines."""
    written = line[: column - 1]
    written_tokens = list(tokenize(written))
    # The statement that is being written, the last one before the cursor.
    rows = statement_rows(written_tokens)
    statement: Sequence[Token] = []
    start = len(written)
    if rows and rows[-1]:
        statement = rows[-1]
        start = statement[0].start_pos

    # Does the cursor touch a token?
    if not written_tokens or written_tokens[-1].end_pos < len(written):
        return Caret(_expected_after(statement), "", start)
    last = written_tokens[-1]
    if last.type == "COMMENT" or last.is_open_quote or last.is_number:
        return NOTHING_EXPECTED
    if not last.is_word:
        return Caret(_expected_after(statement), "", start)
    before_word = statement[:-1]
    # ``12ab`` is no word but a number with a mistake.
    if before_word and before_word[-1].is_number and before_word[-1].touches(last):
        return NOTHING_EXPECTED
    return Caret(_expected_after(before_word), str(last), start)


def _expected_after(statement: Sequence[Token]) -> Expected | None:
    """Return what is expected after the tokens of an unfinished statement.

    A ``Token`` is a str, so it is compared with the text of a keyword or a sign.
    """
    if not statement:
        return Expected.STATEMENT
    match statement[0]:
        case "AREA":
            return _expected_in_area(statement)
        case "STARTLIST":
            return _expected_in_list(statement[1:])
        case "LABEL" if "=" in statement:
            return _expected_in_list(statement[statement.index("=") + 1 :])
        case "PAIR":
            return _expected_in_pair(statement)
    return None


def _expected_in_area(statement: Sequence[Token]) -> Expected | None:
    """Return what is expected after the beginning of an AREA: its list, HAZARDS, and hazards."""
    if "HAZARDS" in statement:
        if statement[-1] == ",":  # a number follows
            return None
        return Expected.HAZARD
    expected = _expected_in_list(statement[1:])
    is_complete = statement.count("(") == statement.count(")")
    if expected is Expected.HEXES and is_complete:
        return Expected.HEXES_OR_HAZARDS
    return expected


def _expected_in_pair(statement: Sequence[Token]) -> Expected | None:
    """Return what is expected after the beginning of a PAIR: hazards, HEXSIDES, and hexsides."""
    if "HEXSIDES" in statement:
        if statement[-1] == ",":  # a number follows
            return None
        return Expected.HEXSIDE
    if statement[-1] == "(":
        return Expected.HAZARD
    has_both_ends = statement.count(")") == 2  # PAIR (Sand,0)(Plains,0)
    if statement[-1] == ")" and has_both_ends:
        return Expected.HEXSIDES_WORD
    return None


def _expected_in_list(list_tokens: Sequence[Token]) -> Expected | None:
    """Return what is expected after ``list_tokens``, the beginning of a list."""
    parenthesis = _innermost_parenthesis(list_tokens)
    if parenthesis is None:
        return Expected.HEXES
    word_before_parenthesis = ""
    if parenthesis > 0:
        word_before_parenthesis = list_tokens[parenthesis - 1]
    tokens_inside = list_tokens[parenthesis + 1 :]
    if word_before_parenthesis not in (*FUNCTIONS, SUBTRACT):
        # The parenthesis is that of a label or of coordinates.
        if tokens_inside:
            return None
        return Expected.LABEL_NAME
    # SOMEOF begins with a number.
    is_count = word_before_parenthesis == "SOMEOF" and "," not in tokens_inside
    if is_count:
        return None
    return Expected.HEXES


def _innermost_parenthesis(list_tokens: Sequence[Token]) -> int | None:
    """Return the index of the last parenthesis that is still open; None if there is none."""
    open_parentheses: list[int] = []
    for index, token in enumerate(list_tokens):
        if token == "(":
            open_parentheses.append(index)
        elif token == ")" and open_parentheses:
            open_parentheses.pop()
    if not open_parentheses:
        return None
    return open_parentheses[-1]
