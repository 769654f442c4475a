"""Which terrain each cell is: the chart on land, depth at sea, beaches and volcanoes by noise."""

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
DEPTHS = 12 << 8
VOLCANOES = 13 << 8

_SHALLOW = 10
_DEEP = 45
"""So many percent of the sea are shallows where land is near; the deep sea begins here."""

_FROZEN = 6
"""The sea is ice below this warmth."""


def set_for(choices: Choices, *candidates: TerrainSet) -> TerrainSet:
    """Return the first of some terrain sets that has all that a landscape needs.

    Raises ProblemError for a chart with a terrain that even the last one lacks.
    """
    charted = [name for name, _limits in choices.chart]
    for terrain_set in candidates:
        lacks = _lacking(terrain_set, [*NAMES, *charted])
        if not lacks:
            return terrain_set
    message = f"chart: there is no terrain {lacks[0]:.60}; a chart names those of the map"
    raise error("landscape-chart", message)


def _lacking(terrain_set: TerrainSet, names: Iterable[str]) -> list[str]:
    ways = {way.name for way in terrain_set.ways}
    lacks = [name for name in dict.fromkeys(names) if not terrain_set.has_terrain(name)]
    return lacks or [name for name in WAYS if name not in ways]


def percentiles(values: Field, cells: NDArray[np.intp]) -> Field:
    """Return by cell how many percent of ``cells`` have a lower value; 0 elsewhere, (cells,)."""
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
    kept: KeptGround | None = None,
) -> tuple[NDArray[np.int64], Field]:
    """Return the terrain codes and the moisture of each cell, (cells,) each.

    Around the ground that is kept the terrains go over to those of it.
    """
    spacing = spacing_of(grid, choices)
    land = np.flatnonzero(~relief.water)
    warm = warmth_of(grid, choices, noise, relief, spacing)
    wet = moisture_of(grid, choices, noise, relief, spacing)
    steep = 0.006 if choices.relief < 50 else 0.003
    high = percentiles(relief.heights, land) * (1 + steep * (choices.relief - 50))
    damp = percentiles(wet, land) + (choices.rain - 50) * 0.7
    if kept is not None:
        high = kept.drawn_into_chart(high, choices, LOW_COLUMN)
        damp = kept.drawn_into_chart(damp, choices, DRY_COLUMN)
        warm = kept.drawn_into_chart(warm, choices, COLD_COLUMN)
    codes = np.zeros(grid.size, np.int64)
    codes[land] = _by_chart(
        (np.minimum(high[land], 99.9), np.clip(damp[land], 0, 99.9), warm[land]),
        choices,
        terrain_set,
    )
    _add_water(codes, grid, noise, relief, warm, terrain_set)
    shore = _beside(relief.sea, grid) & ~relief.water & (high < 45) & (warm > 25)
    sandy = noise.plain(BEACHES, 5.0) + (warm - 50) * 0.008 > 0.2
    codes[shore & sandy] = terrain_set.terrain_code(BEACH)
    summit = (high > 93) & (noise.plain(VOLCANOES, 2.0) > 0.72) & (warm > 30)
    codes[summit & ~_beside(relief.water, grid)] = terrain_set.terrain_code(VOLCANO)
    return codes, wet


def _by_chart(
    percents: tuple[Field, ...], choices: Choices, terrain_set: TerrainSet
) -> NDArray[np.int64]:
    """Return the terrain of the first line that fits, else of the line that is nearest."""
    codes = np.zeros(len(percents[0]), np.int64)
    best = np.full(len(percents[0]), np.inf)
    for name, limits in choices.chart:
        off = np.zeros(len(best))
        for values, least, most in zip(percents, limits[::2], limits[1::2], strict=True):
            off += np.maximum(np.maximum(least - values, values - most), 0)
        nearer = off < best
        codes[nearer] = terrain_set.terrain_code(name)
        best = np.where(nearer, off, best)
    return codes


def _add_water(
    codes: NDArray[np.int64],
    grid: Grid,
    noise: Noise,
    relief: Relief,
    warm: Field,
    terrain_set: TerrainSet,
) -> None:
    steps = nearest(~relief.water, grid.neighbour_table, 6) + 1.6 * noise.plain(DEPTHS, 7.0)
    deep = percentiles(-relief.heights, np.flatnonzero(relief.sea))
    code = {name: terrain_set.terrain_code(name) for name in SEAS}
    kinds = np.where((deep < _DEEP) | (steps < 3.5), code[SEA], code[DEEP_SEA])
    kinds = np.where((deep < _SHALLOW) & (steps < 5) | (steps < 1.8), code[SHALLOWS], kinds)
    kinds = np.where(warm < _FROZEN, code[ICE], kinds)
    codes[relief.water] = kinds[relief.water]


def _beside(marks: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    return np.asarray(nearest(marks, grid.neighbour_table, 2) == 1)


def elevation_of(relief: Relief, choices: Choices, terrain_set: TerrainSet) -> NDArray[np.int64]:
    """Return the elevation of each cell, one of those of the terrain set, (cells,).

    The sea lies as low as the lowest land, so that its shores are no cliffs.
    """
    levels = land_levels(terrain_set)
    return np.where(relief.sea, levels[0], levels_of(relief.heights, choices, levels))
