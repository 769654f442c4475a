"""Chooses the terrain of each cell: by the chart on land, by depth at sea, and some by noise.

The chart is a setting: lines with the name of a terrain and the percents of height, moisture and
warmth between which land is of it. ``landscape`` calls ``terrain_of``; begin there.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.systems.free.landscape.climate import moisture_of, warmth_of
from randomizer.systems.free.landscape.drainage import nearest
from randomizer.systems.free.landscape.kept_ground import KeptGround
from randomizer.systems.free.landscape.levels import land_levels, levels_of
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief, spacing_of
from randomizer.systems.free.landscape.settings import COLD_COLUMN, DRY_COLUMN, LOW_COLUMN, Choices
from randomizer.systems.free.landscape.terrain_names import (
    BEACH,
    DEEP_SEA,
    ICE,
    NAMES,
    SEA,
    SEAS,
    SHALLOWS,
    VOLCANO,
    WAYS,
)

BEACHES = 11 << 8
"""The site of the noise of beaches: where shores are sandy."""

DEPTHS = 12 << 8
"""The site of the noise of depths: how far from land the deep sea begins."""

VOLCANOES = 13 << 8
"""The site of the noise of volcanoes."""

_SHALLOW = 10
"""The percent of the sea, the least deep of it, that are shallows where land is near."""

_DEEP = 45
"""The percent of depth at which the deep sea begins."""

_FROZEN = 6
"""The warmth, in percent, below which the sea is ice."""

_FLATTER = 0.006
"""How much the heights of land sink for each step of a relief below 50: at 0 they are 0.7 times."""

_STEEPER = 0.003
"""How much they rise for each step above 50: at 100 they are 1.15 times, so more is mountains."""

_WETTER = 0.7
"""How many percent of moisture a step of the setting of rain is."""

_LOW_SHORE = 45
"""The percent of height below which shores can be beaches."""

_WARM_SHORE = 25
"""The percent of warmth above which shores can be beaches."""

_SUMMIT = 93
"""The percent of height above which land can be a volcano."""

_WARM_SUMMIT = 30
"""The percent of warmth above which a summit can be a volcano."""


def set_for(choices: Choices, *candidates: TerrainSet) -> TerrainSet:
    """Return the first of some terrain sets that has all that a landscape needs.

    Raises ProblemError for a chart with a terrain that even the last one lacks.
    """
    charted = [name for name, _limits in choices.chart]
    for terrain_set in candidates:
        missing = _missing_names(terrain_set, [*NAMES, *charted])
        if not missing:
            return terrain_set
    message = f"chart: there is no terrain {missing[0]:.60}; a chart names those of the map"
    raise error("landscape-chart", message)


def _missing_names(terrain_set: TerrainSet, names: Iterable[str]) -> list[str]:
    """Return those of some terrains that a set does not have; if it has all, its missing ways."""
    missing = [name for name in dict.fromkeys(names) if not terrain_set.has_terrain(name)]
    if missing:
        return missing
    ways = {way.name for way in terrain_set.ways}
    return [name for name in WAYS if name not in ways]


def percentiles(values: Field, cells: NDArray[np.intp]) -> Field:
    """Return for each of ``cells`` how many percent of them have a lower value.

    The result has all cells of the map, (cells,), with 0 for the others.
    """
    result = np.zeros(len(values))
    order = cells[np.argsort(values[cells], kind="stable")]
    result[order] = np.arange(len(order)) * (100 / max(len(order), 1))
    return result


def terrain_of(
    grid: Grid,
    choices: Choices,
    noise: Noise,
    relief: Relief,
    terrain_set: TerrainSet,
    kept_ground: KeptGround | None = None,
) -> tuple[NDArray[np.int64], Field]:
    """Return the terrain codes and the moisture of each cell, (cells,) each.

    ``kept_ground`` is that of locked cells: near these the terrains become more like theirs.
    """
    # Height, moisture and warmth in percent, as the chart has them. The settings of relief and
    # rain, whose middle is 50, move the first two.
    spacing = spacing_of(grid, choices)
    land = np.flatnonzero(~relief.water)
    warmth = warmth_of(grid, choices, noise, relief, spacing)
    moisture = moisture_of(grid, choices, noise, relief, spacing)
    steepness = _STEEPER
    if choices.relief < 50:
        steepness = _FLATTER
    height_percent = percentiles(relief.heights, land) * (1 + steepness * (choices.relief - 50))
    moisture_percent = percentiles(moisture, land) + (choices.rain - 50) * _WETTER
    if kept_ground is not None:
        height_percent = kept_ground.drawn_into_chart(height_percent, choices, LOW_COLUMN)
        moisture_percent = kept_ground.drawn_into_chart(moisture_percent, choices, DRY_COLUMN)
        warmth = kept_ground.drawn_into_chart(warmth, choices, COLD_COLUMN)

    # Land by the chart, whose percents end below 100, and water.
    chart_values = (
        np.minimum(height_percent[land], 99.9),
        np.clip(moisture_percent[land], 0, 99.9),
        warmth[land],
    )
    codes = np.zeros(grid.size, np.int64)
    codes[land] = _by_chart(chart_values, choices, terrain_set)
    _add_water(codes, grid, noise, relief, warmth, terrain_set)

    # Beaches on low and warm shores, more of them where it is warmer.
    is_low_and_warm = (height_percent < _LOW_SHORE) & (warmth > _WARM_SHORE)
    is_shore = _beside(relief.sea, grid) & ~relief.water & is_low_and_warm
    is_sandy = noise.plain(BEACHES, 5.0) + (warmth - 50) * 0.008 > 0.2
    codes[is_shore & is_sandy] = terrain_set.terrain_code(BEACH)

    # Volcanoes on a few of the highest summits, where the noise is near its highest, and away
    # from water.
    is_summit = (height_percent > _SUMMIT) & (warmth > _WARM_SUMMIT)
    is_volcano = is_summit & (noise.plain(VOLCANOES, 2.0) > 0.72)
    codes[is_volcano & ~_beside(relief.water, grid)] = terrain_set.terrain_code(VOLCANO)
    return codes, moisture


def _by_chart(
    percents: tuple[Field, ...], choices: Choices, terrain_set: TerrainSet
) -> NDArray[np.int64]:
    """Return the terrain of the first line of the chart that fits, else of the nearest line.

    ``percents`` are height, moisture and warmth of some cells. The distance of a line is the sum of
    what these lie outside of its limits; a line that fits has the distance 0.
    """
    codes = np.zeros(len(percents[0]), np.int64)
    least_distance = np.full(len(percents[0]), np.inf)
    for name, limits in choices.chart:
        distance = np.zeros(len(least_distance))
        for values, lowest, highest in zip(percents, limits[::2], limits[1::2], strict=True):
            distance += np.maximum(np.maximum(lowest - values, values - highest), 0)
        is_nearer = distance < least_distance
        codes[is_nearer] = terrain_set.terrain_code(name)
        least_distance = np.where(is_nearer, distance, least_distance)
    return codes


def _add_water(
    codes: NDArray[np.int64],
    grid: Grid,
    noise: Noise,
    relief: Relief,
    warmth: Field,
    terrain_set: TerrainSet,
) -> None:
    """Put seas, shallows and ice into ``codes`` (cells,), in place, by depth and nearness of land.

    Noise moves the distance from land, so that the kinds of seas do not follow the shore evenly.
    """
    distance = nearest(~relief.water, grid.neighbour_table, 6)
    steps_to_land = distance + 1.6 * noise.plain(DEPTHS, 7.0)
    depth_percent = percentiles(-relief.heights, np.flatnonzero(relief.sea))
    code = {name: terrain_set.terrain_code(name) for name in SEAS}

    is_sea = (depth_percent < _DEEP) | (steps_to_land < 3.5)
    kinds = np.where(is_sea, code[SEA], code[DEEP_SEA])
    is_shallow = (depth_percent < _SHALLOW) & (steps_to_land < 5)
    is_at_shore = steps_to_land < 1.8
    kinds = np.where(is_shallow | is_at_shore, code[SHALLOWS], kinds)
    kinds = np.where(warmth < _FROZEN, code[ICE], kinds)
    codes[relief.water] = kinds[relief.water]


def _beside(marks: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """Return True for the cells beside marked ones that are not marked themselves, (cells,)."""
    return np.asarray(nearest(marks, grid.neighbour_table, 2) == 1)


def elevation_of(relief: Relief, choices: Choices, terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the elevation of each cell, one of those of the terrain set, (cells,).

    The sea lies as low as the lowest land, so that its shores are no cliffs.
    """
    levels = land_levels(terrain_set)
    return np.where(relief.sea, levels[0], levels_of(relief.heights, choices, levels))
