"""The relief: lands and seas from noise, ranges from ridged noise, valleys by erosion."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.systems.free.landscape.drainage import Drainage, Marks, drainage
from randomizer.systems.free.landscape.kept_ground import KeptGround
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.settings import OPEN, Choices

WARP_X, WARP_Y, LANDS, BELTS, RIDGES, SPURS, BUMPS, WINDINGS = (
    number << 8 for number in range(1, 9)
)
"""The sites of the noise; each octave has the next one."""

EROSIONS = 4
_RIVERBED = 0.09
"""How fast a river cuts down, for each root of a cell's rain that it carries."""

_UNEVEN = 0.03

_MOST_LAKES = 4.0
"""How much of the land lakes take at most, in percent."""

LEAST_LAKE = 0.04
"""How deep a hollow has to be to hold a lake, in heights of the highest land."""


@dataclass(frozen=True, eq=False)
class Relief:
    """The ground of a map: all fields are (cells,).

    ``heights`` are above the sea, 1 about that of the highest land, and below 0 in the sea;
    no land is lower than its receiver in ``flow``. ``lake`` marks cells of standing water inland.
    """

    heights: Field
    sea: Marks
    lake: Marks
    flow: Drainage

    @property
    def water(self) -> Marks:
        """The cells of the sea and of lakes."""
        return self.sea | self.lake


def spacing_of(grid: Grid, choices: Choices) -> float:
    """Return how many cells lie from land to land: about half of the map, less on large maps."""
    extent = min(grid.width, grid.height, 24) + max(min(grid.width, grid.height) - 24, 0) * 0.45
    return max(6.0, extent * (1.15 - 0.009 * choices.pieces))


def relief_steps(
    grid: Grid, choices: Choices, noise: Noise, kept: KeptGround | None = None
) -> Generator[int, None, Relief]:
    """Return the relief of a map, around the ground that is kept; yields progress, 1 to 100."""
    spacing = spacing_of(grid, choices)
    table = grid.neighbour_table
    rim = rim_of(grid)
    warp = tuple(noise.fractal(site, spacing / 2) * (spacing / 7) for site in (WARP_X, WARP_Y))
    yield 10
    lands = noise.fractal(LANDS, spacing, (warp[0], warp[1]), 0.52)
    if choices.rim != OPEN:
        lands = lands - 1.3 * _near_rim(grid)
    yield 20
    belts = noise.plain(BELTS, spacing * 0.8, (warp[0], warp[1]))
    ridges = noise.ridges(RIDGES, spacing * 0.5, (warp[0], warp[1]))
    spurs = noise.ridges(SPURS, max(spacing * 0.12, 4.0), (warp[0], warp[1]))
    bumps = noise.fractal(BUMPS, max(4.0, spacing / 6), rough=0.7)
    yield 30
    shore = _level(lands, grid.cells, choices.land)
    if kept is not None:
        lands = kept.shaped_lands(lands, shore)
    sea = np.ones(grid.size, np.bool_)
    sea[grid.cells] = lands[grid.cells] < shore
    inland = np.maximum(lands - shore, 0)
    inland = np.minimum(inland * 3, 1)
    ranges = np.clip(belts * 1.6 + 0.45, 0, 1)
    heights = lands - shore
    ridges = ridges * ranges * (0.25 + 0.75 * inland) * (0.55 + 0.75 * spurs)
    uplift = 0.18 * inland + ridges + (0.03 + 0.07 * inland) * bumps + 0.06 * spurs * inland
    heights = np.where(sea, heights, heights * 0.15 + np.maximum(uplift, 0) + 0.002)
    ones = np.ones(grid.size, np.int64)
    flow = drainage(heights, sea, rim, table)
    for turn in range(EROSIONS):
        heights = _eroded(heights, flow, flow.gathered(ones), sea)
        heights = _slumped(heights, sea, table)
        if turn == EROSIONS - 1:  # plains are not so even that rivers would run straight
            uneven = np.maximum(heights + _UNEVEN * noise.plain(WINDINGS, 2.6), 0.001)
            heights = np.where(sea, heights, uneven)
        flow = drainage(heights, sea, rim, table)
        yield 40 + 15 * turn
    highest = _level(heights, np.flatnonzero(~sea), 0.5)
    heights = heights / max(highest, 1e-6)
    if kept is not None:
        heights = kept.shaped_heights(heights, sea, choices)
        flow = drainage(heights, sea, rim, table)
        level = flow.level
    else:
        level = flow.level / max(highest, 1e-6)
    land = np.flatnonzero(~sea)
    depth = level - heights
    lake = ~sea & (depth > max(LEAST_LAKE, _level(depth, land, _MOST_LAKES)))
    ends = flow.receiver == np.arange(grid.size)
    lake |= ends & ~sea & ~rim  # where nothing leads to the sea or off the map
    heights = flow.filled(np.where(sea, heights, np.maximum(heights, 0.0)))
    yield 100
    return Relief(heights, sea, lake, flow)


def rim_of(grid: Grid) -> Marks:
    """Return the existing cells at the map's edge, (cells,)."""
    rim: Marks = np.asarray((grid.neighbour_table < 0).any(axis=1))
    if grid.mask is None:
        return rim
    return np.asarray(rim & grid.mask.reshape(-1))


def _level(values: Field, cells: NDArray[np.intp], percent: float) -> float:
    """Return the value that ``percent`` of these cells reach."""
    ascending = np.sort(values[cells])
    if not len(ascending):
        return 0.0
    at = len(ascending) - round(len(ascending) * percent / 100)
    if at < len(ascending):
        return float(ascending[at])
    return float(ascending[-1]) + 1.0


def _near_rim(grid: Grid) -> Field:
    """1 at the map's edge, 0 from a fifth of its height inwards, (cells,)."""
    centres = grid.centres()
    reach = 0.0
    axes = (1,) if grid.wrap else (0, 1)
    near = np.zeros(grid.size)
    for axis in axes:
        at = centres[:, axis] - centres[:, axis].min()
        extent = max(float(at.max()), 1.0)
        reach = extent * 0.2
        share = 1 - np.minimum(np.minimum(at, extent - at) / reach, 1)
        near = np.maximum(near, share * share)
    return near


def _eroded(heights: Field, flow: Drainage, drained: NDArray[np.int64], sea: Marks) -> Field:
    """Cut valleys by the stream power law (Braun and Willett's implicit step, area to 1/2)."""
    lower = heights.copy()
    rate = _RIVERBED * np.sqrt(drained.astype(np.float64))
    for cells in flow.ranks[1:]:
        base = lower[flow.receiver[cells]]
        cut = (lower[cells] + rate[cells] * base) / (1 + rate[cells])
        lower[cells] = np.where(lower[cells] > base, cut, lower[cells])
    return np.where(sea, heights, lower)


def _slumped(heights: Field, sea: Marks, table: NDArray[np.int32]) -> Field:
    """Smooth slopes a little: each cell a fifth of the way to the mean of its neighbours."""
    total = np.zeros(len(heights))
    count = np.zeros(len(heights))
    for side in range(table.shape[1]):
        neighbours = table[:, side]
        total += np.where(neighbours >= 0, np.maximum(heights[neighbours], 0), 0.0)
        count += neighbours >= 0
    smooth = heights + 0.2 * (total / np.maximum(count, 1) - heights)
    return np.where(sea, heights, np.maximum(smooth, 0.001))
