"""The wavy lines at which another ground ends within a cell, such as coasts.

A line belongs to a *run*, sides of the cell that meet, or to a corner of a square, and crosses the
sides beside it. Beyond it, towards the run, the other ground covers the cell::

      +-----------+
      |  ground   |    the line of Run(first=0, side_count=1) of a square: it crosses the sides
      |.-._  _.--.|    3 and 1
      |    ~~     |
      +-----------+

The lines are stored for a run from side 0 on (``stored_lines``). ``lines_of_run`` turns them to
their side, and moves them, so that the lines of neighbouring cells meet and not all look alike. How
far is said by the *shape* of the cell, a number by which ``edge_shapes.corner_moves`` has three
values for each corner of the cell (drawn there at ``CornerMoves``): the *reach* by which lines lie
farther from the corner, the *spread* that multiplies the distances between the levels, and the
*tilt* by which they slant.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.landscape.edge_shapes import corner_moves, number_of_shape
from app.render.scene.landscape.stored_lines import (
    CORNER,
    HEX_POLYGON,
    SQUARE_POLYGON,
    VARIANTS,
    CellPolygon,
    Lines,
    smooth_lines,
)
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

MAX_END = 0.46
"""Lines cross a side at most so far from its corner; the sides of all cells are 1 long.

A side can be crossed by the lines of both its corners. If it were 0.5 or more, these could touch.
"""


class Run(NamedTuple):
    """Sides of a cell that meet, clockwise."""

    first: int
    """The number of the first side."""

    side_count: int
    """How many sides there are: up to all sides of the cell, which make a ring."""


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
    stored = smooth_lines(polygon_of(layout), kind, variant, is_closed=is_closed)
    lines = _turned_to_corner(layout, run.first, stored)
    if is_closed:
        return lines
    last_corner = run.first + run.side_count
    first_end = _LineEnd(layout, shape, run.first, step=1)
    last_end = _LineEnd(layout, shape, last_corner, step=-1)
    return _with_moves(lines, first_end, last_end, run.side_count)


def lines_of_corner(layout: Layout, corner: int, shape: int) -> Lines:
    """Return the smooth lines around a corner of a square."""
    variant = number_of_shape(shape, VARIANTS)
    stored = smooth_lines(polygon_of(layout), CORNER, variant, is_closed=False)
    lines = _turned_to_corner(layout, corner, stored)
    # It ends on both sides that meet at the corner, as far apart as the ends of a single side.
    first_end = _LineEnd(layout, shape, corner, step=1)
    last_end = _LineEnd(layout, shape, corner, step=-1)
    return _with_moves(lines, first_end, last_end, side_count=1)


def _turned_to_corner(layout: Layout, corner: int, lines: Lines) -> Lines:
    """Return stored lines turned around the centre, so that corner 0 becomes ``corner``."""
    stored_x, stored_y = polygon_of(layout).first_corner
    x, y = layout.corners[corner % layout.degree]
    angle = math.atan2(y, x) - math.atan2(stored_y, stored_x)
    cos = math.cos(angle)
    sin = math.sin(angle)
    return np.asarray(lines @ np.array(((cos, sin), (-sin, cos))))


# --- moves ----------------------------------------------------------------------------------------


def _with_moves(lines: Lines, first_end: _LineEnd, last_end: _LineEnd, side_count: int) -> Lines:
    """Return lines moved as the corners at both ends say; ``side_count`` sides lie between these.

    Each point is moved by both ends, by the nearer one more.
    """
    sides_from_first = np.linspace(0, side_count, lines.shape[1])
    moves_of_first = first_end.moves(lines, lines[:, 0], sides_from_first)
    moves_of_last = last_end.moves(lines, lines[:, -1], sides_from_first[::-1])
    return lines + moves_of_first + moves_of_last


class _LineEnd:
    """One of the two ends of lines, where they cross the side at a corner of the cell.

    Seen from the corner ``+``, the land lies along the run, and the lines end on the other side::

        next corner ---- land ---- + ---- . ---- previous corner
                                    `.__.'          the end of a line
    """

    def __init__(self, layout: Layout, shape: int, corner: int, *, step: int) -> None:
        """Make the end at a corner, from which the run goes on clockwise (``step`` 1) or not (-1).

        ``corner`` may be counted on beyond the last one.
        """
        moves = corner_moves(layout)
        corner = corner % layout.degree
        scale = polygon_of(layout).move_scale
        self._corner = np.array(layout.corners[corner])
        self._next_corner = np.array(layout.corners[(corner + step) % layout.degree])
        """The corner to which the run goes on."""
        self._previous_corner = np.array(layout.corners[(corner - step) % layout.degree])
        """The corner at the other end of the side that the lines cross."""
        self._step = step
        self._reach = moves.reach[shape, corner] * scale
        self._tilt = moves.tilt[shape, corner] * scale
        self._spread = moves.spread[shape, corner]

    def moves(
        self, lines: Lines, end_points: NDArray[np.float64], sides_from_end: NDArray[np.float64]
    ) -> Lines:
        """Return how far the points of lines move on account of this end, in x and y.

        ``end_points`` (levels, 2) are those of the lines at this end. ``sides_from_end`` (points,)
        tells how many sides of the run lie between a point and the end: from 0 at it up to all.
        """
        weights = _falling_weights(sides_from_end / sides_from_end.max())
        shifts = self._shifts(end_points)[:, None] * weights  # (levels, points)
        moves_away = shifts[..., None] * self._directions_from_land(lines)
        return np.asarray(moves_away + self._moves_along_side(sides_from_end))

    def _shifts(self, end_points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much the end of the line of each level lies farther from the corner.

        All move by the reach. Besides, the distance of each from the outermost level, which is the
        nearest to the corner, is multiplied by the spread.
        """
        from_corner = end_points - self._corner
        distances = np.hypot(from_corner[:, 0], from_corner[:, 1])
        from_outermost = distances - distances[-1]
        shifts = self._reach + from_outermost * (self._spread - 1)
        return np.asarray(np.minimum(shifts, MAX_END - distances))

    def _directions_from_land(self, lines: Lines) -> Lines:
        """Return the directions in which the points of lines move away from the land: unit vectors.

        Along the first side of the land they move at a right angle to it, and around its tip away
        from the corner, so that the tip stays round.
        """
        inwards = -(self._corner + self._next_corner)  # from the middle of the side to the centre
        inwards /= math.hypot(*inwards)
        from_corner = lines - self._corner
        distances = np.hypot(from_corner[..., 0], from_corner[..., 1])
        from_tip = from_corner / np.maximum(distances, 1e-9)[..., None]
        is_at_tip = from_corner @ (self._next_corner - self._corner) < 0
        return np.asarray(np.where(is_at_tip[..., None], from_tip, inwards))

    def _moves_along_side(self, sides_from_end: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far the points of lines move along the side that they cross, (points, 2).

        Both cells beside the side see the edge that crosses it slant to the same direction.
        """
        # It is 0 at the side itself, where the lines of both cells meet, and again a side further
        # on: the slope at the side is 1.
        share_of_side = np.minimum(sides_from_end, 1)
        slanting = share_of_side * (1 - share_of_side) ** 2 * self._step * self._tilt
        side = self._previous_corner - self._corner  # 1 long, as all sides
        return np.asarray(slanting[:, None] * side)


def _falling_weights(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights (n,) that fall from 1 at the share 0 to 0 at the share 1.

    They have no bend at either end: this is the curve that is known as smoothstep, upside down.
    """
    return 1 - shares * shares * (3 - 2 * shares)
