"""Edge masks: the part of a cell that the terrain beyond some of its sides covers.

A *mask* is a number: bit i stands for side i, on squares also bit 4 + i for corner i alone. Sides
of a mask that meet form a *run*; a run covers the cell up to a wavy line. There are ``VARIANTS`` of
each line, and of each variant ``LEVELS`` that lie beside each other. Which variant a cell has, and
where its lines cross the sides, is said by its shape (``edge_shapes``). For example
``region(FLAT, 0b000011, shape=PLAIN, level=6)`` is a thin strip along sides 0 and 1.

``transitions`` draws with ``region`` and ``lines``, where reading begins. The lines come from
``resources/edge_masks.json``, which ``packaging/pictures/edge_masks.py`` makes.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF
from shiboken6 import VoidPtr

from app.render.scene.landscape.edge_shapes import (
    PLAIN,
    SHAPES,
    corner_moves,
    number_of_shape,
)
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

VARIANTS = 6
"""How many variants there are of every line."""

NARROW_VARIANTS = 2
"""In cells with several runs only so many variants are used: the first ones, which reach the least
into the cell."""

LEVELS = 7
"""How many lines a variant has, from the middle of the cell outwards: level 0 covers the most."""

OVER = 0.05
"""Masks reach over the sides beyond which the terrain lies by this share of the way from the
centre, so that no gap shows there."""

ALL_SIDES = 0b111111
"""The mask of all sides of a cell."""

BESIDE = 0.015
"""They reach over the sides next to these by this much (map units)."""

MOST_END = 0.46
"""Lines cross a side at most so far from its corner, so that those of both its ends leave water
between them; the sides of all cells are 1 long."""

_SIZES = {"hex": 1.0, "square": 0.6}
"""How large the moves are at the corners of cells: squares are smaller than hexes."""

PATCHES_OF_RUN = (0, 1, 2, 3)
"""How many patches lie beyond a run for each of its sides: one of these. With more borders are
speckled."""

PATCHES_OF_CLOSED_RUN = (6, 8, 10)
"""How many patches lie beyond the line around a whole cell: one of these. They fray the spot of
ground that is left in its middle."""

PATCH_WAY = (0.3, 1.6)
"""How far beyond the innermost line patches lie, in ways from there to the outermost line."""

PATCH_RADIUS = (0.03, 0.22)
"""The least and the largest radius of a patch, in map units of hexes."""

PATCH_STRETCH = 1.35
"""How much wider patches are, and how much lower, than if they were round."""

PATCH_REACHES = (0.6, 1.3)
"""The least and the largest distance of a corner of a patch from its middle, in radii."""

PATCH_CORNERS = 7
"""The outline of a patch has so many corners; more take more time."""

_PATCH_DIRECTIONS = tuple(
    # What lies on the ground is wider than it is high.
    (math.cos(angle) * PATCH_STRETCH, math.sin(angle) / PATCH_STRETCH)
    for angle in (corner * 2 * math.pi / PATCH_CORNERS for corner in range(PATCH_CORNERS))
)
"""Where the corners of a patch lie, seen from its middle: x and y."""

POINTS_PER_STEP = 2
"""How many points of a smooth line stand for the way from one stored point to the next."""

Point = tuple[float, float]
"""x and y from the centre of the cell, in map units."""

Lines = NDArray[np.float64]
"""The line of each level: shape (``LEVELS``, points, 2), x and y as in ``Point``."""


class Run(NamedTuple):
    """Sides of a mask that meet, clockwise."""

    first: int
    """The number of the first side."""

    side_count: int
    """How many sides there are: up to all sides of the cell."""


@registered(count=1, bytes_each=220 * KB)
@cache
def _stored_lines() -> dict[str, dict[str, NDArray[np.float64]]]:
    """Return the stored lines by polygon ("hex" or "square") and number of sides or "corner".

    They have the shape (``VARIANTS``, ``LEVELS``, points, 2). A line begins at side 0 (or lies at
    corner 0) of a cell whose first corner is that of ``_FIRST_CORNER``.
    """
    text = files("app.resources").joinpath("edge_masks.json").read_text("ascii")
    result: dict[str, dict[str, NDArray[np.float64]]] = {}
    for polygon, kinds in json.loads(text).items():
        result[polygon] = {}
        for kind, coordinates in kinds.items():
            shape = VARIANTS, LEVELS, -1, 2
            result[polygon][kind] = np.array(coordinates).reshape(shape)
    return result


_FIRST_CORNER = {"square": (-0.5, -0.5), "hex": (-0.5, -math.sqrt(3) / 2)}
"""The corner 0 of the cells for which lines are stored: at the upper left."""


def _polygon_of(layout: Layout) -> str:
    """Return the name of the cells' polygon in the stored lines."""
    if layout.degree == 4:
        return "square"
    return "hex"


