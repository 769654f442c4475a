"""Where the cells, corners and things of a map are in 0 A.D.'s tile coordinates, and back.

0 A.D.'s z grows upward from the lower edge of the map, the rows of a plane downward. A tile's
lower left corner has whole numbers x and z; the centre of a cell has whole numbers in map units.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

FINENESS = 2.0**32
"""Positions (in tiles) and angles (in degrees) are whole multiples of 1 / FINENESS, so that they
are the same after they were turned into map units and back."""

FILE_ENTRY = "file"
"""The entry of a thing's state that says how the file had the entity: (id, x, z, angle), or only
the id where a thing's position and angle give the very numbers."""

UNITS_PER_METRE = 92
"""A value of the height plane is a height in metres of the world times this."""

SEA_LEVEL = 20.0
"""Height in metres of the world of what a script calls height 0."""

FULL_TURN = math.tau
"""In radians, as the angles of scripts are."""


def flip_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Return rows by z as the rows of a plane, or these as rows by z: a view."""
    return rows[::-1]


def script_height(value: float) -> float:
    """Return the height in a script's own scale of a value of the height plane."""
    return value / UNITS_PER_METRE - SEA_LEVEL


def fine(number: float) -> float:
    """Return a position in tiles, or an angle in degrees, as maps hold it."""
    return round(number * FINENESS) / FINENESS


def fine_angle(radians: float) -> float:
    """Return an angle in radians as maps hold it.

    It is less than a turn, and its degrees are rounded as ``fine`` does.
    """
    return math.radians(thing_angle(math.fmod(radians, FULL_TURN)))


def thing_angle(radians: float) -> float:
    """Return ``Thing.angle``, in degrees, for the angle of a script, in radians."""
    return fine(math.degrees(radians))


def script_angle(degrees: float) -> float:
    """Return the angle of a script, in radians, for ``Thing.angle``."""
    return math.radians(fine(degrees))


def thing_place(size: int, x: float, z: float) -> tuple[float, float]:
    """Return the position (x, y) on a map of ``size`` rows of an entity at (x, z) in tiles."""
    return x - 0.5, (size - z) - 0.5


def entity_place(size: int, x: float, y: float) -> tuple[float, float]:
    """Return the tile coordinates (x, z) of a thing at (x, y) on a map of ``size`` rows."""
    return fine(x + 0.5), fine(size - (y + 0.5))


def row_of(size: int, z: int) -> int:
    """Return the row of cells with the tiles of this z, and back."""
    return size - 1 - z
