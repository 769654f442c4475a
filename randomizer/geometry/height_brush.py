"""Brushes for heights: raise, lower, smooth, flatten, level, roughen; of corners, and of cells.

The tool of heights makes a ``HeightStroke`` for each drag and asks it for one change after the
other; maps whose cells have elevations need only the functions at the end. Nothing is changed in
place. Heights and weights of corners are whole numbers of 1 / ``FINE``, so that a stroke has the
same result however its way is divided, and on symmetric heights a symmetric one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells
from randomizer.model.basics.dice import streams, words_of_streams
from randomizer.model.planes.corners import existing_corners

if TYPE_CHECKING:
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.indices import Indices
    from randomizer.model.planes.planes import Plane


FINE = 256
"""Weights and heights within a stroke are in units of 1 / FINE."""

Numbers = NDArray[np.int64]


class HeightMode(StrEnum):
    """The effect of a brush on heights."""

    RAISE = "raise"
    LOWER = "lower"
    SMOOTH = "smooth"
    FLATTEN = "flatten"
    LEVEL = "level"
    ROUGHEN = "roughen"


@dataclass(frozen=True, slots=True)
class HeightBrush:
    """A round brush: its centre is a corner."""

    mode: HeightMode

    radius: int
    """In cells; 0: one corner."""

    soft: int = 50
    """Percent of the radius, from the edge inwards, in which the effect fades to nothing."""

    amount: int = 1
    """By how much ``RAISE`` and ``LOWER`` change, and ``ROUGHEN`` at most, in units of height."""

    strength: int = 100
    """How far the other modes go, in percent of the way to where they lead.

    That is the mean of a corner and its eight neighbours, or one height.
    """

    key: int = 0
    """Which land ``ROUGHEN`` makes (``bumps``): the user sees it, so that it can be made again."""

    def weights(self, distance: NDArray[np.float64]) -> Numbers:
        """Return how much the brush changes elements at a ``distance`` in cells: 0 to FINE.

        The result has the shape of ``distance``.
        """
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
    """Ascending, shape (n,)."""

    heights: Numbers
    """The new height of each corner, shape (n,)."""

    weights: Numbers
    """The weight of the brush at each corner, shape (n,)."""

    fine: Numbers
    """The new heights in units of 1 / FINE, shape (n,): from these the stroke goes on."""

    missing: int
    """How many of the symmetric corners lie off the map."""

    twins: int
    """The number of symmetric corners."""

    def some(self, mask: NDArray[np.bool_]) -> HeightChange:
        """Return the change at the corners for which the mask (n,) is True."""
        return self._replace(
            corners=self.corners[mask],
            heights=self.heights[mask],
            weights=self.weights[mask],
            fine=self.fine[mask],
        )


class HeightStroke:
    """A stroke of a brush over ``heights`` (height + 1, width + 1); it lives as long as the drag.

    Each corner is changed once, as the brush at its nearest does it, so that a line of any speed
    has one height; ``again`` begins the next round. Example::

        stroke = HeightStroke(grid, heights, HeightBrush(HeightMode.RAISE, radius=2), (0, 999))
        change = stroke.change(previous_corner, corner)
        stroke.take(change)
    """

    def __init__(
        self,
        grid: Grid,
        heights: Plane,
        brush: HeightBrush,
        limits: tuple[int, int],
        level: int = 0,
        symmetry: Symmetry | None = None,
    ) -> None:
        """Begin a stroke.

        ``limits`` are the lowest and the highest height; one that is beyond them already is not
        driven farther. ``level`` is the height to which ``LEVEL`` leads; ``FLATTEN`` leads to that
        of the corner where the stroke begins.
        """
        self._grid = grid
        self._brush = brush
        self._limits = limits
        self._level: int | None = None
        """The height to which ``LEVEL`` or ``FLATTEN`` leads, times FINE; None: not known yet."""
        if brush.mode is HeightMode.LEVEL:
            self._level = level * FINE
        self._symmetry = symmetry
        self._exists = None
        """Which corners exist, flat; None if all do."""
        if grid.mask is not None:
            self._exists = existing_corners(grid).ravel()
        # Heights of all corners in units of 1 / FINE: those from which this round began, and those
        # that the changes taken so far have made of them.
        self._heights_at_start: Numbers = heights.ravel().astype(np.int64) * FINE
        self._heights = self._heights_at_start.copy()
        self._weights = np.zeros(len(self._heights), np.int16)
        """The greatest weight that the brush had at each corner in this round."""
        self._touched: list[Indices] = []
        """The corners of the changes of this round."""
        self._rounds = 0
        """The number of rounds that are over."""

    def change(self, start: int, end: int) -> HeightChange:
        """Return what the brush would do on its way from corner ``start`` to corner ``end``."""
        corners, weights = self._under(start, end)
        missing = 0
        twins = 0
        if self._symmetry is not None:
            images = self._symmetry.corner_images(self._grid, corners)
            missing = int((images < 0).sum())
            twins = images.size - len(corners)
            corners, weights = _largest(images.ravel(), np.tile(weights, len(images)))
        # A corner is changed again where the brush comes nearer than in this round before.
        is_changed = weights > self._weights[corners]
        if self._exists is not None:
            is_changed &= self._exists[corners]
        corners = corners[is_changed]
        weights = weights[is_changed]
        fine = self._changed(start, corners, weights)
        heights = (fine + FINE // 2) // FINE
        return HeightChange(corners, heights, weights, fine, missing, twins)

    def take(self, change: HeightChange) -> None:
        """Note that a change is part of the stroke."""
        self._weights[change.corners] = change.weights
        self._heights[change.corners] = change.fine
        self._touched.append(change.corners)

    def again(self) -> None:
        """Begin another round: corners that were changed can be changed once more.

        A button that is held still does so ten times a second.
        """
        for corners in self._touched:
            self._heights_at_start[corners] = self._heights[corners]
            self._weights[corners] = 0
        self._touched = []
        self._rounds += 1

    def _under(self, start: int, end: int) -> tuple[Indices, Numbers]:
        """Return the corners under the brush on its way, ascending, and its weights there."""
        # The way between two events of the mouse is swept as one shape, by the distance of each
        # corner from the line: so a quick drag makes the same ridge as a slow one.
        grid = self._grid
        radius = self._brush.radius
        y0, x0 = divmod(start, grid.width + 1)
        y1, x1 = divmod(end, grid.width + 1)
        left = max(min(x0, x1) - radius, 0)
        right = min(max(x0, x1) + radius, grid.width)
        top = max(min(y0, y1) - radius, 0)
        bottom = min(max(y0, y1) + radius, grid.height)
        x = np.arange(left, right + 1, dtype=np.float64) - x0
        y = np.arange(top, bottom + 1, dtype=np.float64)[:, None] - y0
        dx = x1 - x0
        dy = y1 - y0
        if dx or dy:
            # The nearest point of the line, as a share of its length from the start.
            share = np.clip((x * dx + y * dy) / (dx * dx + dy * dy), 0.0, 1.0)
            distance = np.hypot(x - share * dx, y - share * dy)
        else:
            distance = np.hypot(x, y)
        weights = self._brush.weights(distance)
        rows, columns = np.nonzero(weights)
        corners = (rows + top) * (grid.width + 1) + columns + left
        return corners.astype(np.intp, copy=False), weights[rows, columns]

    def _changed(self, start: int, corners: Indices, weights: Numbers) -> Numbers:
        """Return the new heights of ``corners``, in units of 1 / FINE, within the limits."""
        brush = self._brush
        old_heights = self._heights_at_start[corners]
        if brush.mode is HeightMode.RAISE:
            rises = brush.amount * weights
        elif brush.mode is HeightMode.LOWER:
            rises = -brush.amount * weights
        elif brush.mode is HeightMode.ROUGHEN:
            rises = _divided(brush.amount * weights * self._bumps_at(corners), FINE)
        else:
            ways = self._goal(start, corners) - old_heights
            rises = _divided(ways * brush.strength * weights, 100 * FINE)
        lowest = self._limits[0] * FINE
        highest = self._limits[1] * FINE
        # A file can hold heights beyond the limits: these may stay where they are.
        lower_bounds = np.minimum(old_heights, lowest)
        upper_bounds = np.maximum(old_heights, highest)
        bounded_heights: Numbers = np.clip(old_heights + rises, lower_bounds, upper_bounds)
        return bounded_heights

    def _bumps_at(self, corners: Indices) -> Numbers:
        """Return the heights of the bumps of this round at corners, from -FINE to FINE, (n,)."""
        images = corners[None]
        if self._symmetry is not None:
            images = self._symmetry.corner_images(self._grid, corners)
        # Symmetric corners all get the bump of the first of them, so that the land is symmetric.
        no_corner = len(self._heights)
        first_images = np.where(images < 0, no_corner, images).min(axis=0)
        rows, columns = np.divmod(first_images, self._grid.width + 1)
        return bumps(self._brush.key + self._rounds, columns, rows)

    def _goal(self, start: int, corners: Indices) -> Numbers | int:
        """Return the heights to which corners are led: (n,), or one for all."""
        if self._brush.mode is HeightMode.SMOOTH:
            return self._means(corners)
        if self._level is None:
            # Flatten: the height where the stroke began holds for all of it.
            self._level = int(self._heights_at_start[start])
        return self._level

    def _means(self, corners: Indices) -> Numbers:
        """Return the mean height of each corner and its existing neighbours."""
        grid = self._grid
        ys, xs = np.divmod(corners, grid.width + 1)
        total = np.zeros(len(corners), np.int64)
        count = np.zeros(len(corners), np.int64)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                x = xs + dx
                y = ys + dy
                inside = (x >= 0) & (x <= grid.width) & (y >= 0) & (y <= grid.height)
                neighbours = np.where(inside, y * (grid.width + 1) + x, 0)
                if self._exists is not None:
                    inside &= self._exists[neighbours]
                total += self._heights_at_start[neighbours] * inside
                count += inside
        return _divided(total, count)


def _divided(numbers: Numbers, by: Numbers | int) -> Numbers:
    """Return the rounded quotients; halves are rounded up."""
    return np.asarray((2 * numbers + by) // (2 * by))


def _largest(corners: Indices, weights: Numbers) -> tuple[Indices, Numbers]:
    """Return each corner once, ascending, with the largest of its weights; -1 is left out."""
    order = np.argsort(corners, kind="stable")
    corners = corners[order]
    weights = weights[order]
    # -2 is no corner: so the first one, even if it is -1, begins a group.
    group_starts = np.flatnonzero(np.diff(corners, prepend=-2))
    group_corners = corners[group_starts]
    largest_weights = np.maximum.reduceat(weights, group_starts)
    exists = group_corners >= 0
    return group_corners[exists], largest_weights[exists]


BUMPS = ((6, 128), (3, 80), (1, 48))
"""The widths of the bumps of rough land, in cells, and their heights, which together are FINE.

