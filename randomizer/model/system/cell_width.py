"""How wide a cell is in the world that a map shows, such as 6 miles."""

from __future__ import annotations

import re
from typing import NamedTuple


class CellWidth(NamedTuple):
    """The width of a cell: ``length``, above 0, in a ``unit`` that may be "".

    Example: ``read_cell_width("6 miles").text(7)`` is "42 miles".
    """

    length: float
    unit: str

    def in_parts(self, count: int) -> CellWidth:
        """Return the width of the cells into which one is cut, so many side by side."""
        return self._replace(length=self.length / count)

    def text(self, cells: float = 1) -> str:
        """Write the length of so many cells, with the digits that a person needs."""
        length = cells * self.length
        if length >= 100:
            number = f"{length:,.0f}"
        elif length >= 10:
            number = f"{length:.1f}".removesuffix(".0")
        else:
            number = f"{length:.3f}".rstrip("0").rstrip(".")
        return f"{number} {self.unit}".rstrip()


SCALE = "scale"
"""The name of the property, and of the setting of generators, that says how wide a cell is."""

PATTERN = r"\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*[^\d/]{0,30}"
"""What such a setting takes; ``read_cell_width`` understands more."""

EXAMPLE = "6 miles"

_WIDTH = re.compile(
    r"""
    \s* ([0-9]{1,9} (?: \. [0-9]{1,9} )?)                # the number
    \s* ([^\d/]{0,30}?)                                  # the unit
    \s* (?: (?: / | \b per\b ) \s* (?: hex | square | cell ) )? \s*
    """,
    re.VERBOSE | re.IGNORECASE,
)


def read_cell_width(text: str) -> CellWidth | None:
    """Return the width in a text such as *6 miles* or *2.5 km per hex*, None if it is none."""
    match = _WIDTH.fullmatch(text)
    if match is None or not float(match[1]):
        return None
    return CellWidth(float(match[1]), match[2])


def why_no_width(text: str) -> str:
    """Return why a text says no width, with an example; "" if it does, or is empty."""
    if not text.strip() or read_cell_width(text) is not None:
        return ""
    return f"“{text}” is no width of a cell: write a number and a unit, such as {EXAMPLE}."
