"""The arrangements of cells that a map can have: squares, and three of hexes.

Units of the map: a hex has radius 1 (centre to corner), a square has side 1; x increases to the
right and y down, as on a screen. Sides count clockwise; side ``i`` is from corner ``i`` to corner
``i + 1``.

A cell also has *axial* coordinates (q, r), in which each side leads to a neighbour by the same step
wherever the cell lies; that is not so for columns and rows of hexes. ``Grid.axial`` converts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

ROOT3 = math.sqrt(3)
"""The distance of opposite sides of a hex."""

HALF3 = ROOT3 / 2
"""The distance of the centre of a hex from a side."""


@dataclass(frozen=True, slots=True)
class Layout:
    """An arrangement of cells."""

    name: str

    side_names: tuple[str, ...]
    """The names of the sides in the order of their numbers."""

    steps: tuple[tuple[int, int], ...]
    """For each side the step across it in axial coordinates, (q, r)."""

    basis: tuple[tuple[float, float], tuple[float, float]]
    """The steps of 1 along q and along r, (x, y) each, in map units."""

    corners: tuple[tuple[float, float], ...]
    """The corners of a cell, (x, y) from its centre, in map units."""

    shear: str
    """How file coordinates (x, y) become axial ones (``Grid.axial``).

    "columns": odd columns are half a cell lower; "rows": odd rows are half a cell to the right;
    "oblique": y counts up and to the right; "none": they are the same.
    """

    def __hash__(self) -> int:
        """Return the hash of the name: layouts are in keys of caches that every frame asks."""
        return hash(self.name)

    @property
    def degree(self) -> int:
        """The number of sides of a cell."""
        return len(self.steps)

    @property
    def cell_width(self) -> float:
        """The distance of the centres of neighbours, in map units."""
        (qx, qy), (rx, ry) = self.basis
        q, r = self.steps[0]
        return math.hypot(q * qx + r * rx, q * qy + r * ry)


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
    shear="columns",
)
"""Flat-top hexes in columns, odd columns (x = 1, 3 ...) half a hex lower: Colossus, Wesnoth."""

POINTY = Layout(
    name="pointy",
    side_names=_POINTY_SIDES,
    steps=_POINTY_STEPS,
    basis=_POINTY_BASIS,
    corners=_POINTY_CORNERS,
    shear="rows",
)
"""Pointy-top hexes in rows, odd rows half a hex to the right: Cordery's tables."""

OBLIQUE = Layout(
    name="oblique",
    side_names=_POINTY_SIDES,
    steps=_POINTY_STEPS,
    basis=_POINTY_BASIS,
    corners=_POINTY_CORNERS,
    shear="oblique",
)
"""Pointy-top hexes with y counting up and to the right: Xconq (x usually wraps)."""

SQUARE = Layout(
    name="square",
    side_names=("north", "east", "south", "west"),
    steps=((0, -1), (1, 0), (0, 1), (-1, 0)),
    basis=((1.0, 0.0), (0.0, 1.0)),
    corners=((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),
    shear="none",
)
"""Squares: wargame tables, 0 A.D."""

LAYOUTS = (FLAT, POINTY, OBLIQUE, SQUARE)
"""All layouts."""