With wider bumps the land is hilly rather than rough; with higher ones of width 1 it is spiky.
"""


def bumps(key: int, columns: Indices, rows: Indices) -> Numbers:
    """Return the height of rough land at corners in these columns and rows, (n,), -FINE to FINE.

    Another key gives other land.
    """
    # Value noise: a lattice of random heights, between which heights are interpolated; three
    # lattices of different widths are added (octaves). It is computed with whole numbers, so that
    # it is the same on every computer.
    result = np.zeros(len(columns), np.int64)
    for octave, (width, height) in enumerate(BUMPS):
        lattice_x, right = np.divmod(columns, width)
        lattice_y, down = np.divmod(rows, width)
        # The four nodes of the lattice around each corner; of each the height counts the more, the
        # nearer it is (bilinear interpolation). ``nearness_x`` and ``nearness_y`` are 0 to width.
        for dx, nearness_x in ((0, width - right), (1, right)):
            for dy, nearness_y in ((0, width - down), (1, down)):
                y_bits = (lattice_y + dy).astype(np.uint64) << np.uint64(32)
                sites = y_bits + (lattice_x + dx).astype(np.uint64)
                words = words_of_streams(streams(key * len(BUMPS) + octave, sites), 0)
                # The upper 16 of 64 random bits, half of the numbers below 0.
                random_heights = (words >> np.uint64(48)).astype(np.int64) - (1 << 15)
                result += random_heights * nearness_x * nearness_y * height // (width * width)
    return result >> 15  # random heights are up to 2**15


def slope(
    points: NDArray[np.float64],
    heights: Numbers,
    ends: tuple[tuple[float, float, int], tuple[float, float, int]],
    brush: HeightBrush,
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return new ``heights`` (n,) of ``points`` (n, 2), and which lie on the slope.

    It leads straight from the first of ``ends`` (x, y, height) to the second, as wide as the brush
    and with its soft edge. The unit of all places is a cell.
    """
    (x0, y0, first_height), (x1, y1, last_height) = ends
    dx = x1 - x0
    dy = y1 - y0
    x = points[:, 0] - x0
    y = points[:, 1] - y0
    squared_length = (dx * dx + dy * dy) or 1.0  # a click without a drag is a slope of one point
    share = np.clip((x * dx + y * dy) / squared_length, 0.0, 1.0)
    # Half a cell to both sides is the least: a line between rows would have gaps.
    distances = np.hypot(x - share * dx, y - share * dy) - 0.5
    weights = brush.weights(distances)
    goals = np.rint(first_height + share * (last_height - first_height)).astype(np.int64)
    return heights + _divided((goals - heights) * weights, FINE), weights > 0


