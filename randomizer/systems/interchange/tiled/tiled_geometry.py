"""Converts pixels of a Tiled map to map units of ours, and back.

    geometry = geometry_of(root, left=0, top=0)   # NodeError for an orientation that is not read
    geometry.to_map(120.0, 52.0)                  # (x, y) in map units

In a staggered or hexagonal map each second column (or row) is *pushed* half a cell down (or right).
In Tiled these are the odd or the even ones, by ``staggerindex``; in our layouts they always are the
odd ones, counted from 0. So a map that pushes the even ones gets one more column (or row) before
its first one here, which stays empty.
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
"""The map units from a cell to the next one, across and down, by the name of the layout.

The sides of our hexes and squares have the length 1.
"""

_LARGEST_CELL = 2**15
"""The largest width and height of a cell, in pixels."""


class Geometry(NamedTuple):
    """The positions of cells in Tiled, in pixels from the upper left corner, and here."""

    layout: Layout
    """The layout of our cells."""
    left: int
    """Tiled's column of the map's first column. It is 0 unless the map is infinite."""
    top: int
    """Tiled's row of the map's first row."""
    skipped: tuple[int, int]
    """The numbers of empty columns and rows that our map has before Tiled's first ones.

    Each is 0 or 1, so that odd columns or rows of ours are the pushed ones.
    """
    size: tuple[int, int]
    """Width and height of a cell in pixels."""
    step: tuple[int, int]
    """The pixels from a cell to the next one, across and down."""

    @property
    def _units_of_pixel(self) -> NDArray[np.float64]:
        """The map units of a pixel, across and down: shape (2,)."""
        return np.array(_UNITS_OF_STEP[self.layout.name]) / self.step

    @property
    def _origin_pixel(self) -> NDArray[np.float64]:
        """The pixel (x, y) at the origin of map units, which is the centre of our first cell."""
        first_cell = np.array((self.left, self.top)) - self.skipped
        cell_size = self.size
        if self.layout is SQUARE:
            # A cell of an isometric map is drawn wider than it is on the plane of the map, on which
            # objects are measured. There it is as large as its step, like all other squares.
            cell_size = self.step
        return first_cell * self.step + np.array(cell_size) / 2

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Return the point in map units of a point in pixels."""
        point = (np.array((x, y)) - self._origin_pixel) * self._units_of_pixel
        map_x, map_y = point.tolist()
        return map_x, map_y

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return the point in pixels of a point in map units."""
        pixel = np.array((x, y)) / self._units_of_pixel + self._origin_pixel
        pixel_x, pixel_y = pixel.tolist()
        return pixel_x, pixel_y


def geometry_of(root: Node, left: int, top: int) -> Geometry:
    """Return the geometry of a map whose first cell is (``left``, ``top``) in Tiled.

    ``root`` is the node of the map. Raises NodeError for an orientation or a size of cells that is
    not read.
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
        # Objects are measured on the plane of the map, where cells are squares of this height.
        return squares._replace(step=(height, height))
    if orientation not in ("hexagonal", "staggered"):
        kinds = "orthogonal, isometric, oblique, hexagonal and staggered maps are read"
        raise NodeError(root, f"this map is {orientation or 'of no kind'!s:.40}: {kinds}")
    return _staggered_geometry(root, left, top, width, height)


def _staggered_geometry(root: Node, left: int, top: int, width: int, height: int) -> Geometry:
    """Return the geometry of a hexagonal or staggered map whose cells have this size.

    The formulas are those of Tiled's renderer of hexagonal maps. A staggered map has rhombs: these
    are hexes whose sides along the axis have the length 0.
    """
    # Half a cell must be whole pixels, as Tiled demands it.
    width = _even_pixels(width)
    height = _even_pixels(height)
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
    # Along the axis a hex is a slanted part, its side and another slanted part; the next hex begins
    # with that last part:
    #
    #     |slant|---side---|slant|
    #                      |slant|---side---|slant|
    slanted_length = (length_on_axis - side_length) // 2
    step = slanted_length + side_length

    # The first column (or row) of ours must not be a pushed one: if Tiled's is one, we have an
    # empty one before it.
    pushed_parity = 1
    if index == "even":
        pushed_parity = 0
    if axis == "x":
        is_first_pushed = left % 2 == pushed_parity
        return Geometry(
            FLAT,
            left,
            top,
            skipped=(int(is_first_pushed), 0),
            size=(width, height),
            step=(step, height),
        )
    is_first_pushed = top % 2 == pushed_parity
    return Geometry(
        POINTY,
        left,
        top,
        skipped=(0, int(is_first_pushed)),
        size=(width, height),
        step=(width, step),
    )


def _even_pixels(length: int) -> int:
    """Return the next lower even number of pixels, at least 2."""
    return max(2, length - length % 2)
