"""The bumps of a layer: hexagons of random size that raise or lower the cells of a flat world.

The order of draws is the original program's, and so is the arithmetic: whole numbers, quotients cut
toward zero. A world has ``height`` rows of ``width`` cells; row 0 is the south, columns wrap.

The original is undefined in two cases, which are defined here:

* Roughness 0 on a world of even height, not higher than wide: a bump may be one row too high. The
  cells of that row cost their draws and are dropped.
* Bumps of one cell (``scale`` 1): the cell is the peak that shapes the untouched cells.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.hexes import hex_length, shorter_way
from randomizer.systems.xconq.world.random_numbers import Draws

FLAT = 8192
"""The height of a cell that no bump touched."""
TOP = 16384
"""Heights are below this; while bumps are added it is allowed."""
REMEMBERED = 10
"""So many first bumps shape the cells that no bump touched."""
TRIES = 10
GROUP_CELLS = 1 << 14
"""Bumps are made in groups of about so many cells."""
AT_ONCE = 1 << 16
"""How many bumps of one cell are made at once."""

Ints = NDArray[np.int32]
Heights = Ints
Progress = Generator[float, None, Heights]


@dataclass(frozen=True, slots=True)
class BumpScale:
    """The size of bumps in cells, their height, and how many a layer has."""

    scale: int
    amplitude: int
    count: int


def bump_scale(width: int, height: int, roughness: int) -> BumpScale:
    """Return the bumps of a layer with a roughness of 0 .. 100."""
    scale = max(1, (100 - roughness) * min(width, height) // 100)
    amplitude = 2048 + 2048 * roughness // 100
    return BumpScale(scale, amplitude, 2 * (width * height // scale**2))


class Bump(NamedTuple):
    """A bump: its sign, its box (SW corner and sides), the cuts of the SW and NE corners, its peak.

    The box has ``width + 1`` columns and ``height + 1`` rows; cuts and peak count from its corners.
    Columns are not wrapped.
    """

    sign: int
    left: int
    bottom: int
    width: int
    height: int
    south_west: int
    north_east: int
    peak_x: int
    peak_y: int

    @property
    def size(self) -> int:
        """The number of its cells."""
        box = (self.width + 1) * (self.height + 1)
        cuts = ((cut + 1) * (cut + 2) // 2 for cut in (self.south_west, self.north_east))
        return box - sum(cuts)


class BumpCells(NamedTuple):
    """The cells of some bumps, one bump after the other, row by row from the south: (N,) each.

    ``x`` and ``y`` count from the SW corner of the box. ``moved`` is how far a bump moves a cell.
    """

    x: Ints
    y: Ints
    moved: Ints


class Peak(NamedTuple):
    """The values of a bump for untouched cells: its sign, its peak and a row far from it."""

    sign: int
    x: int
    y: int
    far_y: int


def bumped(width: int, height: int, roughness: int, draws: Draws) -> Progress:
    """Yield the heights (h, w) of a layer, 0 .. TOP - 1; yields the share (0 .. 1) that is done."""
    scale = bump_scale(width, height, roughness)
    heights = np.full((height, width), FLAT, np.int32)
    if scale.scale == 1:
        peaks = yield from _single_cells(heights, scale, draws)
    else:
        peaks = yield from _hexagons(heights, scale, draws)
    _shape_untouched(heights, scale, peaks, draws)
    return heights.clip(0, TOP - 1, out=heights)


def _single_cells(
    heights: Heights, scale: BumpScale, draws: Draws
) -> Generator[float, None, list[Peak]]:
    """Bumps of one cell each. The first is raised, the others draw whether they are."""
    height, width = heights.shape
    flat = heights.reshape(-1)
    limits = (width, height, scale.amplitude // 2)
    peaks: list[Peak] = []
    for number in range(min(REMEMBERED, scale.count)):
        sign = _sign(draws, first=number == 0)
        x, y, noise = (draws.below(limit) for limit in limits)
        heights[y, x] += sign * (scale.amplitude + noise)
        peaks.append(Peak(sign, x, y, draws.below(height)))
    for done in range(len(peaks), scale.count, AT_ONCE):
        rows = draws.rows_below((257, *limits), min(AT_ONCE, scale.count - done))
        signs = np.where(rows[:, 0] % 2, 1, -1)
        np.add.at(flat, rows[:, 2] * width + rows[:, 1], signs * (scale.amplitude + rows[:, 3]))
        yield done / scale.count
    return peaks


def _hexagons(
    heights: Heights, scale: BumpScale, draws: Draws
) -> Generator[float, None, list[Peak]]:
    """Bumps with the outlines of hexagons. They are drawn and shaped in groups, added in turn."""
    height, width = heights.shape
    peaks: list[Peak] = []
    done = 0
    while done < scale.count:
        bumps: list[Bump] = []
        noises: list[NDArray[np.int64]] = []
        cells = 0
        while done < scale.count and cells < GROUP_CELLS:
            bump = _drawn(width, height, scale.scale, draws, first=done == 0)
            noises.append(draws.many_below(scale.amplitude // 2, bump.size))
            if done < REMEMBERED:
                x = (bump.left + bump.peak_x) % width
                y = bump.bottom + bump.peak_y
                peaks.append(Peak(bump.sign, x, y, draws.below(height)))
            bumps.append(bump)
            cells += bump.size
            done += 1
        _add(heights, bumps, _cells_of(bumps, width, scale.amplitude), noises)
        yield done / scale.count
    return peaks


def _drawn(width: int, height: int, scale: int, draws: Draws, first: bool) -> Bump:
    """Return the next bump."""
    below = draws.below
    half = scale // 2
    sign = _sign(draws, first)
    wide = half + below(half) + 1
    high = half + below(half) + 1
    left = below(width)
    bottom = below(height - high)
    quarter = min(wide, high) // 4
    south_west = quarter + below(3 * quarter)
    north_east = quarter + below(3 * quarter)
    for _try in range(TRIES):
        x = (below(wide) + below(wide)) // 2
        y = (below(high) + below(high)) // 2
        if x + y >= south_west and wide - x + high - y >= north_east:
            break
    return Bump(sign, left, bottom, wide, high, south_west, north_east, x, y)


def _sign(draws: Draws, first: bool) -> int:
    """Return whether a bump raises (1) or lowers (-1); the first raises without a draw."""
    return 1 if first or draws.below(257) % 2 else -1


def _cells_of(bumps: list[Bump], width: int, amplitude: int) -> BumpCells:
    """Return the cells of bumps. ``width`` is that of the world, as distances go round it."""
    sign, _left, _bottom, wide, high, south_west, north_east, peak_x, peak_y = np.array(
        bumps, np.int32
    ).T
    columns = wide + 1
    boxes = columns * (high + 1)
    bump = np.repeat(np.arange(len(bumps), dtype=np.int32), boxes)
    starts = (np.cumsum(boxes) - boxes).astype(np.int32)
    y, x = np.divmod(np.arange(len(bump), dtype=np.int32) - starts[bump], columns[bump])
    diagonal = x + y
    inside = (diagonal > south_west[bump]) & ((wide + high - north_east)[bump] > diagonal)
    bump = bump[inside]
    x = x[inside]
    y = y[inside]
    zero = np.zeros_like(wide)
    corner_x = np.stack([wide - north_east, wide, wide, south_west, zero, zero])
    corner_y = np.stack([high, high - north_east, zero, zero, south_west, high])
    wraps = bool(wide.max() > width // 2)
    to_peak = np.maximum(_length(peak_x - corner_x, peak_y - corner_y, width, wraps), 1)
    sector = _sector(x - peak_x[bump], y - peak_y[bump])
    moved = np.zeros_like(x)
    for corner in (sector, (sector + 1) % 6):
        at = corner * len(bumps) + bump
        length = _length(x - corner_x.take(at), y - corner_y.take(at), width, wraps)
        moved += amplitude * length // to_peak.take(at)
    return BumpCells(x, y, moved * sign[bump])


def _sector(u: Ints, v: Ints) -> Ints:
    """Return the sector 0 .. 5, clockwise from the north-east, of cells at (u, v) from the peak."""
    along = u + v
    east = (v <= 0).astype(np.int32) + (along <= 0)
    west = 3 + (v >= 0).astype(np.int32) + (along >= 0)
    sector: Ints = np.where(u > 0, east, west)
    return sector


def _add(
    heights: Heights, bumps: list[Bump], cells: BumpCells, noises: list[NDArray[np.int64]]
) -> None:
    """Add bumps to the heights, one after the other. Each has its noise, one number a cell."""
    height, width = heights.shape
    flat = heights.reshape(-1)
    end = 0
    for bump, noise in zip(bumps, noises, strict=True):
        start = end
        end = end + len(noise)
        x = cells.x[start:end] + bump.left
        y = cells.y[start:end] + bump.bottom
        if bump.left + bump.width >= width:
            x %= width
        cells_flat = y * width + x
        moved = cells.moved[start:end]
        if bump.width < width and bump.bottom + bump.height < height:
            _raise(flat, cells_flat, moved, noise)
            continue
        # The first column is met once more, after the others of its row.
        at_seam = cells.x[start:end] == width
        for now in (~at_seam, at_seam):
            now &= y < height
            _raise(flat, cells_flat[now], moved[now], noise[now])


def _raise(flat: Heights, cells_flat: Ints, moved: Ints, noise: NDArray[np.int64]) -> None:
    """Move the heights at distinct ``cells_flat``; by half where they would leave the range."""
    old_heights = flat[cells_flat]
    new_heights = old_heights + moved
    outside = new_heights.view(np.uint32) > TOP
    if outside.any():
        half = np.abs(moved[outside]) >> 1
        new_heights[outside] = old_heights[outside] + np.where(moved[outside] < 0, -half, half)
    flat[cells_flat] = new_heights + noise


def _shape_untouched(heights: Heights, scale: BumpScale, peaks: list[Peak], draws: Draws) -> None:
    """Give the cells that are still exactly FLAT a gentle slope away from the first peaks.

    They draw column by column, from the south in each.
    """
    height, width = heights.shape
    x, y = (axis.astype(np.int32) for axis in (heights.T == FLAT).nonzero())
    if not x.size:
        return
    total = np.zeros(x.size, np.int32)
    base = scale.amplitude * scale.scale // width
    reach = np.arange(width + height + 1, dtype=np.int64)
    for sign, peak_x, peak_y, far_y in peaks:
        far_x = (peak_x + width // 2) % width
        u = np.arange(width, dtype=np.int32) - far_x
        other_u = np.where(2 * np.abs(u) < width, u, u - width * np.sign(u))
        v = y - far_y
        distance = np.minimum(hex_length(u[x], v), hex_length(other_u[x], v))
        to_peak = _world_distance(peak_x - far_x, peak_y - far_y, width)
        parts = scale.amplitude * reach // (to_peak + 1) - base
        total += (sign * parts).astype(np.int32).take(distance)
    mean = np.sign(total) * (np.abs(total) // len(peaks))
    heights[y, x] = FLAT + mean + draws.many_below(scale.amplitude // 4, x.size)


def _length(u: Ints, v: Ints, width: int, wraps: bool) -> Ints:
    """Return the length of differences; ``wraps``: some are not by the shorter way in x."""
    return hex_length(shorter_way(u, width) if wraps else u, v)


def _world_distance(u: int, v: int, width: int) -> int:
    """Return the least number of steps between two cells, u columns and v rows apart."""
    if 2 * abs(u) < width:
        ways = [u]
    else:
        ways = [u, u - width if u > 0 else u + width]
    return min(max(abs(way), abs(v), abs(way + v)) for way in ways)
