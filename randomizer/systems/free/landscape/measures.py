"""The measures of landscapes: the number of towns, and the lengths of rivers and roads.

The gallery of rolls searches and sorts by measures. A *batch* is a number of rolled maps on one
grid, whose planes are arrays (maps, cells). The measures count cells of what the maps show, so that
what is painted above a roll counts, too::

    towns, rivers, roads = measures()
    number_of_towns = towns.of(batch)
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.model.planes.routes import SIDES
from randomizer.systems.free.landscape.terrain_names import (
    BUILT_UP,
    DENSELY_BUILT_UP,
    RIVER,
    ROAD,
    TRACK,
)
from randomizer.systems.free.system import WAYS


def measures() -> tuple[Measure, ...]:
    """Return the measures of every kind of landscape, in the order in which they are offered."""
    return (
        Measure("towns", "Towns", "How many towns and cities a map has.", _towns),
        Measure(
            "rivers",
            "Length of rivers",
            "On how many cells of a map rivers run.",
            partial(_cells_with_ways, names=(RIVER,)),
        ),
        Measure(
            "roads",
            "Length of roads",
            "On how many cells of a map roads and tracks run.",
            partial(_cells_with_ways, names=(ROAD, TRACK)),
        ),
    )


def _towns(batch: Batch) -> NDArray[np.float64]:
    """Return how many cells of each map are built up, (maps,): each town or city stands on one."""
    terrain_set = batch.base.terrain_set
    codes = []
    for name in (BUILT_UP, DENSELY_BUILT_UP):
        if terrain_set.has_terrain(name):
            codes.append(terrain_set.terrain_code(name))
    counts: NDArray[np.float64] = np.isin(batch.terrain, codes).sum(axis=1).astype(np.float64)
    return counts


def _cells_with_ways(batch: Batch, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return on how many cells of each map a way with one of these names runs, (maps,)."""
    has_way = np.zeros((len(batch), batch.base.grid.size), np.bool_)
    for index, way in enumerate(batch.base.terrain_set.ways):
        plane = batch.others.get(WAYS[index].name)
        if way.name in names and plane is not None:
            has_way |= (plane & SIDES != 0).reshape(len(batch), -1)
    counts: NDArray[np.float64] = has_way.sum(axis=1).astype(np.float64)
    return counts
