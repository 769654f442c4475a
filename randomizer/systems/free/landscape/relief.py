"""Makes the relief: lands and seas from noise, ranges from ridged noise, valleys by erosion.

``relief_steps`` goes from noise to heights in five stages:

1. where land is: the cells of the highest noise of lands (``_land_noise``);
2. how high it is lifted, with ranges and bumps (``_uplifted``);
3. valleys, by rounds of erosion along the flow of water (``_weathered``);
4. the ground of locked cells, to which the land around them leads up or down (``LockedGround``);
5. lakes in the deepest hollows (``_lakes``).

Heights are in any unit until the erosion is done, then 1 is about the highest land.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.systems.free.landscape.drainage import Drainage, Marks, drainage
from randomizer.systems.free.landscape.locked_ground import LockedGround
from randomizer.systems.free.landscape.noise import Field, Noise, Warp
from randomizer.systems.free.landscape.settings import OPEN, Choices

# The sites of the fields of noise, which keep their dice apart. Each octave of a field has the next
# site, so there is room for 256 of them between two fields.

WARP_X = 1 << 8
"""The displacement of forms to the right."""

WARP_Y = 2 << 8
"""The displacement of forms downwards."""

LANDS = 3 << 8
"""Lands and seas."""

BELTS = 4 << 8
"""The belts of land in which ranges stand."""

RIDGES = 5 << 8
"""The crests of ranges."""

SPURS = 6 << 8
"""The spurs across ranges."""

BUMPS = 7 << 8
"""The bumps of all land."""

WINDINGS = 8 << 8
"""The small bumps of plains, between which rivers wind."""

EROSIONS = 4
"""Rounds of erosion: with more, valleys reach farther into the ranges."""

_RIVERBED_CUT = 0.09
"""The strength with which a river cuts down, for the root of the rain of one cell.

With more, valleys are cut nearly down to the height of their mouths.
"""

_WINDING_HEIGHT = 0.03
"""The height of the bumps of plains, between which rivers wind."""

_LOWEST_GROUND = 0.001
"""The least height of land above the sea."""

_MAX_LAKES = 4.0
"""The largest percentage of the land that lakes take."""

MIN_LAKE = 0.04
"""The least depth of a hollow that holds a lake, as a share of the height of the highest land."""

_HIGHEST_PERCENT = 0.5
"""The highest land is the height that so many percent of the land reach: peaks are above 1."""

_SMALL_MAP = 24
"""The width or height, in cells, up to which the distance of lands grows with the map."""

_GROWTH_OF_SPACING = 0.45
"""The part of a cell by which the distance of lands grows for each further cell of a larger map."""

_RIM_DEPTH = 1.3
"""The depth by which the noise of lands, about -1 to 1, sinks at the edge: then that is sea."""

_RIM_WIDTH = 0.2
"""The share of the map's width or height over which that noise sinks more and more."""

_MIN_SPACING = 6.0
"""The least number of cells from land to land."""

_WIDEST_SPACING = 1.15
"""The distance of few large lands (``pieces`` 0), in shorter sides of the map."""

_NARROWING = 0.009
"""How much the distance of lands shrinks for each step of the setting ``pieces``.

It is a share of the shorter side of the map, as is ``_WIDEST_SPACING``.
"""

_LAND_ROUGHNESS = 0.52
"""The height of an octave of the noise of lands, as a share of that of the octave before."""

_STEEPNESS_OF_COAST = 3
"""How fast land counts as inland behind the shore. With a larger one ranges come nearer to it."""

_MIN_DISTANCE_OF_FORMS = 4.0
"""The least spacing of the noise of spurs and bumps, in cells: finer forms were single cells."""

_SLUMPING = 0.2
"""The share of the way to the mean of its neighbours by which a cell's height changes in a round.

With more, ranges are worn down to hills.
"""

_WINDING_SPACING = 2.6
"""The distance of the bumps of plains, in cells."""


@dataclass(frozen=True, eq=False)
class Relief:
    """The ground of a map: all fields are (cells,)."""

    heights: Field
    """The heights above the sea: about 1 for the highest land, below 0 in the sea.

    No land is lower than its receiver in ``flow``.
    """

    sea: Marks
    """The cells of the sea; cells that do not exist count as sea, too."""

    lake: Marks
    """The cells of standing water inland."""

    flow: Drainage
    """The flow of water over the land."""

    @property
    def water(self) -> Marks:
        """The cells of the sea and of lakes."""
        return self.sea | self.lake


