"""Tells the lines of a Text Mapper file from prose that begins with a number.

A line of such a file is a *statement* about a hex, or about a line through hexes:

    0304 hills forest "Orm's Rest"
    0304-0506 road

But "1066 Battle of Hastings." begins with four digits as well. Two signs tell prose from
statements: a word that ends in a mark such as a full stop; and a first word with a capital letter,
unless the numbers of the text are those of hexes that lie side by side.

    lines = Lines(text.splitlines()[:40])
    lines.statement_count > 0 and not lines.prose          # a map

In a note in Markdown a map is a block between fences, as Obsidian's plugin shows it:
``lines_of_map`` finds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SHORT = r"-?\d\d-?\d\d(?:\d\d)?"
"""A hex such as 0304, with its level 030401."""

LONG = r"-?\d{2,7}\.-?\d{2,7}(?:\.\d{2,7})?"
"""A hex with larger numbers, such as 100.102."""

STATEMENT = re.compile(
    rf"(?P<points>{SHORT}(?:-{SHORT})*|{LONG}(?:-{LONG})*)\s+(?P<content>.*)", re.ASCII
)
"""A hex, or the hexes that a line runs through, and what is there."""

_FIRST_HEX = re.compile(
    r"""
    (?:(-?\d\d)(-?\d\d)(?:\d\d)?                      # 0304, or 030401 with its level
      |(-?\d{2,7})\.(-?\d{2,7})(?:\.\d{2,7})?)\b      # 100.102, or 100.102.01
    """,
    re.ASCII | re.VERBOSE,
)
"""The column and row of the hex that a line begins with, as two groups that are not None."""

_DEFINITION = re.compile(r"(\S+)\s+(?:attributes|lib|xml|path)\s.*")
"""The definition of a type or a kind of line, whose name is group 1."""

_SETTING = re.compile(r"<.*|(?:text|label|glow|license|other|url|include|option)\s.*")
"""A statement about the look of the map, or its XML."""

_FENCE = re.compile(r"[ \t]*(```+|~~~+)[ \t]*text-mapper\b.*", re.ASCII)
"""The line before a map in a note in Markdown."""

_IN_QUOTES = re.compile(r'(?:\b[a-z]+=)?["“][^"”]*["”]|[a-z]+\([^)]*\)')
"""A label in quotes, or the arguments of a type. Words in these may be those of sentences."""

_MIN_HEXES = 3
"""The fewest hexes that tell a map; fewer numbers can lie side by side by chance."""

_MARKS = (".", ",", ";", ":", "!", "?")
"""The marks that can follow a word in a sentence, but not in a statement."""


class Lines:
    """The lines of a text, classified by the constructor as statements, prose and others."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.statement_count = 0
        """The number of statements about hexes, and about lines through hexes."""
        self._begins_like_hexes = any(STATEMENT.fullmatch(line) for line in lines)
        """True if a line begins like a hex, whether it is a statement or prose."""
        self.prose: list[int] = []
        """The indices of the lines that are neither statements, definitions, comments nor empty."""
        self._defined_names = _defined_names(lines)
        """The names of the types and kinds of lines that the text defines."""
        # A word in capitals can be the name of a type if types are defined in another file, or if
        # the numbers in the text are clearly those of hexes.
        includes_definitions = any(line.startswith("include ") for line in lines)
        self._may_have_capitals = includes_definitions or _are_side_by_side(lines)
        """True if the names of types may begin with a capital without being defined here."""
        for index, line in enumerate(lines):
            statement = STATEMENT.fullmatch(line)
            if statement is None:
                is_prose = not _is_setting(line)
            else:
                is_prose = self._is_prose(statement)
            if is_prose:
                self.prose.append(index)
            elif statement is not None:
                self.statement_count += 1

    @property
    def are_mostly_prose(self) -> bool:
        """True if most lines are prose, though one begins like a hex.

        A text in which no line begins like a hex has another error: it has no region.
        """
        return self._begins_like_hexes and 0 < len(self.prose) >= self.statement_count

    def _is_prose(self, statement: re.Match[str]) -> bool:
        """Return whether a line that looks like a statement is a sentence after all."""
        words = _IN_QUOTES.sub(" ", statement["content"]).split()
        if has_sentence(words):
            return True
        if not words or not words[0][0].isupper() or words[0] in self._defined_names:
            return False
        # "0304-0506 Road" is a line of the kind "Road", as we write ways by their names. The first
        # character is left out: it can be the minus of a negative column.
        is_line = "-" in statement["points"][1:]
        if is_line and len(words) == 1:
            return False
        return not self._may_have_capitals


def _defined_names(lines: Iterable[str]) -> set[str]:
    """Return the names of the types and kinds of lines that a text defines."""
    names = set[str]()
    for line in lines:
        definition = _DEFINITION.fullmatch(line)
        if definition is not None:
            names.add(definition[1])
    return names


def lines_of_map(lines: Sequence[str]) -> range:
    """Return the indices of the lines of a map: those of the first block of a note.

    They are all lines for a text without such a block.
    """
    for start, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if fence is not None:
            end = start + 1
            while end < len(lines) and lines[end].strip() != fence[1]:
                end += 1
            return range(start + 1, end)
    return range(len(lines))


def is_sentence(line: str) -> bool:
    """Return whether a line looks like a statement but has the marks of a sentence."""
    statement = STATEMENT.fullmatch(line)
    return statement is not None and has_sentence(_IN_QUOTES.sub(" ", statement["content"]).split())


def has_sentence(words: Iterable[str]) -> bool:
    """Return whether one of the words ends as words of sentences do."""
    return any(word.endswith(_MARKS) for word in words)


def _is_setting(line: str) -> bool:
    """Return whether a line is a definition or a setting of a map, a comment, or empty."""
    stripped = line.strip()
    if not stripped or stripped.startswith("#"):
        return True
    return _DEFINITION.fullmatch(line) is not None or _SETTING.fullmatch(line) is not None


def _are_side_by_side(lines: Iterable[str]) -> bool:
    """Return whether most of the hexes that lines begin with have a neighbour among them."""
    hexes = set[tuple[int, int]]()
    for line in lines:
        match = _FIRST_HEX.match(line)
        if match is not None:
            column, row = filter(None, match.groups())
            hexes.add((int(column), int(row)))
    hexes_with_neighbour = 0
    for x, y in hexes:
        neighbours = {(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)}
        if not hexes.isdisjoint(neighbours):
            hexes_with_neighbour += 1
    return len(hexes) >= _MIN_HEXES and 2 * hexes_with_neighbour > len(hexes)
