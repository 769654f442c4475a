"""How the cells of a map are named where a map may say so: by column and row, as ``0304``."""

from __future__ import annotations

import re
from typing import NamedTuple

STYLES = ("joined", "dotted", "letters")
"""As 0304, as 03.04, and as C4."""

LONGEST_NAME = 40
"""No cell has a longer name."""

FIRSTS = (0, 1)
STEPS = (1, 5)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class CellNaming(NamedTuple):
    """A rule for names of cells: one of ``STYLES``, and the ``first`` number.

    Columns of ``letters`` begin with A whatever the first number of rows is. ``step``: the map
    shows the names of cells whose column and row are multiples of it. The default is neutral: its
    names are understood on every map. Example: ``CellNaming("dotted").text(0, 0, 2)`` is "01.01".
    """

    style: str = "joined"
    first: int = 1
    step: int = 1

    def text(self, x: int, y: int, digits: int) -> str:
        """Name the cell of a column and a row from 0 on, numbers with at least ``digits``."""
        point = "." if self.style == "dotted" else ""
        return point.join(self.coordinates(x, y, digits))

    def coordinates(self, x: int, y: int, digits: int) -> tuple[str, str]:
        """Return column and row as the name of a cell has them."""
        if self.style == "letters":
            return _letters(x), str(y + self.first)
        return f"{x + self.first:0{digits}}", f"{y + self.first:0{digits}}"

    def xy(self, name: str) -> tuple[int, int] | None:
        """Return column and row of a name, on whatever map; None for what is no name."""
        if not 0 < len(name) <= LONGEST_NAME:
            return None
        if self.style == "letters":
            parts = re.fullmatch("([A-Z]+)([0-9]+)", name)
            if parts is None:
                return None
            return (_column(parts[1]), int(parts[2]) - self.first)
        if self.style == "dotted":
            half = "([0-9]+)"
        else:
            half = f"([0-9]{{{len(name) / 2:g}}})"
        parts = re.fullmatch(half + r"\." * (self.style == "dotted") + half, name)
        if parts is None:
            return None
        return (int(parts[1]) - self.first, int(parts[2]) - self.first)

    def is_shown(self, x: int, y: int) -> bool:
        """Return whether the map shows the name of the cell of a column and a row."""
        column = 1 if self.style == "letters" else self.first
        return (x + column) % self.step == 0 and (y + self.first) % self.step == 0


NEUTRAL = CellNaming()


def fault_in_naming(naming: CellNaming) -> str:
    """Return why no map can have this naming; "" if one can."""
    fits = naming.style in STYLES and naming.first in FIRSTS and naming.step in STEPS
    if fits:
        return ""
    return f"cells cannot be named by {tuple(naming)!r:.60}"


def _letters(column: int) -> str:
    """Return the letters of a column from 0 on, as in a spreadsheet: A to Z, AA, AB ..."""
    text = ""
    number = column + 1
    while number:
        number, digit = divmod(number - 1, len(_LETTERS))
        text = _LETTERS[digit] + text
    return text


def _column(letters: str) -> int:
    """Return the column of some letters, the inverse of ``_letters``."""
    number = 0
    for letter in letters:
        number = number * len(_LETTERS) + _LETTERS.index(letter) + 1
    return number - 1