def runs(mask: int, degree: int) -> list[Run]:
    """Return the runs of a mask of sides; bits from ``degree`` on, those of corners, are ignored.

    Six sides with the mask 0b100011 have one run, ``Run(first=5, side_count=3)``.
    """
    is_set = [bool(mask >> side & 1) for side in range(degree)]
    if all(is_set):
        return [Run(0, degree)]
    result = []
    for first in range(degree):
        # For side 0 this looks at the last side.
        begins_run = is_set[first] and not is_set[first - 1]
        if not begins_run:
            continue
        count = 1
        while is_set[(first + count) % degree]:
            count += 1
        result.append(Run(first, count))
    return result


def _corners(mask: int, layout: Layout) -> list[int]:
    """Return the corners that a mask covers alone.

    Hexes have none: whatever meets a hex at a corner has a side in common with it.
    """
    if layout.degree != 4:
        return []
    return [corner for corner in range(layout.degree) if mask >> layout.degree + corner & 1]


def region(
    layout: Layout,
    mask: int,
    shape: int,
    level: int,
    over: float = OVER,
    over_mask: int = ALL_SIDES,
) -> QPolygonF:
    """Return what a mask covers, as one polygon, in map units around the cell's centre.

    It reaches by ``over``, a share as ``OVER``, over those of its sides that are in ``over_mask``.
    Areas that do not touch are joined by two lines at the same place, which cover nothing. ``mask``
    is not 0.
    """
    return _to_polygon(_outlines(layout, mask, shape, over, over_mask)[level])


def lines(layout: Layout, mask: int, shape: int, level: int) -> Iterator[QPolygonF]:
    """Yield the lines within the cell at which what a mask covers ends, in map units."""
    runs_of_mask = runs(mask, layout.degree)
    variant_count = _variant_count(runs_of_mask)
    for run in runs_of_mask:
        line = _lines_of_run(layout, run, shape, variant_count)[level]
        if run.side_count == layout.degree:
            line = np.concatenate([line, line[:1]])
        yield _to_polygon(line)
    for corner in _corners(mask, layout):
        yield _to_polygon(_lines_of_corner(layout, corner, shape)[level])


@registered(bytes_each=1 * KB)
@lru_cache(450)
def patches(layout: Layout, mask: int, shape: int) -> tuple[QPolygonF, ...]:
    """Return the outlines of patches that are scattered beyond the lines of a mask, in map units.

    There are none in the shape ``PLAIN``, which is seen from afar, nor in cells with several runs,
    where they would close a narrow way. All terrains share them: they must not be changed.
    """
    runs_of_mask = runs(mask, layout.degree)
    if shape == PLAIN or len(runs_of_mask) > 1:
        return ()
    result = []
    size = _SIZES[_polygon_of(layout)]
    rng = random.Random(mask * SHAPES + shape)
    for run in runs_of_mask:
        line = _lines_of_run(layout, run, shape, VARIANTS)
        if run.side_count == layout.degree:
            count = rng.choice(PATCHES_OF_CLOSED_RUN)
        else:
            count = rng.choice(PATCHES_OF_RUN) * min(run.side_count, 3)
        for _ in range(count):
            result.append(_patch_beside(line, size, rng))
    return tuple(result)


def _patch_beside(line: Lines, size: float, rng: random.Random) -> QPolygonF:
    """Return the outline of a patch beyond a line; ``size`` is that of the cell (``_SIZES``)."""
    # Not near the ends: a patch would be cut off at the side that the line crosses.
    index = int(rng.uniform(0.15, 0.85) * line.shape[1])
    outer_x, outer_y = line[0, index].tolist()
    inner_x, inner_y = line[-1, index].tolist()
    # The square makes small patches frequent. Large ones lie near the line and fray it.
    share = rng.random() ** 2
    least_radius, most_radius = PATCH_RADIUS
    radius = size * (least_radius + (most_radius - least_radius) * share)
    least_way, most_way = PATCH_WAY
    way = most_way + (least_way - most_way) * max(share, rng.random())
    middle_x = inner_x + way * (outer_x - inner_x)
    middle_y = inner_y + way * (outer_y - inner_y)
    corners = []
    least_reach, most_reach = PATCH_REACHES
    for direction_x, direction_y in _PATCH_DIRECTIONS:
        reach = radius * (least_reach + (most_reach - least_reach) * rng.random())
        corners.append(QPointF(middle_x + reach * direction_x, middle_y + reach * direction_y))
    return QPolygonF(corners)


