"""Converts positions, heights and angles of a map to those of 0 A.D., and back.

On a map of 0 A.D. x goes to the right and z upwards from the lower edge, in tiles; the corners of
tiles have whole numbers. The rows of our planes go downwards, and in map units the centres of cells
have whole numbers. So on a map of 4 rows:

    thing_place(4, 0.5, 0.5)         # (0.0, 3.0): the middle of the lowest left tile
    entity_place(4, 0.0, 3.0)        # (0.5, 0.5)
    row_of(4, 0)                     # 3
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

FINENESS = 2.0**32
"""Positions in tiles and angles in degrees are rounded to whole multiples of 1 / FINENESS.

So they are the same after they were converted to map units and back.
"""

FILE_ENTRY = "file"
"""The entry of a thing's state with the numbers of its entity in the script or file.

They are (id, x, z, angle), or (id,) if rounding changes none of the others.
"""

UNITS_PER_METRE = 92
"""A value of the height plane is a height in metres times this."""

SEA_LEVEL = 20.0
"""The height in metres that a script calls 0: scripts count heights from the usual sea."""

FULL_TURN = math.tau
"""A full turn in radians, in which scripts have angles."""


def flip_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Return rows by z as the rows of a plane, or rows of a plane as those by z, as a view."""
    return rows[::-1]


def script_height(value: float) -> float:
    """Return the height in a script's own scale of a value of the height plane."""
    return value / UNITS_PER_METRE - SEA_LEVEL


def fine(number: float) -> float:
    """Return a position in tiles, or an angle in degrees, rounded as maps hold it."""
    return round(number * FINENESS) / FINENESS


def fine_angle(radians: float) -> float:
    """Return an angle in radians, rounded as maps hold it.

    It is less than a full turn, and its degrees are rounded by ``fine``.
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
    """Return the row of a plane for the tiles with this z, or the z for a row."""
    return size - 1 - z
