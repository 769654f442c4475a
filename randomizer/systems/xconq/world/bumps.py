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

from randomizer.systems.xconq.world.random_numbers import Draws

FLAT = 8192
"""The height of a cell that no bump touched."""
TOP = 16384
"""Heights are below this; while bumps are added it is allowed."""
REMEMBERED = 10
"""So many first bumps shape the cells that no bump touched."""
TRIES = 10
SMALL_SCALE = 8
"""Below this scale bumps have so few shapes that these are kept."""
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
    """The bumps of a layer with a roughness of 0 .. 100."""
    scale = max(1, (100 - roughness) * min(width, height) // 100)
    amplitude = 2048 + 2048 * roughness // 100
    return BumpScale(scale, amplitude, 2 * (width * height // scale**2))


class Outline(NamedTuple):
    """A bump without its place: box sides, cuts of the SW and NE corners, peak from the SW."""

    width: int
    height: int
    south_west: int
    north_east: int
    peak_x: int
    peak_y: int


class Shape(NamedTuple):
    """The cells of a bump from its SW corner, row by row, and how far they are moved: (N,) each."""

    x: Ints
    y: Ints
    moved: Ints


class Peak(NamedTuple):
    """What the untouched cells know of a bump: its sign, its peak and a row far from it."""

    sign: int
    x: int
    y: int
    far_y: int


def bumped(width: int, height: int, roughness: int, draws: Draws) -> Progress:
    """The heights (h, w) of a layer, 0 .. TOP - 1; yields the share (0 .. 1) that is done."""
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
    """Bumps with the outlines of hexagons."""
    height, width = heights.shape
    kept: dict[Outline, Shape] = {}
    peaks: list[Peak] = []
    for number in range(scale.count):
        sign = _sign(draws, first=number == 0)
        left, bottom, outline = _drawn_outline(width, height, scale.scale, draws)
        shape = kept.get(outline)
        if shape is None:
            shape = _shape(outline, width, scale.amplitude)
            if scale.scale < SMALL_SCALE:
                kept[outline] = shape
        noise = draws.many_below(scale.amplitude // 2, shape.moved.size)
        _add(heights, left, bottom, outline, shape, sign, noise)
        if number < REMEMBERED:
            x, y = (left + outline.peak_x) % width, bottom + outline.peak_y
            peaks.append(Peak(sign, x, y, draws.below(height)))
        yield number / scale.count
    return peaks


def _sign(draws: Draws, first: bool) -> int:
    """Whether a bump raises (1) or lowers (-1); the first raises without a draw."""
    return 1 if first or draws.below(257) % 2 else -1


def _drawn_outline(width: int, height: int, scale: int, draws: Draws) -> tuple[int, int, Outline]:
    """The column and row of the SW corner of a bump's box, and its outline."""
    below, half = draws.below, scale // 2
    wide = half + below(half) + 1
    high = half + below(half) + 1
    left, bottom = below(width), below(height - high)
    quarter = min(wide, high) // 4
    south_west = quarter + below(3 * quarter)
    north_east = quarter + below(3 * quarter)
    for _try in range(TRIES):
        x = (below(wide) + below(wide)) // 2
        y = (below(high) + below(high)) // 2
        if x + y >= south_west and wide - x + high - y >= north_east:
            break
    return left, bottom, Outline(wide, high, south_west, north_east, x, y)


def _shape(outline: Outline, width: int, amplitude: int) -> Shape:
    """The cells of an outline, and how far a bump raises or lowers them without noise.

    ``width`` is that of the world, as distances go round it.
    """
    wide, high, south_west, north_east, peak_x, peak_y = outline
    columns = np.arange(wide + 1, dtype=np.int32)
    rows = np.arange(high + 1, dtype=np.int32)[:, None]
    diagonal = rows + columns
    inside = (diagonal > south_west) & (wide + high - diagonal > north_east)
    y, x = (places.astype(np.int32) for places in inside.nonzero())
    corner_x = np.array(
        [wide - north_east, wide, wide, south_west, 0, 0, wide - north_east], np.int32
    )
    corner_y = np.array([high, high - north_east, 0, 0, south_west, high, high], np.int32)
    to_peak = _plain_distance(peak_x - corner_x, peak_y - corner_y, width)
    far = np.arange(wide + high + 1, dtype=np.int64)
    parts = (amplitude * far // np.maximum(to_peak, 1)[:, None]).astype(np.int32)
    sector = _sector(x - peak_x, y - peak_y)
    moved = np.zeros(x.size, np.int32)
    for corner in (sector, sector + 1):
        distance = _plain_distance(x - corner_x[corner], y - corner_y[corner], width)
        moved += parts.ravel().take(corner * far.size + distance)
    return Shape(x, y, moved)


def _sector(u: Ints, v: Ints) -> Ints:
    """The sector 0 .. 5, clockwise from the north-east, of cells at (u, v) from the peak."""
    along = u + v
    east = (v <= 0).astype(np.int32) + (along <= 0)
    west = 3 + (v >= 0).astype(np.int32) + (along >= 0)
    sector: Ints = np.where(u > 0, east, west)
    return sector


def _add(
    heights: Heights,
    left: int,
    bottom: int,
    outline: Outline,
    shape: Shape,
    sign: int,
    noise: NDArray[np.int64],
) -> None:
    """Add a bump to the heights. ``noise`` (N,) goes with the cells of ``shape``."""
    height, width = heights.shape
    flat = heights.reshape(-1)
    x = shape.x + left
    if left + outline.width >= width:
        x[x >= width] -= width
        if left + outline.width >= 2 * width:
            x[x >= width] -= width
    places = (shape.y + bottom) * width + x
    moved = sign * shape.moved
    if bottom + outline.height >= height:
        inside = shape.y + bottom < height
        places, moved, noise = places[inside], moved[inside], noise[inside]
        again = shape.x[inside] == width
    else:
        again = shape.x == width
    if outline.width == width:  # the first column is met once more, after the others of its row
        for now in (~again, again):
            _raise(flat, places[now], moved[now], noise[now])
    else:
        _raise(flat, places, moved, noise)


def _raise(
    flat: Heights,
    places: Ints,
    moved: Ints,
    noise: NDArray[np.int64],
) -> None:
    """Move the heights at ``places``, which differ; by half where they would leave the range."""
    before = flat[places]
    after = before + moved
    outside = (after < 0) | (after > TOP)
    if outside.any():
        half = np.abs(moved[outside]) >> 1
        after[outside] = before[outside] + np.where(moved[outside] < 0, -half, half)
    flat[places] = after + noise


def _shape_untouched(heights: Heights, scale: BumpScale, peaks: list[Peak], draws: Draws) -> None:
    """Give the cells that are still exactly FLAT a gentle slope away from the first peaks.

    They draw column by column, from the south in each.
    """
    height, width = heights.shape
    x, y = (places.astype(np.int32) for places in (heights.T == FLAT).nonzero())
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
        distance = np.minimum(_hex_length(u[x], v), _hex_length(other_u[x], v))
        to_peak = _world_distance(peak_x - far_x, peak_y - far_y, width)
        parts = scale.amplitude * reach // (to_peak + 1) - base
        total += (sign * parts).astype(np.int32).take(distance)
    mean = np.sign(total) * (np.abs(total) // len(peaks))
    heights[y, x] = FLAT + mean + draws.many_below(scale.amplitude // 4, x.size)


def _hex_length(u: Ints, v: Ints) -> Ints:
    """The length of the difference of two cells, in steps from cell to cell."""
    length: Ints = np.maximum(np.maximum(np.abs(u), np.abs(v)), np.abs(u + v))
    return length


def _plain_distance(u: Ints, v: Ints, width: int) -> Ints:
    """The length of a difference by the shorter way in x, (N,) in and out."""
    half = width // 2
    u = np.where(u > half, u - width, np.where(u < -half, u + width, u))
    return _hex_length(u, v)


def _world_distance(u: int, v: int, width: int) -> int:
    """The least number of steps between two cells, u columns and v rows apart."""
    ways = [u] if 2 * abs(u) < width else [u, u - width if u > 0 else u + width]
    return min(max(abs(way), abs(v), abs(way + v)) for way in ways)
