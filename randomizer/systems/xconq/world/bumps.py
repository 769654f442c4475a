"""The bumps of a layer: hexagons of random size that raise or lower the cells of a flat world.

A layer is the altitude or the moisture of a world; ``relief`` calls ``bumped`` for each of the two.
It is made like this:

1. ``_hexagons`` throws some bumps onto a flat world, one after the other. A bump is highest at its
   peak and falls off to the six corners of a hexagon (``bump_shapes``); each of its cells gets some
   noise, too. ``_single_cells`` does so where a bump is so small that it is one cell.
2. ``_shape_untouched`` lets the cells that no bump met slope away from the peaks of the first ones.

The order of draws is the original program's, and so is the arithmetic: whole numbers, quotients cut
toward zero. A world has ``height`` rows of ``width`` cells; row 0 is the south, columns wrap.

The original is undefined in two cases, which are defined here (docs/adr/0022):

* Roughness 0 on a world of even height, not higher than wide: a bump may be one row too high. The
  cells of that row cost their draws and are dropped.
* Bumps of one cell (``BumpPlan.box_size`` 1): the cell is the peak that shapes the untouched cells.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.bump_shapes import Bump, BumpCells, cells_of
from randomizer.systems.xconq.world.hexes import hex_length
from randomizer.systems.xconq.world.random_numbers import Draws

FLAT = 8192
"""The height of a cell that no bump touched."""

TOP = 16384
"""The heights of a finished layer are below this. While bumps are added a cell may reach it."""

REMEMBERED = 10
"""The number of first bumps whose peaks shape the cells that no bump touched."""

TRIES = 10
"""The most times that the peak of a bump is drawn until it is inside; then the last one is used."""

SIGN_LIMIT = 257
"""The sign of a bump comes from a draw below this: odd numbers raise, even ones lower."""

GROUP_CELLS = 1 << 14
"""The number of cells, about, of a group of bumps that are shaped together.

Small and rough worlds, whose bumps have few cells each, take a third of the time that they take
where each bump is shaped by itself.
"""

SINGLE_CELLS_AT_ONCE = 1 << 16
"""The number of bumps of one cell that are made between two reports of progress."""

Ints = NDArray[np.int32]
Heights = Ints
"""The heights of a layer, (h, w)."""


@dataclass(frozen=True, slots=True)
class BumpPlan:
    """The size, the height and the number of the bumps of a layer."""

    box_size: int
    """The sides of a bump's box have from half of this up to about this many cells, at least 1."""

    amplitude: int
    """About half of the height of a bump at its peak, without the noise."""

    count: int
    """The number of bumps."""


