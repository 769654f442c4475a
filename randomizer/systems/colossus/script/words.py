"""What a word of a script can be, by its position (docs/adr/0004).

The grammar has only one token type WORD. ``FITTING`` defines which words fit a position.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from enum import Enum, auto

from randomizer.systems.colossus.board import PARTS

STATEMENTS = ("AREA", "LABEL", "PAIR", "STARTLIST", "TOWER", "TITLE", "SUBTITLE")
FUNCTIONS = ("SOMEOF", "SUBSTRACT", "SURROUNDINGSOF")
KEYWORDS = (*STATEMENTS, "HAZARDS", "HEXSIDES", *FUNCTIONS)
LIVE_LABELS = ("leftover", "usedup")
"""The labels that every AREA sets; scripts cannot define them."""

PREDEFINED_LABELS = (*PARTS, *LIVE_LABELS)

MOST_CANDIDATES = 300
"""With more candidates none is searched for; it would take too long."""

_HEX = re.compile(r"[A-Fa-f][1-6]")
WORD = r"[A-Za-z._][A-Za-z0-9._]*"
"""The pattern of a word without quotes."""


class WordKind(Enum):
    """What a word looks like."""

    HEX = auto()
    SMALL_LETTER = auto()
    CAPITAL = auto()
    LIVE_LABEL = auto()
    KEYWORD = auto()
    NAME = auto()


class Position(Enum):
    """The position of a word."""

    IN_LIST = auto()
    LABEL = auto()
    LABEL_USE = auto()
    HAZARD = auto()
    TITLE = auto()


FITTING: dict[Position, frozenset[WordKind]] = {
    Position.IN_LIST: frozenset({WordKind.HEX}),
    # The game rejects labels of one letter, the document allows them.
    Position.LABEL: frozenset({WordKind.NAME, WordKind.SMALL_LETTER}),
    Position.LABEL_USE: frozenset({WordKind.NAME, WordKind.SMALL_LETTER, WordKind.LIVE_LABEL}),
    # The game needs names, the document letters.
    Position.HAZARD: frozenset({WordKind.NAME, WordKind.SMALL_LETTER, WordKind.CAPITAL}),
    Position.TITLE: frozenset({WordKind.NAME}),
}
"""The kinds of words that fit each position. Hexsides accept any word; lint checks them."""


def kind_of(word: str) -> WordKind:
    """Return the kind of ``word`` (without quotes): the first that fits, in the game's order."""
    if word in KEYWORDS:
        return WordKind.KEYWORD
    if word in LIVE_LABELS:
        return WordKind.LIVE_LABEL
    if _HEX.fullmatch(word):
        return WordKind.HEX
    if len(word) == 1 and word.isalpha():
        return WordKind.SMALL_LETTER if word.islower() else WordKind.CAPITAL
    return WordKind.NAME


def fits(word: str, position: Position) -> bool:
    """Return whether ``word`` fits the position."""
    return kind_of(word) in FITTING[position]


def is_word(text: str) -> bool:
    """Return whether ``text`` is a single word of the language and so needs no quotes."""
    return re.fullmatch(WORD, text) is not None


def nearest(word: str, among: Collection[str]) -> str | None:
    """Return the word probably meant: equal ignoring case, else one spelt alike; None if there is
    none.
    """
    if len(among) > MOST_CANDIDATES:
        return None
    folded = {candidate.casefold(): candidate for candidate in reversed(tuple(among))}
    if word.casefold() in folded:
        return folded[word.casefold()]
    close = get_close_matches(word.casefold(), folded, 1, 0.75)
    if close:
        return folded[close[0]]
    return None
