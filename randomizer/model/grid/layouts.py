r"""The arrangements of cells that a map can have: squares, and three of hexes.

``x`` increases to the right and ``y`` down, as on a screen. A map unit is the radius of a hex
(centre to corner), or the side of a square. Sides and corners are numbered clockwise; side ``i`` is
from corner ``i`` to corner ``i + 1``. Corners are outside in the drawings, sides inside::

       flat                 pointy              square
      0-------1                0               0-------1
     /    0    \             /   \             |   0   |
    / 5       1 \          / 5   0 \           | 3   1 |
   5             2        5         1          |   2   |
    \ 4       2 /         | 4     1 |          3-------2
     \    3    /          4         2
      4-------3            \ 3   2 /
                             \   /
                               3

A cell has coordinates of two kinds. Those of the *file*, (x, y), are its column and row in the
arrays of a map; a ``Shear`` says how columns and rows lie. In *axial* ones, (q, r), each side leads
to a neighbour by the same step wherever the cell is, which is not so for columns and rows of hexes.
``Grid.axial`` and ``Grid.offset`` convert them. The cell at (q, r) lies at ``q * basis[0] + r *
basis[1]`` (``Layout.point``). Source: https://www.redblobgames.com/grids/hexagons/#coordinates
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from numpy.typing import NDArray

ROOT3 = math.sqrt(3)
"""The distance of opposite sides of a hex whose sides are 1 long."""

HALF3 = ROOT3 / 2
"""The distance of the centre of a hex from a side."""

Number = TypeVar("Number", float, NDArray[Any])
"""A coordinate, or an array of coordinates; integers, too."""


class Shear(Enum):
    """How columns and rows of the file lie on the map: which of them are shifted, and where to.

    The drawings show cells with their (x, y).
    """

    NONE = "none"
    """Nothing is shifted: a column is straight down, a row straight to the right. ::

        0,0  1,0  2,0
        0,1  1,1  2,1

    Axial coordinates are those of the file.
    """

    COLUMNS = "columns"
    """Odd columns are half a cell lower. ::

        0,0       2,0
             1,0       3,0
        0,1       2,1
             1,1       3,1

    A step along q is one column to the right and half a cell down.
    """

    ROWS = "rows"
    """Odd rows are half a cell farther right. ::

        0,0   1,0   2,0
           0,1   1,1   2,1
        0,2   1,2   2,2

    A step along r is one row down and half a cell to the right.
    """

    OBLIQUE = "oblique"
    """Rows count upwards, and each is half a cell farther right than the one below it. ::

              0,2   1,2   2,2
           0,1   1,1   2,1
        0,0   1,0   2,0

    A step along r is one row down and half a cell to the right, as with ``ROWS``.
    """


@dataclass(frozen=True, slots=True)
class Layout:
    """An arrangement of cells."""

    name: str
    """The name in files and settings."""

    side_names: tuple[str, ...]
    """The names of the sides in the order of their numbers."""

    steps: tuple[tuple[int, int], ...]
    """For each side the step across it in axial coordinates, (q, r)."""

    basis: tuple[tuple[float, float], tuple[float, float]]
    """The steps of 1 along q and along r, (x, y) each, in map units."""

    corners: tuple[tuple[float, float], ...]
    """The corners of a cell, (x, y) from its centre, in map units."""

    shear: Shear
    """How columns and rows lie."""

    def __hash__(self) -> int:
        """Return the hash of the name: layouts are in keys of caches that every frame asks."""
        return hash(self.name)

    @property
    def degree(self) -> int:
        """The number of sides of a cell."""
        return len(self.steps)

    def point(self, q: Number, r: Number) -> tuple[Number, Number]:
        """Return the point (x, y) at axial (q, r), in map units: numbers, or arrays of one shape.

        Of a difference in axial coordinates it is the difference in map units.
        """
        (q_x, q_y), (r_x, r_y) = self.basis
        return q * q_x + r * r_x, q * q_y + r * r_y

    def squared_distance(self, q: Number, r: Number) -> Number:
        """Return the square of the length of an axial step, in distances of neighbours.

        Of whole numbers it is a whole number: no rounding decides between equal lengths.
        """
        squared_distance: Number = q * q + r * r
        if self.degree == 6:  # the axes of hexes are 60 degrees apart
            squared_distance = squared_distance + q * r
        return squared_distance

    @property
    def neighbour_distance(self) -> float:
        """The distance between the centres of neighbours: the same across every side, as of side 0.

        In map units: the square root of 3 for hexes, 1 for squares.
        """
        return math.hypot(*self.point(*self.steps[0]))

    @property
    def column_distance(self) -> float:
        """How much farther right a column is than the one before it, in map units."""
        return self.basis[0][0]

    @property
    def row_distance(self) -> float:
        """How far a row is from the next one (above it if rows count upwards), in map units."""
        return self.basis[1][1]


_FLAT_CORNERS = (
    (-0.5, -HALF3),
    (0.5, -HALF3),
    (1.0, 0.0),
    (0.5, HALF3),
    (-0.5, HALF3),
    (-1.0, 0.0),
)
_POINTY_CORNERS = (
    (0.0, -1.0),
    (HALF3, -0.5),
    (HALF3, 0.5),
    (0.0, 1.0),
    (-HALF3, 0.5),
    (-HALF3, -0.5),
)
_POINTY_SIDES = ("north-east", "east", "south-east", "south-west", "west", "north-west")
_POINTY_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
_POINTY_BASIS = ((ROOT3, 0.0), (HALF3, 1.5))

FLAT = Layout(
    name="flat",
    side_names=("north", "north-east", "south-east", "south", "south-west", "north-west"),
    steps=((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    basis=((1.5, HALF3), (0.0, ROOT3)),
    corners=_FLAT_CORNERS,
    shear=Shear.COLUMNS,
)
"""Flat-top hexes in columns, odd columns (x = 1, 3 ...) half a hex lower: Colossus, Wesnoth."""

POINTY = Layout(
    name="pointy",
    side_names=_POINTY_SIDES,
    steps=_POINTY_STEPS,
    basis=_POINTY_BASIS,
    corners=_POINTY_CORNERS,
    shear=Shear.ROWS,
)
"""Pointy-top hexes in rows, odd rows half a hex to the right: Cordery's tables."""

OBLIQUE = Layout(
    name="oblique",
    side_names=_POINTY_SIDES,
    steps=_POINTY_STEPS,
    basis=_POINTY_BASIS,
    corners=_POINTY_CORNERS,
    shear=Shear.OBLIQUE,
)
"""Pointy-top hexes with y counting up and to the right: Xconq (x usually wraps)."""

SQUARE = Layout(
    name="square",
    side_names=("north", "east", "south", "west"),
    steps=((0, -1), (1, 0), (0, 1), (-1, 0)),
    basis=((1.0, 0.0), (0.0, 1.0)),
    corners=((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),
    shear=Shear.NONE,
)
"""Squares: wargame tables, 0 A.D."""

LAYOUTS = (FLAT, POINTY, OBLIQUE, SQUARE)
"""All layouts."""
