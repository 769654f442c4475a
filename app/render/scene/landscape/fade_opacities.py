"""How strongly the grounds of neighbours show in a cell into which they fade.

At every point each of the cells around it counts by how near its centre is, so that the cells
beside a point agree on its colour::

    low, high = fade_opacities(FLAT, low_mask=0b000001, high_mask=0, unrelated_mask=0)
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.cell_geometry import cell_outline, neighbour_centres
from app.render.pictures.ground_phase import MARGIN
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

FADE_PIXELS = 24
"""The image in which one ground fades out over a cell of another has so many rows and columns."""

FADE_CURVE = 2.5
"""With a larger exponent grounds keep their own colour for longer before they fade."""

REACH_OF_SQUARES = 1.5
"""A cell's colour fades out at this distance from its centre, in map units. No centre of a cell
beyond the neighbours comes so near to a cell: so the cells around a point agree on its colour."""

REACH_OF_HEXES = 2.0
"""The same of hexes."""


def fade_opacities(
    layout: Layout, low_mask: int, high_mask: int, unrelated_mask: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how strongly two other grounds show in the box of a cell, the second over the first.

    Each has ``FADE_PIXELS`` rows and columns. At every point the ground of the cell and those
    around have their share by ``_nearness``; cells of other families (``unrelated_mask``) have
    none. Cells beside each other agree along their side.
    """
    nearness = _nearness(layout)
    nearness_of_cell = nearness[0]
    nearness_of_neighbours = nearness[1:]
    # Each neighbour is low, high, unrelated, or of the same ground as the cell: 0 or 1 for each.
    bits = np.arange(len(nearness_of_neighbours))
    is_low = (low_mask >> bits) & 1
    is_high = (high_mask >> bits) & 1
    is_unrelated = (unrelated_mask >> bits) & 1
    is_same = 1 - is_low - is_high - is_unrelated
    low = np.tensordot(is_low, nearness_of_neighbours, 1)
    high = np.tensordot(is_high, nearness_of_neighbours, 1)
    same = nearness_of_cell + np.tensordot(is_same, nearness_of_neighbours, 1)
    # The second is drawn over the first: of both only what it leaves is seen.
    return low / (low + same), high / (low + same + high)


@registered(count=6, bytes_each=45 * KB)
@cache
def _nearness(layout: Layout) -> NDArray[np.float64]:
    """Return how near points in the box of a cell are to its centre and to those of its neighbours.

    The shape is (1 + neighbours, ``FADE_PIXELS``, ``FADE_PIXELS``); the cell itself is the first.
    The values fall from 1 at a centre to 0 at the distance at which the colour has faded out.
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
        # The square makes it flat at the centre, so that no tip shows there.
        result.append(np.maximum(1 - distance * distance, 0.0) ** FADE_CURVE)
    return np.array(result)


def fade_box(layout: Layout) -> QRectF:
    """Return the box of a fade: a little larger than a cell, as grounds are."""
    return cell_outline(layout, 1 + MARGIN).boundingRect()
