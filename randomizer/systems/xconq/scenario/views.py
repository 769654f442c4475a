"""The views of sides: the cells and units of the world that a side has seen.

A mapfile has a view as rows of text, one for each row of the map, y = 0 first. ``read_view`` makes
a ``View`` of them, and the other functions work on the rows. A row such as ``?3i0.2`` is made of

- ``?N``: N cells that the side has never seen;
- ``.N``: N cells that it has seen without a unit;
- two characters for a cell with a unit: the character of the unit's type, and that of its side. The
  character of side n is the one with the code ``FIRST_SIDE_CODE`` + n; one beyond the last side of
  the game stands for a neutral unit.

So the example has three cells that were never seen, a unit of type i of side 0, and two empty ones.
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
"""A part of a row: a run of cells (its sign, its length), or a unit (its type, its side)."""

FIRST_SIDE_CODE = ord("0")
"""The code of the character of side 0: "0" is side 0, "1" side 1, ":" side 10."""

NEUTRAL = 31
"""The number that Xconq 5.5 writes in views for the side of neutral units."""


class SeenUnit(NamedTuple):
    """A unit as a side remembers it."""

    cell: int

    char: str
    """The character of its type."""

    side: int
    """The number of its side, -1 for a neutral unit (not ``NEUTRAL``, as in the rows)."""


class View(NamedTuple):
    """The view of a side."""

    unseen: NDArray[np.bool_]
    """True for the cells that it has not seen, (height, width)."""

    units: tuple[SeenUnit, ...]
    """The units that it knows of."""


def read_view(rows: Sequence[str], grid: Grid, side_count: int) -> View | None:
    """Return the view of a side by its rows; None if there are no rows.

    Cells that the rows do not reach are unseen. What is no part of a row is skipped.
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
            # A row can be longer than the map, if that has been cut since.
            if x < grid.width:
                unseen[y, x] = False
                number = ord(side) - FIRST_SIDE_CODE
                if not 0 <= number < side_count:
                    number = -1
                units.append(SeenUnit(y * grid.width + x, char, number))
            x += 1
    return View(unseen, tuple(units))


def view_width(row: str) -> int | None:
    """Return the number of cells of a row of a view; None if the text is not a valid row."""
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
    """Return the rows after a side was removed: its units become neutral, later sides move up."""

    def renumber(part: re.Match[str]) -> str:
        """Return a part of a row with the new number of its side."""
        run, _count, char, side = part.groups()
        if run:
            return part.group()
        number = ord(side) - FIRST_SIDE_CODE
        if number == removed_side:
            new_number = NEUTRAL
        elif removed_side < number < NEUTRAL:
            new_number = number - 1
        else:
            return part.group()
        return f"{char}{chr(FIRST_SIDE_CODE + new_number)}"

    return tuple(_PART.sub(renumber, row) for row in rows)
