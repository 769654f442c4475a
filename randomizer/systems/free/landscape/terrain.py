"""Chooses the terrain of each cell: on land by the chart, at sea by depth and distance from land.

The *chart* is a setting, a table. A line has the name of a terrain, and limits for height, moisture
and warmth in percent; a cell of land gets the terrain of the first line that it fits:

    terrain    height      moisture    warmth
    Swamp       0 to 16    80 to 100   15 to 100

Percents of height and moisture are ranks: a height of 16 means that 16 percent of the land lie
lower. So each terrain gets about its share of the land, whatever the relief is like.

``landscape`` calls ``set_for`` for the terrain set, then ``terrain_of``, in which all stages are
named, and ``elevation_of``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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

# The distances of the noises below, in cells.
_BEACH_SPACING = 5.0
_DEPTH_SPACING = 7.0
_VOLCANO_SPACING = 2.0

BEACHES = 11 << 8
"""The site of the noise that says where shores are sandy; its dice differ from other sites'."""

DEPTHS = 12 << 8
"""The site of the noise that moves the borders of shallows and of the deep sea."""

VOLCANOES = 13 << 8
"""The site of the noise that says which summits are volcanoes."""

_SHALLOW = 10
"""The percentage of the sea, the least deep of it, that is shallows where land is near."""

_DEEP = 45
"""The percentage of depth at which the deep sea begins."""

_FARTHEST_STEPS = 6
"""The steps from land that are told apart; farther cells count as this far away."""

_STEPS_OF_NOISE = 1.6
"""The steps by which noise moves a cell of the sea nearer to land or away from it, at most."""

_STEPS_TO_DEEP_SEA = 3.5
"""The steps from land up to which the sea is not deep, whatever its depth."""

_STEPS_TO_SHALLOWS = 5
"""The steps from land up to which the least deep sea is shallows."""

_STEPS_OF_SHORE = 1.8
"""The steps from land up to which all sea is shallows."""

_FROZEN = 6
"""The warmth below which the sea is ice."""

_MIDDLE = 50
"""The middle of the settings of relief and rain, at which heights and moisture stay as they are."""

_FLATTER = 0.006
"""The share by which the percents of height sink for each step of a relief below the middle.

At a relief of 0 they are 0.7 times as high, so that by the usual chart there are no hills.
"""

_STEEPER = 0.003
"""The share by which they rise for each step above the middle.

At a relief of 100 they are 1.15 times as high, so that there are more mountains.
"""

_WETTER = 0.7
"""The percents of moisture for each step of the setting of rain."""

_HIGHEST_PERCENT = 99.9
"""The largest percent that is looked up in the chart, whose limits end below 100."""

_LOW_SHORE = 45
"""The percent of height below which shores can be beaches."""

_WARM_SHORE = 25
"""The warmth above which shores can be beaches."""

_SANDY = 0.2
"""The noise above which a shore is sandy, if the warmth is the middle one."""

_SAND_OF_WARMTH = 0.008
"""How much each step of warmth adds to that noise: warm shores are more often sandy."""

_SUMMIT = 93
"""The percent of height above which land can be a volcano."""

_WARM_SUMMIT = 30
"""The warmth above which a summit can be a volcano."""

_ERUPTING = 0.72
"""The noise above which a summit is a volcano; it is near the highest, so there are few."""


def set_for(choices: Choices, *candidates: TerrainSet) -> TerrainSet:
    """Return the first of the candidates that has all terrains and ways of a landscape.

    Raises ProblemError if none of them has, which is so for a chart with an unknown terrain.
    """
    charted = [name for name, _limits in choices.chart]
    for terrain_set in candidates:
        missing = _missing_names(terrain_set, [*NAMES, *charted])
        if not missing:
            return terrain_set
    message = f"chart: there is no terrain {missing[0]:.60}; a chart names those of the map"
    raise error("landscape-chart", message)


def _missing_names(terrain_set: TerrainSet, names: Iterable[str]) -> list[str]:
    """Return the ``names`` of terrains that a set lacks; if it has all, the ways that it lacks."""
    missing = [name for name in dict.fromkeys(names) if not terrain_set.has_terrain(name)]
    if missing:
        return missing
    ways = {way.name for way in terrain_set.ways}
    return [name for name in WAYS if name not in ways]


