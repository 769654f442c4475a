"""The names of columns and rows along the rim of a map.

Where there is no room for all of them, only every second, fifth, tenth ... one is named::

         5         10        15
    |  |  |  |  |  |  |  |  |  |

Pictures of a whole map draw ``rim_name_batches``. The rulers of the canvas ask ``columns_of`` and
``rows_of`` for what they show of a view.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.batch import TextBatch
from app.render.scene.icons import text_width
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap

TYPE_SIZE = 0.3
"""The type size of pictures, in map units: half as large again as the names of cells."""

DISTANCE = 0.35
"""How far outside the map the middles of the names are in pictures, in map units."""

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Every n-th column or row is named: n is the first of these that leaves room for the names."""

GAP = 8.0
"""The least room between two names, in logical pixels; a smaller one makes numbers run together."""


class Dimension(IntEnum):
    """A dimension of a map, as an index of points (x, y) and of the two names of a cell."""

    COLUMNS = 0
    """The columns are counted along it, from left to right."""

    ROWS = 1
    """The rows are counted along it, from the top down."""


class Axis(NamedTuple):
    """The columns or rows of a map that are in view, some of which are named."""

    names: list[str]
    """The names of those that have one, n of them."""

    positions: NDArray[np.float64]
    """Where these are along the axis, (n,), in map units."""

    ticks: NDArray[np.float64]
    """Where all columns or rows in view are, (m,), in map units."""


class AxisView(NamedTuple):
    """The part of an axis that is drawn."""

    low: float
    """Where it begins, in map units."""

    high: float
    """Where it ends, in map units."""

    scale: float
    """The number of logical pixels in a map unit."""

    type_pixels: float
    """The type size of the names, in logical pixels."""


def columns_of(battlemap: BattleMap, row: int, view: AxisView) -> Axis:
    """Return the columns of a map, at the positions of the cells of one row.

    Its system must name them (``System.coordinates``).
    """
    first_cell = row * battlemap.grid.width
    cells = np.arange(first_cell, first_cell + battlemap.grid.width, dtype=np.intp)
    # The longest name is that of the first or the last column.
    first_name = _name(battlemap, int(cells[0]), Dimension.COLUMNS)
    last_name = _name(battlemap, int(cells[-1]), Dimension.COLUMNS)
    extent = max(text_width(name, view.type_pixels) for name in (first_name, last_name))
    return _axis(battlemap, cells, Dimension.COLUMNS, view, extent)


def rows_of(battlemap: BattleMap, column: int, view: AxisView) -> Axis:
    """Return the rows of a map, at the positions of the cells of one column.

    Its system must name them (``System.coordinates``).
    """
    cells = np.arange(column, battlemap.grid.size, battlemap.grid.width, dtype=np.intp)
    return _axis(battlemap, cells, Dimension.ROWS, view, view.type_pixels)


def first_row(battlemap: BattleMap, from_y: float) -> int:
    """Return the uppermost row whose centres lie at a height in map units or below it."""
    cells = np.arange(0, battlemap.grid.size, battlemap.grid.width, dtype=np.intp)
    return _index_at_or_after(battlemap.grid.centres_of(cells)[:, 1], from_y)


def first_column(battlemap: BattleMap, from_x: float) -> int:
    """Return the leftmost column whose centres lie at a position in map units or right of it."""
    cells = np.arange(battlemap.grid.width, dtype=np.intp)
    return _index_at_or_after(battlemap.grid.centres_of(cells)[:, 0], from_x)


def _index_at_or_after(positions: NDArray[np.float64], edge: float) -> int:
    """Return the index of the least position at or after ``edge``; of the greatest if none is."""
    positions_from_edge = np.where(positions >= edge, positions, np.inf)
    if np.isinf(positions_from_edge).all():
        return int(np.argmax(positions))
    return int(np.argmin(positions_from_edge))


def _axis(
    battlemap: BattleMap,
    cells: NDArray[np.intp],
    dimension: Dimension,
    view: AxisView,
    extent: float,
) -> Axis:
    """Return the axis with these cells: one cell of each column, or one of each row.

    ``extent`` is how much of the axis the longest name takes, in logical pixels.
    """
    positions = battlemap.grid.centres_of(cells)[:, dimension]
    step = 1  # one of so many columns or rows is named
    if len(cells) > 1:
        pitch = float(np.abs(np.diff(positions)).min()) * view.scale
        step = _naming_step(pitch, extent)

    in_view = np.flatnonzero((positions >= view.low) & (positions <= view.high))
    names = []
    indices = []
    for index in in_view.tolist():
        name = _name(battlemap, int(cells[index]), dimension)
        if _number_of(name, index) % step == 0:
            names.append(name)
            indices.append(index)
    return Axis(names, positions[indices], positions[in_view])


def _number_of(name: str, index: int) -> int:
    """Return the number by which a column or row is named or left out.

    It is the one in its name, so that round numbers are named, also where counting begins
    elsewhere. Where names are letters it is counted from 1.
    """
    if name.isdecimal():
        return int(name)
    return index + 1


def _naming_step(pitch: float, extent: float) -> int:
    """Return of how many columns or rows one is named, so that names have room.

    ``pitch`` is the distance of two columns or rows, ``extent`` that of the longest name, both in
    logical pixels.
    """
    for step in STEPS:
        if step * pitch >= extent + GAP:
            return step
    return STEPS[-1]


def _name(battlemap: BattleMap, cell: int, dimension: Dimension) -> str:
    """Return the name of the column or the row of a cell."""
    coordinates = battlemap.system.coordinates(battlemap.grid, *battlemap.grid.xy(cell))
    assert coordinates is not None, "else there are no rulers"
    return coordinates[dimension]


def rim_name_batches(battlemap: BattleMap, scale: float, theme: Theme) -> Iterator[TextBatch]:
    """Yield the names of columns above the map and of rows at its left, for pictures of all of it.

    ``scale`` is the number of logical pixels in a map unit.
    """
    grid = battlemap.grid
    if battlemap.system.coordinates(grid, 0, 0) is None:
        return
    left, top, right, bottom = grid.bounds
    type_pixels = TYPE_SIZE * scale
    columns_view = AxisView(left, right, scale, type_pixels)
    rows_view = AxisView(top, bottom, scale, type_pixels)
    columns = columns_of(battlemap, first_row(battlemap, top), columns_view)
    rows = rows_of(battlemap, first_column(battlemap, left), rows_view)
    for axis, dimension in ((columns, Dimension.COLUMNS), (rows, Dimension.ROWS)):
        if axis.names:
            # Above the map, or at its left: only the position along the axis differs.
            points = np.full((len(axis.names), 2), (left - DISTANCE, top - DISTANCE))
            points[:, dimension] = axis.positions
            yield TextBatch(axis.names, points, TYPE_SIZE, theme.label_text, theme.label_halo)
