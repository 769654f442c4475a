"""The wavy lines at which another ground ends within a cell, such as coasts.

A line belongs to a *run*, sides of the cell that meet, or to a corner of a square, and crosses the
sides beside it. Beyond it, towards the run, the other ground covers the cell::

      +-----------+
      |  ground   |    the line of Run(first=0, side_count=1) of a square: it crosses the sides
      |.-._  _.--.|    3 and 1
      |    ~~     |
      +-----------+

Each level of an edge has a line, level 0 that which is nearest to the middle of the cell. The lines
are stored for a run from side 0 on (``stored_lines``). ``lines_of_run`` turns them to their side,
and then moves both of their ends, since not all cells are to look alike. The moves are those of the
corner there (``edge_shapes.CornerMoves``), which all cells at it share, so that the lines of
neighbouring cells meet. Of the side that is crossed at the corner ``+``::

      +                  reach     all lines cross the side so much farther from the corner
      |--._   level 6    spread    the distances between the lines are multiplied by this
      |--._   level 5    tilt      the lines slant where they cross the side
      |--._   level 4

Points farther from the corner move less: those at the other end of the lines do not move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
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


MAX_LINES = 450
"""The lines of so many runs are stored. Fewer would be made again for each map of many terrains."""

NO_DISTANCE = 1e-9
"""A point nearer to a corner than this, in map units, has no direction from it."""


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
@lru_cache(MAX_LINES)
def lines_of_run(layout: Layout, run: Run, shape: int, variant_count: int = VARIANTS) -> Lines:
    """Return the smooth lines of a run, from the side before it to the side after it.

    ``shape`` is the number of the cell's shape (``edge_shapes``), which chooses the variant and the
    moves. Only the first ``variant_count`` variants are used. The line of a run of all sides goes
    around the cell; its last point is not its first.
    """
    kind = str(run.side_count)
    variant = number_of_shape(shape, variant_count)
    is_closed = run.side_count == layout.degree
    stored = smooth_lines(polygon_of(layout), kind, variant, is_closed=is_closed)
    lines = _turned_to_corner(layout, run.first, stored)
    if is_closed:
        return lines
    last_corner = run.first + run.side_count
    first_end = _LineEnd.before_run(layout, shape, run.first)
    last_end = _LineEnd.behind_run(layout, shape, last_corner)
    return _with_moved_ends(lines, first_end, last_end, run.side_count)


def lines_of_corner(layout: Layout, corner: int, shape: int) -> Lines:
    """Return the smooth lines around a corner of a square; ``shape`` is as in ``lines_of_run``."""
    variant = number_of_shape(shape, VARIANTS)
    stored = smooth_lines(polygon_of(layout), CORNER, variant, is_closed=False)
    lines = _turned_to_corner(layout, corner, stored)
    # They end on both sides that meet at the corner, and move as those of a single side.
    first_end = _LineEnd.before_run(layout, shape, corner)
    last_end = _LineEnd.behind_run(layout, shape, corner)
    return _with_moved_ends(lines, first_end, last_end, side_count=1)


def _turned_to_corner(layout: Layout, corner: int, lines: Lines) -> Lines:
    """Return stored lines turned around the centre, so that corner 0 becomes ``corner``."""
    stored_x, stored_y = polygon_of(layout).first_corner
    x, y = layout.corners[corner % layout.degree]
    angle = math.atan2(y, x) - math.atan2(stored_y, stored_x)
    cos = math.cos(angle)
    sin = math.sin(angle)
    return np.asarray(lines @ np.array(((cos, sin), (-sin, cos))))


# --- moving the ends ------------------------------------------------------------------------------


def _with_moved_ends(
    lines: Lines, first_end: _LineEnd, last_end: _LineEnd, side_count: int
) -> Lines:
    """Return lines whose ends are moved; ``side_count`` sides of the run lie between these."""
    sides_from_first = np.linspace(0, side_count, lines.shape[1])
    displacements_by_first = first_end.displacements(lines, lines[:, 0], sides_from_first)
    displacements_by_last = last_end.displacements(lines, lines[:, -1], sides_from_first[::-1])
    return lines + displacements_by_first + displacements_by_last


@dataclass(frozen=True, eq=False)
class _LineEnd:
    """The place where the lines of a run end, on the side beside a corner of the cell.

    Seen from the ``corner``, the land lies along the run, and the lines end on the other side::

        next_corner ---- land ---- corner ---- . ---- previous_corner
                                       `.__.'          the end of a line

    All lengths are map units.
    """

    corner: NDArray[np.float64]
    """The corner between the run and the side that the lines cross: x and y, (2,)."""

    next_corner: NDArray[np.float64]
    """The other corner of the run's first side, seen from here, (2,)."""

    previous_corner: NDArray[np.float64]
    """The corner at the other end of the side that the lines cross, (2,)."""

    reach: float
    """By how much farther from the corner the outermost line crosses the side."""

    spread: float
    """The factor of the distances between the lines on the side."""

    tilt: float
    """The slope of the lines on the side, positive towards ``previous_corner``."""

    @classmethod
    def before_run(cls, layout: Layout, shape: int, corner: int) -> _LineEnd:
        """Return the end at a corner from which the run goes on clockwise."""
        return cls._at_corner(layout, shape, corner, clockwise_step=1)

    @classmethod
    def behind_run(cls, layout: Layout, shape: int, corner: int) -> _LineEnd:
        """Return the end at a corner to which the run comes clockwise.

        ``corner`` may be counted on beyond the last one.
        """
        return cls._at_corner(layout, shape, corner % layout.degree, clockwise_step=-1)

    @classmethod
    def _at_corner(
        cls, layout: Layout, shape: int, corner: int, *, clockwise_step: int
    ) -> _LineEnd:
        """Return the end at a corner, with the moves of a shape there.

        ``clockwise_step`` leads to the next corner of the run: 1 clockwise, -1 counterclockwise.
        """
        moves = corner_moves(layout)
        scale = polygon_of(layout).move_scale
        next_corner = (corner + clockwise_step) % layout.degree
        previous_corner = (corner - clockwise_step) % layout.degree
        return cls(
            corner=np.array(layout.corners[corner]),
            next_corner=np.array(layout.corners[next_corner]),
            previous_corner=np.array(layout.corners[previous_corner]),
            reach=moves.reach[shape, corner] * scale,
            spread=moves.spread[shape, corner],
            # The cells on both sides of the crossed side see the corner from opposite directions;
            # the sign lets the edge slant the same way in both.
            tilt=moves.tilt[shape, corner] * scale * clockwise_step,
        )

    def displacements(
        self, lines: Lines, end_points: NDArray[np.float64], sides_from_end: NDArray[np.float64]
    ) -> Lines:
        """Return how far the points of lines are moved on account of this end, in x and y.

        ``end_points`` (levels, 2) are those of the lines at this end. ``sides_from_end`` (points,)
        tells how many sides of the run lie between a point and the end: from 0 at it up to all.
        """
        # Away from the land: at the end by the whole shift, at the other end not at all.
        weights = _falling_weights(sides_from_end / sides_from_end.max())
        distances = self._shifts(end_points)[:, None] * weights  # (levels, points)
        away_from_land = distances[..., None] * self._directions_from_land(lines)
        # Along the crossed side: the slant.
        return np.asarray(away_from_land + self._slant(sides_from_end))

    def _shifts(self, end_points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much the end of each line moves away from the corner, (levels,).

        All move by the reach. Besides, the distance of each from the outermost line, which is the
        nearest to the corner, is multiplied by the spread.
        """
        from_corner = end_points - self.corner
        distances = np.hypot(from_corner[:, 0], from_corner[:, 1])
        from_outermost = distances - distances[-1]
        shifts = self.reach + from_outermost * (self.spread - 1)
        return np.asarray(np.minimum(shifts, MAX_END - distances))

    def _directions_from_land(self, lines: Lines) -> Lines:
        """Return the directions in which the points of lines move away from the land: unit vectors.

        Points beside the land move into the cell, at a right angle to the side. Those beyond the
        corner move away from it, so that the line keeps its bend round the corner::

            next_corner ---- land ---- corner ---- previous_corner
                 |      |      |      |      `.  `.
                 v      v      v      v        v   v
        """
        inwards = -(self.corner + self.next_corner)  # from the middle of the side to the centre
        inwards /= math.hypot(*inwards)
        from_corner = lines - self.corner
        distances = np.hypot(from_corner[..., 0], from_corner[..., 1])
        away_from_corner = from_corner / np.maximum(distances, NO_DISTANCE)[..., None]
        is_beyond_corner = from_corner @ (self.next_corner - self.corner) < 0
        return np.asarray(np.where(is_beyond_corner[..., None], away_from_corner, inwards))

    def _slant(self, sides_from_end: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far the points of lines move along the side that they cross, (points, 2).

        At the end itself, where the lines of two cells meet, they do not move; within the first
        side they swing out by the tilt and come back.
        """
        # The cubic t * (1 - t)**2 begins with the slope 1, so the tilt is the slope of the lines on
        # the side, and ends with the slope 0: no bend shows where the swing is over.
        share_of_side = np.minimum(sides_from_end, 1)
        distances = share_of_side * (1 - share_of_side) ** 2 * self.tilt
        side = self.previous_corner - self.corner  # 1 long, as all sides
        return np.asarray(distances[:, None] * side)


def _falling_weights(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights (n,) that fall from 1 at the share 0 to 0 at the share 1.

    They have no bend at either end: this is the curve that is known as smoothstep, upside down.
    """
    return 1 - shares * shares * (3 - 2 * shares)
