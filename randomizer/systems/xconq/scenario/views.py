"""The views of sides: what a side has seen of the world, as rows of text and as cells.

A row is a line of runs, y = 0 first: ``?N`` are N cells that were never seen, ``.N`` N cells
without a unit, a unit type's character followed by its side's is a unit (the side's character is
"0" plus its number; that of neutral units is at or above the greatest). So ``?3i0.2`` are three
cells that were never seen, a unit of type i of side 0, and two empty cells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.grid.grid import Grid

_PART = re.compile(r"([?.])([0-9]{1,6})|([^?.0-9\s])(\S)")
"""A run of cells that are not seen or seen empty, or a unit with the side that it was seen of."""

FIRST = ord("0")
"""The code of the character of side 0."""

NEUTRAL = 31
"""The number that stands for neutral in the views of Xconq 5.5."""


class SeenUnit(NamedTuple):
    """A unit as a side remembers it."""

    cell: int

    char: str
    """The character of its type."""

    side: int
    """The number of its side, -1 for a neutral unit."""


class View(NamedTuple):
    """The view of a side."""

    unseen: NDArray[np.bool_]
    """True for the cells that it has not seen, (height, width)."""

    units: tuple[SeenUnit, ...]
    """The units that it knows of."""


def read_view(rows: Sequence[str], grid: Grid, sides: int) -> View | None:
    """Return a side's view of a world; None if there are no rows. What they do not say is unseen.

    ``sides`` is the number of sides of the game.
    """
    if not rows:
        return None
    unseen = np.ones((grid.height, grid.width), np.bool_)
    units = []
    for y, row in enumerate(rows[: grid.height]):
        x = 0
        for run, count, char, side in _PART.findall(row):
            if run:
                end = x + int(count)
                if run == ".":
                    unseen[y, x:end] = False
                x = end
                continue
            # A row may be longer than the map, if that was cut since.
            if x < grid.width:
                unseen[y, x] = False
                number = ord(side) - FIRST
                if not 0 <= number < sides:
                    number = -1
                units.append(SeenUnit(y * grid.width + x, char, number))
            x += 1
    return View(unseen, tuple(units))


def view_width(row: str) -> int | None:
    """Return how many cells a row of a view has; None for one that is no such row."""
    cells = 0
    at = 0
    while at < len(row):
        part = _PART.match(row, at)
        if part is None:
            return None
        cells += int(part[2] or 1)
        at = part.end()
    return cells


def fits_view(rows: Sequence[str], grid: Grid) -> bool:
    """Return whether the rows of a view are those of a world of this size."""
    return len(rows) == grid.height and all(view_width(row) == grid.width for row in rows)


def unseen_view(grid: Grid) -> tuple[str, ...]:
    """Return the rows of a side that has seen nothing."""
    return (f"?{grid.width}",) * grid.height


def view_without_side(rows: Sequence[str], removed_side: int) -> tuple[str, ...]:
    """Return the rows after a side was removed: its units are neutral, later sides move up."""

    def renumber(part: re.Match[str]) -> str:
        """Return a part of a row with the new number of its side."""
        run, _count, char, side = part.groups()
        if run:
            return part.group()
        number = ord(side) - FIRST
        if number == removed_side:
            new_number = NEUTRAL
        elif removed_side < number < NEUTRAL:
            new_number = number - 1
        else:
            return part.group()
        return f"{char}{chr(FIRST + new_number)}"

    return tuple(_PART.sub(renumber, row) for row in rows)
