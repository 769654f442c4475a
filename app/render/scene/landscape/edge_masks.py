"""Edge masks: the part of a cell that the ground beyond some of its sides covers.

Where grass and sand meet, the grass reaches into the cell of sand, up to a wavy line. An
``EdgeMask`` says over which sides it reaches in, and which variety of line it has::

    edge = EdgeMask(FLAT, mask=0b000011, shape=PLAIN)
    region(edge, level=6)          # a thin strip along the sides 0 and 1, as a polygon
    list(lines(edge, level=6))     # the line at which the strip ends

Sides of a mask that meet form a *run*, which has one line (``edge_lines``). There are several lines
beside each other, the *levels*, so that an edge can be soft. ``transitions`` draws with these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPolygonF
from shiboken6 import VoidPtr

from app.render.scene.landscape.edge_lines import Run, lines_of_corner, lines_of_run
from app.render.scene.landscape.stored_lines import LEVELS, VARIANTS, Lines, Point
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

NARROW_VARIANTS = 2
"""In cells with several runs only so many variants are used: the first ones, which reach the least
into the cell. Others would close a narrow way between two runs."""

OVERLAP_SHARE = 0.05
"""Masks reach over the sides beyond which the terrain lies by this share of the way from the
centre, so that no gap shows there."""

SIDE_OVERLAP = 0.015
"""Masks reach over the sides next to these by this much (map units)."""

ALL_SIDES = 0b111111
"""The mask of all sides of a cell."""


class EdgeMask(NamedTuple):
    """The edge of a ground that reaches into a cell."""

    layout: Layout

    mask: int
    """Over which sides the ground reaches in: bit i stands for side i, on squares also bit 4 + i
    for corner i alone. Never 0, which ``region`` could not draw."""

    shape: int
    """The variety of its lines, which is that of the cell (``edge_shapes``)."""

    overlap: float = OVERLAP_SHARE
    """By how much it reaches over its own sides, into the cells where the ground lies: a share as
    ``OVERLAP_SHARE``."""

    overlapped_sides: int = ALL_SIDES
    """The sides of ``mask`` over which it reaches so far; over others it does not."""


def region(edge: EdgeMask, level: int) -> QPolygonF:
    """Return what a mask covers, as one polygon, in map units around the cell's centre.

    Areas that do not touch are joined by two lines at the same place, which cover nothing.
    """
    return _to_polygon(_outlines(edge)[level])


def lines(edge: EdgeMask, level: int) -> Iterator[QPolygonF]:
    """Yield the lines within the cell at which what a mask covers ends, in map units."""
    layout = edge.layout
    runs_of_mask = runs(edge.mask, layout.degree)
    for run in runs_of_mask:
        line = lines_of_run(layout, run, edge.shape, _variant_count(runs_of_mask))[level]
        if run.side_count == layout.degree:
            line = np.concatenate([line, line[:1]])
        yield _to_polygon(line)
    for corner in _corners(edge):
        yield _to_polygon(lines_of_corner(layout, corner, edge.shape)[level])


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


def _variant_count(runs_of_mask: list[Run]) -> int:
    """Return from how many variants the lines of a mask with these runs are chosen."""
    if len(runs_of_mask) > 1:
        return NARROW_VARIANTS
    return VARIANTS


def _corners(edge: EdgeMask) -> list[int]:
    """Return the corners that a mask covers alone.

    Hexes have none: whatever meets a hex at a corner has a side in common with it.
    """
    degree = edge.layout.degree
    if degree != 4:
        return []
    return [corner for corner in range(degree) if edge.mask >> (degree + corner) & 1]


# --- outlines -------------------------------------------------------------------------------------


@registered(bytes_each=7 * KB)
@lru_cache(250)
def _outlines(edge: EdgeMask) -> Lines:
    """Return the outline of the ``region`` of each level.

    All levels are computed at once, though a transition draws only some of them.
    """
    outlines = []
    runs_of_mask = runs(edge.mask, edge.layout.degree)
    for run in runs_of_mask:
        line = lines_of_run(edge.layout, run, edge.shape, _variant_count(runs_of_mask))
        outlines.append(_outlines_of_run(edge, run, line))
    for corner in _corners(edge):
        outlines.append(_outlines_of_corner(edge, corner))
    parts = outlines[:1]
    for outline in outlines[1:]:
        # There and back again: each outline is closed.
        parts.append(outline)
        parts.append(outlines[0][:, :1])
    return np.concatenate(parts, axis=1)


def _outlines_of_run(edge: EdgeMask, run: Run, line: Lines) -> Lines:
    """Return the closed outline of what a run of sides covers, at each level.

    It follows the ``line`` of the run, and then its corners back to its beginning. A run of all
    sides covers a ring: once around outside, once around the line inside.
    """
    layout = edge.layout
    degree = layout.degree
    corners_back = []
    for step in range(run.side_count, -1, -1):
        corner = (run.first + step) % degree
        sides_at_corner = 1 << corner | 1 << (corner - 1) % degree
        over = 0.0
        if edge.overlapped_sides & sides_at_corner:
            over = edge.overlap
        corners_back.append(_moved_outwards(layout.corners[corner], over))
    back = np.array([corners_back]).repeat(LEVELS, axis=0)
    if run.side_count == degree:
        return np.concatenate([back, line, line[:, :1]], axis=1)
    begin = line[:, :1] + _step_over_side(layout, run.first - 1)
    end = line[:, -1:] + _step_over_side(layout, run.first + run.side_count)
    return np.concatenate([begin, line, end, back, begin], axis=1)


def _outlines_of_corner(edge: EdgeMask, corner: int) -> Lines:
    """Return the closed outline of what a corner alone covers, at each level."""
    layout = edge.layout
    line = lines_of_corner(layout, corner, edge.shape)
    # A corner lies between the side before it and the side of its own number.
    begin = line[:, :1] + _step_over_side(layout, corner - 1)
    end = line[:, -1:] + _step_over_side(layout, corner)
    tip = np.tile(np.array([_moved_outwards(layout.corners[corner], edge.overlap)]), (LEVELS, 1, 1))
    return np.concatenate([begin, line, end, tip, begin], axis=1)


def _moved_outwards(corner: Point, over: float) -> Point:
    """Return a corner moved away from the centre by a share, over the sides of its run."""
    x, y = corner
    return x * (1 + over), y * (1 + over)


def _step_over_side(layout: Layout, side: int) -> NDArray[np.float64]:
    """Return a step over a side at a right angle, as long as ``SIDE_OVERLAP``: shape (2,).

    ``side`` may be -1 for the last side, or the number of sides for the first.
    """
    ax, ay = layout.corners[side % layout.degree]
    bx, by = layout.corners[(side + 1) % layout.degree]
    # The way from the centre to the middle of a side is perpendicular to it.
    middle_x = (ax + bx) / 2
    middle_y = (ay + by) / 2
    share = SIDE_OVERLAP / math.hypot(middle_x, middle_y)
    return np.array((middle_x * share, middle_y * share))


def _to_polygon(points: NDArray[np.float64]) -> QPolygonF:
    """Return points (n, 2) as a polygon, written into its memory: there are many of them."""
    assert points.dtype == np.float64, "a QPolygonF has doubles"
    polygon = QPolygonF()
    polygon.resize(len(points))
    # The polygon is new and nobody else has it. Its memory is two doubles for each point. The stubs
    # know neither the constructor nor that it is a buffer.
    memory: Any = VoidPtr(polygon.data(), points.nbytes, True)  # type: ignore[call-arg, arg-type]
    np.frombuffer(memory, np.float64)[:] = points.reshape(-1)
    return polygon