@registered(bytes_each=7 * KB)
@lru_cache(250)
def _outlines(layout: Layout, mask: int, shape: int, over: float, over_mask: int) -> Lines:
    """Return the outline of the ``region`` of each level: few are drawn of all."""
    outlines = []
    runs_of_mask = runs(mask, layout.degree)
    variant_count = _variant_count(runs_of_mask)
    for run in runs_of_mask:
        line = _lines_of_run(layout, run, shape, variant_count)
        outlines.append(_outlines_of_run(layout, run, line, over, over_mask))
    for corner in _corners(mask, layout):
        outlines.append(_outlines_of_corner(layout, corner, shape, over))
    parts = outlines[:1]
    for outline in outlines[1:]:
        # There and back again: each outline is closed.
        parts.append(outline)
        parts.append(outlines[0][:, :1])
    return np.concatenate(parts, axis=1)


def _outlines_of_run(layout: Layout, run: Run, line: Lines, over: float, over_mask: int) -> Lines:
    """Return the closed outline of what a run of sides covers, at each level.

    It follows the ``line`` of the run, and then its corners back to its beginning. A run of all
    sides covers a ring: once around outside, once around the line inside.
    """
    degree = layout.degree
    corners_back = []
    for step in range(run.side_count, -1, -1):
        number = (run.first + step) % degree
        sides_at_corner = 1 << number | 1 << (number - 1) % degree
        corner_over = 0.0
        if over_mask & sides_at_corner:
            corner_over = over
        corners_back.append(_moved_outwards(layout.corners[number], corner_over))
    back = np.array([corners_back]).repeat(LEVELS, axis=0)
    if run.side_count == degree:
        return np.concatenate([back, line, line[:, :1]], axis=1)
    begin = line[:, :1] + _step_over_side(layout, run.first - 1)
    end = line[:, -1:] + _step_over_side(layout, run.first + run.side_count)
    return np.concatenate([begin, line, end, back, begin], axis=1)


def _outlines_of_corner(layout: Layout, corner: int, shape: int, over: float) -> Lines:
    """Return the closed outline of what a corner alone covers, at each level."""
    line = _lines_of_corner(layout, corner, shape)
    # A corner lies between the side before it and the side of its own number.
    begin = line[:, :1] + _step_over_side(layout, corner - 1)
    end = line[:, -1:] + _step_over_side(layout, corner)
    tip = np.tile(np.array([_moved_outwards(layout.corners[corner], over)]), (LEVELS, 1, 1))
    return np.concatenate([begin, line, end, tip, begin], axis=1)


def _to_polygon(points: NDArray[np.float64]) -> QPolygonF:
    """Return points (n, 2) as a polygon, written into its memory: there are many of them."""
    polygon = QPolygonF()
    polygon.resize(len(points))
    # The stubs know neither the constructor nor that it is a buffer.
    memory: Any = VoidPtr(polygon.data(), points.nbytes, True)  # type: ignore[call-arg, arg-type]
    np.frombuffer(memory, np.float64)[:] = points.reshape(-1)
    return polygon


def _moved_outwards(corner: Point, over: float) -> Point:
    """Return a corner moved away from the centre by a share, over the sides of its run."""
    x, y = corner
    return x * (1 + over), y * (1 + over)


def _step_over_side(layout: Layout, side: int) -> NDArray[np.float64]:
    """Return a step over a side at a right angle, as long as ``BESIDE``: shape (2,).

    ``side`` may be -1 for the last side, or the number of sides for the first.
    """
    ax, ay = layout.corners[side % layout.degree]
    bx, by = layout.corners[(side + 1) % layout.degree]
    # The way from the centre to the middle of a side is perpendicular to it.
    middle_x = (ax + bx) / 2
    middle_y = (ay + by) / 2
    share = BESIDE / math.hypot(middle_x, middle_y)
    return np.array((middle_x * share, middle_y * share))


def _variant_count(runs_of_mask: list[Run]) -> int:
    """Return from how many variants the lines of a mask with these runs are chosen."""
    if len(runs_of_mask) > 1:
        # Variants that reach far from both sides would close a narrow way.
        return NARROW_VARIANTS
    return VARIANTS


@registered(bytes_each=4 * KB)
@lru_cache(450)
def _lines_of_run(layout: Layout, run: Run, shape: int, variant_count: int) -> Lines:
    """Return the smooth lines of a run, from the side before it to the side after it.

    ``variant_count`` is that of the mask (``_variant_count``): masks share their runs, so the lines
    of a run are found once for many of them.
    """
    kind = str(run.side_count)
    variant = number_of_shape(shape, variant_count)
    stored = _smooth_lines(_polygon_of(layout), kind, variant)
    line = _turned_to_corner(layout, run.first, stored)
    if run.side_count == layout.degree:
        return line
    return _with_moves(layout, line, (run.first, run.first + run.side_count), shape)


