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
from randomizer.systems.free.landscape.drainage import steps_to_nearest
from randomizer.systems.free.landscape.levels import land_levels, levels_of
from randomizer.systems.free.landscape.locked_ground import LockedGround
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief, spacing_of
from randomizer.systems.free.landscape.settings import ChartLine, Choices, Limits
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

_BEACH_SPACING = 5.0
"""The distance of the nodes of ``BEACHES``, in cells: stretches of sand are about as long."""

_DEPTH_SPACING = 7.0
"""The distance of the nodes of ``DEPTHS``, in cells."""

_VOLCANO_SPACING = 2.0
"""The distance of the nodes of ``VOLCANOES``, in cells: so close that volcanoes stand alone."""

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

_FLATTENING_PER_STEP = 0.006
"""The share by which the percents of height sink for each step of a relief below the middle.

At a relief of 0 they are 0.7 times as high, so that by the usual chart there are no hills.
"""

_STEEPENING_PER_STEP = 0.003
"""The share by which they rise for each step above the middle.

At a relief of 100 they are 1.15 times as high, so that there are more mountains.
"""

_MOISTURE_PER_RAIN = 0.7
"""The percents of moisture for each step of the setting of rain."""

_HIGHEST_PERCENT = 99.9
"""The largest percent that is looked up in the chart.

A percent beyond 100, of steep relief or much rain, would be outside of all limits.
"""

_LOW_SHORE = 45
"""The percent of height below which shores can be beaches."""

_WARM_SHORE = 25
"""The warmth above which shores can be beaches."""

_MIN_SANDINESS = 0.2
"""The noise above which a shore is sandy, if the warmth is the middle one."""

_SAND_OF_WARMTH = 0.008
"""How much each step of warmth adds to that noise: warm shores are more often sandy."""

_MIN_SUMMIT_PERCENT = 93
"""The percent of height above which land can be a volcano."""

_WARM_SUMMIT = 30
"""The warmth above which a summit can be a volcano."""

_ERUPTING = 0.72
"""The noise above which a summit is a volcano; it is near the highest, so there are few."""


def set_for(choices: Choices, *candidates: TerrainSet) -> TerrainSet:
    """Return the first of the candidates that has all terrains and ways of a landscape.

    Raises ProblemError if none of them has, which is so for a chart with an unknown terrain.
    """
    names = [*NAMES, *(line.terrain for line in choices.chart)]
    for terrain_set in candidates:
        missing = _missing_names(terrain_set, names)
        if not missing.terrains and not missing.ways:
            return terrain_set
    # The last candidate is the packaged set, which has all ways: a terrain of the chart is missing.
    unknown_terrain = _missing_names(candidates[-1], names).terrains[0]
    message = f"chart: there is no terrain {unknown_terrain:.60}; a chart names those of the map"
    for terrain_set in candidates[:-1]:
        missing = _missing_names(terrain_set, names)
        if unknown_terrain not in missing.terrains:
            needed_name = [*missing.terrains, *missing.ways][0]
            message = (
                f"chart: {unknown_terrain:.60} is a terrain of the map, but the map has no "
                f"{needed_name:.60}, which landscapes need"
            )
    raise error("landscape-chart", message)


class _MissingNames(NamedTuple):
    """The names that a terrain set lacks."""

    terrains: list[str]
    """Those of terrains."""
    ways: list[str]
    """Those of ways."""


def _missing_names(terrain_set: TerrainSet, terrains: Iterable[str]) -> _MissingNames:
    """Return the names among ``terrains``, and among ``WAYS``, that a terrain set lacks."""
    ways_of_set = {way.name for way in terrain_set.ways}
    return _MissingNames(
        terrains=[name for name in terrains if not terrain_set.has_terrain(name)],
        ways=[name for name in WAYS if name not in ways_of_set],
    )


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
    locked_ground: LockedGround | None = None,
) -> tuple[NDArray[np.int64], Field]:
    """Return the terrain codes and the moisture of each cell, (cells,) each.

    ``locked_ground`` is that of locked cells: near these the terrains become more like theirs.
    """
    spacing = spacing_of(grid, choices)
    warmth = warmth_of(grid, choices, noise, relief, spacing)
    moisture = moisture_of(grid, choices, noise, relief, spacing)
    chart = _chart_values(choices, relief, moisture, warmth)
    if locked_ground is not None:
        chart = _fitted_to_locked_ground(chart, locked_ground, choices)

    # Land by the chart, then water, and at last the single cells that differ from both.
    codes = np.zeros(grid.size, np.int64)
    land = np.flatnonzero(~relief.water)
    codes[land] = _by_chart(chart.at(land), choices, terrain_set)
    _add_water(codes, grid, noise, relief, chart.warmth, terrain_set)
    codes[_beaches(grid, noise, relief, chart)] = terrain_set.terrain_code(BEACH)
    codes[_volcanoes(grid, noise, relief, chart)] = terrain_set.terrain_code(VOLCANO)
    return codes, moisture


