"""Spans: which cells share one picture, such as a mountain over three cells.

The cells of every layout are divided once into single cells, pairs and trios, by dice, in a square
of ``PERIOD`` cells that repeats. A pair or trio is drawn as one where all of its cells are alike:
what a cell shows depends on its neighbours alone.
"""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.part import ScenePart
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout

PERIOD = 24
"""The division repeats after so many columns and rows; an even number."""


class Kind(NamedTuple):
    """A kind of span: its name in pictures, and the sides of its owner beyond which it goes on."""

    name: str
    sides: tuple[int, ...]


class Spans(NamedTuple):
    """The division of a layout: ``role`` (PERIOD, PERIOD) of each cell, 0 for single cells.

    A role is a place in ``roles``: the number of the kind, whether the cell is the owner, which
    draws the picture, and the sides beyond which the other cells lie.
    """

    kinds: tuple[Kind, ...]
    roles: tuple[tuple[int, bool, tuple[int, ...]], ...]
    role: NDArray[np.intp]


def kinds_of(layout: Layout) -> tuple[Kind, ...]:
    """Return the pairs of a layout, and its trios around the corners that a cell owns."""
    pairs = {"flat": (2, 3, 4), "square": (1, 2)}.get(layout.name, (1, 2, 3))
    trios = {"flat": (2, 5), "square": ()}.get(layout.name, (0, 3))
    return (
        *(Kind(f"pair{side}", (side,)) for side in pairs),
        *(Kind(f"trio{corner}", ((corner - 1) % 6, corner)) for corner in trios),
    )


@cache
def spans_of(layout: Layout) -> Spans:
    """Return the division of a layout: trios first, then pairs, at random."""
    kinds = kinds_of(layout)
    grid = Grid(layout, 3 * PERIOD, 3 * PERIOD)
    rng = random.Random(7)
    role = np.zeros((PERIOD, PERIOD), np.intp)
    roles: list[tuple[int, bool, tuple[int, ...]]] = [(0, False, ())]
    numbers: dict[tuple[int, bool, tuple[int, ...]], int] = {}

    def owned(kind: int, x: int, y: int) -> list[int]:
        start = grid.cell(x + PERIOD, y + PERIOD)
        return [start, *(grid.neighbour(start, side) for side in kinds[kind].sides)]

    def place(cell: int) -> tuple[int, int]:
        x, y = grid.xy(cell)
        return y % PERIOD, x % PERIOD

    trios = [number for number, kind in enumerate(kinds) if len(kind.sides) > 1]
    pairs = [number for number, kind in enumerate(kinds) if len(kind.sides) == 1]
    for chosen, chance in ((trios, 0.34), (pairs, 0.5)):
        tries = [(kind, x, y) for kind in chosen for x in range(PERIOD) for y in range(PERIOD)]
        rng.shuffle(tries)
        for kind, x, y in tries:
            cells = owned(kind, x, y)
            if any(role[place(cell)] for cell in cells) or rng.random() > chance:
                continue
            for cell in cells:
                others = tuple(
                    side for side in range(grid.degree) if grid.neighbour(cell, side) in cells
                )
                key = kind, cell == cells[0], others
                if key not in numbers:
                    numbers[key] = len(roles)
                    roles.append(key)
                role[place(cell)] = numbers[key]
    return Spans(kinds, tuple(roles), role)


def spans_at(
    part: ScenePart, spanning: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return kind of span that each cell (n,) of ``part`` draws, -1 for none, and which are hidden.

    Hidden are cells on which another one draws. Cells are alike if they have the same terrain, of
    those that are ``spanning`` (terrains,), and elevation.
    """
    grid = part.grid
    division = spans_of(grid.layout)
    ys, xs = np.divmod(part.cells, grid.width)
    role = division.role[ys % PERIOD, xs % PERIOD]
    role[~spanning[part.terrain]] = 0
    drawn = np.full(len(part.cells), -1, np.intp)
    hidden = np.zeros(len(part.cells), np.bool_)
    at_seam = grid.wrap & ((xs == 0) | (xs == grid.width - 1))
    for number, (kind, owner, sides) in enumerate(division.roles):
        mine = role == number
        if not number or not mine.any():
            continue
        alike = mine & ~at_seam
        for side in sides:
            alike &= part.alike[side]
            if grid.wrap:
                beyond = part.neighbours(side) % grid.width
                alike &= (beyond != 0) & (beyond != grid.width - 1)
        if owner:
            drawn[alike] = kind
        else:
            hidden |= alike
    return drawn, hidden
