"""The names of dice and decisions, by which they are logged, fixed and asked for.

A *die* is thrown; a *decision* is made by hand in place of dice. Both are named for the *feature*
that they are about, such as the second hill, or for the number of such features::

    hills die            how many hills there are        a die
    hills                the same                        a decision
    hill 2 height die    how high the second hill is     a die of the feature "hill 2"
    hill 2 at            the area of the second hill     a decision about it
    hill 2 row again 1   the row die, thrown again       a die

Which names are decisions is told by ``is_die`` alone, so names must follow its rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBERED = re.compile(
    r"""
    (?: \D*+ \d++ (?! \  | $ ) )*+  # numbers within a word, which belong to no feature
    \D*+ \d++                       # up to the first number that ends a word: "hill 2"
    """,
    re.VERBOSE,
)
"""Matches a name up to its first number that ends a word.

Of "field place 2 0304" that is "field place 2"; "hill2a at" has no such number. The possessive
repeats keep it from backtracking on a long name that a person has typed.
"""

_DECISION = re.compile(
    r"""
    [a-z\ ]+s  # how many there are of something: hills, inhabited areas
    | .*\ (?: at | quarter | through | height | planted | bank | width | crossing\ \d+ )
    """,
    re.VERBOSE,
)
"""Matches the names of decisions; all others are those of dice.

A new decision of another form has to be added here: test_entered_dice.py compares the pattern with
the names of whole tables.
"""

_ROAD = re.compile(r"(?:road|track)(?= )")
"""The noun at the beginning of the name of a die or decision of a road or track."""

_AREA = re.compile(r"\b\d{4}\b")
"""The name of an area: two digits of its column, two of its row."""

_NUMBER = re.compile(r"\b\d{1,3}\b")
"""The number of a feature."""

_AGAIN = re.compile(r" again \d+$")
"""The end of the name of a die that is thrown again."""

_QUESTIONS = (
    (r"trees die", "how many groups of trees there are"),
    (r"(\D*s) die", r"how many \1 there are"),
    (r".* chain", "whether it lies beside the one before, or farther on"),
    (r".* direction", "the direction in which it lies"),
    (r".* row", "the row from which it is counted"),
    (r".* steps", "how many areas it is counted on along the rows: their sum"),
    (r".* height die", "how high it is"),
    (r".* entry area (\d+)", r"whether it enters at \1: the area with the highest die counts"),
    (r".* exit area (\d+)", r"whether it leaves at \1: the area with the highest die counts"),
    (r".* entry", "the quarter of the map edge where it enters"),
    (r".* exit", "the quarter of the map edge where it leaves"),
    (r".* fork at (\d+)", r"which way it takes at \1, where several are as good"),
    (r"road to .* from", "the area of the place in which it begins"),
    (r".* width die", "whether it is one area wide or two"),
    (r".* bank die", "on which bank its second area lies"),
    (r".* crossing \d+ die", "whether there is a ford or a bridge"),
    (r"field place \d+ (\d+)", r"whether \1 gets a field: those with the highest dice do"),
    (r"field \d+ area", "beside which area of the place it lies"),
    (r".* planted die", "whether anything but corn is planted"),
)
"""What dice decide: pairs of a pattern of their names and the words for it.

The first that matches counts, so that "trees die" stands before the dice of all other numbers.
``\\1`` in the words is what the group of the pattern has matched.
"""


_WORDS = (
    (r"\D*s die", "their number"),
    (r".* chain", "adjacent or counted on"),
    (r".* direction", "direction"),
    (r".* row", "row"),
    (r".* steps", "areas along"),
    (r".* height die", "height"),
    (r".* area (\d{4})", r"\1"),
    (r".* (?:entry|exit)", "quarter"),
    (r".* fork at (\d+)", r"way at \1"),
    (r"road to .* from", "beginning"),
    (r".* width die", "width"),
    (r".* bank die", "bank"),
    (r".* crossing \d+ die", "crossing"),
    (r"field place \d+ (\d+)", r"\1"),
    (r"field \d+ area", "area of the place"),
    (r".* planted die", "crop"),
)
"""What dice are thrown for, in the words of a line of the log: pairs as in ``_QUESTIONS``."""


def is_die(name: str) -> bool:
    """Return whether a name is that of dice, not of a decision."""
    return _DECISION.fullmatch(name) is None


def feature_of(name: str) -> str:
    """Return the numbered feature that a die or decision is about: "hill 2"; "" if there is none.

    Any number counts, also that of an area: of "road to 0304 from" it is "road to 0304".
    """
    match = NUMBERED.match(name)
    if match:
        return match.group()
    return ""


def noun_of_feature(feature: str) -> str:
    """Return the noun in the name of a feature: "hill" of "hill 2"."""
    return feature.rstrip("0123456789 ")


def subject_of_die(name: str) -> str:
    """Return what a die is thrown for, as people read it: "hill 2 height" of "hill 2 height die".

    Names of other dice, and of decisions, are words already.
    """
    return name.removesuffix(" die")


def is_thrown_again(name: str) -> bool:
    """Return whether the name is that of a die that is thrown again: "hill 2 row again 1"."""
    return _AGAIN.search(name) is not None


def question_of(name: str) -> str:
    """Return what the dice of this name decide, in words; "" if the page does not tell."""
    first_name = _AGAIN.sub("", name)
    for pattern, question in _QUESTIONS:
        match = re.fullmatch(pattern, first_name)
        if match is not None:
            return match.expand(question)
    return ""


def words_of_dice(names: Iterable[str]) -> list[str]:
    """Return what dice are thrown for, each once, as a line about their feature can tell it.

    ["row", "areas along"] for "hill 1 row", "hill 1 steps" and "hill 1 steps again 1". Names that
    the page does not know stay as they are.
    """
    words = []
    for name in names:
        first_name = _AGAIN.sub("", name)
        word = subject_of_die(first_name)
        for pattern, word_of_pattern in _WORDS:
            match = re.fullmatch(pattern, first_name)
            if match is not None:
                word = match.expand(word_of_pattern)
                break
        if word not in words:
            words.append(word)
    return words


def rename_for_road(name: str, road: str) -> str:
    """Return the name of a die or decision where roads are called ``road``: "road" or "track".

    "road 1 entry" is "track 1 entry" where the roads are tracks; other names stay as they are.
    """
    match = _ROAD.match(name)
    if match is None:
        return name
    return road + name[match.end() :]


def generalize_name(name: str) -> str:
    """Return a name with N for the numbers of features and AREA for those of areas.

    "hill 2 at" is "hill N at", and "road 1 fork at 0304" is "road N fork at AREA".
    """
    return _NUMBER.sub("N", _AREA.sub("AREA", name))


def areas_in_name(name: str) -> list[str]:
    """Return the names of areas in the name of a die or decision: ["0304"] of "fork at 0304"."""
    return _AREA.findall(name)