def bump_plan(width: int, height: int, roughness: int) -> BumpPlan:
    """Return the bumps of a layer with a roughness of 0 .. 100: the rougher, the smaller."""
    box_size = max(1, (100 - roughness) * min(width, height) // 100)
    count = 2 * (width * height // box_size**2)
    return BumpPlan(box_size, amplitude_of(roughness), count)


def amplitude_of(roughness: int) -> int:
    """Return the amplitude of bumps, and the height of mountain chains, of a layer: the original's.

    It is an eighth to a quarter of the whole range of heights.
    """
    return 2048 + 2048 * roughness // 100


class Peak(NamedTuple):
    """The facts of a bump that shape the cells that no bump touched."""

    sign: int
    """1 for a bump that raises, -1 for one that lowers."""

    x: int
    """The column of its peak."""

    y: int
    """The row of its peak."""

    far_y: int
    """A random row, in which the slope from the peak ends, half a world away."""


def bumped(
    width: int, height: int, roughness: int, draws: Draws
) -> Generator[float, None, Heights]:
    """Make the heights (h, w) of a layer, 0 .. TOP - 1; yields the share (0 .. 1) that is done."""
    plan = bump_plan(width, height, roughness)
    heights = np.full((height, width), FLAT, np.int32)
    if plan.box_size == 1:
        peaks = yield from _single_cells(heights, plan, draws)
    else:
        peaks = yield from _hexagons(heights, plan, draws)
    _shape_untouched(heights, plan, peaks, draws)
    return heights.clip(0, TOP - 1, out=heights)


def _single_cells(
    heights: Heights, plan: BumpPlan, draws: Draws
) -> Generator[float, None, list[Peak]]:
    """Add bumps of one cell each; return the peaks of the first ones."""
    height, width = heights.shape
    flat_heights = heights.reshape(-1)
    # The draws of a bump: its column, its row, and its noise.
    limits = (width, height, plan.amplitude // 2)

    # The first bumps are made one by one, since each draws its far row behind the others.
    peaks: list[Peak] = []
    for number in range(min(REMEMBERED, plan.count)):
        sign = _draw_sign(draws, is_first=number == 0)
        x, y, noise = (draws.below(limit) for limit in limits)
        heights[y, x] += sign * (plan.amplitude + noise)
        peaks.append(Peak(sign, x, y, draws.below(height)))

    # The rest draw the same four numbers each, so that many are a table with a row for each.
    for bumps_done in range(len(peaks), plan.count, SINGLE_CELLS_AT_ONCE):
        count = min(SINGLE_CELLS_AT_ONCE, plan.count - bumps_done)
        sign_draws, x_draws, y_draws, noises = draws.rows_below((SIGN_LIMIT, *limits), count).T
        signs = np.where(sign_draws % 2, 1, -1)
        # ``add.at``, since several bumps may have the same cell.
        np.add.at(flat_heights, y_draws * width + x_draws, signs * (plan.amplitude + noises))
        yield bumps_done / plan.count
    return peaks


def _hexagons(heights: Heights, plan: BumpPlan, draws: Draws) -> Generator[float, None, list[Peak]]:
    """Add bumps with the outlines of hexagons; return the peaks of the first ones.

    What a bump adds does not depend on the heights, but for cells where it would be too much. So
    the bumps of a group are drawn and their shapes worked out together, then added in turn.
    """
    height, width = heights.shape
    peaks: list[Peak] = []
    bumps_done = 0
    while bumps_done < plan.count:
        # Draw the bumps of a group, each with a noise for each of its cells.
        bumps: list[Bump] = []
        noises: list[NDArray[np.int64]] = []
        cells_in_group = 0
        while bumps_done < plan.count and cells_in_group < GROUP_CELLS:
            bump = _draw_bump(width, height, plan.box_size, draws, is_first=bumps_done == 0)
            noises.append(draws.many_below(plan.amplitude // 2, bump.size))
            if bumps_done < REMEMBERED:
                x = (bump.left + bump.peak_x) % width
                y = bump.bottom + bump.peak_y
                peaks.append(Peak(bump.sign, x, y, draws.below(height)))
            bumps.append(bump)
            cells_in_group += bump.size
            bumps_done += 1

        _add_bumps(heights, bumps, cells_of(bumps, width, plan.amplitude), noises)
        yield bumps_done / plan.count
    return peaks


def _draw_bump(width: int, height: int, box_size: int, draws: Draws, *, is_first: bool) -> Bump:
    """Return the next bump; the order of the draws is the original's."""
    below = draws.below
    half_size = box_size // 2
    sign = _draw_sign(draws, is_first=is_first)
    box_width = half_size + below(half_size) + 1
    box_height = half_size + below(half_size) + 1
    left = below(width)
    bottom = below(height - box_height)
    quarter = min(box_width, box_height) // 4
    south_west = quarter + below(3 * quarter)
    north_east = quarter + below(3 * quarter)
    # Means of two draws: peaks are more often near the middle of the box.
    for _try in range(TRIES):
        peak_x = (below(box_width) + below(box_width)) // 2
        peak_y = (below(box_height) + below(box_height)) // 2
        # A peak may lie on the line along which a corner is cut off, a cell may not.
        is_in_south_west = peak_x + peak_y < south_west
        is_in_north_east = box_width - peak_x + box_height - peak_y < north_east
        if not is_in_south_west and not is_in_north_east:
            break
    return Bump(
        sign=sign,
        left=left,
        bottom=bottom,
        width=box_width,
        height=box_height,
        south_west=south_west,
        north_east=north_east,
        peak_x=peak_x,
        peak_y=peak_y,
    )


def _draw_sign(draws: Draws, *, is_first: bool) -> int:
    """Return the sign of a bump: 1 raises, -1 lowers. The first one raises, without a draw."""
    if is_first or draws.below(SIGN_LIMIT) % 2 == 1:
        return 1
    return -1


def _add_bumps(
    heights: Heights, bumps: list[Bump], cells: BumpCells, noises: list[NDArray[np.int64]]
) -> None:
    """Add bumps to the heights, one after the other. Each has its noise, one number a cell."""
    height, width = heights.shape
    flat_heights = heights.reshape(-1)
    end = 0
    for bump, noise in zip(bumps, noises, strict=True):
        start = end
        end = end + len(noise)
        x = cells.x[start:end] + bump.left
        y = cells.y[start:end] + bump.bottom
        if bump.left + bump.width >= width:
            x %= width
        cell_numbers = y * width + x
        raised_by = cells.raised_by[start:end]
        if bump.width < width and bump.bottom + bump.height < height:
            _raise_cells(flat_heights, cell_numbers, raised_by, noise)
            continue

        # A box that is as wide as the world meets its first column once more. As ``_raise_cells``
        # wants distinct cells, it is called once more for that column. And a box may be one row
        # too high: see the top of this file.
        is_second_meeting = cells.x[start:end] == width
        is_on_map = y < height
        for is_in_turn in (~is_second_meeting & is_on_map, is_second_meeting & is_on_map):
            _raise_cells(
                flat_heights, cell_numbers[is_in_turn], raised_by[is_in_turn], noise[is_in_turn]
            )


def _raise_cells(
    flat_heights: Heights, cell_numbers: Ints, raised_by: Ints, noise: NDArray[np.int64]
) -> None:
    """Raise distinct cells, by half where they would leave the range 0 .. TOP; add the noise."""
    old_heights = flat_heights[cell_numbers]
    new_heights = old_heights + raised_by
    # Read as unsigned, a negative height is a large one: one comparison finds both ends.
    is_outside = new_heights.view(np.uint32) > TOP
    if is_outside.any():
        halves = np.abs(raised_by[is_outside]) >> 1
        halves = np.where(raised_by[is_outside] < 0, -halves, halves)
        new_heights[is_outside] = old_heights[is_outside] + halves
    flat_heights[cell_numbers] = new_heights + noise


def _shape_untouched(heights: Heights, plan: BumpPlan, peaks: list[Peak], draws: Draws) -> None:
    """Give the cells that are still exactly FLAT a gentle slope away from the first peaks.

    The idea: each peak has a far point, half a world away in x and in a random row. The peak raises
    a cell the more, the farther the cell is from that point, up to about the amplitude at the peak
    itself; a constant is subtracted. A cell is raised by the mean over the peaks, and by noise.
    """
    height, width = heights.shape
    # The noise is drawn column by column, from the south in each. ``nonzero`` of the transposed
    # array returns the cells in this order.
    x, y = (positions.astype(np.int32) for positions in (heights.T == FLAT).nonzero())
    if not x.size:
        return
    total = np.zeros(x.size, np.int32)
    constant = plan.amplitude * plan.box_size // width
    # By how much a peak raises a cell depends on the distance from its far point alone: a table has
    # it for each possible distance.
    possible_distances = np.arange(width + height + 1, dtype=np.int64)
    for sign, peak_x, peak_y, far_y in peaks:
        far_x = (peak_x + width // 2) % width
        distance_of_cell = _distances_to_far_point(x, y, far_x, far_y, width)
        peak_distance = _world_distance(peak_x - far_x, peak_y - far_y, width)
        raised_by_distance = plan.amplitude * possible_distances // (peak_distance + 1) - constant
        total += (sign * raised_by_distance).astype(np.int32).take(distance_of_cell)
    # Cut toward zero, where ``//`` alone would round down.
    mean = np.sign(total) * (np.abs(total) // len(peaks))
    heights[y, x] = FLAT + mean + draws.many_below(plan.amplitude // 4, x.size)


def _distances_to_far_point(x: Ints, y: Ints, far_x: int, far_y: int, width: int) -> Ints:
    """Return the least number of steps from cells (x, y) to a point."""
    # Both ways round the world: the shorter one in columns is not always shorter in hexes.
    u = np.arange(width, dtype=np.int32) - far_x
    u_round = np.where(2 * np.abs(u) < width, u, u - width * np.sign(u))
    v = y - far_y
    distances: Ints = np.minimum(hex_length(u[x], v), hex_length(u_round[x], v))
    return distances


def _world_distance(u: int, v: int, width: int) -> int:
    """Return the least number of steps between two cells, u columns and v rows apart."""
    lengths = [max(abs(u), abs(v), abs(u + v))]
    if 2 * abs(u) >= width:
        # The other way round the world has at most as many columns.
        u_round = u + width
        if u > 0:
            u_round = u - width
        lengths.append(max(abs(u_round), abs(v), abs(u_round + v)))
    return min(lengths)