def spacing_of(grid: Grid, choices: Choices) -> float:
    """Return how many cells lie from land to land, at least ``_MIN_SPACING``.

    With few large lands (``pieces`` 0) it is a little more than the shorter side of the map, with
    many small ones (100) a quarter of it; on large maps it is less.
    """
    shorter_side = min(grid.width, grid.height)
    extent = min(shorter_side, _SMALL_MAP) + max(shorter_side - _SMALL_MAP, 0) * _GROWTH_OF_SPACING
    return max(_MIN_SPACING, extent * (_WIDEST_SPACING - _NARROWING * choices.pieces))


def relief_steps(
    grid: Grid, choices: Choices, noise: Noise, locked_ground: LockedGround | None = None
) -> Generator[int, None, Relief]:
    """Return the relief of a map; yields progress, up to 100.

    ``locked_ground`` is that of locked cells: the land around it leads up or down to it.
    """
    table = grid.neighbour_table
    rim = rim_of(grid)
    spacing = spacing_of(grid, choices)
    # Forms are displaced by up to a seventh of the distance of lands.
    warp = Warp(
        noise.fractal(WARP_X, spacing / 2) * (spacing / 7),
        noise.fractal(WARP_Y, spacing / 2) * (spacing / 7),
    )
    yield 10

    lands = _land_noise(grid, choices, noise, spacing, warp)
    shore = _value_of_percent(lands, grid.cells, choices.land)
    if locked_ground is not None:
        lands = locked_ground.shaped_lands(lands, shore)
    sea = np.ones(grid.size, np.bool_)  # cells that do not exist are sea
    sea[grid.cells] = lands[grid.cells] < shore
    yield 20

    heights = _uplifted(lands - shore, sea, noise, spacing, warp)
    yield 30

    flow = drainage(heights, sea, rim, table)
    for turn in range(EROSIONS):
        heights = _weathered(heights, flow, sea, table)
        if turn == EROSIONS - 1:
            # After the last round: another one would smooth the bumps.
            heights = _roughened(heights, sea, noise)
        flow = drainage(heights, sea, rim, table)
        yield 40 + 15 * turn

    # From here on 1 is the height of the highest land; without land nothing is to be divided.
    highest = max(_value_of_percent(heights, np.flatnonzero(~sea), _HIGHEST_PERCENT), 1e-6)
    heights = heights / highest
    water_level = flow.level / highest
    if locked_ground is not None:
        heights = locked_ground.shaped_heights(heights, sea, choices)
        flow = drainage(heights, sea, rim, table)
        water_level = flow.level

    lake = _lakes(water_level - heights, sea, rim, flow)
    # No land is below the sea, nor below the cell that it drains into.
    heights = flow.raised_to_receivers(np.where(sea, heights, np.maximum(heights, 0.0)))
    yield 100
    return Relief(heights, sea, lake, flow)


def _land_noise(grid: Grid, choices: Choices, noise: Noise, spacing: float, warp: Warp) -> Field:
    """Return the noise whose highest cells are land, (cells,)."""
    lands = noise.fractal(LANDS, spacing, warp, _LAND_ROUGHNESS)
    if choices.rim != OPEN:
        lands = lands - _RIM_DEPTH * _near_rim(grid)
    return lands


def _uplifted(above_shore: Field, sea: Marks, noise: Noise, spacing: float, warp: Warp) -> Field:
    """Return the heights before any erosion, (cells,); ``above_shore`` is the noise of lands.

    Ranges stand on ridges in some belts of the land, highest far inland, with spurs across them;
    elsewhere there are low bumps. The factors of the sum at the end are the heights of its terms:
    a ridge far inland is about 1. They are tuned by how maps look, and so are the spacings of the
    noise, which are shares of ``spacing``.
    """
    # 0 at the shore, 1 far inland.
    inland = np.minimum(np.maximum(above_shore, 0) * _STEEPNESS_OF_COAST, 1)

    # Ranges: crests in the belts, which take a good half of the land and have soft borders.
    belts = noise.plain(BELTS, spacing * 0.8, warp)
    in_belt = np.clip(belts * 1.6 + 0.45, 0, 1)
    crests = noise.ridges(RIDGES, spacing * 0.5, warp)
    # At the shore they are a quarter as high as far inland, and where a spur meets them higher.
    spurs = noise.ridges(SPURS, max(spacing * 0.12, _MIN_DISTANCE_OF_FORMS), warp)
    ranges = crests * in_belt * (0.25 + 0.75 * inland) * (0.55 + 0.75 * spurs)

    # Lower forms everywhere: a plateau inland, bumps, and the spurs outside of the ranges.
    plateau = 0.18 * inland
    bump_spacing = max(_MIN_DISTANCE_OF_FORMS, spacing / 6)
    bumps = (0.03 + 0.07 * inland) * noise.fractal(BUMPS, bump_spacing, height_ratio=0.7)
    foothills = 0.06 * spurs * inland
    uplift = plateau + ranges + bumps + foothills

    # Land rises from the shore on, and is nowhere as low as the sea.
    land_heights = above_shore * 0.15 + np.maximum(uplift, 0) + 0.002
    return np.where(sea, above_shore, land_heights)


