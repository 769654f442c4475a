"""The brush that shapes heights at corners: it raises, lowers, smooths, levels and roughens land.

The tool of heights makes a ``HeightStroke`` for each drag and asks it for one change after the
other. Nothing is changed in place. A stroke has the same result however its way is divided, and on
symmetric heights a symmetric one: therefore it computes with whole numbers, of two kinds.

- *Fine* heights are in units of 1 / ``FINE`` of a height of the map, so that a little of a change
  each time is not lost by rounding.
- The *weight* of a brush at a corner is how much of its effect the corner gets: from 0 to ``FINE``.

The elevations of cells have functions of their own (``cell_elevations``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.bumps import FULL_HEIGHT, bumps
from randomizer.model.planes.corners import existing_corners

if TYPE_CHECKING:
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices
    from randomizer.model.planes.planes import Plane


FINE = 256
"""The units of a fine height in one height of the map, and the full weight of a brush."""

Numbers = NDArray[np.int64]
"""Heights or weights; the shape stands where it is used."""


class HeightMode(StrEnum):
    """The effect of a brush on heights."""

    RAISE = "raise"
    """Each height rises by ``HeightBrush.amount``."""

    LOWER = "lower"
    """Each height sinks by ``HeightBrush.amount``."""

    SMOOTH = "smooth"
    """Each height goes towards the mean of the corner and its eight neighbours."""

    FLATTEN = "flatten"
    """Each height goes towards ``HeightBrush.level``: that of the land where the stroke began."""

    LEVEL = "level"
    """Each height goes towards ``HeightBrush.level``: the one that the user has chosen."""

    ROUGHEN = "roughen"
    """Each height rises or sinks by ``HeightBrush.amount`` at most: the land gets bumps."""


@dataclass(frozen=True, slots=True)
class HeightBrush:
    """A round brush: its centre is a corner.

    All modes have a radius and a soft edge. Which of the other fields a mode reads::

        RAISE, LOWER       amount
        ROUGHEN            amount, key
        SMOOTH             strength
        FLATTEN, LEVEL     strength, level
    """

    mode: HeightMode

    radius: int
    """In cells; 0: one corner."""

    soft: int = 50
    """Percent of the radius, from the edge inwards, in which the effect fades to nothing."""

    amount: int = 1
    """By how much ``RAISE``, ``LOWER`` and ``ROUGHEN`` change heights, in heights of the map."""

    strength: int = 100
    """How far ``SMOOTH``, ``FLATTEN`` and ``LEVEL`` go, in percent of the way to their goal."""

    key: int = 0
    """Which land ``ROUGHEN`` makes (``bumps``): the user sees it, so that it can be made again."""

    level: int = 0
    """The height to which ``FLATTEN`` and ``LEVEL`` lead."""

    def weights(self, distance: NDArray[np.float64]) -> Numbers:
        """Return the weight of the brush at a ``distance`` in cells, in the same shape."""
        hard_radius = self.radius * (1 - self.soft / 100)
        # The effect ends one cell beyond the radius, so that corners at the radius still get some.
        fading_width = self.radius + 1 - hard_radius
        fading = np.clip((distance - hard_radius) / fading_width, 0.0, 1.0)
        # Half a wave of a cosine: there is no kink where the slope begins, nor where it ends.
        weights = np.rint(FINE * (0.5 + 0.5 * np.cos(np.pi * fading))).astype(np.int64)
        return np.where(distance <= self.radius, weights, 0)


class HeightChange(NamedTuple):
    """One step of a stroke at n corners."""

    corners: Indices
    """The corners that change, ascending, (n,)."""

    heights: Numbers
    """The new height of each corner, as the map has it, (n,)."""

    fine: Numbers
    """The new fine heights, (n,): from these the stroke goes on."""

    weights: Numbers
    """The weight of the brush at each corner, (n,)."""

    missing: int
    """How many of the symmetric corners lie off the map."""

    twins: int
    """The number of symmetric corners."""

    def restricted_to(self, mask: NDArray[np.bool_]) -> HeightChange:
        """Return the change at the corners for which the mask (n,) is True."""
        return self._replace(
            corners=self.corners[mask],
            heights=self.heights[mask],
            fine=self.fine[mask],
            weights=self.weights[mask],
        )


class HeightStroke:
    """A stroke of a brush over ``heights`` (height + 1, width + 1); it lives as long as the drag.

    A stroke has *rounds*. In a round each corner is changed with the greatest weight that the brush
    has there, however often it passes: so a slow line is no higher than a quick one.
    ``begin_next_round`` lets all corners be changed once more, from what the last round has made.
    Example::

        stroke = HeightStroke(grid, heights, HeightBrush(HeightMode.RAISE, radius=2), (0, 999))
        change = stroke.proposed_change(previous_corner, corner)     # changes nothing yet
        stroke.record(change)                                        # the next one goes on from it
    """

    def __init__(
        self,
        grid: Grid,
        heights: Plane,
        brush: HeightBrush,
        limits: tuple[int, int],
        symmetry: Symmetry | None = None,
    ) -> None:
        """Begin a stroke.

        ``limits`` are the lowest and the highest height; one that is beyond them already is not
        driven farther.
        """
        self._grid = grid
        self._brush = brush
        self._limits = limits
        self._symmetry = symmetry
        self._exists = existing_corners(grid).ravel()
        """Which corners exist, flat."""
        self._heights: Numbers = heights.ravel().astype(np.int64) * FINE
        """The fine heights of all corners after the changes that were applied."""
        self._round = _Round(
            heights=self._heights.copy(),
            weights=np.zeros(self._heights.size, np.int16),
        )

    def proposed_change(self, start: int, end: int) -> HeightChange:
        """Return what the brush would do on its way from corner ``start`` to corner ``end``."""
        corners, weights = self._corners_under_brush(start, end)
        missing = 0
        twins = 0
        if self._symmetry is not None:
            images = self._symmetry.corner_images(self._grid, corners)
            missing = int((images < 0).sum())
            twins = images.size - len(corners)
            corners, weights = _largest_weights(images.ravel(), np.tile(weights, len(images)))

        # A corner is changed again where the brush comes nearer than in this round before.
        is_changed = (weights > self._round.weights[corners]) & self._exists[corners]
        corners = corners[is_changed]
        weights = weights[is_changed]
        fine = self._changed_heights(corners, weights)
        return HeightChange(
            corners=corners,
            heights=(fine + FINE // 2) // FINE,  # rounded
            fine=fine,
            weights=weights,
            missing=missing,
            twins=twins,
        )

    def record(self, change: HeightChange) -> None:
        """Make a change part of the stroke."""
        self._heights[change.corners] = change.fine
        self._round.weights[change.corners] = change.weights
        self._round.changed_corners.append(change.corners)

    def begin_next_round(self) -> None:
        """Begin another round: corners that were changed can be changed once more.

        A button that is held still does so ten times a second.
        """
        # Only what the last round has changed is brought up to date: maps are large.
        for corners in self._round.changed_corners:
            self._round.heights[corners] = self._heights[corners]
            self._round.weights[corners] = 0
        self._round.changed_corners.clear()
        self._round.number += 1

    def _corners_under_brush(self, start: int, end: int) -> tuple[Indices, Numbers]:
        """Return the corners (n,) under the brush on its way, ascending, and its weights there."""
        # The way between two events of the mouse is swept as one shape, by the distance of each
        # corner from the line: so a quick drag makes the same ridge as a slow one.
        grid = self._grid
        radius = self._brush.radius
        start_y, start_x = divmod(start, grid.width + 1)
        end_y, end_x = divmod(end, grid.width + 1)
        left = max(min(start_x, end_x) - radius, 0)
        right = min(max(start_x, end_x) + radius, grid.width)
        top = max(min(start_y, end_y) - radius, 0)
        bottom = min(max(start_y, end_y) + radius, grid.height)
        columns = np.arange(left, right + 1, dtype=np.float64)
        rows = np.arange(top, bottom + 1, dtype=np.float64)[:, None]
        line = _Line(start_x, start_y, end_x, end_y)
        weights = self._brush.weights(line.distances(columns, rows))

        rows_in_box, columns_in_box = np.nonzero(weights)
        corners = (rows_in_box + top) * (grid.width + 1) + columns_in_box + left
        return corners.astype(np.intp, copy=False), weights[rows_in_box, columns_in_box]

    def _changed_heights(self, corners: Indices, weights: Numbers) -> Numbers:
        """Return the new fine heights of ``corners`` (n,), within the limits."""
        brush = self._brush
        old_heights = self._round.heights[corners]
        match brush.mode:
            case HeightMode.RAISE:
                rises = brush.amount * weights
            case HeightMode.LOWER:
                rises = -brush.amount * weights
            case HeightMode.ROUGHEN:
                rises = _divided(brush.amount * weights * self._bumps_at(corners), FULL_HEIGHT)
            case HeightMode.SMOOTH:
                rises = self._rises_towards(self._means_around(corners), old_heights, weights)
            case HeightMode.FLATTEN | HeightMode.LEVEL:
                rises = self._rises_towards(brush.level * FINE, old_heights, weights)
            case _:
                assert_never(brush.mode)
        lowest = self._limits[0] * FINE
        highest = self._limits[1] * FINE
        # A file can hold heights beyond the limits: these may stay where they are.
        lower_bounds = np.minimum(old_heights, lowest)
        upper_bounds = np.maximum(old_heights, highest)
        bounded_heights: Numbers = np.clip(old_heights + rises, lower_bounds, upper_bounds)
        return bounded_heights

    def _rises_towards(
        self, goals: Numbers | int, old_heights: Numbers, weights: Numbers
    ) -> Numbers:
        """Return how far fine heights (n,) rise towards fine goals: (n,), or one goal for all."""
        return _divided((goals - old_heights) * self._brush.strength * weights, 100 * FINE)

    def _bumps_at(self, corners: Indices) -> Numbers:
        """Return the heights of the bumps of this round at corners, (n,), as ``bumps`` does."""
        images = corners[None]
        if self._symmetry is not None:
            images = self._symmetry.corner_images(self._grid, corners)
        # Symmetric corners all get the bump of the first of them, so that the land is symmetric.
        no_corner = self._heights.size
        first_images = np.where(images < 0, no_corner, images).min(axis=0)
        rows, columns = np.divmod(first_images, self._grid.width + 1)
        return bumps(self._brush.key + self._round.number, columns, rows)

    def _means_around(self, corners: Indices) -> Numbers:
        """Return the mean fine height of each corner and its existing neighbours, (n,)."""
        grid = self._grid
        ys, xs = np.divmod(corners, grid.width + 1)
        total = np.zeros(len(corners), np.int64)
        count = np.zeros(len(corners), np.int64)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                x = xs + dx
                y = ys + dy
                is_inside = (x >= 0) & (x <= grid.width) & (y >= 0) & (y <= grid.height)
                neighbours = np.where(is_inside, y * (grid.width + 1) + x, 0)
                exists = is_inside & self._exists[neighbours]
                total += self._round.heights[neighbours] * exists
                count += exists
        return _divided(total, count)


@dataclass(slots=True)
class _Round:
    """A round of a stroke. All arrays have an element for each corner of the map, flat."""

    heights: Numbers
    """The fine heights from which the round began."""

    weights: NDArray[np.int16]
    """The greatest weight that the brush had at each corner in this round; 0: it is as it was."""

    changed_corners: list[Indices] = field(default_factory=list)
    """The corners of the changes of this round."""

    number: int = 0
    """The number of rounds before: ``ROUGHEN`` makes other bumps in each."""


_MIN_HALF_WIDTH = 0.5
"""Half the least width of a slope, in cells: with less, a line between rows would have gaps."""


class SlopeEnd(NamedTuple):
    """One end of a slope. Lengths are in cells."""

    x: float

    y: float

    height: int
    """The height of the map there, which the slope has, too."""


def slope(
    points: NDArray[np.float64],
    heights: Numbers,
    start: SlopeEnd,
    end: SlopeEnd,
    brush: HeightBrush,
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return new ``heights`` (n,) of ``points`` (n, 2), and which lie on the slope, (n,).

    It leads straight from one end to the other, as wide as the brush and with its soft edge. The
    unit of points is a cell.
    """
    line = _Line(start.x, start.y, end.x, end.y)
    x = points[:, 0]
    y = points[:, 1]
    weights = brush.weights(line.distances(x, y) - _MIN_HALF_WIDTH)
    exact_goals = start.height + line.shares(x, y) * (end.height - start.height)
    goals = np.rint(exact_goals).astype(np.int64)
    return heights + _divided((goals - heights) * weights, FINE), weights > 0


