"""What a side has seen of the world: the rows of a side's view as cells.

A row is a line of runs, y = 0 first: ``?N`` are N cells that were never seen, ``.N`` N cells
without a unit, a unit type's character followed by its side's is a unit (the side's character is
"0" plus its number; that of neutral units is at or above the greatest).
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
"""The character of side 0."""

NEUTRAL = 31
"""The number that stands for neutral in the views of Xconq 5.5."""


class SeenUnit(NamedTuple):
    """A unit as a side remembers it: cell, character of its type, its side (-1: neutral)."""

    cell: int
    char: str
    side: int


class View(NamedTuple):
    """The view of a side: ``unseen`` marks the cells it has not seen, bool (height, width)."""

    unseen: NDArray[np.bool_]
    units: tuple[SeenUnit, ...]


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
                last = x + int(count)
                if run == ".":
                    unseen[y, x:last] = False
                x = last
            else:
                if x < grid.width:
                    unseen[y, x] = False
                    number = ord(side) - FIRST
                    owner = number if 0 <= number < sides else -1
                    units.append(SeenUnit(y * grid.width + x, char, owner))
                x += 1
    return View(unseen, tuple(units))


def view_width(row: str) -> int | None:
    """Return how many cells a row of a view has; None for one that is no such row."""
    cells = at = 0
    while at < len(row):
        part = _PART.match(row, at)
        if part is None:
            return None
        cells = cells + int(part[2] or 1)
        at = part.end()
    return cells


def fits_view(rows: Sequence[str], grid: Grid) -> bool:
    """Return whether the rows of a view are those of a world of this size."""
    return len(rows) == grid.height and all(view_width(row) == grid.width for row in rows)


def unseen_view(grid: Grid) -> tuple[str, ...]:
    """Return the rows of a side that has seen nothing."""
    return (f"?{grid.width}",) * grid.height


def view_without_side(rows: Sequence[str], gone: int) -> tuple[str, ...]:
    """Return the rows after the side ``gone`` was removed: its units are neutral, later sides move
    up.
    """

    def moved(part: re.Match[str]) -> str:
        run, _count, char, side = part.groups()
        number = -1 if run else ord(side) - FIRST
        if not 0 <= number < NEUTRAL or number < gone:
            return part.group()
        return char + chr(FIRST + (NEUTRAL if number == gone else number - 1))

    return tuple(_PART.sub(moved, row) for row in rows)