class _ChartValues(NamedTuple):
    """The values that are looked up in the chart, in percent; each field is (cells,)."""

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
    steepness = _STEEPENING_PER_STEP
    if choices.relief < _MIDDLE:
        steepness = _FLATTENING_PER_STEP
    height_factor = 1 + steepness * (choices.relief - _MIDDLE)
    return _ChartValues(
        height=percentiles(relief.heights, land) * height_factor,
        moisture=percentiles(moisture, land) + (choices.rain - _MIDDLE) * _MOISTURE_PER_RAIN,
        warmth=warmth,
    )


def _fitted_to_locked_ground(
    chart: _ChartValues, locked_ground: LockedGround, choices: Choices
) -> _ChartValues:
    """Return the values of all cells, which near locked cells lead to those of their terrains.

    Of a terrain with several lines in the chart the first one counts.
    """
    line_of_terrain: dict[str, ChartLine] = {}
    for line in choices.chart:
        line_of_terrain.setdefault(line.terrain, line)
    heights = {name: line.height for name, line in line_of_terrain.items()}
    moistures = {name: line.moisture for name, line in line_of_terrain.items()}
    warmths = {name: line.warmth for name, line in line_of_terrain.items()}
    return _ChartValues(
        height=locked_ground.fitted_to_chart(chart.height, heights),
        moisture=locked_ground.fitted_to_chart(chart.moisture, moistures),
        warmth=locked_ground.fitted_to_chart(chart.warmth, warmths),
    )


def _beaches(grid: Grid, noise: Noise, relief: Relief, chart: _ChartValues) -> NDArray[np.bool_]:
    """Return a mask of beaches: some of the low and warm shores, more of them in the warmth."""
    is_low_and_warm = (chart.height < _LOW_SHORE) & (chart.warmth > _WARM_SHORE)
    is_shore = _beside(relief.sea, grid) & ~relief.water & is_low_and_warm
    sandiness = noise.plain(BEACHES, _BEACH_SPACING) + (chart.warmth - _MIDDLE) * _SAND_OF_WARMTH
    return np.asarray(is_shore & (sandiness > _MIN_SANDINESS))


def _volcanoes(grid: Grid, noise: Noise, relief: Relief, chart: _ChartValues) -> NDArray[np.bool_]:
    """Return a mask of volcanoes: a few of the highest summits that are away from water."""
    is_summit = (chart.height > _MIN_SUMMIT_PERCENT) & (chart.warmth > _WARM_SUMMIT)
    is_volcano = is_summit & (noise.plain(VOLCANOES, _VOLCANO_SPACING) > _ERUPTING)
    return np.asarray(is_volcano & ~_beside(relief.water, grid))


def _by_chart(values: _ChartValues, choices: Choices, terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the terrain codes of some cells (n,): of the first line that fits, else the nearest.

    ``values`` are those of the cells, (n,) each. The distance of a line is the sum of how far each
    of the three lies outside its limits. A line that fits has the distance 0.
    """
    codes = np.zeros(len(values.height), np.int64)
    min_distance = np.full(len(values.height), np.inf)
    for line in choices.chart:
        distance = _distance_from(line.height, values.height)
        distance += _distance_from(line.moisture, values.moisture)
        distance += _distance_from(line.warmth, values.warmth)
        is_nearer = distance < min_distance  # of equally near lines the first one counts
        codes[is_nearer] = terrain_set.terrain_code(line.terrain)
        min_distance = np.where(is_nearer, distance, min_distance)
    return codes


def _distance_from(limits: Limits, percents: Field) -> Field:
    """Return how far each percent lies outside of limits, (n,); 0 within them."""
    return np.maximum(np.maximum(limits.low - percents, percents - limits.high), 0)


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
    distance = steps_to_nearest(~relief.water, grid.neighbour_table, _FARTHEST_STEPS)
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
    """Return a mask of the cells beside marked ones that are not marked themselves, (cells,)."""
    steps_to_marked = steps_to_nearest(marks, grid.neighbour_table, limit=2)
    return np.asarray(steps_to_marked == 1)


def elevation_of(relief: Relief, choices: Choices, terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the elevation of each cell, one of those of the terrain set, (cells,).

    The sea lies as low as the lowest land, so that its shores are no cliffs.
    """
    levels = land_levels(terrain_set)
    return np.where(relief.sea, levels[0], levels_of(relief.heights, choices, levels))
