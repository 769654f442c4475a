"""Masks of the sides, and of squares the corners, over which something reaches into a cell.

One bit for each side, and for squares one for each corner above those. A square with forest beyond
the sides 1 and 2, and rock beyond the corner 0, has two masks::

    forest  0b0000_0110     the sides 1 and 2; the corner between them is covered with them
    rock    0b0001_0000     the corner 0 alone
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MASKS = 256
"""All masks are less than this: four sides and four corners of a square are 8 bits."""


def without_corners_at_sides(masks: NDArray[np.intp], degree: int) -> NDArray[np.intp]:
    """Return masks (n,) of sides and corners without those corners that lie at a side of the mask.

    What reaches in over a side covers both corners at it. Only masks of squares have corners: bits
    4 to 7, of which corner ``n`` lies between the sides ``n - 1`` and ``n``.
    """
    if degree == 6:
        return masks
    sides = masks & all_sides(degree)
    corners_at_sides = sides | next_sides(sides, degree)
    return masks & ~(corners_at_sides << degree)


def all_sides(degree: int) -> int:
    """Return the mask of all sides: 0b111111 for hexes."""
    return (1 << degree) - 1


def next_sides(sides: NDArray[np.intp], degree: int) -> NDArray[np.intp]:
    """Return masks of the sides after these: for hexes, 0b100001 (0 and 5) gives 0b000011."""
    after_last_side = sides >> (degree - 1)  # side 0 follows the last one
    return ((sides << 1) & all_sides(degree)) | after_last_side


def previous_sides(sides: NDArray[np.intp], degree: int) -> NDArray[np.intp]:
    """Return masks of the sides before these: for hexes, 0b100001 (0 and 5) gives 0b110000."""
    before_first_side = (sides & 1) << (degree - 1)  # the last one precedes side 0
    return (sides >> 1) | before_first_side