def roughen_elevations(elevation: Plane, cells: Cells, keys: Cells, by: int) -> Numbers:
    """Return the elevations of ``cells`` (n,) changed by random numbers from -``by`` to ``by``.

    ``keys`` (n,) are the keys of the dice of each cell: equal ones change cells alike.
    """
    # Of each word of 64 random bits the upper half is used.
    words = words_of_streams(streams(0, keys.astype(np.uint64)), 0) >> np.uint64(32)
    change = (words % np.uint64(2 * by + 1)).astype(np.int64) - by
    return elevation.reshape(-1)[cells] + change


def raise_elevations(elevation: Plane, cells: Cells, by: int, lowest: int, highest: int) -> Plane:
    """Return the elevations of ``cells`` raised (lowered if ``by`` is negative), within the limits.

    Values already beyond a limit are not changed. Shape (n,), of the plane's dtype.
    """
    old_values = elevation.reshape(-1)[cells].astype(np.int64)
    new_values = np.clip(old_values + by, lowest, highest)
    # A value beyond a limit would be brought back to it, against the direction of the change.
    if by < 0:
        goes_back = new_values > old_values
    else:
        goes_back = new_values < old_values
    return np.where(goes_back, old_values, new_values).astype(elevation.dtype)


def smooth_elevations(grid: Grid, elevation: Plane, cells: Cells) -> Plane:
    """Return the rounded mean of every cell and its neighbours, computed for all ``cells`` at once.

    Halves are rounded up. Shape (n,), of the plane's dtype.
    """
    values = elevation.reshape(-1)
    total = values[cells].astype(np.int64)
    count = np.ones(len(cells), np.int64)
    for side in range(grid.degree):
        neighbours = grid.neighbours_of(cells, side)
        has_neighbour = neighbours >= 0
        total[has_neighbour] += values[neighbours[has_neighbour]]
        count += has_neighbour
    return ((2 * total + count) // (2 * count)).astype(elevation.dtype)
