"""The position and scale of a map in the picture that a virtual table shows.

    picture = drawn_picture_of(grid, pixels=100)    # the size of a picture with 100 pixels a cell
    picture.frame.pixel(thing.x, thing.y)           # (x, y) in pixels from its upper left corner

Pixels count to the right and down. The size of a cell is that from flat to flat. A picture that we
draw fills the bounds of its map exactly (``drawn_picture_of``). For a picture of another program
the codecs work out the grid and the frame themselves, as a ``PlacedGrid``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3, ROOT3, Shear
from randomizer.model.problems import error

FOUNDRY_GRID_TYPES = (
    "Gridless",
    "Square",
    "Hexagonal Rows - Odd",
    "Hexagonal Rows - Even",
    "Hexagonal Columns - Odd",
    "Hexagonal Columns - Even",
)
"""The names of the types of grids in Foundry, by number."""

MIN_PIXELS = 20
"""The smallest size of a cell in pixels; Foundry refuses smaller ones."""

USUAL_PIXELS = 100
"""The size of a cell in pixels unless a user chooses another one."""

MAX_PIXELS = 500
"""The largest size of a cell in pixels."""

_ROUNDING = 1e-6
"""A length in pixels that is more than an error of rounding, and far less than a pixel."""

_SAME_LINE = 0.1
"""Centres whose distance, in map units, is smaller than this are in one column or row of hexes.

Columns of flat-top hexes, and rows of pointy-top ones, are 1.5 apart.
"""


class Box(NamedTuple):
    """A rectangle in pixels, such as the one that a picture fills in a scene."""

    left: float
    """The x coordinate of its left edge."""
    top: float
    """The y coordinate of its upper edge."""
    width: float
    """Its width in pixels."""
    height: float
    """Its height in pixels."""


class Frame(NamedTuple):
    """The position and scale of a map in a picture or scene."""

    unit: float
    """The pixels of a map unit."""
    left: float
    """The x coordinate in pixels of the origin of map units."""
    top: float
    """The y coordinate in pixels of the origin of map units."""

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel, as a fraction, at a position in map units."""
        return x * self.unit + self.left, y * self.unit + self.top

    def position(self, x: float, y: float) -> tuple[float, float]:
        """Return the position in map units of a pixel."""
        return (x - self.left) / self.unit, (y - self.top) / self.unit


class PlacedGrid(NamedTuple):
    """The grid of a scene of another program, and its position there."""

    grid: Grid
    """The grid, as a map of ours has it."""
    frame: Frame
    """The position of the map in the pixels of the scene."""
    picture_box: Box
    """The rectangle that the picture fills, in the pixels of the scene.

    The picture itself can have more or fewer pixels, and is stretched to this rectangle.
    """


class DrawnPicture(NamedTuple):
    """The size of a picture that this program draws of a map."""

    frame: Frame
    """The position of the map in the picture."""
    width: int
    """The width of the picture in pixels."""
    height: int
    """The height of the picture in pixels."""


def drawn_picture_of(grid: Grid, pixels: float) -> DrawnPicture:
    """Return the size of the picture of a map with ``pixels`` for the size of a cell.

    Raises ProblemError for a map without cells, which has no picture.
    """
    if not len(grid.cells):
        raise error("no-cells", "a map without cells has no picture: nothing was written")
    # A cell from flat to flat, in map units: hexes have a radius of 1, squares have sides of 1.
    flat_to_flat = 1.0
    if grid.degree == 6:
        flat_to_flat = ROOT3
    unit = pixels / flat_to_flat
    left, top, right, bottom = grid.bounds
    # Less a little: an error of rounding must not add a row of pixels.
    width = math.ceil((right - left) * unit - _ROUNDING)
    height = math.ceil((bottom - top) * unit - _ROUNDING)
    return DrawnPicture(Frame(unit, left=-left * unit, top=-top * unit), width, height)


def grid_type(grid: Grid) -> int:
    """Return the type of Foundry's grid that fits a map's picture without an offset.

    It is an index of ``FOUNDRY_GRID_TYPES``.

    Every second column (or row) of hexes is *pushed*: it begins half a hex farther in, here the
    second one::

        1   3        The first column is not pushed: the type is "even".
          2   4      If it were, the type would be "odd".
        1   3

    So the type follows from whether the first column (or row) of the map's cells is pushed.
    """
    if grid.degree == 4:
        return FOUNDRY_GRID_TYPES.index("Square")
    # A line is a column of hexes in columns, a row of hexes in rows. Positions are in map units,
    # ``across`` from line to line and ``along`` a line.
    xs, ys = grid.centres_of(grid.cells).T
    if grid.layout.shear is Shear.COLUMNS:
        across = xs
        along = ys
        even_type = FOUNDRY_GRID_TYPES.index("Hexagonal Columns - Even")
    else:
        across = ys
        along = xs
        even_type = FOUNDRY_GRID_TYPES.index("Hexagonal Rows - Even")
    is_in_first_line = across < across.min() + _SAME_LINE
    first_centre = float(along[is_in_first_line][0])
    half_hexes_in = round((first_centre - float(along.min())) / HALF3)
    is_pushed = half_hexes_in % 2 == 1
    if is_pushed:
        return even_type - 1  # the odd type of the same direction
    return even_type
