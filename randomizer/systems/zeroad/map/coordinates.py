"""Converts positions, heights and angles of a map to those of a script of 0 A.D., and back.

A script is any source of a map in the game's own numbers, so also a file of the game.

=========  ==============================  =================================  ======================
what       in a script                     on a map here                      functions
=========  ==============================  =================================  ======================
position   (x, z) in tiles; corners of     (x, y) in map units; centres of    ``map_position``,
           tiles have whole numbers; z     cells have whole numbers; y goes   ``script_position``
           goes up from the lower edge     down from the upper edge
row        z, counted from below           row of a plane, from above         ``mirrored_row``,
                                                                              ``flip_rows``
angle      radians                         degrees (``Thing.angle``)          ``map_angle``,
                                                                              ``script_angle``
height     metres above the usual sea      whole numbers from 0, 92 a metre   ``script_height``
=========  ==============================  =================================  ======================

So on a map of 4 rows::

    map_position(4, 0.5, 0.5)        # (0.0, 3.0): the middle of the lowest left tile
    script_position(4, 0.0, 3.0)     # (0.5, 0.5)
    mirrored_row(4, 0)               # 3

Numbers that have no end, such as degrees of most radians, would change a little with each way to
the map and back. So positions and angles of things are rounded first (``rounded``,
``rounded_angle``); a rounded one comes back as it was.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

STEPS_PER_UNIT = 2.0**32
"""Positions in tiles and angles in degrees are rounded to whole multiples of 1 / STEPS_PER_UNIT.

With 256 times as many, a float would not have the digits for a position on the largest map.
"""

UNITS_PER_METRE = 92
"""A value of the height plane is a height in metres times this."""

SEA_LEVEL = 20.0
"""The height in metres that a script calls 0: scripts count heights from the usual sea."""

FULL_TURN = math.tau
"""A full turn in radians, in which scripts have angles."""

_FULL_TURN_DEGREES = 360.0
"""A full turn in degrees."""


# --- positions ----------------------------------------------------------------------------------


def rounded(number: float) -> float:
    """Return a position in tiles, or an angle in degrees, rounded as maps hold it."""
    return round(number * STEPS_PER_UNIT) / STEPS_PER_UNIT


def map_position(size: int, x: float, z: float) -> tuple[float, float]:
    """Return the position (x, y), on a map of ``size`` rows, of an entity at (x, z) in tiles.

    The result is not rounded. ``script_position``, the way back, is: only positions that are
    rounded here (``rounded``) come back as they were.
    """
    return x - 0.5, (size - z) - 0.5


def script_position(size: int, x: float, y: float) -> tuple[float, float]:
    """Return the position (x, z) in tiles, rounded, of a thing at (x, y) on a map of ``size`` rows.

    A thing can be anywhere, since a person has moved it.
    """
    return rounded(x + 0.5), rounded(size - (y + 0.5))


def mirrored_row(size: int, row: int) -> int:
    """Return ``row`` counted from the other edge of a map of ``size`` rows.

    It converts the z of tiles to the row of a plane, and a row to z.
    """
    return size - 1 - row


def flip_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Return rows by z as the rows of a plane, or rows of a plane as those by z, as a view."""
    return rows[::-1]


# --- angles -------------------------------------------------------------------------------------


def rounded_angle(radians: float) -> float:
    """Return an angle in radians, rounded as maps hold it, without whole turns.

    It is more than minus a full turn and less than a full turn, and keeps its sign.
    """
    degrees = map_angle(math.fmod(radians, FULL_TURN))
    if abs(degrees) == _FULL_TURN_DEGREES:  # rounding can reach a whole turn again
        return 0.0
    return math.radians(degrees)


def map_angle(radians: float) -> float:
    """Return ``Thing.angle``, in degrees and rounded, for the angle of a script, in radians."""
    return rounded(math.degrees(radians))


def script_angle(degrees: float) -> float:
    """Return the angle of a script, in radians, for ``Thing.angle``, which is rounded first."""
    return math.radians(rounded(degrees))


# --- heights ------------------------------------------------------------------------------------


def script_height(value: float) -> float:
    """Return the height that a script gives to a corner whose value in the height plane is this."""
    return value / UNITS_PER_METRE - SEA_LEVEL
