"""The wavy lines at which another ground ends within a cell, such as coasts.

A line belongs to a *run*, sides of the cell that meet, or to a corner of a square, and crosses the
sides beside it. Beyond it, towards the run, the other ground covers the cell::

      +-----------+
      |  ground   |    the line of Run(first=0, side_count=1) of a square: it crosses the sides
      |.-._  _.--.|    3 and 1
      |    ~~     |
      +-----------+

Of each line there are ``VARIANTS``, and of each variant ``LEVELS`` that lie beside each other. They
are stored in ``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes, for a
run from side 0 on. ``lines_of_run`` makes them smooth, turns them to their side, and moves them as
the *shape* of the cell says (``edge_shapes``), so that the lines of neighbouring cells meet.
"""

from __future__ import annotations

import json
import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.landscape.edge_shapes import corner_moves, number_of_shape
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

VARIANTS = 6
"""How many variants there are of every line."""

LEVELS = 7
"""How many lines a variant has, from the middle of the cell outwards: level 0 covers the most."""

MOST_END = 0.46
"""Lines cross a side at most so far from its corner, so that those of both its ends leave water
between them; the sides of all cells are 1 long."""

POINTS_PER_STEP = 2
"""How many points of a smooth line stand for the way from one stored point to the next. With more,
edges are smoother, and take longer to draw."""

CORNER = "corner"
"""The key of the stored lines that belong to a corner; the others have a number of sides."""

Point = tuple[float, float]
"""x and y from the centre of the cell, in map units."""

Lines = NDArray[np.float64]
"""The line of each level: shape (``LEVELS``, points, 2), x and y as in ``Point``."""


class Run(NamedTuple):
    """Sides of a cell that meet, clockwise."""

    first: int
    """The number of the first side."""

    side_count: int
    """How many sides there are: up to all sides of the cell, which make a ring."""


class CellPolygon(NamedTuple):
    """The polygon of cells for which lines are stored; layouts of hexes share one."""

    name: str
    """Its name in the stored lines."""

    side_count: int
    """The number of its sides."""

    first_corner: Point
    """The corner 0 of the cells for which lines are stored: at the upper left."""

    size: float
    """The factor of moves and patches, which are given for hexes: squares are smaller."""


SQUARE_POLYGON = CellPolygon("square", 4, (-0.5, -0.5), size=0.6)
HEX_POLYGON = CellPolygon("hex", 6, (-0.5, -math.sqrt(3) / 2), size=1.0)


def polygon_of(layout: Layout) -> CellPolygon:
    """Return the polygon of the cells of a layout."""
    if layout.degree == SQUARE_POLYGON.side_count:
        return SQUARE_POLYGON
    return HEX_POLYGON


@registered(bytes_each=4 * KB)
@lru_cache(450)
def lines_of_run(layout: Layout, run: Run, shape: int, variant_count: int = VARIANTS) -> Lines:
    """Return the smooth lines of a run, from the side before it to the side after it.

    Only the first ``variant_count`` variants are used. The line of a run of all sides goes around
    the cell; its last point is not its first.
    """
    kind = str(run.side_count)
    variant = number_of_shape(shape, variant_count)
    is_closed = run.side_count == layout.degree
    stored = _smooth_lines(polygon_of(layout), kind, variant, is_closed=is_closed)
    lines = _turned_to_corner(layout, run.first, stored)
    if is_closed:
        return lines
    return _with_moves(layout, lines, (run.first, run.first + run.side_count), shape)


def lines_of_corner(layout: Layout, corner: int, shape: int) -> Lines:
    """Return the smooth lines around a corner of a square."""
    variant = number_of_shape(shape, VARIANTS)
    stored = _smooth_lines(polygon_of(layout), CORNER, variant, is_closed=False)
    lines = _turned_to_corner(layout, corner, stored)
    return _with_moves(layout, lines, (corner, corner), shape)


# --- stored lines ---------------------------------------------------------------------------------


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


# 66: of squares four runs and the corner, of hexes six runs, in ``VARIANTS`` each.
@registered(count=66, bytes_each=8 * KB)
@cache
def _smooth_lines(polygon: CellPolygon, kind: str, variant: int, *, is_closed: bool) -> Lines:
    """Return smooth curves through the points of the stored lines of a variant.

    ``kind`` is the number of sides of the run as text, or ``CORNER``. A curve is a Catmull-Rom
    spline: from one point to the next it is a cubic whose tangent at each point is parallel to the
    line between that point's neighbours. A line along all sides ``is_closed``: its last point is
    followed by its first; others have their end points twice, as their own neighbours.
    """
    points = _stored_lines()[polygon.name][kind][variant]
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


def _turned_to_corner(layout: Layout, corner: int, lines: Lines) -> Lines:
    """Return stored lines turned around the centre, so that corner 0 becomes ``corner``."""
    stored_x, stored_y = polygon_of(layout).first_corner
    x, y = layout.corners[corner % layout.degree]
    angle = math.atan2(y, x) - math.atan2(stored_y, stored_x)
    cos = math.cos(angle)
    sin = math.sin(angle)
    return np.asarray(lines @ np.array(((cos, sin), (-sin, cos))))