def _weathered(heights: Field, flow: Drainage, sea: Marks, table: NDArray[np.int32]) -> Field:
    """Return the heights after one round of erosion, with the same rain on each cell."""
    drained = flow.water_through(np.ones(len(heights), np.int64))
    eroded = _eroded(heights, flow, drained, sea)
    return _slumped(eroded, sea, table)


def _roughened(heights: Field, sea: Marks, noise: Noise) -> Field:
    """Return heights with small bumps: on even plains rivers would run straight."""
    uneven = heights + _WINDING_HEIGHT * noise.plain(WINDINGS, _WINDING_SPACING)
    return np.where(sea, heights, np.maximum(uneven, _LOWEST_GROUND))


def _lakes(depth: Field, sea: Marks, rim: Marks, flow: Drainage) -> Marks:
    """Return the cells of lakes: the deepest hollows, and cells from which nothing drains.

    ``depth`` is how deep the water of a hollow stands above each cell.
    """
    land = np.flatnonzero(~sea)
    is_deep = depth > max(MIN_LAKE, _value_of_percent(depth, land, _MAX_LAKES))
    lake = ~sea & is_deep
    is_outlet = flow.receiver == np.arange(len(depth))
    lake |= is_outlet & ~sea & ~rim  # where nothing leads to the sea or off the map
    return lake


def rim_of(grid: Grid) -> Marks:
    """Return the existing cells at the map's edge, (cells,)."""
    rim: Marks = np.asarray((grid.neighbour_table < 0).any(axis=1))
    if grid.mask is None:
        return rim
    return np.asarray(rim & grid.mask.reshape(-1))


def _value_of_percent(values: Field, cells: NDArray[np.intp], percent: float) -> float:
    """Return the value that ``percent`` of these cells reach or exceed; 0.0 without cells."""
    ascending = np.sort(values[cells])
    if not len(ascending):
        return 0.0
    first = len(ascending) - round(len(ascending) * percent / 100)
    if first < len(ascending):
        return float(ascending[first])
    return float(ascending[-1]) + 1.0  # of no percent: none may reach it


def _near_rim(grid: Grid) -> Field:
    """Return how near each cell is to the map's edge, (cells,).

    It is 1 at the edge and 0 from ``_RIM_WIDTH`` of the map's width or height inwards.
    """
    centres = grid.centres()
    axes: tuple[int, ...] = (0, 1)
    if grid.wrap:
        axes = (1,)  # the west and the east are no edges
    nearness = np.zeros(grid.size)
    for axis in axes:
        position = centres[:, axis] - centres[:, axis].min()
        extent = max(float(position.max()), 1.0)
        reach = extent * _RIM_WIDTH
        distance = np.minimum(position, extent - position)
        share = 1 - np.minimum(distance / reach, 1)
        nearness = np.maximum(nearness, share * share)
    return nearness


def _eroded(heights: Field, flow: Drainage, drained: NDArray[np.int64], sea: Marks) -> Field:
    """Return heights with valleys cut by the stream power law; ``drained`` is the flow of water.

    After Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the
    stream power equation" (2013): from the outlets upwards, each cell goes towards the new height
    of its receiver, the farther the more water runs through it (by its root).
    """
    eroded = heights.copy()
    rate = _RIVERBED_CUT * np.sqrt(drained.astype(np.float64))
    for cells in flow.ranks[1:]:
        receiver_height = eroded[flow.receiver[cells]]
        # The mean of the cell's height and its receiver's, with the weights 1 and ``rate``.
        cut = (eroded[cells] + rate[cells] * receiver_height) / (1 + rate[cells])
        eroded[cells] = np.where(eroded[cells] > receiver_height, cut, eroded[cells])
    return np.where(sea, heights, eroded)


def _slumped(heights: Field, sea: Marks, table: NDArray[np.int32]) -> Field:
    """Return heights with gentler slopes: each goes some way to the mean of its neighbours.

    The sea counts as height 0, and stays as it is.
    """
    total = np.zeros(len(heights))
    count = np.zeros(len(heights))
    for side in range(table.shape[1]):
        neighbours = table[:, side]
        total += np.where(neighbours >= 0, np.maximum(heights[neighbours], 0), 0.0)
        count += neighbours >= 0
    mean = total / np.maximum(count, 1)
    smooth = heights + _SLUMPING * (mean - heights)
    return np.where(sea, heights, np.maximum(smooth, _LOWEST_GROUND))
