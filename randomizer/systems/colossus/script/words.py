"""What a word of a script can be, by the position it stands in (docs/adr/0004).

The grammar knows one WORD. Which words fit a position is said by ``FITTING`` alone.
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
"""The labels that every AREA sets again; scripts cannot define them."""

PREDEFINED_LABELS = (*PARTS, *LIVE_LABELS)

MOST_CANDIDATES = 300
"""Among more words none is looked for; it would take too long."""

_HEX = re.compile(r"[A-Fa-f][1-6]")
_NAME = re.compile(r"[A-Za-z._][A-Za-z0-9._]*")


class Kind(Enum):
    """What a word looks like."""

    HEX = auto()
    SMALL_LETTER = auto()
    CAPITAL = auto()
    LIVE_LABEL = auto()
    KEYWORD = auto()
    NAME = auto()


class Position(Enum):
    """Where a word stands."""

    IN_LIST = auto()
    LABEL = auto()
    LABEL_USE = auto()
    HAZARD = auto()
    TITLE = auto()


FITTING: dict[Position, frozenset[Kind]] = {
    Position.IN_LIST: frozenset({Kind.HEX}),
    # The game refuses labels of one letter, the document allows them.
    Position.LABEL: frozenset({Kind.NAME, Kind.SMALL_LETTER}),
    Position.LABEL_USE: frozenset({Kind.NAME, Kind.SMALL_LETTER, Kind.LIVE_LABEL}),
    # The game wants names, the document letters.
    Position.HAZARD: frozenset({Kind.NAME, Kind.SMALL_LETTER, Kind.CAPITAL}),
    Position.TITLE: frozenset({Kind.NAME}),
}
"""Which kinds of words fit where. Hexsides are not in it: any word is kept, the lint judges it."""


def kind_of(word: str) -> Kind:
    """What ``word`` (unquoted) looks like; the first that fits, as the game's rules are ordered."""
    if word in KEYWORDS:
        return Kind.KEYWORD
    if word in LIVE_LABELS:
        return Kind.LIVE_LABEL
    if _HEX.fullmatch(word):
        return Kind.HEX
    if len(word) == 1 and word.isalpha():
        return Kind.SMALL_LETTER if word.islower() else Kind.CAPITAL
    return Kind.NAME


def fits(word: str, position: Position) -> bool:
    """Whether ``word`` may stand there."""
    return kind_of(word) in FITTING[position]


def is_word(text: str) -> bool:
    """Whether ``text`` is one word of the language, so that it needs no quotes."""
    return _NAME.fullmatch(text) is not None


def nearest(word: str, among: Collection[str]) -> str | None:
    """The word that was meant: the same in other letter case, else one spelt much alike."""
    if len(among) > MOST_CANDIDATES:
        return None
    folded = {candidate.casefold(): candidate for candidate in reversed(tuple(among))}
    if word.casefold() in folded:
        return folded[word.casefold()]
    close = get_close_matches(word.casefold(), folded, 1, 0.75)
    return folded[close[0]] if close else None
