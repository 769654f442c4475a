"""The hex that contains a point given in fractional axial coordinates.

In axial coordinates (q, r) the centres of hexes are at whole numbers, so a point belongs to one of
the hexes near it, but not always to that of the rounded q and the rounded r. *Cube rounding* finds
it: with s = -q - r the three coordinates are those of a cube, and their sum is 0. Rounded singly
they may have another sum; then the one that was changed most by rounding follows from the other
two. For (0.4, 0.4) s is -0.8, which is rounded to -1, and the sum of 0, 0 and -1 is not 0; both q
and r were changed by 0.4, s by 0.2 only. So r is calculated: the hex is (0, 1).

Source: https://www.redblobgames.com/grids/hexagons/#rounding
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def round_axial(q: float, r: float) -> tuple[int, int]:
    """Return the axial coordinates of the hex whose centre is nearest to (q, r)."""
    s = -q - r
    rounded_q = round(q)
    rounded_r = round(r)
    rounded_s = round(s)
    off_q = abs(rounded_q - q)
    off_r = abs(rounded_r - r)
    off_s = abs(rounded_s - s)
    if off_q > off_r and off_q > off_s:
        return -rounded_r - rounded_s, rounded_r
    if off_r > off_s:
        return rounded_q, -rounded_q - rounded_s
    return rounded_q, rounded_r


def round_axial_arrays(
    q: NDArray[np.float64], r: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what ``round_axial`` does, for arrays of one shape, as whole numbers of type float."""
    s = -q - r
    rounded_q = np.round(q)
    rounded_r = np.round(r)
    rounded_s = np.round(s)
    off_q = abs(rounded_q - q)
    off_r = abs(rounded_r - r)
    off_s = abs(rounded_s - s)
    is_q_worst = (off_q > off_r) & (off_q > off_s)
    is_r_worst = ~is_q_worst & (off_r > off_s)
    return (
        np.where(is_q_worst, -rounded_r - rounded_s, rounded_q),
        np.where(is_r_worst, -rounded_q - rounded_s, rounded_r),
    )
