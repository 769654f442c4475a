"""The lines of Text Mapper's files, and what tells them from prose that begins with a number.

    lines = Lines(text.splitlines()[:40])
    lines.hexes > 0 and not lines.prose          # a map

In a note in Markdown a map is a block between fences (``lines_of_map``), as Obsidian's plugin
shows it. A program or person writes types of hexes in small letters, in the order in which hexes
lie side by side; "1066 Battle of Hastings." is a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SHORT = r"-?\d\d-?\d\d(?:\d\d)?"
"""A hex such as 0304, with its level 030401."""

LONG = r"-?\d{2,7}\.-?\d{2,7}(?:\.\d{2,7})?"
"""A hex with larger numbers, such as 100.102."""

STATEMENT = re.compile(rf"({SHORT}(?:-{SHORT})*|{LONG}(?:-{LONG})*)\s+(.*)", re.ASCII)
"""A hex, or the hexes that a line runs through, and what is there."""

_FIRST_HEX = re.compile(r"(-?\d{2,7}?)\.?(-?\d{2,7})\b", re.ASCII)
_DEFINITION = re.compile(r"(\S+)\s+(?:attributes|lib|xml|path)\s.*")
_OTHER = re.compile(r"<.*|(?:text|label|glow|license|other|url|include|option)\s.*")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[ \t]*text-mapper\b.*", re.ASCII)
"""The line before a map in a note in Markdown."""

_IN_QUOTES = re.compile(r'(?:\b[a-z]+=)?["“][^"”]*["”]|[a-z]+\([^)]*\)')
_MARKS = (".", ",", ";", ":", "!", "?")
"""What ends a word in a sentence, and none in a statement."""


class Lines:
    """The lines of a text: how many say what is in hexes, and which are prose.

    ``prose`` are the indices of the lines that are neither statements, comments nor empty.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.hexes = 0
        self.prose: list[int] = []
        known = {match[1] for line in lines if (match := _DEFINITION.fullmatch(line))}
        is_included = any(line.startswith("include ") for line in lines)
        is_side_by_side = _are_side_by_side(lines)
        for index, line in enumerate(lines):
            stripped = line.strip()
            statement = STATEMENT.fullmatch(line)
            if statement is not None:
                words = _IN_QUOTES.sub(" ", statement[2]).split()
                is_name = bool(words) and words[0][0].isupper() and words[0] not in known
                if "-" in statement[1][1:] and len(words) == 1:
                    is_name = False  # the kind of a line, which has the name of a way of ours
                if has_sentence(words) or (is_name and not is_included and not is_side_by_side):
                    self.prose.append(index)
                else:
                    self.hexes += 1
            elif stripped and not stripped.startswith("#") and not _is_other(line):
                self.prose.append(index)


def lines_of_map(lines: Sequence[str]) -> range:
    """Return the indices of the lines of a map: those of the first block of a note, or all."""
    for start, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if fence is not None:
            mark = fence[1]
            ends = (at for at in range(start + 1, len(lines)) if lines[at].strip() == mark)
            return range(start + 1, next(ends, len(lines)))
    return range(len(lines))


def is_sentence(line: str) -> bool:
    """Return whether a line that begins with a number is prose by its marks."""
    statement = STATEMENT.fullmatch(line)
    return statement is not None and has_sentence(_IN_QUOTES.sub(" ", statement[2]).split())


def has_sentence(words: Iterable[str]) -> bool:
    """Return whether one of the words ends as words of sentences do."""
    return any(word.endswith(_MARKS) for word in words)


def _is_other(line: str) -> bool:
    return _DEFINITION.fullmatch(line) is not None or _OTHER.fullmatch(line) is not None


def _are_side_by_side(lines: Iterable[str]) -> bool:
    """Return whether most of the hexes that lines begin with have a neighbour among them."""
    hexes = set[tuple[int, int]]()
    for line in lines:
        match = _FIRST_HEX.match(line)
        if match is not None:
            hexes.add((int(match[1]), int(match[2])))
    count = sum(
        any((x + dx, y + dy) in hexes for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)))
        for x, y in hexes
    )
    return len(hexes) > 2 and 2 * count > len(hexes)
