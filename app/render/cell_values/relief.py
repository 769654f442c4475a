"""Light and shade of the land, as a number for each cell: from -1 in the shade to 1 in the sun::

    light = relief(battlemap, composite, cells)          # (n,)

Maps have heights either of cells (``elevation``, whole levels) or of corners of squares. Both the
pictures of cells and the overview, with one colour a cell, take their light from here.

What is steep differs between kinds of map: a *steep rise* is that from cell to cell at which land
counts as steep (``System.steep_rise``, in the unit of the heights).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.neighbourhoods import file_steps
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import heights_around
from randomizer.model.planes.planes import is_blank

Light = NDArray[np.floating]
"""Brightness of cells (n,): -1 in the shade, 0 where it is flat, 1 towards the sun."""

Heights = NDArray[np.int16] | NDArray[np.float32]
"""Elevations of cells, in levels."""

LIGHT_COLOUR = "#fff2c8"
"""The colour over cells in the light."""

LIGHT_OPACITY = 0.44
"""The opacity of that colour over the brightest cells."""

SHADE_COLOUR = "#0b0e1e"
"""The colour over cells in the shade."""

SHADE_OPACITY = 0.52
"""The opacity of that colour over the darkest cells."""

SUN = (-0.6, -0.8)
"""The direction towards the sun, of length 1 (x to the right, y down): from the upper left."""

EXAGGERATION = 3.0
"""The slope, rise over run, at which a steep rise is lit; 1 is 45 degrees.

With more of it long gentle slopes are seen better, and all steeper land is alike.
"""

SIDEWAYS = 0.3
"""The shade of the steepest slopes that lie along the light: without it a ridge has no ends."""

CELL_LIGHT = np.float32(0.2)
"""The brightness of the sunny side of a cell with an elevation.

With more of it the terrains of sunny cells are washed out: whole cells rise at once, so that each
slope is among the steepest.
"""

CELL_SHADE = np.float32(0.28)
"""The darkness of the far side of a cell. With more of it cells below a range turn nearly black."""

CORNER_LIGHT = np.float32(0.55)
"""``CELL_LIGHT`` of heights of corners, which change over many cells.

