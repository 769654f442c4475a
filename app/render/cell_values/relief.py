"""The looks of heights, as numbers for each cell: light and shade, water over low land, contours.

Maps have heights either of cells (``elevation``, whole levels) or of corners of squares. Both the
pictures of cells and the overview, with one colour a cell, take them from here::

    light = relief(battlemap, composite, cells)          # (n,): -1 in the shade to 1 in the sun
    depth = water_depth(battlemap, composite, cells)     # (n,): 0 on dry land
    marked = contour_cells(battlemap, composite, 10, cells)     # (n,): a line each 10 of height

What is steep or deep differs between kinds of map: a *steep rise* is that from cell to cell at
which land counts as steep (``System.steep_rise``, in the unit of the heights).
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

# --- light and shade ------------------------------------------------------------------------------

LIGHT_COLOUR = "#fff2c8"
"""The colour over cells in the light."""

LIGHT_OPACITY = 0.44
"""How strong it is over the brightest ones."""

SHADE_COLOUR = "#0b0e1e"
"""The colour over cells in the shade."""

SHADE_OPACITY = 0.52
"""How strong it is over the darkest ones."""

SUN = (-0.6, -0.8)
"""The direction towards the sun, of length 1 (x to the right, y down): from the upper left."""

EXAGGERATION = 3.0
"""Land that rises by a steep rise from cell to cell is lit as if it were so steep.

1 is 45 degrees. With more of it long gentle slopes are seen better, and all steeper land is alike.
"""

SIDEWAYS = 0.3
"""The shade of the steepest slopes that lie along the light: without it a ridge has no ends."""

CELL_LIGHT = np.float32(0.2)
"""The brightness of the sunny side of a cell with an elevation.

With more of it woods and snow lie in fog, for whole cells rise at once and each slope is among the
steepest.
"""

CELL_SHADE = np.float32(0.28)
"""The darkness of the far side of a cell. With more of it clouds of soot hang below each range."""

CORNER_LIGHT = np.float32(0.55)
"""``CELL_LIGHT`` of heights of corners, which change over many cells.

With more of it sunny slopes lie in fog.
"""

CORNER_SHADE = np.float32(0.75)
"""``CELL_SHADE`` of heights of corners. With more of it the slopes in the shade are soot."""

# --- water; depths are in steep rises -------------------------------------------------------------

SHALLOW = 0.3
"""The opacity of water right below its surface. With more of it the shore is a hard edge."""

DEEP = 0.8
"""The opacity of water where it is deep. With more of it the ground there is not seen."""

FADE_DEPTH = 0.45
"""The depth at which the opacity has gone two thirds of the way from ``SHALLOW`` to ``DEEP``."""

BRIGHT = "#9fdcd6"
"""The colour of the shallows, which lies over that of the water."""

BRIGHT_OPACITY = 0.42
"""How strong it is at the shore."""

BRIGHT_DEPTH = 1.3
"""The depth at which it has faded out."""

DEPTHS = 4.0
"""The overlay of depths has its last colour from this depth on."""

# --- contour lines --------------------------------------------------------------------------------

MAIN = 5
"""Every so many contour lines there is one that counts more."""

ALL_LINES_UP_TO = 0.8
"""In the overview cells that rise by more than so many lines show the main ones alone.

