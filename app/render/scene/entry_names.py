r"""The names of the sides by which armies enter a board, written beside it.

A side of entry (``System.entry_sides``) is a row of cells at the edge of a board. Its name stands
outside of them, turned along the row::

       / \ / \ / \
      | a | b | c |      the cells of the side "South"
       \ / \ / \ /
          South
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF

from app.render.cell_geometry import map_box
from app.render.scene.batch import TextBatch
from app.render.theme import Theme
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.edges import EntrySide

TYPE_SIZE = 0.24
"""The type size of the names, in map units."""

DISTANCE = 0.28
"""How far outside the outermost corner of the cells the middle of a name is, in map units."""


class _NamePlaces(NamedTuple):
    """The positions of the names of the n entry sides of a board."""

    sides: tuple[EntrySide, ...]
    """The entry sides for which they were found: each with its name and its cells."""

    points: NDArray[np.float64]
    """The middles of the names, in map units, (n, 2)."""

    angles: NDArray[np.float64]
    """By how many degrees they are turned, clockwise, (n,)."""


_places: WeakKeyDictionary[Grid, _NamePlaces] = WeakKeyDictionary()
"""The places of the names of each board that was drawn last with the entry sides in them."""


def entry_sides(battlemap: BattleMap, theme: Theme) -> Iterator[TextBatch]:
    """Yield the names of the entry sides of a map, if its system has any."""
    sides = battlemap.system.entry_sides
    if not sides:
        return
    grid = battlemap.grid
    places = _places.get(grid)
    if places is None or places.sides != sides:
        lines = [_line_beside(grid, cells) for _name, cells in sides]
        points = np.array([line.center().toTuple() for line in lines])
        angles = np.array([_readable_angle(line) for line in lines])
        places = _NamePlaces(sides, points, angles)
        _places[grid] = places
    names = [name for name, _cells in sides]
    yield TextBatch(names, places.points, TYPE_SIZE, theme.entry_side_text, angles=places.angles)


def _line_beside(grid: Grid, cells: tuple[int, ...]) -> QLineF:
    """Return a line outside the board along the cells of an entry side, in map units.

    ``cells`` are two or more, in order along the side. The line is parallel to that from the first
    to the last of them, ``DISTANCE`` from the outermost corner.
    """
    first = QPointF(*grid.centre(cells[0]))
    last = QPointF(*grid.centre(cells[-1]))
    middle = (first + last) / 2

    # Of the two directions across the line the one that leads away from the middle of the map.
    along = QLineF(first, last).unitVector()
    outwards = QPointF(-along.dy(), along.dx())
    if QPointF.dotProduct(outwards, middle - map_box(grid).center()) < 0:
        outwards = -outwards

    # How far out the corners of the cells reach.
    farthest = 0.0
    for cell in cells:
        for number in range(grid.degree):
            to_corner = QPointF(*grid.corner(cell, number)) - middle
            farthest = max(farthest, QPointF.dotProduct(to_corner, outwards))
    outside = middle + outwards * (farthest + DISTANCE)
    half = (last - first) / 2
    return QLineF(outside - half, outside + half)


def _readable_angle(line: QLineF) -> float:
    """Return the rotation in degrees, clockwise, of a text along a line, not upside down."""
    angle = -line.angle()  # Qt counts angles of lines counter-clockwise
    angle_from_horizontal = (angle + 180) % 360 - 180  # the same from -180 to below 180
    if -90 < angle_from_horizontal <= 90:
        return angle
    return angle + 180
