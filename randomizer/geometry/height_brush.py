"""Brushes for heights: raise, lower, smooth, flatten, level, roughen; of corners, and of cells.

Nothing is changed in place. Heights and weights of corners are whole numbers of 1 / ``FINE``, so
that a stroke has the same result however its way is divided, and on symmetric heights a symmetric
one.
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
    """A round brush: its centre is a corner.

    ``radius`` is in cells (0: one corner). Within ``soft`` percent of the radius, from the edge
    inwards, its effect fades to nothing. ``RAISE`` and ``LOWER`` change by ``amount`` in units of
    height, ``ROUGHEN`` by at most that, up and down, as ``bumps`` with the ``key`` say. The others
    go ``strength`` percent of the way to where they lead: the mean of a corner and its eight
    neighbours, or one height.
    """

    mode: HeightMode
    radius: int
    soft: int = 50
    amount: int = 1
    strength: int = 100
    key: int = 0

    def weights(self, distance: NDArray[np.float64]) -> Numbers:
        """Return how much it changes what lies at a ``distance`` in cells: 0 to FINE, same
        shape.
        """
        hard = self.radius * (1 - self.soft / 100)
        # One cell beyond the radius nothing is left: the corners at the radius still get some.
        part = np.clip((distance - hard) / (self.radius + 1 - hard), 0.0, 1.0)
        result = np.rint(FINE * (0.5 + 0.5 * np.cos(np.pi * part))).astype(np.int64)
        return np.where(distance <= self.radius, result, 0)


class HeightChange(NamedTuple):
    """One step of a stroke: the ``heights`` (n,) that ``corners`` (n,), ascending, get.

    ``weights`` (n,) are those of the brush, ``fine`` (n,) the heights in units of 1 / FINE.
    ``missing`` of ``twins`` symmetric corners lie off the map.
    """

    corners: Indices
    heights: Numbers
    weights: Numbers
    fine: Numbers
    missing: int
    twins: int

    def some(self, which: NDArray[np.bool_]) -> HeightChange:
        """Return the change at some of its corners."""
        return self._replace(
            corners=self.corners[which],
            heights=self.heights[which],
            weights=self.weights[which],
            fine=self.fine[which],
        )


class HeightStroke:
    """A stroke of a brush over ``heights`` (height + 1, width + 1).

    Each corner is changed once, as the brush at its nearest does it, so that a line of any speed
    has one height; ``again`` begins the next round. ``limits`` are the least and the most height;
    one that is beyond them already is not driven farther. ``level``: where ``LEVEL`` leads to;
    ``FLATTEN`` leads to the height of the corner where the stroke begins.
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
        self._grid = grid
        self._brush = brush
        self._limits = limits
        self._level = level * FINE if brush.mode is HeightMode.LEVEL else None
        self._symmetry = symmetry
        if grid.mask is None:
            self._exists = None
        else:
            self._exists = existing_corners(grid).ravel()
        self._before: Numbers = heights.ravel().astype(np.int64) * FINE
        self._now = self._before.copy()
        self._weights = np.zeros(len(self._now), np.int16)
        self._touched: list[Indices] = []
        self._rounds = 0

    def change(self, start: int, end: int) -> HeightChange:
        """Return what the brush would do on its way from corner ``start`` to corner ``end``."""
        corners, weights = self._under(start, end)
        missing = twins = 0
        if self._symmetry is not None:
            images = self._symmetry.corner_images(self._grid, corners)
            missing = int((images < 0).sum())
            twins = images.size - len(corners)
            corners, weights = _largest(images.ravel(), np.tile(weights, len(images)))
        better = weights > self._weights[corners]
        if self._exists is not None:
            better &= self._exists[corners]
        corners = corners[better]
        weights = weights[better]
        fine = self._changed(start, corners, weights)
        heights = (fine + FINE // 2) // FINE
        return HeightChange(corners, heights, weights, fine, missing, twins)

    def take(self, change: HeightChange) -> None:
        """Note that a change is part of the stroke."""
        self._weights[change.corners] = change.weights
        self._now[change.corners] = change.fine
        self._touched.append(change.corners)

    def again(self) -> None:
        """From now on corners that were changed are changed once more."""
        for corners in self._touched:
            self._before[corners] = self._now[corners]
            self._weights[corners] = 0
        self._touched = []
        self._rounds += 1

    def _under(self, start: int, end: int) -> tuple[Indices, Numbers]:
        """Return the corners under the brush on its way, ascending, and its weights there."""
        grid = self._grid
        radius = self._brush.radius
        (y0, x0) = divmod(start, grid.width + 1)
        (y1, x1) = divmod(end, grid.width + 1)
        left = max(min(x0, x1) - radius, 0)
        right = min(max(x0, x1) + radius, grid.width)
        top = max(min(y0, y1) - radius, 0)
        bottom = min(max(y0, y1) + radius, grid.height)
        x = np.arange(left, right + 1, dtype=np.float64) - x0
        y = np.arange(top, bottom + 1, dtype=np.float64)[:, None] - y0
        dx = x1 - x0
        dy = y1 - y0
        if dx or dy:
            along = np.clip((x * dx + y * dy) / (dx * dx + dy * dy), 0.0, 1.0)
            distance = np.hypot(x - along * dx, y - along * dy)
        else:
            distance = np.hypot(x, y)
        weights = self._brush.weights(distance)
        rows, columns = np.nonzero(weights)
        corners = (rows + top) * (grid.width + 1) + columns + left
        return corners.astype(np.intp, copy=False), weights[rows, columns]

    def _changed(self, start: int, corners: Indices, weights: Numbers) -> Numbers:
        """Return the new heights of ``corners``, in units of 1 / FINE, within the limits."""
        brush = self._brush
        old_heights = self._before[corners]
        if brush.mode is HeightMode.RAISE:
            new_heights = old_heights + brush.amount * weights
        elif brush.mode is HeightMode.LOWER:
            new_heights = old_heights - brush.amount * weights
        elif brush.mode is HeightMode.ROUGHEN:
            images = corners[None]
            if self._symmetry is not None:
                images = self._symmetry.corner_images(self._grid, corners)
            # Twins get the bump of the first of them.
            first = np.where(images < 0, len(self._now), images).min(axis=0)
            rows, columns = np.divmod(first, self._grid.width + 1)
            rough = bumps(brush.key + self._rounds, columns, rows)
            new_heights = old_heights + _divided(brush.amount * weights * rough, FINE)
        else:
            if brush.mode is HeightMode.SMOOTH:
                goal: Numbers | int = self._means(corners)
            else:
                if self._level is None:
                    self._level = int(self._before[start])
                goal = self._level
            new_heights = old_heights + _divided(
                (goal - old_heights) * brush.strength * weights, 100 * FINE
            )
        least, most = (limit * FINE for limit in self._limits)
        bounded: Numbers = np.clip(
            new_heights, np.minimum(old_heights, least), np.maximum(old_heights, most)
        )
        return bounded

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
                at = np.where(inside, y * (grid.width + 1) + x, 0)
                if self._exists is not None:
                    inside &= self._exists[at]
                total += self._before[at] * inside
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
    first = np.flatnonzero(np.diff(corners, prepend=-2))
    result = corners[first]
    most = np.maximum.reduceat(weights, first)
    return result[result >= 0], most[result >= 0]


BUMPS = ((6, 128), (3, 80), (1, 48))
"""How wide the bumps of rough land are, in cells, and how high: together FINE."""


def bumps(key: int, columns: Indices, rows: Indices) -> Numbers:
    """Return the height of rough land at some places (n,), from -FINE to FINE.

    Another key gives other land. Source: value noise, the mean of random heights around a place.
    """
    result = np.zeros(len(columns), np.int64)
    for wide, high in BUMPS:
        (x, right) = np.divmod(columns, wide)
        (y, down) = np.divmod(rows, wide)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            sites = ((y + dy).astype(np.uint64) << np.uint64(32)) + (x + dx).astype(np.uint64)
            words = words_of_streams(streams(key * len(BUMPS) + wide, sites), 0) >> np.uint64(48)
            random = words.astype(np.int64) - (1 << 15)
            near = (right if dx else wide - right) * (down if dy else wide - down)
            result += random * near * high // (wide * wide)
    return result >> 15


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
    (x0, y0, low), (x1, y1, high) = ends
    dx = x1 - x0
    dy = y1 - y0
    x = points[:, 0] - x0
    y = points[:, 1] - y0
    along = np.clip((x * dx + y * dy) / ((dx * dx + dy * dy) or 1.0), 0.0, 1.0)
    # Half a cell to both sides is the least: a line between rows would have gaps.
    weights = brush.weights(np.hypot(x - along * dx, y - along * dy) - 0.5)
    goal = np.rint(low + along * (high - low)).astype(np.int64)
    return heights + _divided((goal - heights) * weights, FINE), weights > 0


def roughen_elevations(elevation: Plane, cells: Cells, keys: Cells, by: int) -> Numbers:
    """Return the elevations of ``cells`` changed by at most ``by``, as ``keys`` (n,) say."""
    words = words_of_streams(streams(0, keys.astype(np.uint64)), 0) >> np.uint64(32)
    change = (words % np.uint64(2 * by + 1)).astype(np.int64) - by
    return elevation.reshape(-1)[cells] + change


def raise_elevations(elevation: Plane, cells: Cells, by: int, lowest: int, highest: int) -> Plane:
    """Return the elevations of ``cells`` raised (lowered if ``by`` is negative), within the limits.

    Values already beyond a limit are not changed. Shape (n,), of the plane's dtype.
    """
    present = elevation.reshape(-1)[cells].astype(np.int64)
    bounded = np.clip(present + by, lowest, highest)
    beyond = bounded > present if by < 0 else bounded < present
    return np.where(beyond, present, bounded).astype(elevation.dtype)


def smooth_elevations(grid: Grid, elevation: Plane, cells: Cells) -> Plane:
    """Return the rounded mean of every cell and its neighbours, computed for all ``cells`` at once.

    Halves are rounded up. Shape (n,), of the plane's dtype.
    """
    values = elevation.reshape(-1)
    total = values[cells].astype(np.int64)
    count = np.ones(len(cells), np.int64)
    for side in range(grid.degree):
        across = grid.neighbours_of(cells, side)
        inner = across >= 0
        total[inner] += values[across[inner]]
        count += inner
    return ((2 * total + count) // (2 * count)).astype(elevation.dtype)
