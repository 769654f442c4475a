"""Where a map lies in the picture that a virtual table shows.

A picture fills the bounds of its map exactly, with ``Export.pixels`` a cell. Pixels count from the
upper left corner of the picture to the right and down; a cell's size is that from flat to flat.
``frame_of`` returns the frame of our own pictures; the codecs make those of other pictures.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3, ROOT3
from randomizer.model.problems import error

GRIDS = (
    "Gridless",
    "Square",
    "Hexagonal Rows - Odd",
    "Hexagonal Rows - Even",
    "Hexagonal Columns - Odd",
    "Hexagonal Columns - Even",
)
"""The names of the types of grids in Foundry, by number."""

LEAST_PIXELS = 20
"""The smallest size of a cell in pixels; Foundry refuses smaller ones."""

USUAL_PIXELS = 100
"""The size of a cell in pixels unless a user chooses another one."""

MOST_PIXELS = 500
"""The largest size of a cell in pixels."""

_ROUNDING = 1e-6
"""In pixels: more than an error of rounding, and far less than a pixel."""

_SAME_LINE = 0.1
"""Centres that are not farther apart than this, in map units, are in one column or row of hexes.

These are 1.5 apart.
"""


class Box(NamedTuple):
    """A rectangle in pixels, such as the one that a picture fills in a scene."""

    left: float
    """The x coordinate of its left edge."""
    top: float
    """The y coordinate of its upper edge."""
    width: float
    height: float


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


def frame_of(grid: Grid, pixels: float) -> tuple[Frame, int, int]:
    """Return the frame of a map that fills its picture, and the picture's width and height.

    ``pixels`` is the size of a cell. Raises ProblemError for a map without cells.
    """
    if not len(grid.cells):
        raise error("no-cells", "a map without cells has no picture: nothing was written")
    flat_to_flat = ROOT3 if grid.degree == 6 else 1.0  # of a cell, in map units
    unit = pixels / flat_to_flat
    left, top, right, bottom = grid.bounds
    # Less a little: an error of rounding must not add a row of pixels.
    width = math.ceil((right - left) * unit - _ROUNDING)
    height = math.ceil((bottom - top) * unit - _ROUNDING)
    return Frame(unit, -left * unit, -top * unit), width, height


def grid_type(grid: Grid) -> int:
    """Return the type of Foundry's grid (``GRIDS``) that fits a map's picture without an offset.

    Foundry's grid begins with a whole hex if its type is even, with half of one if it is odd. So
    the type follows from whether the first column (or row) of the map's cells is pushed.
    """
    if grid.degree == 4:
        return GRIDS.index("Square")
    # A line is a column of hexes in columns, a row of hexes in rows. Positions are in map units,
    # ``across`` from line to line and ``along`` a line.
    xs, ys = grid.centres_of(grid.cells).T
    if grid.layout.shear == "columns":
        across = xs
        along = ys
        even_type = GRIDS.index("Hexagonal Columns - Even")
    else:
        across = ys
        along = xs
        even_type = GRIDS.index("Hexagonal Rows - Even")
    is_in_first_line = across < across.min() + _SAME_LINE
    first_centre = float(along[is_in_first_line][0])
    half_hexes_in = round((first_centre - float(along.min())) / HALF3)
    is_pushed = half_hexes_in % 2 == 1
    if is_pushed:
        return even_type - 1  # the odd type of the same direction
    return even_type