def percentiles(values: Field, cells: NDArray[np.intp]) -> Field:
    """Return the rank of each of ``cells`` in percent: how many of them have a lower value.

    ``values`` (map cells,) are those of all cells of the map, and so is the result; it is 0 for all
    that are not among ``cells``. Of equal values the first one counts as lower.
    """
    result = np.zeros(len(values))
    ascending = cells[np.argsort(values[cells], kind="stable")]
    result[ascending] = np.arange(len(ascending)) * (100 / max(len(ascending), 1))
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

    ``kept_ground`` is the ground of locked cells: near these the terrains become more like theirs.
    """
    spacing = spacing_of(grid, choices)
    warmth = warmth_of(grid, choices, noise, relief, spacing)
    moisture = moisture_of(grid, choices, noise, relief, spacing)
    chart = _chart_values(choices, relief, moisture, warmth)
    if kept_ground is not None:
        chart = _ChartValues(
            height=kept_ground.drawn_into_chart(chart.height, choices, LOW_COLUMN),
            moisture=kept_ground.drawn_into_chart(chart.moisture, choices, DRY_COLUMN),
            warmth=kept_ground.drawn_into_chart(chart.warmth, choices, COLD_COLUMN),
        )

    codes = np.zeros(grid.size, np.int64)
    land = np.flatnonzero(~relief.water)
    codes[land] = _by_chart(chart.at(land), choices, terrain_set)
    _add_water(codes, grid, noise, relief, chart.warmth, terrain_set)
    codes[_beaches(grid, noise, relief, chart)] = terrain_set.terrain_code(BEACH)
    codes[_volcanoes(grid, noise, relief, chart)] = terrain_set.terrain_code(VOLCANO)
    return codes, moisture


class _ChartValues(NamedTuple):
    """What the chart asks of cells, in percent; each field has a value for each cell."""

    height: Field
    """The rank of the height on land, made larger or smaller by the setting of relief."""

    moisture: Field
    """The rank of the moisture on land, and what the setting of rain adds."""

    warmth: Field
    """The warmth: 0 is ice, 100 the tropics."""

    def at(self, cells: NDArray[np.intp]) -> _ChartValues:
        """Return the values of some cells, within what the chart's limits can hold."""
        return _ChartValues(
            height=np.minimum(self.height[cells], _HIGHEST_PERCENT),
            moisture=np.clip(self.moisture[cells], 0, _HIGHEST_PERCENT),
            warmth=self.warmth[cells],
        )


def _chart_values(choices: Choices, relief: Relief, moisture: Field, warmth: Field) -> _ChartValues:
    """Return height, moisture and warmth of all cells as the chart has them."""
    land = np.flatnonzero(~relief.water)
    steepness = _STEEPER
    if choices.relief < _MIDDLE:
        steepness = _FLATTER
    height_factor = 1 + steepness * (choices.relief - _MIDDLE)
    return _ChartValues(
        height=percentiles(relief.heights, land) * height_factor,
        moisture=percentiles(moisture, land) + (choices.rain - _MIDDLE) * _WETTER,
        warmth=warmth,
    )


def _beaches(grid: Grid, noise: Noise, relief: Relief, chart: _ChartValues) -> NDArray[np.bool_]:
    """Return True for beaches: some of the low and warm shores, more of them where it is warmer."""
    is_low_and_warm = (chart.height < _LOW_SHORE) & (chart.warmth > _WARM_SHORE)
    is_shore = _beside(relief.sea, grid) & ~relief.water & is_low_and_warm
    sandiness = noise.plain(BEACHES, _BEACH_SPACING) + (chart.warmth - _MIDDLE) * _SAND_OF_WARMTH
    return np.asarray(is_shore & (sandiness > _SANDY))


def _volcanoes(grid: Grid, noise: Noise, relief: Relief, chart: _ChartValues) -> NDArray[np.bool_]:
    """Return True for volcanoes: a few of the highest summits that are away from water."""
    is_summit = (chart.height > _SUMMIT) & (chart.warmth > _WARM_SUMMIT)
    is_volcano = is_summit & (noise.plain(VOLCANOES, _VOLCANO_SPACING) > _ERUPTING)
    return np.asarray(is_volcano & ~_beside(relief.water, grid))


def _by_chart(values: _ChartValues, choices: Choices, terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the terrain codes of some cells (n,): of the first line that fits, else the nearest.

    ``values`` are those of the cells, (n,) each. The distance of a line is the sum of how far each
    of the three lies outside its limits. A line that fits has the distance 0.
    """
    codes = np.zeros(len(values.height), np.int64)
    least_distance = np.full(len(values.height), np.inf)
    for name, limits in choices.chart:
        distance = np.zeros(len(least_distance))
        # The limits are the lowest and the highest height, then those of moisture and of warmth.
        for percent, lowest, highest in zip(values, limits[::2], limits[1::2], strict=True):
            distance += np.maximum(np.maximum(lowest - percent, percent - highest), 0)
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
    """Put seas, shallows and ice into ``codes`` (cells,), in place.

    A cell is shallows, sea or deep sea by the rank of its depth and by its steps to land. Noise
    moves these steps, so that the borders between the three do not follow the shore evenly.
    """
    distance = nearest(~relief.water, grid.neighbour_table, _FARTHEST_STEPS)
    steps_to_land = distance + _STEPS_OF_NOISE * noise.plain(DEPTHS, _DEPTH_SPACING)
    depth_percent = percentiles(-relief.heights, np.flatnonzero(relief.sea))
    code = {name: terrain_set.terrain_code(name) for name in SEAS}

    is_sea = (depth_percent < _DEEP) | (steps_to_land < _STEPS_TO_DEEP_SEA)
    kinds = np.where(is_sea, code[SEA], code[DEEP_SEA])
    is_shallow = (depth_percent < _SHALLOW) & (steps_to_land < _STEPS_TO_SHALLOWS)
    is_at_shore = steps_to_land < _STEPS_OF_SHORE
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