If it is larger nearly every cell of a slope is part of a line.
"""


def relief(battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]) -> Light:
    """Return the light on ``cells`` (n,), from their heights or those of their corners.

    ``cells`` are indices, or the slice of whole rows, which is faster.
    """
    grid = battlemap.grid
    system = battlemap.system
    plane = composite.plane(system.height)
    if plane is None or is_blank(plane):
        return np.zeros(_cell_count(cells))
    if system.corner_heights is not None:
        return _of_corners(heights_around(grid, plane, cells), system.steep_rise)
    elevation = plane.reshape(-1)
    if isinstance(cells, slice):
        first_row = cells.start // grid.width
        end_row = cells.stop // grid.width
        neighbours = _neighbours_of_rows(grid, plane, first_row, end_row)
    else:
        neighbours = _neighbours_of_cells(grid, elevation, cells)
    return _of_cells(grid, elevation[cells].astype(np.float32), neighbours, system.steep_rise)


def water_depth(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """Return the depth of the water over ``cells`` (n,), 0 where there is none; None without water.

    It is in steep rises. A cell is under water if its mean height is below the level. ``cells`` are
    indices, or the slice of whole rows.
    """
    system = battlemap.system
    level = system.water_level(battlemap)
    heights = composite.plane(system.corner_heights)
    if level is None or heights is None:
        return None
    depth = np.float32(level) - heights_around(battlemap.grid, heights, cells).mean(axis=0)
    return np.asarray(np.maximum(depth, 0) / np.float32(system.steep_rise), np.float32)


def water_opacity(depth: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the opacity of water of a depth, in steep rises, from 0 on."""
    share = 1 - np.exp(depth * np.float32(-1 / FADE_DEPTH))
    return np.asarray(np.float32(SHALLOW) + share * np.float32(DEEP - SHALLOW))


def shallows_opacity(depth: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the opacity of ``BRIGHT`` over water of a depth, in steep rises, from 0 on."""
    light = np.maximum(1 - depth / np.float32(BRIGHT_DEPTH), 0)
    return np.asarray(light * light * np.float32(BRIGHT_OPACITY))


def corner_levels(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.float32] | None:
    """Return the heights of the corners of cells, (4, n): clockwise from the top left.

    They are counted in steps, from the height that people see as 0. None without such heights.
    """
    heights = composite.plane(battlemap.system.corner_heights)
    if heights is None:
        return None
    scale = battlemap.system.height_scale
    corner_heights = heights_around(battlemap.grid, heights, cells)
    return (corner_heights / np.float32(scale.units) - np.float32(scale.zero)) / np.float32(step)


def contour_cells(
    battlemap: BattleMap, composite: Composite, step: int, cells: slice | NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which cells (n,) a contour line marks, one for each ``step`` of height.

    They are those along whose upper or left side heights pass a line: so it is one cell wide. Where
    there is one in every cell only each ``MAIN``-th counts. ``cells`` are indices, or the slice of
    whole rows.
    """
    levels = corner_levels(battlemap, composite, step, cells)
    if levels is None:
        return np.zeros(_cell_count(cells), bool)
    # The lines that count: on steep cells only the main ones. A line passes a side if its two
    # corners lie in different intervals between lines.
    lines_apart = np.where(levels.max(axis=0) - levels.min(axis=0) > ALL_LINES_UP_TO, MAIN, 1)
    top_left, top_right, _, bottom_left = np.floor(levels / lines_apart)
    return np.asarray((top_left != top_right) | (top_left != bottom_left))


def _cell_count(cells: slice | NDArray[np.intp]) -> int:
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
    rows = slice(max(first - 1, 0), min(end + 1, grid.height))
    inner = slice(rows.start - first + 1, rows.stop - first + 1)
    values[inner, 1:-1] = elevation[rows]
    exists[inner, 1:-1] = True
    if grid.mask is not None:
        exists[inner, 1:-1] = grid.mask[rows]
    if grid.wrap:
        for padded in (values, exists):
            padded[:, 0] = padded[:, -2]
            padded[:, -1] = padded[:, 1]
    for side in range(grid.degree):
        heights = np.empty(shape, np.float32)
        exist = np.empty(shape, np.bool_)
        for rows, columns, dx, dy in file_steps(grid, side):
            # Of hexes the step differs between odd and even rows or columns: these are the cells
            # that it is for, in rows counted from ``first``.
            cells = (slice((rows.start - first) % rows.step, None, rows.step), columns)
            moved = (slice(1 + dy, 1 + dy + shape[0]), slice(1 + dx, 1 + dx + shape[1]))
            heights[cells] = values[moved][cells]
            exist[cells] = exists[moved][cells]
        yield _Neighbours(heights.ravel(), exist.ravel())


def _of_cells(
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


def _of_corners(heights: NDArray[np.float32], steep: float) -> Light:
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
