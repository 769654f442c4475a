"""The regular expressions by which worlds of Tiled name files, matched in bounded time.

    pattern = NamePattern(r"part(\\d+)-(\\d+)\\.tmx")     # ValueError for what is not supported
    pattern.fits("part1-2.tmx")

Python's ``re`` takes exponential time for some expressions, such as ``(a*)*b``, and a world comes
from anywhere. This matcher takes time in proportion to expression times name, since it follows all
possible matches at once (the simulation of Thompson's automaton, 1968). An expression is a tree of
*parts*, and each part turns the set of positions in the name where it can begin into the set of
those where it can end::

    name           a a b
    positions     0 1 2 3
    begin of a*    0               {0}
    ends of a*     0 1 2           no letter, one or two
    ends of a*b          3         the expression fits the name to its end

In Tiled groups give the position of a map in its world. That does not matter for opening the map,
so here they only group. Look-around and references back to a group are not supported.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_PATTERN = 500
"""The largest number of characters in an expression. Matching takes time in proportion to it."""

DEEPEST_GROUP = 10
"""The largest depth of nested groups. Repeats in repeats multiply: each level can take
``MOST_REPEATS`` times as long.
"""

MOST_REPEATS = 1000
"""The largest number of repeats of a part; ``*`` and ``+`` repeat no more often, either.

No file name is so long, and a repeat that reaches no new position ends sooner.
"""

Positions = frozenset[int]
"""Positions in a text, from 0 to its length."""

Test = Callable[[str], bool]
"""Returns whether a character is one of a class, such as a digit."""


class NamePattern:
    """A regular expression for file names. Raises ValueError for one that is not supported."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_PATTERN:
            raise ValueError(f"it has more than {LONGEST_PATTERN} characters")
        self._part = _Reader(text).read()
        """The whole expression."""

    def fits(self, name: str) -> bool:
        """Return whether the expression fits a part of a name; ``^`` and ``$`` bind its ends."""
        # A match can begin anywhere in the name, so the expression starts at all positions at once.
        all_positions = frozenset(range(len(name) + 1))
        return bool(self._part.ends(name, all_positions))


# --- parts of an expression ---------------------------------------------------------------------


class _Part(ABC):
    """A part of an expression."""

    @abstractmethod
    def ends(self, text: str, starts: Positions) -> Positions:
        """Return where the part can end in ``text`` if it begins at any one of ``starts``."""


@dataclass(frozen=True)
class _Character(_Part):
    """One character that passes a test: ``a``, ``.``, ``\\d``, ``[a-f]``."""

    is_in: Test

    def ends(self, text: str, starts: Positions) -> Positions:
        return frozenset(
            start + 1 for start in starts if start < len(text) and self.is_in(text[start])
        )


@dataclass(frozen=True)
class _NameStart(_Part):
    """``^``, which takes no character."""

    def ends(self, text: str, starts: Positions) -> Positions:
        return starts & {0}


@dataclass(frozen=True)
class _NameEnd(_Part):
    """``$``, which takes no character."""

    def ends(self, text: str, starts: Positions) -> Positions:
        return starts & {len(text)}


@dataclass(frozen=True)
class _Sequence(_Part):
    """Parts that follow one another; it may have none."""

    parts: tuple[_Part, ...]

    def ends(self, text: str, starts: Positions) -> Positions:
        positions = starts
        for part in self.parts:
            positions = part.ends(text, positions)
        return positions


@dataclass(frozen=True)
class _Alternatives(_Part):
    """Parts with ``|`` between them."""

    parts: tuple[_Part, ...]

    def ends(self, text: str, starts: Positions) -> Positions:
        return frozenset().union(*(part.ends(text, starts) for part in self.parts))


@dataclass(frozen=True)
class _Repeated(_Part):
    """A part that comes from ``minimum`` to ``maximum`` times in a row."""

    part: _Part
    minimum: int
    maximum: int

    def ends(self, text: str, starts: Positions) -> Positions:
        positions = starts  # those after the repeats so far
        ends: Positions = frozenset()  # those after any number of repeats that is allowed
        if self.minimum == 0:
            ends = starts
        for repeats in range(1, self.maximum + 1):
            next_positions = self.part.ends(text, positions)
            # If a repeat changes nothing, no further repeat does.
            is_settled = next_positions == positions
            if repeats >= self.minimum or is_settled:
                ends |= next_positions
            if is_settled or not next_positions:
                break
            positions = next_positions
        return ends


# --- reading an expression ----------------------------------------------------------------------

_GROUP_START = re.compile(r"\((?:\?(?::|P?<[A-Za-z_]\w*>))?")
"""The beginning of a group: ``(``, ``(?:``, ``(?<name>`` or ``(?P<name>``."""

_COUNT = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")
"""A number of repeats: ``{3}``, ``{3,}`` or ``{3,5}``."""

_REPEATS_OF_SIGN = {"*": (0, MOST_REPEATS), "+": (1, MOST_REPEATS), "?": (0, 1)}
"""The smallest and the largest number of repeats of a part, by the sign behind it."""


def _is_word(letter: str) -> bool:
    """Return whether a character is one of ``\\w``."""
    return letter.isalnum() or letter == "_"


