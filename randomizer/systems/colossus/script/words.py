"""The kinds of words in a script, and the kinds that fit each position (docs/adr/0004).

    kind_of("D4")                         # WordKind.HEX
    fits("D4", Position.LABEL)            # False: no label can have the name of a hex
    nearest("Bogg", ["Bog", "Lake"])      # "Bog"

The grammar has only one token type WORD, since the same word can be a hex or a label. The reader of
the grammar's tree (``tree_reader``), completion and the linter ask here what a word is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from enum import Enum, auto

from randomizer.systems.colossus.board import PARTS

STATEMENTS = ("AREA", "LABEL", "PAIR", "STARTLIST", "TOWER", "TITLE", "SUBTITLE")
"""The keywords with which statements begin."""

FUNCTIONS = ("SOMEOF", "SUBSTRACT", "SURROUNDINGSOF")
"""The keywords of functions of lists; SUBSTRACT is the game's spelling."""

KEYWORDS = (*STATEMENTS, "HAZARDS", "HEXSIDES", *FUNCTIONS)
"""All words that the language reserves."""

LIVE_LABELS = ("leftover", "usedup")
"""The labels that every AREA sets; scripts cannot define them."""

PREDEFINED_LABELS = (*PARTS, *LIVE_LABELS)
"""The labels that a script can use without defining them."""

CANDIDATE_LIMIT = 300
"""The largest number of candidates among which a similar word is searched for.

If it is larger, the lint of a script with thousands of labels takes seconds.
"""

SMALLEST_SIMILARITY = 0.75
"""The ratio of ``get_close_matches`` from which two words are similar.

If it is larger, fewer misspellings are recognised; if it is smaller, short words that have nothing
in common are offered.
"""

_HEX = re.compile(r"[A-Fa-f][1-6]")
"""Matches the label of a hex; some labels of this form are off the board."""

WORD = r"[A-Za-z._][A-Za-z0-9._]*"
"""The pattern of a word without quotes."""


class WordKind(Enum):
    """The form of a word, which its characters decide."""

    HEX = auto()
    """A letter from A to F and a digit from 1 to 6, such as D4."""
    SMALL_LETTER = auto()
    """A single small letter."""
    CAPITAL = auto()
    """A single capital letter."""
    LIVE_LABEL = auto()
    """One of ``LIVE_LABELS``."""
    KEYWORD = auto()
    """One of ``KEYWORDS``."""
    NAME = auto()
    """Any other word."""


class Position(Enum):
    """The position of a word in a statement."""

    IN_LIST = auto()
    """An item of a list without parentheses: ``AREA word``."""
    LABEL = auto()
    """The name that a LABEL defines: ``LABEL word =``."""
    LABEL_USE = auto()
    """A label in a list: ``AREA (word)``."""
    HAZARD = auto()
    """A hazard of an AREA or a PAIR."""
    TITLE = auto()
    """A title without quotes."""


KINDS_AT: dict[Position, frozenset[WordKind]] = {
    Position.IN_LIST: frozenset({WordKind.HEX}),
    # The game rejects labels of one letter; the document of the language allows them.
    Position.LABEL: frozenset({WordKind.NAME, WordKind.SMALL_LETTER}),
    Position.LABEL_USE: frozenset({WordKind.NAME, WordKind.SMALL_LETTER, WordKind.LIVE_LABEL}),
    # The game needs names, the document of the language letters.
    Position.HAZARD: frozenset({WordKind.NAME, WordKind.SMALL_LETTER, WordKind.CAPITAL}),
    Position.TITLE: frozenset({WordKind.NAME}),
}
"""The kinds of words that fit each position. Hexsides accept any word; lint checks them."""


def kind_of(word: str) -> WordKind:
    """Return the kind of ``word`` (without quotes): the first that fits.

    The order is that of the game: a keyword is never a label, whatever its letters.
    """
    if word in KEYWORDS:
        return WordKind.KEYWORD
    if word in LIVE_LABELS:
        return WordKind.LIVE_LABEL
    if _HEX.fullmatch(word):
        return WordKind.HEX
    if len(word) == 1 and word.isalpha():
        if word.islower():
            return WordKind.SMALL_LETTER
        return WordKind.CAPITAL
    return WordKind.NAME


def fits(word: str, position: Position) -> bool:
    """Return whether ``word`` fits the position."""
    return kind_of(word) in KINDS_AT[position]


def is_word(text: str) -> bool:
    """Return whether ``text`` is a single word of the language and so needs no quotes."""
    return re.fullmatch(WORD, text) is not None


def nearest(word: str, candidates: Collection[str]) -> str | None:
    """Return the candidate that is equal but for letter case, else the one spelt most similarly.

    None if no candidate is similar; also if there are too many to be compared, even for an equal
    one.
    """
    if len(candidates) > CANDIDATE_LIMIT:
        return None
    # In reverse order, so that the first of several that differ only in letter case remains.
    originals = {candidate.casefold(): candidate for candidate in reversed(tuple(candidates))}
    folded_word = word.casefold()
    if folded_word in originals:
        return originals[folded_word]
    similar_words = get_close_matches(folded_word, originals, n=1, cutoff=SMALLEST_SIMILARITY)
    if not similar_words:
        return None
    return originals[similar_words[0]]
