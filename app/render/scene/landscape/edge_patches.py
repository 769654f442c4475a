"""Patches of a ground that are scattered beyond its edge, such as tufts of grass on sand.

Patches fray an edge (``edge_masks``) that would else look cut with scissors. Each is a small
polygon towards the middle of the cell, and seems to be placed at random.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from app.render.scene.landscape.edge_lines import lines_of_run, polygon_of
from app.render.scene.landscape.edge_masks import EdgeMask, runs
from app.render.scene.landscape.edge_shapes import PLAIN, SHAPES
from app.render.scene.landscape.stored_lines import Lines
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

PATCHES_OF_RUN = (0, 1, 2, 3)
"""How many patches lie beyond a run for each of its sides: one of these. With more patches,
borders look speckled."""

PATCHES_OF_CLOSED_RUN = (6, 8, 10)
"""How many patches lie beyond the line around a whole cell: one of these. They fray the spot of
ground that is left in its middle."""

PATCH_WAY = (0.3, 1.6)
"""Between which points patches lie: 0 is on the line at the border, 1 on that nearest the middle.
"""

PATCH_RADIUS = (0.03, 0.22)
"""The least and the largest radius of a patch, in map units of hexes."""

PATCH_STRETCH = 1.35
"""How much wider patches are, and how much lower, than if they were round."""

PATCH_REACHES = (0.6, 1.3)
"""The least and the largest distance of a corner of a patch from its middle, in radii."""

PATCH_CORNERS = 7
"""The outline of a patch has so many corners; more take more time."""


def _patch_direction(corner: int) -> tuple[float, float]:
    """Return where a corner of a patch lies, seen from its middle: x and y.

    What lies on the ground is wider than it is high.
    """
    angle = corner * 2 * math.pi / PATCH_CORNERS
    return math.cos(angle) * PATCH_STRETCH, math.sin(angle) / PATCH_STRETCH


_PATCH_DIRECTIONS = tuple(_patch_direction(corner) for corner in range(PATCH_CORNERS))
"""Where the corners of a patch lie, seen from its middle: x and y."""

PATCH_PLACES = (0.15, 0.85)
"""Between which shares of a line patches lie. Near its ends they would be cut off at the side that
the line crosses."""


def patches(edge: EdgeMask) -> tuple[QPolygonF, ...]:
    """Return the outlines of patches that are scattered beyond the lines of a mask, in map units.

    There are none in the shape ``PLAIN``, which is seen from afar, nor in cells with several runs,
    where they would close a narrow way. All terrains share them: they must not be changed.
    """
    return _patches(edge.layout, edge.mask, edge.shape)


@registered(bytes_each=1 * KB)
@lru_cache(450)
def _patches(layout: Layout, mask: int, shape: int) -> tuple[QPolygonF, ...]:
    """Return the patches of edges with this mask and shape: how far they reach makes no matter."""
    runs_of_mask = runs(mask, layout.degree)
    if shape == PLAIN or len(runs_of_mask) > 1:
        return ()
    result = []
    rng = random.Random(mask * SHAPES + shape)
    for run in runs_of_mask:
        line = lines_of_run(layout, run, shape)
        if run.side_count == layout.degree:
            count = rng.choice(PATCHES_OF_CLOSED_RUN)
        else:
            count = rng.choice(PATCHES_OF_RUN) * min(run.side_count, 3)
        for _ in range(count):
            result.append(_patch_beside(line, polygon_of(layout).move_scale, rng))
    return tuple(result)


def _patch_beside(line: Lines, scale: float, rng: random.Random) -> QPolygonF:
    """Return the outline of a patch beyond a line; ``scale`` is ``CellPolygon.move_scale``."""
    index = int(rng.uniform(*PATCH_PLACES) * line.shape[1])
    near_middle_x, near_middle_y = line[0, index].tolist()
    at_border_x, at_border_y = line[-1, index].tolist()
    # The square makes small patches frequent. Large ones lie near the line and fray it.
    share = rng.random() ** 2
    min_radius, max_radius = PATCH_RADIUS
    radius = scale * (min_radius + (max_radius - min_radius) * share)
    least_way, most_way = PATCH_WAY
    # The larger of two random numbers, of which one is large for large patches.
    way = most_way + (least_way - most_way) * max(share, rng.random())
    middle_x = at_border_x + way * (near_middle_x - at_border_x)
    middle_y = at_border_y + way * (near_middle_y - at_border_y)
    corners = []
    min_reach, max_reach = PATCH_REACHES
    for direction_x, direction_y in _PATCH_DIRECTIONS:
        reach = radius * (min_reach + (max_reach - min_reach) * rng.random())
        corners.append(QPointF(middle_x + reach * direction_x, middle_y + reach * direction_y))
    return QPolygonF(corners)
