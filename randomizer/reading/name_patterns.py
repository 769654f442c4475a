"""The regular expressions by which worlds of Tiled name files, matched in bounded time.

    pattern = NamePattern(r"part(\\d+)-(\\d+)\\.tmx")     # ValueError for what is not supported
    pattern.is_found_in("part1-2.tmx")

Python's ``re`` takes exponential time for some expressions, such as ``(a*)*b``, and a world comes
from anywhere. This matcher follows all possible matches at once (the simulation of Thompson's
automaton, 1968). An expression is a tree of *parts*. Each part says at which positions of the name
it can end if it begins at a given one, and that is worked out only once for each position::

    name           a a b
    positions     0 1 2 3
    begin of a*    0
    ends of a*     0 1 2           no letter, one or two
    ends of a*b          3         the expression fits the name to its end

So the time grows with the number of parts and with the length of the name, but not with the depth
of repeats in repeats.

In Tiled groups give the position of a map in its world. That does not matter for opening the map,
so here they only group. Look-around and references back to a group are not supported.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_PATTERN = 500
"""The largest number of characters in an expression; with more of them a match can take longer."""

DEEPEST_GROUP = 10
"""The largest depth of nested groups: each level is a call of the reader inside of another."""

MAX_REPEATS = 1000
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

    def is_found_in(self, name: str) -> bool:
        """Return whether the expression fits a part of a name; ``^`` and ``$`` bind its ends."""
        search = _Search(name)
        # A match can begin anywhere in the name.
        return any(search.ends(self._part, start) for start in range(len(name) + 1))


class _Search:
    """The search for an expression in one name. It keeps what has been worked out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._ends: dict[tuple[_Part, int], Positions] = {}
        """The results of ``ends`` so far."""

    def ends(self, part: _Part, start: int) -> Positions:
        """Return where a part can end in the name if it begins at ``start``."""
        key = (part, start)
        if key not in self._ends:
            self._ends[key] = part.ends(self, start)
        return self._ends[key]

    def ends_from_any(self, part: _Part, starts: Positions) -> Positions:
        """Return where a part can end in the name if it begins at any one of ``starts``."""
        return frozenset().union(*(self.ends(part, start) for start in starts))


# --- parts of an expression ---------------------------------------------------------------------


class _Part(ABC):
    """A part of an expression. Parts are compared by identity."""

    @abstractmethod
    def ends(self, search: _Search, start: int) -> Positions:
        """Return where the part can end in the name of the search if it begins at ``start``.

        It asks the search for the ends of the parts inside, which are then worked out only once.
        """


@dataclass(frozen=True, eq=False)
class _Character(_Part):
    """One character that passes a test: ``a``, ``.``, ``\\d``, ``[a-f]``."""

    is_in: Test

    def ends(self, search: _Search, start: int) -> Positions:
        if start < len(search.name) and self.is_in(search.name[start]):
            return frozenset([start + 1])
        return frozenset()


@dataclass(frozen=True, eq=False)
class _NameStart(_Part):
    """``^``, which takes no character."""

    def ends(self, search: _Search, start: int) -> Positions:
        return frozenset([start]) & {0}


@dataclass(frozen=True, eq=False)
class _NameEnd(_Part):
    """``$``, which takes no character."""

    def ends(self, search: _Search, start: int) -> Positions:
        return frozenset([start]) & {len(search.name)}


@dataclass(frozen=True, eq=False)
class _Sequence(_Part):
    """Parts that follow one another; it may have none."""

    parts: tuple[_Part, ...]

    def ends(self, search: _Search, start: int) -> Positions:
        positions: Positions = frozenset([start])
        for part in self.parts:
            positions = search.ends_from_any(part, positions)
        return positions


@dataclass(frozen=True, eq=False)
class _Alternatives(_Part):
    """Parts with ``|`` between them."""

    parts: tuple[_Part, ...]

    def ends(self, search: _Search, start: int) -> Positions:
        return frozenset().union(*(search.ends(part, start) for part in self.parts))


@dataclass(frozen=True, eq=False)
class _Repeated(_Part):
    """A part that comes from ``minimum`` to ``maximum`` times in a row.

    For ``a{2,3}`` in "aaaa", from position 0: two repeats end at 2, and a third one at 3.
    """

    part: _Part
    minimum: int
    maximum: int

    def ends(self, search: _Search, start: int) -> Positions:
        # The repeats that must be.
        positions: Positions = frozenset([start])
        for _repeat in range(self.minimum):
            next_positions = search.ends_from_any(self.part, positions)
            if next_positions == positions:
                break  # a repeat that changes nothing is followed by others that do not
            positions = next_positions

        # The repeats that may be, only from positions that none before has reached.
        reached = positions
        for _repeat in range(self.minimum, self.maximum):
            positions = search.ends_from_any(self.part, positions) - reached
            if not positions:
                break
            reached |= positions
        return reached


