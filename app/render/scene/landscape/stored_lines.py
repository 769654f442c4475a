"""The lines between grounds as they are stored, and smooth curves through their points.

``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes, has the lines of a
square and of a hex (``CellPolygon``) for each number of sides, "1" and so on, and for a corner of a
square. Of each line there are ``VARIANTS``, and of each variant ``LEVELS`` that lie beside each
other. They begin at side 0 of the polygon, or lie at its corner 0::

    smooth_lines(SQUARE_POLYGON, "2", variant=3, is_closed=False)      # (LEVELS, points, 2)
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered

VARIANTS = 6
"""How many variants there are of every line."""

LEVELS = 7
"""How many lines a variant has, from the middle of the cell outwards: level 0 covers the most."""

POINTS_PER_STEP = 2
"""The points of a smooth line for each stored point. With more, edges are smoother, and take longer
to draw."""

CORNER = "corner"
"""The key of the stored lines that belong to a corner; the others have a number of sides."""

Point = tuple[float, float]
"""x and y from the centre of the cell, in map units."""

Lines = NDArray[np.float64]
"""The line of each level: shape (``LEVELS``, points, 2), x and y as in ``Point``."""


class CellPolygon(NamedTuple):
    """The polygon of cells for which lines are stored; layouts of hexes share one."""

    name: str
    """Its name in the stored lines."""

    side_count: int
    """The number of its sides."""

    first_corner: Point
    """The corner 0 of the cells for which lines are stored: at the upper left."""

    move_scale: float
    """The factor of lengths that are given for hexes: squares are smaller.

    They are those of ``edge_shapes`` and ``edge_patches``.
    """


SQUARE_POLYGON = CellPolygon("square", 4, (-0.5, -0.5), move_scale=0.6)
HEX_POLYGON = CellPolygon("hex", 6, (-0.5, -math.sqrt(3) / 2), move_scale=1.0)


@registered(count=1, bytes_each=220 * KB)
@cache
def _stored_lines() -> dict[str, dict[str, NDArray[np.float64]]]:
    """Return the stored lines by name of the polygon and number of sides ("1" ...) or "corner".

    They have the shape (``VARIANTS``, ``LEVELS``, points, 2). A line begins at side 0 (or lies at
    corner 0) of a cell whose first corner is ``CellPolygon.first_corner``.
    """
    text = files("app.resources").joinpath("edge_masks.json").read_text("ascii")
    result: dict[str, dict[str, NDArray[np.float64]]] = {}
    for polygon, kinds in json.loads(text).items():
        result[polygon] = {}
        for kind, coordinates in kinds.items():
            dimensions = VARIANTS, LEVELS, -1, 2
            result[polygon][kind] = np.array(coordinates).reshape(dimensions)
    return result


RUNS_OF_BOTH = 4 + 1 + 6
"""The runs that have stored lines: four of squares and their corner, and six of hexes."""


@registered(count=RUNS_OF_BOTH * VARIANTS, bytes_each=8 * KB)
@cache
def smooth_lines(polygon: CellPolygon, kind: str, variant: int, *, is_closed: bool) -> Lines:
    """Return smooth curves through the points of the stored lines of a variant.

    ``kind`` is the number of sides of the run as text, or ``CORNER``. A curve is a Catmull-Rom
    spline: from one point to the next it is a cubic whose tangent at each point is parallel to the
    line between that point's neighbours. A line along all sides ``is_closed``: its last point is
    followed by its first; others have their end points twice, as their own neighbours.
    """
    points = _stored_lines()[polygon.name][kind][variant]  # (levels, points, 2)
    if is_closed:
        points = np.concatenate([points[:, -1:], points, points[:, :2]], axis=1)
    else:
        points = np.concatenate([points[:, :1], points, points[:, -1:]], axis=1)

    # The curve runs from ``start`` to ``end``; t (steps, 1, 1, 1) is the share of that way.
    t = np.arange(POINTS_PER_STEP)[:, None, None, None] / POINTS_PER_STEP
    point_before_start = points[:, :-3]
    start = points[:, 1:-2]
    end = points[:, 2:-1]
    point_after_end = points[:, 3:]
    curve = (
        (-t + 2 * t**2 - t**3) / 2 * point_before_start
        + (2 - 5 * t**2 + 3 * t**3) / 2 * start
        + (t + 4 * t**2 - 3 * t**3) / 2 * end
        + (t**3 - t**2) / 2 * point_after_end
    )
    # From (steps, levels, points, 2) to the order of the line.
    result: Lines = curve.transpose(1, 2, 0, 3).reshape(LEVELS, -1, 2)
    if not is_closed:
        # Pieces of the curve leave out their end, which is the start of the next one.
        result = np.concatenate([result, points[:, -1:]], axis=1)
    return result