class _Line(NamedTuple):
    """A straight line from a start to an end, in any unit. Both can be the same point."""

    start_x: float

    start_y: float

    end_x: float

    end_y: float

    def shares(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where on the line the point nearest to each (x, y) is: 0 the start, 1 the end.

        ``x`` and ``y`` are arrays that numpy can broadcast.
        """
        dx = self.end_x - self.start_x
        dy = self.end_y - self.start_y
        squared_length = (dx * dx + dy * dy) or 1.0  # of one point: then all shares are 0
        shares = ((x - self.start_x) * dx + (y - self.start_y) * dy) / squared_length
        return np.clip(shares, 0.0, 1.0)

    def distances(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far each (x, y) is from the nearest point of the line."""
        shares = self.shares(x, y)
        nearest_x = self.start_x + shares * (self.end_x - self.start_x)
        nearest_y = self.start_y + shares * (self.end_y - self.start_y)
        return np.hypot(x - nearest_x, y - nearest_y)


def _divided(numbers: Numbers, by: Numbers | int) -> Numbers:
    """Return the rounded quotients; halves are rounded up."""
    return np.asarray((2 * numbers + by) // (2 * by))


def _largest_weights(corners: Indices, weights: Numbers) -> tuple[Indices, Numbers]:
    """Return each corner once, ascending, with the largest of its weights; -1 is left out."""
    order = np.argsort(corners, kind="stable")
    corners = corners[order]
    weights = weights[order]
    # Equal corners are a group now. -2 is no corner: so the first one begins a group even if it is
    # -1.
    group_starts = np.flatnonzero(np.diff(corners, prepend=-2))
    group_corners = corners[group_starts]
    largest_weights = np.maximum.reduceat(weights, group_starts)
    exists = group_corners >= 0
    return group_corners[exists], largest_weights[exists]