def _lines_of_corner(layout: Layout, corner: int, shape: int) -> Lines:
    """Return the smooth lines around a corner of a square."""
    variant = number_of_shape(shape, VARIANTS)
    stored = _smooth_lines(_polygon_of(layout), "corner", variant)
    line = _turned_to_corner(layout, corner, stored)
    return _with_moves(layout, line, (corner, corner), shape)


def _with_moves(layout: Layout, line: Lines, end_corners: tuple[int, int], shape: int) -> Lines:
    """Return lines that lie as far from the land as the moves of a shape say.

    They begin on the side before the first of ``end_corners`` and end on that after the second.
    Both ends move along their sides; between them a line moves away from the land, by the mean of
    both moves, of which that of the nearer end counts more.
    """
    size = _SIZES[_polygon_of(layout)]
    moves = corner_moves(layout)
    side_count = max(1, (end_corners[1] - end_corners[0]) % layout.degree)
    sides_along = np.linspace(0, side_count, line.shape[1])
    result = line.copy()
    for end, step in ((0, 1), (1, -1)):
        number = end_corners[end] % layout.degree
        corner = np.array(layout.corners[number])
        from_corner = line - corner
        end_x, end_y = from_corner[:, -end].T
        distances = np.hypot(end_x, end_y)
        spreads = (distances - distances[-1]) * (moves.spread[shape, number] - 1)
        shifts = np.minimum(moves.reach[shape, number] * size + spreads, MOST_END - distances)

        sides_from_end = sides_along
        if end == 1:
            sides_from_end = sides_along[::-1]
        share = sides_from_end / side_count
        weight = 1 - share * share * (3 - 2 * share)
        amount = shifts[:, None] * weight
        result += amount[..., None] * _away_from_land(layout, from_corner, number, step)

        # Both cells beside a side see the edge that crosses it slant to the same direction.
        share_of_side = np.minimum(sides_from_end, 1)
        slanting = share_of_side * (1 - share_of_side) ** 2
        slanting *= step * moves.tilt[shape, number] * size
        # All sides are 1 long.
        along_side = np.array(layout.corners[(number - step) % layout.degree]) - corner
        result += slanting[:, None] * along_side
    return result


def _away_from_land(layout: Layout, from_corner: Lines, number: int, step: int) -> Lines:
    """Return the directions in which points near a corner of a run move.

    ``from_corner`` are the points seen from the corner with this ``number``; the run goes on from
    it clockwise (``step`` 1) or anticlockwise (-1). Around the tip of the land they move away from
    the corner, so that the tip stays round, and along its side at a right angle to it.
    """
    x, y = layout.corners[number]
    next_x, next_y = layout.corners[(number + step) % layout.degree]
    inwards = -np.array((x + next_x, y + next_y))
    inwards /= math.hypot(*inwards)
    distances = np.hypot(from_corner[..., 0], from_corner[..., 1])
    is_at_tip = from_corner @ np.array((next_x - x, next_y - y)) < 0
    from_tip = from_corner / np.maximum(distances, 1e-9)[..., None]
    return np.where(is_at_tip[..., None], from_tip, inwards)


def _turned_to_corner(layout: Layout, corner: int, line: Lines) -> Lines:
    """Return stored lines turned around the centre, so that corner 0 becomes ``corner``."""
    stored_x, stored_y = _FIRST_CORNER[_polygon_of(layout)]
    x, y = layout.corners[corner % layout.degree]
    angle = math.atan2(y, x) - math.atan2(stored_y, stored_x)
    cos = math.cos(angle)
    sin = math.sin(angle)
    return np.asarray(line @ np.array(((cos, sin), (-sin, cos))))


@registered(count=66, bytes_each=8 * KB)
@cache
def _smooth_lines(polygon: str, kind: str, variant: int) -> Lines:
    """Return smooth curves through the points of the stored lines of a variant.

    ``kind`` is the number of sides of its run, or "corner". A curve is a Catmull-Rom spline: from
    one point to the next it is a cubic whose tangent at each point is parallel to the line between
    that point's neighbours. A line along all sides is closed: its last point is followed by its
    first; others have their end points twice, as their own neighbours.
    """
    points = _stored_lines()[polygon][kind][variant]
    is_closed = (polygon, kind) in (("square", "4"), ("hex", "6"))
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
