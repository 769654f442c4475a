"""The geometry of Tiled's grids: pixels of a map there, and map units of its cells here.

    geometry = geometry_of(root, left=0, top=0)   # NodeError for an orientation that is not read
    geometry.to_map(120.0, 52.0)                  # (x, y) in map units

Tiled draws a staggered or hexagonal map by pushing each second column (or row) half a cell down (or
right): the odd or the even ones, by ``staggerindex``. Our layouts always push the odd ones. So a
map that pushes the even ones gets one more column (or row) here, which stays empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.layouts import FLAT, POINTY, ROOT3, SQUARE, Layout
from randomizer.systems.interchange.tiled.tiled_nodes import Node, NodeError, text, whole

ISOMETRIC = "isometric"
"""The orientation of maps whose squares are drawn as rhombs."""

DRAWN_AS_SQUARES = (ISOMETRIC, "oblique")
"""Orientations of maps whose grid is one of squares, which Tiled draws aslant."""

_UNITS_OF_STEP = {FLAT.name: (1.5, ROOT3), POINTY.name: (ROOT3, 1.5), SQUARE.name: (1.0, 1.0)}
"""The map units from a cell to the next one, across and down, by layout."""

_LARGEST_CELL = 2**15
"""The largest width and height of a cell, in pixels."""


class Geometry(NamedTuple):
    """The positions of cells in Tiled (pixels from the upper left corner) and here (map units)."""

    layout: Layout
    left: int
    """Tiled's column of the map's first column; other than 0 in infinite maps only."""
    top: int
    """Tiled's row of the map's first row."""
    skipped: tuple[int, int]
    """The empty columns and rows, 0 or 1, that our map has before Tiled's first ones: with one the
    parity of columns or rows is that of our layouts."""
    size: tuple[int, int]
    """Width and height of a cell in pixels."""
    step: tuple[int, int]
    """The pixels from a cell to the next one, across and down."""

    @property
    def _scale(self) -> NDArray[np.float64]:
        """The map units of a pixel, across and down."""
        return np.array(_UNITS_OF_STEP[self.layout.name]) / self.step

    @property
    def _origin(self) -> NDArray[np.float64]:
        """The pixel at the origin of map units, which is the centre of our first cell."""
        first_cell = np.array((self.left, self.top)) - self.skipped
        cell_size = self.size
        if self.layout is SQUARE:
            # Objects of isometric maps lie on the plane of the map, where a cell is as large as its
            # step; for other squares both are the same.
            cell_size = self.step
        return first_cell * self.step + np.array(cell_size) / 2

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Return the point in map units of a point in pixels."""
        map_x, map_y = ((np.array((x, y)) - self._origin) * self._scale).tolist()
        return map_x, map_y

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return the point in pixels of a point in map units."""
        pixel_x, pixel_y = (np.array((x, y)) / self._scale + self._origin).tolist()
        return pixel_x, pixel_y


def geometry_of(root: Node, left: int, top: int) -> Geometry:
    """Return the geometry of the map ``root`` whose first cell is (``left``, ``top``).

    Raises NodeError for an orientation or a size that is not read.
    """
    orientation = text(root, "orientation")
    width = whole(root, "tilewidth", 0, 1, _LARGEST_CELL)
    height = whole(root, "tileheight", 0, 1, _LARGEST_CELL)
    squares = Geometry(
        SQUARE, left, top, skipped=(0, 0), size=(width, height), step=(width, height)
    )
    if orientation in ("orthogonal", "oblique"):
        return squares
    if orientation == ISOMETRIC:
        # Objects of isometric maps are measured on the plane, where cells are squares.
        return squares._replace(step=(height, height))
    if orientation not in ("hexagonal", "staggered"):
        kinds = "orthogonal, isometric, oblique, hexagonal and staggered maps are read"
        raise NodeError(root, f"this map is {orientation or 'of no kind'!s:.40}: {kinds}")
    return _staggered_geometry(root, left, top, width, height)


def _staggered_geometry(root: Node, left: int, top: int, width: int, height: int) -> Geometry:
    """Return the geometry of a hexagonal or staggered map whose cells have this size.

    The formulas are those of Tiled's renderer of hexagonal maps. A staggered map is one whose sides
    along the axis have the length 0.
    """
    # Tiled takes the next lower even numbers, so that half a cell is whole pixels.
    width = max(2, width & ~1)
    height = max(2, height & ~1)
    axis = text(root, "staggeraxis") or "y"
    index = text(root, "staggerindex") or "odd"
    if axis not in ("x", "y") or index not in ("odd", "even"):
        raise NodeError(root, f"no map is staggered by {axis!r:.20}, {index!r:.20}")
    length_on_axis = height
    if axis == "x":
        length_on_axis = width
    side_length = 0
    if text(root, "orientation") == "hexagonal":
        side_length = whole(root, "hexsidelength", 0, 0, length_on_axis)
    # From one slanted part to the next: a hex without its other slanted part.
    step = (length_on_axis - side_length) // 2 + side_length

    # Our odd columns (or rows) are the pushed ones. Where that is not so of the columns here, which
    # begin with ``left``, one more before them makes it so.
    pushes_even = index == "even"
    if axis == "x":
        skipped = ((left & 1) ^ pushes_even, 0)
        return Geometry(FLAT, left, top, skipped=skipped, size=(width, height), step=(step, height))
    skipped = (0, (top & 1) ^ pushes_even)
    return Geometry(POINTY, left, top, skipped=skipped, size=(width, height), step=(width, step))
