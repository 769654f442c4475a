"""Names of cells by column and row, such as ``0304``, in games that leave the style to the map.

A map has one ``CellNaming`` (``Grid.naming``). Other systems name cells themselves
(``System.cell_name``).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class NamingStyle(StrEnum):
    """How a column and a row make a name. The examples are of column 3 and row 4."""

    JOINED = "joined"
    """0304: both numbers have as many digits."""

    DOTTED = "dotted"
    """03.04"""

    LETTERS = "letters"
    """C4: the column in letters, as in a spreadsheet."""


LONGEST_NAME = 40
"""How many characters a name may have: no cell has a longer one."""

FIRSTS = (0, 1)
"""The numbers that the first column and row can have."""

STEPS = (1, 5)
"""The values of ``CellNaming.step``: every cell has its name on the map, or every fifth."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class CellNaming(NamedTuple):
    """A rule for names of cells.

    Example: ``CellNaming(NamingStyle.DOTTED).text(0, 0, digits=2)`` is "01.01". The default is
    neutral: its names are understood on every map.
    """

    style: NamingStyle = NamingStyle.JOINED
    """How a name is made."""

    first: int = 1
    """The number of the first row, and of the first column unless it is a letter."""

    step: int = 1
    """The map shows the names of cells whose column and row are multiples of it."""

    def text(self, x: int, y: int, digits: int) -> str:
        """Return the name of the cell in column ``x`` and row ``y``, from 0.

        Its numbers have ``digits`` digits at least; JOINED names can be read back (``xy``) only if
        these are enough for the highest column and row.
        """
        separator = ""
        if self.style is NamingStyle.DOTTED:
            separator = "."
        return separator.join(self.coordinates(x, y, digits))

    def coordinates(self, x: int, y: int, digits: int) -> tuple[str, str]:
        """Return column and row, from 0, as they stand in the name of a cell."""
        if self.style is NamingStyle.LETTERS:
            return _letters(x), str(y + self.first)
        return f"{x + self.first:0{digits}}", f"{y + self.first:0{digits}}"

    def xy(self, name: str) -> tuple[int, int] | None:
        """Return column and row, from 0, of a name; None for what is no name of this style.

        They can be those of a cell that no map has.
        """
        if not 0 < len(name) <= LONGEST_NAME:
            return None
        match self.style:
            case NamingStyle.LETTERS:
                pattern = "([A-Z]+)([0-9]+)"
            case NamingStyle.DOTTED:
                pattern = r"([0-9]+)\.([0-9]+)"
            case NamingStyle.JOINED:
                if len(name) % 2:
                    return None
                half = f"([0-9]{{{len(name) // 2}}})"
                pattern = half + half
        numbers = re.fullmatch(pattern, name)
        if numbers is None:
            return None
        y = int(numbers[2]) - self.first
        if self.style is NamingStyle.LETTERS:
            return _column(numbers[1]), y
        return int(numbers[1]) - self.first, y

    def is_shown(self, x: int, y: int) -> bool:
        """Return whether the map shows the name of the cell of a column and a row."""
        first_column = self.first
        if self.style is NamingStyle.LETTERS:
            first_column = 1  # A
        return (x + first_column) % self.step == 0 and (y + self.first) % self.step == 0


NEUTRAL = CellNaming()
"""The naming of a map that says nothing else."""


def fault_in_naming(naming: CellNaming) -> str:
    """Return why no map can have this naming; "" if one can."""
    is_possible = naming.first in FIRSTS and naming.step in STEPS
    if is_possible and isinstance(naming.style, NamingStyle):
        return ""
    return f"cells cannot be named by {tuple(map(str, naming))!r:.60}"


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