# --- reading an expression ----------------------------------------------------------------------

_GROUP_START = re.compile(r"\((?:\?(?::|P?<[A-Za-z_]\w*>))?")
"""The beginning of a group: ``(``, ``(?:``, ``(?<name>`` or ``(?P<name>``."""

_COUNT = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")
"""A number of repeats: ``{3}``, ``{3,}`` or ``{3,5}``."""

_REPEATS_OF_SIGN = {"*": (0, MAX_REPEATS), "+": (1, MAX_REPEATS), "?": (0, 1)}
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

    def _peek(self) -> str:
        """Return the next character, "" at the end."""
        return self._text[self._position : self._position + 1]

    def _read_letter(self) -> str:
        """Return the next character and move on. Raises ValueError at the end."""
        letter = self._peek()
        if not letter:
            raise ValueError("it ends too early")
        self._position += 1
        return letter

    def _read_alternatives(self, depth: int) -> _Part:
        """Read sequences with ``|`` between them, inside of ``depth`` groups."""
        if depth > DEEPEST_GROUP:
            raise ValueError(f"its groups are nested more than {DEEPEST_GROUP} deep")
        sequences = [self._read_sequence(depth)]
        while self._peek() == "|":
            self._position += 1
            sequences.append(self._read_sequence(depth))
        return _Alternatives(tuple(sequences))

    def _read_sequence(self, depth: int) -> _Part:
        """Read parts that follow one another, each with its repeats."""
        parts: list[_Part] = []
        while self._peek() and self._peek() not in "|)":
            parts.append(self._read_repeats(self._read_one(depth)))
        return _Sequence(tuple(parts))

    def _read_one(self, depth: int) -> _Part:
        """Read one character, class or group."""
        letter = self._peek()
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
        return _Character(_is_letter(letter))

    def _read_group(self, depth: int) -> _Part:
        """Read a group with both its brackets."""
        start = _GROUP_START.match(self._text, self._position)
        assert start is not None, "the group begins with a bracket"
        self._position = start.end()
        if self._peek() == "?":
            raise ValueError(f"the group at character {start.start() + 1} is of no known kind")
        part = self._read_alternatives(depth + 1)
        if self._peek() != ")":
            raise ValueError(f"the group at character {start.start() + 1} does not end")
        self._position += 1
        return part

    def _read_escape(self) -> Test:
        """Read what is behind a backslash, and return the test of a character."""
        letter = self._read_letter()
        is_in = _CLASSES.get(letter.lower())
        if is_in is not None:
            if letter.isupper():
                return lambda character: not is_in(character)
            return is_in
        if letter.isalnum():
            raise ValueError(f"\\{letter} at character {self._position - 1} is not known here")
        return _is_letter(letter)

    def _read_set(self) -> Test:
        """Read a set in square brackets, and return the test of a character.

        The opening bracket has been read.
        """
        is_negated = self._peek() == "^"
        if is_negated:
            self._position += 1
        tests: list[Test] = []
        # A bracket at the start of a set, before any test, belongs to the set: ``[]a]``.
        while not tests or self._peek() != "]":
            first = self._read_letter()
            if first == "\\":
                tests.append(self._read_escape())
            elif self._is_range():
                self._position += 1
                tests.append(_between(first, self._read_letter()))
            else:
                tests.append(_is_letter(first))
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
                maximum = int(count[3] or MAX_REPEATS)  # ``{3,}`` has no upper limit of its own
        elif self._peek() and self._peek() in "*+?":
            minimum, maximum = _REPEATS_OF_SIGN[self._read_letter()]
        else:
            return part
        if self._peek() == "?":
            # "As few as possible" decides what groups contain; the same names fit.
            self._position += 1
        if not minimum <= maximum <= MAX_REPEATS:
            raise ValueError(f"a part comes at most {MAX_REPEATS:,} times")
        return _Repeated(part, minimum, maximum)


def _is_letter(letter: str) -> Test:
    """Return the test of a character for being this one."""
    return letter.__eq__


def _between(first: str, last: str) -> Test:
    """Return the test of a character for being in a range of a set."""
    return lambda letter: first <= letter <= last
