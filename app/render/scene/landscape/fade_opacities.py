"""How strongly the grounds of neighbours show in a cell into which they fade.

A *ground* is the colour of a terrain. Grounds of one *family*, such as waters of several depths,
fade into each other. Into one cell fade at most two other grounds of its family: *low* is the one
that comes first in ``fading_terrains``, *high* the other, if there are two. A *mask* tells which
neighbours have a ground: bit n stands for the neighbour beyond side n, and on squares bits 4 to 7
for the neighbours beyond the corners, in the order of ``neighbour_centres``.

A hex of *sea*, with *shallows* (low) in the north and *deep sea* (high) in the south (sides 0 and
3 of ``FLAT``), and a meadow, which is no water, in the north-east::

    opacities = fade_opacities(FLAT, low_mask=0b000001, high_mask=0b001000, unrelated_mask=0b000010)
    opacities.low[0, 12]         # 0.49: at the upper edge of the image, in the middle
    opacities.high[0, 12]        # 0.0: too far from the south

At every point a ground has the share

    nearness of the centres of all cells with that ground
    -----------------------------------------------------
    nearness of the centres of all cells of the family

The point has the same colour seen from each of the cells beside it, so there is no edge between
them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.cell_geometry import cell_outline, neighbour_centres
from app.render.pictures.ground_phase import MARGIN
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

FADE_PIXELS = 24
"""The side of the images of opacities, in pixels; they are drawn smoothly, larger than that."""

FADE_CURVE = 2.5
"""The exponent of the nearness: the larger it is, the farther from its centre a cell keeps its
own colour, and the narrower the strip in which it fades."""

REACH_OF_SQUARES = 1.5
"""A cell's colour fades out at this distance from its centre, in map units.

Of any point of a cell only the cell and its neighbours are within this distance: if it were larger,
cells farther off would count, and the cells beside a point would not agree on its colour.
"""

REACH_OF_HEXES = 2.0
"""The same of hexes."""


class FadeOpacities(NamedTuple):
    """The opacities in which two other grounds are drawn over the ground of a cell, 0 to 1.

    Both are images of ``fade_box``, (``FADE_PIXELS``, ``FADE_PIXELS``).
    """

    low: NDArray[np.float64]
    """That of the low ground, which is drawn first."""

    high: NDArray[np.float64]
    """That of the high ground, which is drawn over both."""


def fade_opacities(
    layout: Layout, low_mask: int, high_mask: int, unrelated_mask: int
) -> FadeOpacities:
    """Return the opacities of the grounds of neighbours in the box of a cell.

    ``unrelated_mask`` has the neighbours of other families and those beyond the map: they have no
    share in the colour. A neighbour in none of the masks counts as the ground of the cell.
    """
    nearness = _nearness(layout)
    nearness_of_cell = nearness[0]
    nearness_of_neighbours = nearness[1:]
    count = len(nearness_of_neighbours)
    is_low = _bits_of(low_mask, count)
    is_high = _bits_of(high_mask, count)
    # The masks have no bit in common, so this is 0 or 1, too.
    is_same = 1 - is_low - is_high - _bits_of(unrelated_mask, count)

    # The sum of the nearness of all cells of a ground, for each pixel.
    low = np.tensordot(is_low, nearness_of_neighbours, 1)
    high = np.tensordot(is_high, nearness_of_neighbours, 1)
    same = nearness_of_cell + np.tensordot(is_same, nearness_of_neighbours, 1)

    # Over the cell's own colour the low ground is painted, then the high one, which leaves
    # (1 - its opacity) of what was painted before. So the opacities that give each its share are
    #
    #     of the high ground    high / (low + same + high)
    #     of the low ground     low / (low + same)
    #
    # With the sums 1 (low), 1 (same), 2 (high): of 1 / 2 the high ground leaves 1 - 2 / 4, and the
    # low one has its share of 1 / 4.
    return FadeOpacities(low=low / (low + same), high=high / (low + same + high))


def _bits_of(mask: int, count: int) -> NDArray[np.intp]:
    """Return the lowest ``count`` bits of a mask: [0, 1, 1, 0] for 0b0110 and 4."""
    return (mask >> np.arange(count)) & 1


@registered(count=6, bytes_each=45 * KB)
@cache
def _nearness(layout: Layout) -> NDArray[np.float64]:
    """Return how near the pixels of a cell's box are to its centre and to those of its neighbours.

    The shape is (1 + neighbours, ``FADE_PIXELS``, ``FADE_PIXELS``). The first image is that of the
    cell itself, the next ones those of its neighbours by side. The values fall from 1 at a centre
    to 0 at the distance at which the colour has faded out.
    """
    reach = REACH_OF_HEXES
    if layout.degree == 4:
        reach = REACH_OF_SQUARES
    box = fade_box(layout)
    steps = (np.arange(FADE_PIXELS) + 0.5) / FADE_PIXELS
    x = (box.left() + steps * box.width())[None, :]
    y = (box.top() + steps * box.height())[:, None]
    result = []
    for centre_x, centre_y in [(0.0, 0.0), *neighbour_centres(layout)]:
        distance = np.hypot(x - centre_x, y - centre_y) / reach
        # A cone (1 - distance) would show as a tip at the centre; the parabola is flat there.
        result.append(np.maximum(1 - distance * distance, 0.0) ** FADE_CURVE)
    return np.array(result)


def fade_box(layout: Layout) -> QRectF:
    """Return the box of a fade: a little larger than a cell, as grounds are."""
    return cell_outline(layout, 1 + MARGIN).boundingRect()
