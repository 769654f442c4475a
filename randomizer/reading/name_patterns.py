"""The regular expressions by which worlds of Tiled name files, matched in bounded time.

    pattern = NamePattern(r"part(\\d+)-(\\d+)\\.tmx")     # ValueError for what is not known here
    pattern.fits("part1-2.tmx")

Python's ``re`` takes exponential time for some expressions, and a world comes from anywhere. Here a
part of an expression turns the set of all positions where it can begin into that of those where it
can end, so that no part of a name is looked at twice for one set. Groups say where a map lies
in the world, which does not matter for opening it: they only group. Look-around and references back
to a group are not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST_PATTERN = 500
DEEPEST_GROUP = 10
MOST_REPEATS = 1000

Positions = frozenset[int]
Part = Callable[[str, Positions], Positions]
"""Returns where a part ends in a text, for all positions where it can begin."""

_GROUP_START = re.compile(r"\((?:\?(?::|P?<[A-Za-z_]\w*>))?")
_COUNT = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "s": str.isspace,
    "w": _is_word,
}


class NamePattern:
    """A regular expression for file names. Raises ValueError."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_PATTERN:
            raise ValueError(f"it has more than {LONGEST_PATTERN} characters")
        self._text = text
        self._at = 0
        self._part = self._read_alternatives(0)
        if self._at < len(text):
            raise ValueError(f"a ) at character {self._at + 1} closes nothing")

    def fits(self, name: str) -> bool:
        """Return whether the expression fits a part of a name."""
        return bool(self._part(name, frozenset(range(len(name) + 1))))

    # --- reading ----------------------------------------------------------------------------

    def _next(self) -> str:
        """Return the next character, "" at the end."""
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        letter = self._next()
        if not letter:
            raise ValueError("it ends too early")
        self._at += 1
        return letter

    def _read_alternatives(self, depth: int) -> Part:
        if depth > DEEPEST_GROUP:
            raise ValueError(f"its groups are nested more than {DEEPEST_GROUP} deep")
        alternatives = [self._read_sequence(depth)]
        while self._next() == "|":
            self._at += 1
            alternatives.append(self._read_sequence(depth))

        def part(text: str, starts: Positions) -> Positions:
            return frozenset().union(*(each(text, starts) for each in alternatives))

        return part

    def _read_sequence(self, depth: int) -> Part:
        parts = list[Part]()
        while self._next() and self._next() not in "|)":
            parts.append(self._read_repeated(self._read_one(depth)))

        def sequence(text: str, starts: Positions) -> Positions:
            for part in parts:
                starts = part(text, starts)
            return starts

        return sequence

    def _read_one(self, depth: int) -> Part:
        """Read one character, class or group."""
        letter = self._next()
        if letter == "(":
            return self._read_group(depth)
        self._at += 1
        if letter == "^":
            return lambda _text, starts: starts & {0}
        if letter == "$":
            return lambda text, starts: starts & {len(text)}
        if letter == ".":
            return _one_of(lambda _letter: True)
        if letter == "[":
            return _one_of(self._read_set())
        if letter == "\\":
            return _one_of(self._read_escape())
        if letter in "*+?":
            raise ValueError(f"nothing stands before the {letter} at character {self._at}")
        return _one_of(letter.__eq__)

    def _read_group(self, depth: int) -> Part:
        start = _GROUP_START.match(self._text, self._at)
        assert start is not None, "it begins with a bracket"
        self._at = start.end()
        if self._next() == "?":
            raise ValueError(f"the group at character {start.start() + 1} is of no known kind")
        part = self._read_alternatives(depth + 1)
        if self._next() != ")":
            raise ValueError(f"the group at character {start.start() + 1} does not end")
        self._at += 1
        return part

    def _read_escape(self) -> Callable[[str], bool]:
        letter = self._take()
        is_in = _CLASSES.get(letter.lower())
        if is_in is not None:
            if letter.isupper():
                return lambda other: not is_in(other)
            return is_in
        if letter.isalnum():
            raise ValueError(f"\\{letter} at character {self._at - 1} is not known here")
        return letter.__eq__

    def _read_set(self) -> Callable[[str], bool]:
        """Read a set in square brackets, whose first one is read."""
        is_negated = self._next() == "^"
        if is_negated:
            self._at += 1
        tests = list[Callable[[str], bool]]()
        while not tests or self._next() != "]":
            first = self._take()
            if first == "\\":
                tests.append(self._read_escape())
            elif self._next() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
                self._at += 1
                tests.append(_between(first, self._take()))
            else:
                tests.append(first.__eq__)
        self._at += 1
        return lambda letter: any(test(letter) for test in tests) is not is_negated

    def _read_repeated(self, part: Part) -> Part:
        """Read how often a part comes, if anything says so."""
        count = _COUNT.match(self._text, self._at)
        if count is not None:
            least = int(count[1])
            most = least if count[2] is None else int(count[3] or MOST_REPEATS)
            self._at = count.end()
        elif self._next() and self._next() in "*+?":
            sign = self._take()
            least = int(sign == "+")
            most = 1 if sign == "?" else MOST_REPEATS
        else:
            return part
        if self._next() == "?":  # as few as possible: the same names fit
            self._at += 1
        if not least <= most <= MOST_REPEATS:
            raise ValueError(f"a part comes at most {MOST_REPEATS:,} times")
        return _repeated(part, least, most)


def _one_of(is_in: Callable[[str], bool]) -> Part:
    """Return the part that is one character."""
    return lambda text, starts: frozenset(
        start + 1 for start in starts if start < len(text) and is_in(text[start])
    )


def _between(first: str, last: str) -> Callable[[str], bool]:
    return lambda letter: first <= letter <= last


def _repeated(part: Part, least: int, most: int) -> Part:
    def repeated(text: str, starts: Positions) -> Positions:
        ends = starts if least == 0 else frozenset[int]()
        for number in range(1, most + 1):
            next_starts = part(text, starts)
            is_settled = next_starts == starts  # so it stays, however often the part comes
            if number >= least or is_settled:
                ends |= next_starts
            if is_settled or not next_starts:
                break
            starts = next_starts
        return ends

    return repeated
