"""Works out the grid of a Foundry scene, and which of its cells lie in the scene.

A scene is a rectangle with padding around it. Foundry's grid covers the padding, too, and begins
at its upper left corner, from which all coordinates count in pixels:

    (0, 0) +-------------------+
           |  padding          |
           |   +-----------+   |    (left, top) of the scene: ``corner_of_scene``
           |   |   scene   |   |    its first cell: ``centre_of_first_cell``
           |   +-----------+   |    its columns and rows: ``cells_up_to``
           +-------------------+

A grid of hexes begins with a whole hex if its type is *even* (3 and 5 in ``FOUNDRY_GRID_TYPES``),
and with half of one if its type is *odd* (2 and 4). ``FoundryCodec.grid_of`` calls the functions in
this order and makes a grid of ours from their results.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.model.grid.layouts import FLAT, HALF3, POINTY, ROOT3, SQUARE, Layout
from randomizer.systems.interchange.virtual_table.document import Document
from randomizer.systems.interchange.virtual_table.frame import FOUNDRY_GRID_TYPES

EDGE_TOLERANCE = 0.01
"""The distance, in cells, up to which the centre of a cell may lie beyond the edge of a scene.

Tables round sizes to pixels. With a larger distance a scene gets cells that it does not show.
"""

MAX_SIDE = 1e6
"""The largest width or height of a scene in pixels."""

_FIRST_HEX_TYPE = FOUNDRY_GRID_TYPES.index("Hexagonal Rows - Odd")
"""The lowest number of a type of hexes: those of squares are lower."""

_FIRST_COLUMN_TYPE = FOUNDRY_GRID_TYPES.index("Hexagonal Columns - Odd")
"""The lowest number of a type of hexes in columns: those of hexes in rows are lower."""


class SceneGrid(NamedTuple):
    """The grid of a scene, which begins at the corner of the padding."""

    kind: int
    """The type of the grid, an index of ``FOUNDRY_GRID_TYPES``."""
    size: float
    """The size of a cell in pixels, of a hex from flat to flat."""
    padding_step_x: float
    """The pixels of which the padding to the left is a multiple."""
    padding_step_y: float
    """The pixels of which the padding above is a multiple."""

    @property
    def is_hexes(self) -> bool:
        """True for hexes; a scene without a grid has squares."""
        return self.kind >= _FIRST_HEX_TYPE

    @property
    def has_columns(self) -> bool:
        """True for hexes in columns, False for hexes in rows and for squares."""
        return self.kind >= _FIRST_COLUMN_TYPE

    @property
    def layout(self) -> Layout:
        """Our layout of the cells."""
        if not self.is_hexes:
            return SQUARE
        if self.has_columns:
            return FLAT
        return POINTY

    @property
    def step_x(self) -> float:
        """The pixels from a column to the next one."""
        if self.has_columns:
            return self.size * HALF3
        return self.size

    @property
    def step_y(self) -> float:
        """The pixels from a row to the next one."""
        has_rows = self.is_hexes and not self.has_columns
        if has_rows:
            return self.size * HALF3
        return self.size

    @property
    def unit(self) -> float:
        """The pixels of a map unit, which is the side of a hex or square."""
        if self.is_hexes:
            return self.size / ROOT3
        return self.size


def scene_grid_of(document: Document) -> SceneGrid:
    """Return the grid of a scene. Raises ProblemError.

    Before version 10 type and size stood in ``gridType`` and ``grid``. The size of a hex was then
    that from corner to corner, and padding was a multiple of it in both directions; a flag
    ``legacyHex`` keeps that in later versions. Today padding is a multiple of the steps.
    """
    is_old = not isinstance(document.at("grid"), dict)
    if is_old:
        kind = int(document.number("gridType", least=0, most=len(FOUNDRY_GRID_TYPES) - 1))
        size = document.number("grid", least=1, most=MAX_SIDE)
    else:
        kind = int(document.number("grid", "type", least=0, most=len(FOUNDRY_GRID_TYPES) - 1))
        size = document.number("grid", "size", least=1, most=MAX_SIDE)
    grid = SceneGrid(kind, size, padding_step_x=size, padding_step_y=size)
    if grid.is_hexes and (is_old or document.at("flags", "core", "legacyHex")):
        return grid._replace(size=size * HALF3)  # from corner to corner becomes flat to flat
    return grid._replace(padding_step_x=grid.step_x, padding_step_y=grid.step_y)


def corner_of_scene(
    document: Document, grid: SceneGrid, width: float, height: float
) -> tuple[float, float]:
    """Return the left and top of the scene in pixels from the corner of the padding.

    ``width`` and ``height`` are those of the scene without padding. Padding is a share of them,
    rounded up to whole cells. If the padding has an odd number of columns (or rows) of hexes, half
    a cell is added so that the first hex is a whole one. Raises ProblemError.
    """
    padding = document.number("padding", least=0, most=0.5, usual=0)
    columns = math.ceil(padding * width / grid.padding_step_x)
    rows = math.ceil(padding * height / grid.padding_step_y)
    left = columns * grid.padding_step_x
    top = rows * grid.padding_step_y
    # Only the legacy padding is the same in both directions: the steps of hexes differ.
    is_legacy = grid.padding_step_x == grid.padding_step_y
    if grid.is_hexes and not is_legacy:
        if grid.has_columns and columns % 2:
            top += grid.size / 2
        elif not grid.has_columns and rows % 2:
            left += grid.size / 2
    return left - _shift(document, "X"), top - _shift(document, "Y")


def _shift(document: Document, axis: str) -> float:
    """Return the shift of the picture against the grid in pixels; ``axis`` is "X" or "Y".

    It is an entry of the scene itself in versions 9 and 14, of its background in those between.
    """
    path: tuple[str, ...]
    if document.at(f"shift{axis}") is not None:
        path = (f"shift{axis}",)
    else:
        path = ("background", f"offset{axis}")
    return document.number(*path, least=-MAX_SIDE, most=MAX_SIDE, usual=0)


def centre_of_first_cell(grid: SceneGrid, left: float, top: float) -> tuple[float, float]:
    """Return the centre, in pixels, of the first cell of our grid for a scene with this corner.

    A column of hexes is *pushed* if it begins half a hex lower than its neighbours. The first
    column of our grids never is. So if the first column in the scene is pushed, ours begins with
    the column before it. For hexes in rows the same holds for rows.
    """
    if not grid.is_hexes:
        half_size = grid.size / 2
        x = half_size + _first_index(left, half_size, grid.step_x) * grid.step_x
        y = half_size + _first_index(top, half_size, grid.step_y) * grid.step_y
        return x, y
    # A *line* is a column of hexes in columns, or a row of hexes in rows. *Across* is the
    # direction from line to line, *along* that of a line: so both kinds need one function only.
    if grid.has_columns:
        x, y = _first_hex_centre(grid, start_across=left, step_across=grid.step_x, start_along=top)
    else:
        y, x = _first_hex_centre(grid, start_across=top, step_across=grid.step_y, start_along=left)
    return x, y


def _first_hex_centre(
    grid: SceneGrid, *, start_across: float, step_across: float, start_along: float
) -> tuple[float, float]:
    """Return the centre of our first hex, across the lines and along them, in pixels.

    The scene begins at ``start_across`` and ``start_along``; lines are ``step_across`` apart.
    """
    # The centre of line 0 lies a map unit in: half of the distance of two opposite corners.
    line = _first_index(start_across, grid.unit, step_across)
    centre = _first_centre_on_line(grid, line, start_along)
    next_centre = _first_centre_on_line(grid, line + 1, start_along)
    is_pushed = centre > next_centre
    if is_pushed:
        line -= 1
        centre = _first_centre_on_line(grid, line, start_along)
    return grid.unit + line * step_across, centre


def _first_centre_on_line(grid: SceneGrid, line: int, start: float) -> float:
    """Return the first centre behind ``start`` along a line, in pixels.

    Every second line begins with a whole hex, whose centre is half a hex in. The other lines begin
    with half a hex, whose centre is at 0. In even types line 0 begins with a whole hex, in odd
    types line 1 does.
    """
    # Even types have the numbers 3 and 5, odd ones 2 and 4.
    is_even_type = grid.kind % 2 == 1
    is_even_line = line % 2 == 0
    begins_with_whole_hex = is_even_line == is_even_type
    centre = 0.0
    if begins_with_whole_hex:
        centre = grid.size / 2
    return centre + _first_index(start, centre, grid.size) * grid.size


def _first_index(start: float, centre: float, step: float) -> int:
    """Return the index of the first cell whose centre lies behind ``start``.

    ``centre`` is that of cell 0, and ``step`` the distance from one centre to the next, in pixels.
    """
    return math.ceil((start - centre) / step - EDGE_TOLERANCE)


def cells_up_to(end: float, first_centre: float, step: float) -> int:
    """Return the number of cells whose centres lie from ``first_centre`` up to ``end``, in pixels.

    ``step`` is the distance from one centre to the next.
    """
    return math.floor((end - first_centre) / step + EDGE_TOLERANCE) + 1