With more of it the terrains of sunny slopes are washed out.
"""

CORNER_SHADE = np.float32(0.75)
"""``CELL_SHADE`` of heights of corners. With more of it slopes in the shade turn nearly black."""


def relief(battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]) -> Light:
    """Return the light on ``cells`` (n,), from their heights or those of their corners.

    ``cells`` are indices, or the slice of whole rows, which is faster.
    """
    grid = battlemap.grid
    system = battlemap.system
    plane = composite.plane(system.height)
    if plane is None or is_blank(plane):
        return np.zeros(cell_count(cells))
    if system.corner_heights is not None:
        return _light_of_corners(heights_around(grid, plane, cells), system.steep_rise)
    elevation = plane.reshape(-1)
    if isinstance(cells, slice):
        assert cells.start % grid.width == 0, "the slice is of whole rows"
        first_row = cells.start // grid.width
        end_row = cells.stop // grid.width
        neighbours = _neighbours_of_rows(grid, plane, first_row, end_row)
    else:
        neighbours = _neighbours_of_cells(grid, elevation, cells)
    return _light_of_cells(grid, elevation[cells].astype(np.float32), neighbours, system.steep_rise)


def cell_count(cells: slice | NDArray[np.intp]) -> int:
    """Return the number of cells that are given as indices, or as the slice of whole rows."""
    if isinstance(cells, slice):
        return int(cells.stop - cells.start)
    return len(cells)


class _Neighbours(NamedTuple):
    """The neighbours of n cells beyond one side."""

    heights: Heights
    """Their elevations (n,); any number where there is no neighbour."""

    exist: NDArray[np.bool_]
    """True where there is a neighbour, (n,)."""


def _neighbours_of_cells(
    grid: Grid, elevation: NDArray[np.int16], cells: NDArray[np.intp]
) -> Iterator[_Neighbours]:
    """Yield the neighbours of cells (n,) beyond each side; ``elevation`` is that of all cells."""
    for side in range(grid.degree):
        neighbours = grid.neighbours_of(cells, side)
        yield _Neighbours(elevation[neighbours], neighbours >= 0)


def _neighbours_of_rows(
    grid: Grid, elevation: NDArray[np.int16], first: int, end: int
) -> Iterator[_Neighbours]:
    """Yield the neighbours of the cells of whole rows beyond each side, by moving the rows.

    ``elevation`` is a plane (height, width). The rows are copied into arrays with one row and one
    column more on each side, which are empty, or on maps that wrap have the cells at the other end.
    The neighbours beyond a side are then the same array, moved by a step.
    """
    shape = (end - first, grid.width)
    values = np.zeros((shape[0] + 2, shape[1] + 2), np.float32)
    exists = np.zeros(values.shape, np.bool_)
    read_rows = slice(max(first - 1, 0), min(end + 1, grid.height))
    inner = slice(read_rows.start - first + 1, read_rows.stop - first + 1)
    values[inner, 1:-1] = elevation[read_rows]
    exists[inner, 1:-1] = True
    if grid.mask is not None:
        exists[inner, 1:-1] = grid.mask[read_rows]
    if grid.wrap:
        for padded in (values, exists):
            padded[:, 0] = padded[:, -2]
            padded[:, -1] = padded[:, 1]
    for side in range(grid.degree):
        heights = np.empty(shape, np.float32)
        exist = np.empty(shape, np.bool_)
        for step_rows, columns, dx, dy in file_steps(grid, side):
            # Of hexes the step differs between odd and even rows or columns. These are the cells
            # that it is for, in rows counted from ``first``: if it is for the rows 1, 3, 5 ... and
            # ``first`` is 4, for the second of them and every other one.
            first_row_of_step = (step_rows.start - first) % step_rows.step
            cells = (slice(first_row_of_step, None, step_rows.step), columns)
            # The neighbours of all cells, then those of the cells that the step is for.
            moved = (slice(1 + dy, 1 + dy + shape[0]), slice(1 + dx, 1 + dx + shape[1]))
            heights[cells] = values[moved][cells]
            exist[cells] = exists[moved][cells]
        yield _Neighbours(heights.ravel(), exist.ravel())


def _light_of_cells(
    grid: Grid,
    elevation: Heights,
    neighbours_by_side: Iterable[_Neighbours],
    steep: float,
) -> Light:
    """Return the light on cells with these elevations (n,), from -1 to 1.

    A cell is brighter the more it rises above its neighbours on the side of the sun.
    """
    (qx, qy), (rx, ry) = grid.layout.basis
    light = np.zeros(len(elevation), np.float32)
    # Each neighbour counts by how much it lies towards the sun, or away from it.
    for (q, r), neighbours in zip(grid.layout.steps, neighbours_by_side, strict=True):
        x = q * qx + r * rx
        y = q * qy + r * ry
        # The cosine of the angle between the step and the direction of the sun.
        towards = (x * SUN[0] + y * SUN[1]) / math.hypot(x, y)
        light += (elevation - neighbours.heights) * (neighbours.exist * np.float32(towards))
    light = np.clip(light / np.float32(steep), -1.0, 1.0)
    return np.asarray(light * np.where(light > 0, CELL_LIGHT, CELL_SHADE))


def _light_of_corners(heights: NDArray[np.float32], steep: float) -> Light:
    """Return the light on cells whose corners have these ``heights`` (4, n)."""
    top_left, top_right, bottom_right, bottom_left = heights
    down = (bottom_left + bottom_right - top_left - top_right) / 2
    right = (top_right + bottom_right - top_left - bottom_left) / 2
    return light_of_slopes(right, down, steep)


def light_of_slopes(
    right: NDArray[np.floating], down: NDArray[np.floating], steep: float
) -> NDArray[np.float32]:
    """Return the light on land that rises by ``right`` and ``down`` in a map unit, (n,) each.

    ``steep`` is the ``System.steep_rise``.
    """
    # The light is the cosine of the angle between the normal of the land, (-right, -down, 1) before
    # it gets the length 1, and the direction of the sun, which stands at the horizon.
    scale = np.float32(EXAGGERATION / steep)
    right = right * scale
    down = down * scale
    flatness = 1 / np.sqrt(1 + right * right + down * down)  # the cosine of the slope
    towards = right * np.float32(-SUN[0])
    towards -= down * np.float32(SUN[1])
    towards *= flatness
    sideways = np.float32(SIDEWAYS) * (1 - flatness) * (1 - np.abs(towards))
    light = np.clip(towards - sideways, -1.0, 1.0)
    return np.asarray(light * np.where(light > 0, CORNER_LIGHT, CORNER_SHADE), np.float32)