# --- moves ----------------------------------------------------------------------------------------


class _LineEnd(NamedTuple):
    """One of the two ends of lines, where they cross a side."""

    corner: int
    """The number of the corner at this end: from there on the run has the cell's sides."""

    step: int
    """1 if the run goes on clockwise from this corner, -1 if anticlockwise."""

    point: int
    """The index of the end among the points of a line: 0 or -1."""


def _with_moves(layout: Layout, lines: Lines, end_corners: tuple[int, int], shape: int) -> Lines:
    """Return lines that lie as far from the land as the moves of a shape say.

    They begin on the side before the first of ``end_corners`` and end on that after the second.
    Both ends move along their sides; between them a line moves away from the land, by the mean of
    both moves, of which that of the nearer end counts more.
    """
    first_corner, last_corner = end_corners
    side_count = max(1, (last_corner - first_corner) % layout.degree)
    sides_from_first = np.linspace(0, side_count, lines.shape[1])
    first_end = _LineEnd(first_corner % layout.degree, step=1, point=0)
    last_end = _LineEnd(last_corner % layout.degree, step=-1, point=-1)
    moves_of_first = _moves_of_end(layout, lines, shape, first_end, sides_from_first)
    moves_of_last = _moves_of_end(layout, lines, shape, last_end, sides_from_first[::-1])
    return lines + moves_of_first + moves_of_last


def _moves_of_end(
    layout: Layout, lines: Lines, shape: int, end: _LineEnd, sides_from_end: NDArray[np.float64]
) -> Lines:
    """Return how far the points of lines move on account of one end, in x and y.

    ``sides_from_end`` tells for each point how many sides of the run lie between it and this end,
    (points,): from 0 at the end up to all sides.
    """
    from_corner = lines - np.array(layout.corners[end.corner])
    away = _moves_away(layout, from_corner, shape, end, sides_from_end)
    along_side = _moves_along_side(layout, shape, end, sides_from_end)
    return np.asarray(away + along_side)


def _moves_away(
    layout: Layout,
    from_corner: Lines,
    shape: int,
    end: _LineEnd,
    sides_from_end: NDArray[np.float64],
) -> Lines:
    """Return how far the points of lines move away from the land, by the moves of one end.

    All lines move by the same reach; besides, the distance of each from the outermost one is
    multiplied by the spread. ``from_corner`` are the points as seen from the corner at this end.
    """
    size = polygon_of(layout).size
    moves = corner_moves(layout)
    end_x, end_y = from_corner[:, end.point].T
    distances = np.hypot(end_x, end_y)
    spreads = (distances - distances[-1]) * (moves.spread[shape, end.corner] - 1)
    reach = moves.reach[shape, end.corner] * size
    shifts = np.minimum(reach + spreads, MOST_END - distances)
    # From 1 at this end to 0 at the other one, without a bend at either (smoothstep).
    share = sides_from_end / sides_from_end.max()
    weight = 1 - share * share * (3 - 2 * share)
    amount = shifts[:, None] * weight
    return np.asarray(amount[..., None] * _away_from_land(layout, from_corner, end))


def _moves_along_side(
    layout: Layout, shape: int, end: _LineEnd, sides_from_end: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far the points of lines move along the side that they cross, (points, 2).

    Both cells beside the side see the edge that crosses it slant to the same direction.
    """
    tilt = corner_moves(layout).tilt[shape, end.corner] * polygon_of(layout).size
    # It is 0 at the side itself, where the lines of both cells meet, and again a side further on:
    # the slope at the side is 1.
    share_of_side = np.minimum(sides_from_end, 1)
    slanting = share_of_side * (1 - share_of_side) ** 2 * end.step * tilt
    corner = np.array(layout.corners[end.corner])
    # All sides are 1 long.
    along_side = np.array(layout.corners[(end.corner - end.step) % layout.degree]) - corner
    return np.asarray(slanting[:, None] * along_side)


def _away_from_land(layout: Layout, from_corner: Lines, end: _LineEnd) -> Lines:
    """Return the directions in which points near an end of lines move: unit vectors.

    ``from_corner`` are the points as seen from the corner at this end. Around the tip of the land
    they move away from the corner, so that the tip stays round, and along its side at a right angle
    to it.
    """
    x, y = layout.corners[end.corner]
    next_x, next_y = layout.corners[(end.corner + end.step) % layout.degree]
    inwards = -np.array((x + next_x, y + next_y))
    inwards /= math.hypot(*inwards)
    distances = np.hypot(from_corner[..., 0], from_corner[..., 1])
    is_at_tip = from_corner @ np.array((next_x - x, next_y - y)) < 0
    from_tip = from_corner / np.maximum(distances, 1e-9)[..., None]
    return np.where(is_at_tip[..., None], from_tip, inwards)