_CLASSES: dict[str, Test] = {
    "d": str.isdecimal,
    "s": str.isspace,
    "w": _is_word,
}
"""The tests of the classes behind a backslash; their capitals are the opposites."""


class _Reader:
    """Reads one expression by recursive descent: a method for each kind of part.

    Methods raise ValueError for what is not right, or not supported.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        """The expression."""
        self._position = 0
        """The index of the next character to be read."""

    def read(self) -> _Part:
        """Return the whole expression as one part."""
        part = self._read_alternatives(0)
        if self._position < len(self._text):
            raise ValueError(f"a ) at character {self._position + 1} closes nothing")
        return part

    def _next(self) -> str:
        """Return the next character, "" at the end."""
        return self._text[self._position : self._position + 1]

    def _take(self) -> str:
        """Return the next character and move on. Raises ValueError at the end."""
        letter = self._next()
        if not letter:
            raise ValueError("it ends too early")
        self._position += 1
        return letter

    def _read_alternatives(self, depth: int) -> _Part:
        """Read sequences with ``|`` between them, inside of ``depth`` groups."""
        if depth > DEEPEST_GROUP:
            raise ValueError(f"its groups are nested more than {DEEPEST_GROUP} deep")
        sequences = [self._read_sequence(depth)]
        while self._next() == "|":
            self._position += 1
            sequences.append(self._read_sequence(depth))
        return _Alternatives(tuple(sequences))

    def _read_sequence(self, depth: int) -> _Part:
        """Read parts that follow one another, each with its repeats."""
        parts: list[_Part] = []
        while self._next() and self._next() not in "|)":
            parts.append(self._read_repeats(self._read_one(depth)))
        return _Sequence(tuple(parts))

    def _read_one(self, depth: int) -> _Part:
        """Read one character, class or group."""
        letter = self._next()
        if letter == "(":
            return self._read_group(depth)
        self._position += 1
        if letter == "^":
            return _NameStart()
        if letter == "$":
            return _NameEnd()
        if letter == ".":
            return _Character(lambda _letter: True)
        if letter == "[":
            return _Character(self._read_set())
        if letter == "\\":
            return _Character(self._read_escape())
        if letter in "*+?":
            raise ValueError(f"nothing stands before the {letter} at character {self._position}")
        return _Character(letter.__eq__)

    def _read_group(self, depth: int) -> _Part:
        """Read a group with both its brackets."""
        start = _GROUP_START.match(self._text, self._position)
        assert start is not None, "the group begins with a bracket"
        self._position = start.end()
        if self._next() == "?":
            raise ValueError(f"the group at character {start.start() + 1} is of no known kind")
        part = self._read_alternatives(depth + 1)
        if self._next() != ")":
            raise ValueError(f"the group at character {start.start() + 1} does not end")
        self._position += 1
        return part

    def _read_escape(self) -> Test:
        """Read what is behind a backslash, and return the test of a character."""
        letter = self._take()
        is_in = _CLASSES.get(letter.lower())
        if is_in is not None:
            if letter.isupper():
                return lambda character: not is_in(character)
            return is_in
        if letter.isalnum():
            raise ValueError(f"\\{letter} at character {self._position - 1} is not known here")
        return letter.__eq__

    def _read_set(self) -> Test:
        """Read a set in square brackets, and return the test of a character.

        The opening bracket has been read.
        """
        is_negated = self._next() == "^"
        if is_negated:
            self._position += 1
        tests: list[Test] = []
        # A bracket at the start of a set, before any test, belongs to the set: ``[]a]``.
        while not tests or self._next() != "]":
            first = self._take()
            if first == "\\":
                tests.append(self._read_escape())
            elif self._is_range():
                self._position += 1
                tests.append(_between(first, self._take()))
            else:
                tests.append(first.__eq__)
        self._position += 1
        return lambda letter: any(test(letter) for test in tests) is not is_negated

    def _is_range(self) -> bool:
        """Return whether a hyphen and the end of a range come next in a set.

        A hyphen at the end of a set belongs to the set.
        """
        next_two = self._text[self._position : self._position + 2]
        return len(next_two) == 2 and next_two[0] == "-" and next_two[1] != "]"

    def _read_repeats(self, part: _Part) -> _Part:
        """Read the number of repeats behind a part, if any, and return the part repeated."""
        count = _COUNT.match(self._text, self._position)
        if count is not None:
            self._position = count.end()
            minimum = int(count[1])
            maximum = minimum
            has_comma = count[2] is not None
            if has_comma:
                maximum = int(count[3] or MOST_REPEATS)  # ``{3,}`` has no upper limit of its own
        elif self._next() and self._next() in "*+?":
            minimum, maximum = _REPEATS_OF_SIGN[self._take()]
        else:
            return part
        if self._next() == "?":
            # "As few as possible" decides what groups contain; the same names fit.
            self._position += 1
        if not minimum <= maximum <= MOST_REPEATS:
            raise ValueError(f"a part comes at most {MOST_REPEATS:,} times")
        return _Repeated(part, minimum, maximum)


def _between(first: str, last: str) -> Test:
    """Return the test of a character for being in a range of a set."""
    return lambda letter: first <= letter <= last
